/** The engine behind a supervised process: native code meets hostile input there, and may die without taking the service with it. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type {
  CheckReport,
  CheckRequest,
  Engine,
  EndRequest,
  EngineDescription,
  FinishReport,
  FinishRequest,
  HeadersRequest,
  RenderReport,
  RenderRequest,
} from './engine.js';
import { EngineError } from './engine-error.js';
import { FarmCrashError } from './farm-crash-error.js';
import type { FarmReply, FarmRequest, TaskName, TaskRequest, TaskValue } from './farm-messages.js';

// From the package's root, so that the sources find the compiled process as well.
const PROCESS_PATH = fileURLToPath(new URL('../../dist/render/farm-process.js', import.meta.url));
const BUNDLED_FONTS = fileURLToPath(new URL('../../fonts', import.meta.url));

/** Wait before a restart: the first, doubled for each start in a row that never got ready, and the longest. */
const RESTART_MS = { first: 50, longest: 5_000 };

export interface FarmOptions {
  /** Rendering threads, at least 1. */
  threads: number;
  /** Items of the chunks that a job is cut into. */
  chunkItems: number;
  /** A folder of fonts for what the bundled ones lack. */
  fontDir?: string | undefined;
  /** Called once for each death that nobody asked for, after the tasks that it took with it were told. */
  onCrash?: (error: FarmCrashError) => void;
}

interface PendingTask {
  message: FarmRequest;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export class Farm implements Engine {
  readonly #options: FarmOptions;
  /** Tasks without an outcome, by id. */
  readonly #pending = new Map<number, PendingTask>();
  #nextId = 1;
  #child!: ChildProcess;
  /** Settles when `#child` is gone and its death has been dealt with. */
  #gone!: Promise<void>;
  /** The process has loaded the engine, and every pending task was sent to it; until then they wait here. */
  #ready = false;
  #failedStarts = 0;
  #restart: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;

  /** Starts the process; tasks are taken at once. */
  constructor(options: FarmOptions) {
    this.#options = options;
    this.#start();
  }

  check(request: CheckRequest): Promise<CheckReport> {
    return this.#run('check', request);
  }

  renderChunk(request: RenderRequest): Promise<RenderReport> {
    return this.#run('renderChunk', request);
  }

  finishArchive(request: FinishRequest): Promise<FinishReport> {
    return this.#run('finishArchive', request);
  }

  writeHeaders(request: HeadersRequest): Promise<number> {
    return this.#run('writeHeaders', request);
  }

  writeEnd(request: EndRequest): Promise<number> {
    return this.#run('writeEnd', request);
  }

  describe(): Promise<EngineDescription> {
    return this.#run('describe', undefined);
  }

  /** Threads, and tasks that have no outcome yet. */
  get load(): { threads: number; tasks: number } {
    return { threads: this.#options.threads, tasks: this.#pending.size };
  }

  /** Takes no more tasks, finishes those it has, and ends the process. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  #run<Name extends TaskName>(name: Name, request: TaskRequest<Name>): Promise<TaskValue<Name>> {
    if (this.#closed) {
      return Promise.reject(new Error('The render farm is closed'));
    }
    return new Promise((resolve, reject) => {
      const message: FarmRequest = { id: this.#nextId++, name, request };
      this.#pending.set(message.id, { message, resolve: resolve as (value: unknown) => void, reject });
      if (this.#ready) {
        this.#send(message);
      }
    });
  }

  #start(): void {
    const { threads, chunkItems, fontDir } = this.#options;
    const fontFolders = fontDir === undefined ? [BUNDLED_FONTS] : [BUNDLED_FONTS, fontDir];
    this.#child = fork(PROCESS_PATH, [threads, chunkItems, ...fontFolders].map(String), {
      // Nothing that meets hostile input needs the service's secrets.
      env: {},
      // Its threads hold little JavaScript: 86 MB resident with two of them instead of 98.
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (reply: FarmReply) => this.#onReply(reply));
    this.#gone = deathOf(this.#child).then((death) => this.#onDeath(death));
  }

  #send(message: FarmRequest): void {
    // A channel that fails belongs to a process that is dying: its death settles the task.
    this.#child.send(message, () => {});
  }

  #onReply(reply: FarmReply): void {
    if ('ready' in reply) {
      this.#ready = true;
      this.#failedStarts = 0;
      for (const { message } of this.#pending.values()) {
        this.#send(message);
      }
      return;
    }
    const task = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('error' in reply) {
      task?.reject(new EngineError(reply.error.code, reply.error.message));
    } else {
      task?.resolve(reply.value);
    }
    if (this.#pending.size === 0) {
      this.#onDrained?.();
    }
  }

  #onDeath(death: string): void {
    if (this.#closed && this.#pending.size === 0) {
      return;
    }
    const tasks = [...this.#pending.values()];
    const error = new FarmCrashError(death, this.#ready, tasks.length);
    this.#pending.clear();
    for (const task of tasks) {
      task.reject(error);
    }
    this.#options.onCrash?.(error);
    if (this.#closed) {
      this.#onDrained?.();
      return;
    }
    const waitMs = Math.min(RESTART_MS.first * 2 ** this.#failedStarts, RESTART_MS.longest);
    this.#failedStarts += 1;
    this.#ready = false;
    this.#restart = setTimeout(() => this.#start(), waitMs);
  }

  async #shutDown(): Promise<void> {
    if (this.#pending.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    clearTimeout(this.#restart);
    if (this.#child.connected) {
      this.#child.disconnect();
    }
    await this.#gone;
  }
}

/** How `child` ended, once it has and all that it had sent was received. */
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
