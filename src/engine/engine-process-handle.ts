/** One process of the engine: started, started again when it dies, and spoken to over its channel. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProcessReply, ProcessRequest, TaskOutcome } from './task-messages.js';

// From the package's root, so that the sources find the compiled process as well.
const PROCESS_PATH = fileURLToPath(new URL('../../dist/engine/engine-process.js', import.meta.url));

/** Wait before a restart: the first, doubled for each start in a row that never got ready, and the longest. */
const RESTART_MS = { first: 50, longest: 5_000 };

export interface EngineProcessOptions {
  /** The command line of the process: its threads, the time of a task, then what each thread is given. */
  argv: readonly string[];
  /** The program of the process; the compiled one when absent. */
  program?: string | undefined;
  /** Called whenever the process has loaded the engine. */
  onReady: () => void;
  onOutcome: (id: number, outcome: TaskOutcome) => void;
  /** Called for each death that nobody asked for. */
  onDeath: (death: EngineDeath) => void;
}

export interface EngineDeath {
  /** `signal SIGABRT`, `exit code 1`. */
  death: string;
  /** Deaths in a row before the engine was loaded; 0 when it was. */
  failedStarts: number;
  /** The task that the process was ended for, since it took too long. */
  overdue: number | undefined;
}

export class EngineProcessHandle {
  readonly #options: EngineProcessOptions;
  #child!: ChildProcess;
  /** Settles when `#child` is gone. */
  #gone!: Promise<void>;
  #isReady = false;
  #isClosing = false;
  #failedStarts = 0;
  #overdue: number | undefined;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#start();
  }

  /** True once the process has loaded the engine and takes tasks. */
  get isReady(): boolean {
    return this.#isReady;
  }

  send(message: ProcessRequest): void {
    // A channel that fails belongs to a process that is dying: its death settles the task.
    this.#child.send(message, () => {});
  }

  /** Ends the process, whatever it is doing. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    if (this.#child.connected) {
      this.#child.disconnect();
    }
    await this.#gone;
  }

  #start(): void {
    const { argv, program = PROCESS_PATH } = this.#options;
    this.#child = fork(program, argv, {
      // Nothing that meets hostile input needs the service's secrets.
      env: {},
      // Its threads hold little JavaScript: 86 MB resident with two of them instead of 98.
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Bodies and archives of small jobs cross as they are.
      serialization: 'advanced',
    });
    this.#child.on('message', (reply: ProcessReply) => this.#onReply(reply));
    this.#gone = deathOf(this.#child).then((death) => this.#onDeath(death));
  }

  #onReply(reply: ProcessReply): void {
    if ('ready' in reply) {
      this.#isReady = true;
      this.#failedStarts = 0;
      this.#options.onReady();
    } else if ('overdue' in reply) {
      this.#overdue = reply.overdue;
      this.#child.kill('SIGKILL');
    } else {
      this.#options.onOutcome(reply.id, reply);
    }
  }

  #onDeath(death: string): void {
    if (this.#isClosing) {
      return;
    }
    const waitMs = Math.min(RESTART_MS.first * 2 ** this.#failedStarts, RESTART_MS.longest);
    this.#failedStarts += 1;
    const failedStarts = this.#isReady ? 0 : this.#failedStarts;
    this.#isReady = false;
    this.#restart = setTimeout(() => this.#start(), waitMs);
    const overdue = this.#overdue;
    this.#overdue = undefined;
    this.#options.onDeath({ death: overdue === undefined ? death : 'a task took too long', failedStarts, overdue });
  }
}

/** The end of `child`, once all that it had sent was received. */
function deathOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      const death = signal ? `signal ${signal}` : `exit code ${code}`;
      if (child.connected) {
        child.once('disconnect', () => resolve(death));
      } else {
        resolve(death);
      }
    });
  });
}
