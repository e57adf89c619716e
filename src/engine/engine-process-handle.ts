/**
 * One process of the engine: starts it, restarts it when it dies, and exchanges messages with it. The process reads hostile input
 * and may have been taken over: whatever it sends that it should not is its death.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Gathered } from '../platform/concurrency.js';
import { BEAT_MS, type ProcessReply, type ProcessRequest, type TaskName, type TaskOutcome } from './engine.js';
import { CHANNEL } from './engine-channel.js';
import { ErrorLines } from './error-lines.js';
import { attached, type Frame, FrameError, FrameReader, writeFrames } from './frames.js';
import { engineReply } from './reply-checker.js';

// Relative to the package's root, so that the TypeScript sources find the compiled program too.
const PROCESS_PATH = fileURLToPath(new URL('../../dist/engine/engine-process.js', import.meta.url));

/** Restart delay: `first`, doubled for each start in a row that failed, up to `longest`. */
const RESTART_DELAY_MS = { first: 50, longest: 5_000 };

/** Beats without a sign of life before a process is killed: once it is ready, and while it starts. */
const SILENT_BEATS = { ready: 5, starting: 60 };

const SILENCE = 'no sign of life';

/** Death of a process that sent something that the engine never sends. */
const BAD_FRAME = 'a bad message';

/** Bytes of the longest message: of the report of a hundred thousand faulty rows, and of a few pictures of the largest size. */
const LONGEST_REPLY = { jsonBytes: 64_000_000, bytes: 128_000_000 };

/** Signs of life in a beat, of which the engine sends one: those of minutes come at once where this process was stopped. */
const MOST_SIGNS = 1_000;

/** Time after a process's end in which what it sent last is read. */
const LAST_WORDS_MS = 1_000;

/** Death by the signal that an operator or the kernel sends. A crash of the engine's own has another. */
const KILLED = 'signal SIGKILL';

/** Failed starts in a row before a process is started without its environment, which confines it, unless one was ready with it. */
const CONFINED_STARTS = 2;

type Environment = Readonly<Record<string, string>>;

interface EngineProcessOptions {
  /** Arguments of the process: number of threads, timeout of a task, then the arguments of each thread. */
  argv: readonly string[];
  /** Program of the process. Default: the compiled one. */
  program?: string | undefined;
  /** The whole environment of the process. Default: empty. */
  environment?: Environment | undefined;
  /** True when a process was ready with that environment: then it is kept, however many starts fail. */
  isSound?: boolean | undefined;
  /** Called each time the process has loaded the engine. */
  onReady: () => void;
  onOutcome: (id: number, outcome: TaskOutcome) => void;
  onDeath: (death: EngineDeath) => void;
  /** Called for each line that the process writes to its standard error: short, and without control characters. */
  onErrorLine: (line: string) => void;
}

export interface EngineDeath {
  /** `signal SIGABRT`, `exit code 1`, `no sign of life`, `a bad message`. */
  death: string;
  /** True for an end that somebody else may have caused: SIGKILL, or SIGSTOP. */
  mayBeFromOutside: boolean;
  /** Starts in a row that failed before the engine was loaded. 0 when it was loaded. */
  failedStarts: number;
  /** Id of the task that ran too long, if the process was killed for that. */
  overdue: number | undefined;
}

export class EngineProcessHandle {
  readonly #options: EngineProcessOptions;
  // Sending fails only when the process is dying. Its death then settles the tasks.
  readonly #requests = new Gathered<ProcessRequest>((requests) => this.#send(requests));
  /** Names of the tasks that were sent to the process, by id. */
  readonly #sent = new Map<number, TaskName>();
  /** The last process that the system started. Undefined: none. */
  #child: ChildProcess | undefined;
  /** Settles when `#child` has exited. */
  #gone!: Promise<void>;
  #isReady = false;
  #environment: Environment = {};
  /** The environment of the first process that was ready: others can be ready with it, and might not with another. */
  #sound: Environment | undefined;
  #isClosing = false;
  #failedStarts = 0;
  #overdue: number | undefined;
  /** Beats without a sign of life. */
  #silentBeats = 0;
  /** Signs of life in this beat. */
  #signs = 0;
  #isBad = false;
  readonly #beat: NodeJS.Timeout;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#sound = options.isSound === true ? options.environment : undefined;
    this.#start();
    this.#beat = setInterval(() => this.#onBeat(), BEAT_MS).unref();
  }

  /** True once the process has loaded the engine and accepts tasks. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The environment with which a process was ready. Undefined: none was. */
  get soundEnvironment(): Environment | undefined {
    return this.#sound;
  }

  send(request: ProcessRequest): void {
    this.#sent.set(request.id, request.name);
    this.#requests.add(request);
  }

  /** Ends the process, even while tasks run. Another one follows. */
  restart(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Ends the process, even while tasks run. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    this.#channel?.end();
    await this.#gone;
    // Until then it ends a process that is stopped and does not end by itself.
    clearInterval(this.#beat);
  }

  get #channel(): Socket | undefined {
    // A process that the system did not start has no streams.
    const { stdio }: { stdio?: readonly unknown[] } = this.#child ?? {};
    return stdio?.[CHANNEL] as Socket | undefined;
  }

  #start(): void {
    const { argv, program = PROCESS_PATH, environment = {} } = this.#options;
    this.#silentBeats = 0;
    this.#signs = 0;
    this.#isBad = false;
    this.#sent.clear();
    this.#environment = this.#sound ?? (this.#failedStarts < CONFINED_STARTS ? environment : {});
    try {
      // Without flags of V8, with which it would compile the library of Node.js at each start.
      this.#child = spawn(process.execPath, [program, ...argv], {
        // The process reads hostile input, so it does not get the service's secrets.
        env: this.#environment,
        // A pipe: a terminal takes what is typed into it from whoever has it open.
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        // A session of its own, which has no terminal.
        detached: true,
      });
    } catch (error) {
      // The system has no memory for a process, for example. Node emits an event for only some of its errors.
      this.#child = undefined;
      this.#gone = Promise.resolve((error as Error).message).then((death) => this.#onDeath(death));
      return;
    }
    this.#listen(this.#child);
    this.#gone = deathOf(this.#child).then((death) => this.#onDeath(death));
  }

  #listen(child: ChildProcess): void {
    const frames = new FrameReader(LONGEST_REPLY);
    this.#channel?.on('error', () => {}).on('data', (chunk: Buffer) => this.#onChunk(child, frames, chunk));
    const lines = new ErrorLines((line) => this.#options.onErrorLine(line));
    child.stderr?.on('error', () => {}).on('data', (chunk: Buffer) => lines.push(chunk));
  }

  #send(requests: readonly ProcessRequest[]): void {
    const channel = this.#channel;
    if (channel?.writable === true) {
      writeFrames(channel, requests);
    }
  }

  #onChunk(child: ChildProcess, frames: FrameReader, chunk: Buffer): void {
    if (this.#isBad) {
      return;
    }
    try {
      for (const frame of frames.push(chunk)) {
        this.#onReply(this.#replyIn(frame));
      }
    } catch (error) {
      if (!(error instanceof FrameError)) {
        throw error;
      }
      this.#isBad = true;
      child.kill('SIGKILL');
    }
  }

  /** @throws FrameError for a message that the engine does not send now */
  #replyIn({ message, bytes }: Frame): ProcessReply {
    const id = (message as { id?: unknown } | null)?.id;
    const task = typeof id === 'number' ? this.#sent.get(id) : undefined;
    if (!engineReply.Check({ task, message })) {
      throw new FrameError('a message that follows no schema');
    }
    const reply = attached(message, bytes) as ProcessReply;
    this.#signs += 1;
    const isOutOfTurn =
      'id' in reply
        ? !this.#sent.delete(reply.id)
        : this.#signs > MOST_SIGNS ||
          ('ready' in reply && this.#isReady) ||
          ('overdue' in reply && !this.#sent.has(reply.overdue));
    if (isOutOfTurn) {
      throw new FrameError('a message out of turn');
    }
    return reply;
  }

  /**
   * Kills a process that is silent for too long: stopped, or with a stuck main thread. Counts beats instead of measuring
   * time, because this process may have been stopped itself.
   */
  #onBeat(): void {
    this.#silentBeats += 1;
    this.#signs = 0;
    if (this.#isSilent()) {
      this.#child?.kill('SIGKILL');
    }
  }

  #isSilent(): boolean {
    return this.#silentBeats > (this.#isReady ? SILENT_BEATS.ready : SILENT_BEATS.starting);
  }

  #onReply(reply: ProcessReply): void {
    this.#silentBeats = 0;
    if ('ready' in reply) {
      this.#isReady = true;
      this.#sound ??= this.#environment;
      this.#failedStarts = 0;
      this.#options.onReady();
    } else if ('overdue' in reply) {
      this.#overdue = reply.overdue;
      this.#child?.kill('SIGKILL');
    } else if ('id' in reply) {
      this.#options.onOutcome(reply.id, reply);
    }
  }

  #onDeath(death: string): void {
    if (this.#isClosing) {
      return;
    }
    const waitMs = Math.min(RESTART_DELAY_MS.first * 2 ** this.#failedStarts, RESTART_DELAY_MS.longest);
    this.#failedStarts += 1;
    const failedStarts = this.#isReady ? 0 : this.#failedStarts;
    const overdue = this.#overdue;
    const kill = this.#isBad ? BAD_FRAME : overdue === undefined ? death : 'a task took too long';
    const cause = this.#isSilent() ? SILENCE : kill;
    this.#isReady = false;
    this.#overdue = undefined;
    this.#restart = setTimeout(() => this.#start(), waitMs);
    const mayBeFromOutside = cause === SILENCE || cause === KILLED;
    this.#options.onDeath({ death: cause, mayBeFromOutside, failedStarts, overdue });
  }
}

/** Resolves when `child` has exited and all its messages have been received. */
function deathOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => {
      // Where nothing confines it, a process of its own may have the streams still open.
      setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), LAST_WORDS_MS).unref();
    });
    child.once('close', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}
