/**
 * The engine in supervised processes. Native code reads hostile input there and may crash without taking the service
 * down.
 *
 * The crash policy is only here. The tasks in flight of a process that dies are suspects. Each suspect runs once more,
 * alone, in a second process, while the main process does everything else. A suspect that crashes the second process
 * too is to blame: its caller gets an `EngineError` with code `crash`. The other suspects of the same death go back to
 * the main process. No task is lost to another task's crash. A task that crashes delays only the other suspects.
 *
 * A process without a sign of life for some seconds is killed: it was stopped, or its main thread is stuck. That and
 * SIGKILL may come from outside, so a suspect that ran alone then gets one more try.
 *
 * A task that takes too long is handled like a crash, but is the only suspect: its process is killed.
 */

import { fileURLToPath } from 'node:url';
import { confinedTo, type EngineFolders } from './confinement.js';
import {
  type Engine,
  type EngineDescription,
  EngineError,
  type ProcessRequest,
  type TaskName,
  type TaskOutcome,
  type TaskRequest,
  type TaskValue,
} from './engine.js';
import { type EngineDeath, EngineProcessHandle } from './engine-process-handle.js';

const BUNDLED_FONTS = fileURLToPath(new URL('../../fonts', import.meta.url));

/** Timeout of a task, without the part for its items. A check ends itself after two minutes. */
const TASK_TIMEOUT_MS = 300_000;

/** Failed starts in a row before waiting tasks are refused with code `down`. */
const MAX_FAILED_STARTS = 3;

export interface EngineSupervisorOptions {
  /** Rendering threads, at least 1. */
  threads: number;
  /** Items per chunk. */
  chunkItems: number;
  /** A folder with fonts for characters that the bundled ones lack. */
  fontDir?: string | undefined;
  /** Confines the process to these folders, where the system can. Default: not confined. */
  folders?: EngineFolders | undefined;
  /** Program of the process. Default: the compiled one. */
  program?: string | undefined;
  /** Timeout of a task, without the part for its items. Default: `TASK_TIMEOUT_MS`. */
  taskTimeoutMs?: number | undefined;
  /** Called once for each unexpected death. */
  onCrash?: (crash: EngineCrash) => void;
  /** Called for each line that the process writes to its standard error. Default: passes it on to this process's own. */
  onErrorLine?: ((line: string) => void) | undefined;
  /** Called when the process does not start, and tasks are refused from now on with code `down`. */
  onDown?: (death: string) => void;
  /** Called when the process runs again after `onDown`. */
  onUp?: () => void;
}

export interface EngineCrash {
  /** `signal SIGABRT`, `exit code 1`, `no sign of life`, `a bad message`, `a task took too long`. */
  death: string;
  /** Tasks in flight in the process. */
  tasksLost: number;
}

/** A task without an outcome. */
interface PendingTask {
  message: ProcessRequest;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  /** True once its process was killed while it ran alone. */
  wasKilledAlone?: boolean;
}

export class EngineSupervisor implements Engine {
  readonly #options: EngineSupervisorOptions;
  readonly #main: EngineProcessHandle;
  /** Tasks for the main process, by id: sent, or waiting until it is ready. */
  readonly #tasks = new Map<number, PendingTask>();
  /** Suspects: tasks in flight in a process that died. One list per death. */
  readonly #suspects: PendingTask[][] = [];
  /** The suspect that runs alone, and its process. */
  #alone: PendingTask | undefined;
  #quarantine: EngineProcessHandle | undefined;
  #nextId = 1;
  #closed: Promise<void> | undefined;
  #onDrained: (() => void) | undefined;
  /** The death of the last start, while the process does not start. */
  #downBy: string | undefined;

  readonly readSpreadsheet = this.#task('readSpreadsheet');
  readonly check = this.#task('check');
  readonly drawSamples = this.#task('drawSamples');
  readonly renderChunk = this.#task('renderChunk');
  readonly renderChunks = this.#task('renderChunks');
  readonly finishArchive = this.#task('finishArchive');
  readonly writeHeaders = this.#task('writeHeaders');
  readonly writeEnd = this.#task('writeEnd');
  readonly readBack = this.#task('readBack');
  readonly sumUpReadings = this.#task('sumUpReadings');
  readonly verify = this.#task('verify');
  readonly seeItem = this.#task('seeItem');
  readonly scan = this.#task('scan');
  readonly writeManifest = this.#task('writeManifest');
  readonly findFile = this.#task('findFile');
  readonly planLabels = this.#task('planLabels');
  readonly measureLabels = this.#task('measureLabels');
  readonly drawLabels = this.#task('drawLabels');
  readonly changeLines = this.#task('changeLines');

  /** Starts the process. Accepts tasks at once. */
  constructor(options: EngineSupervisorOptions) {
    this.#options = options;
    this.#main = new EngineProcessHandle({
      ...this.#processOptions(options.threads),
      onReady: () => this.#onMainReady(),
      onOutcome: (id, outcome) => this.#settle(id, outcome),
      onDeath: (death) => this.#onMainDeath(death),
    });
  }

  describe(): Promise<EngineDescription> {
    return this.#run('describe', undefined);
  }

  /** Number of threads, and of tasks without an outcome. `isUp`: false while the process does not start. */
  get load(): { threads: number; tasks: number; isUp: boolean } {
    const suspects = this.#suspects.flat().length + (this.#alone ? 1 : 0);
    const isUp = this.#downBy === undefined;
    return { threads: this.#options.threads, tasks: this.#tasks.size + suspects, isUp };
  }

  /** Replaces the process: it is confined to folders that were deleted, though others have their names. No task is lost. */
  restart(): void {
    this.#main.restart();
  }

  /** Accepts no more tasks, finishes the current ones, and ends the processes. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** Closes at once: the current tasks fail with code `stopped`. */
  abandon(): Promise<void> {
    const tasks = [...this.#tasks.values(), ...this.#suspects.flat(), ...(this.#alone ? [this.#alone] : [])];
    this.#tasks.clear();
    this.#suspects.length = 0;
    this.#alone = undefined;
    for (const task of tasks) {
      task.reject(new EngineError('stopped', 'The service ends and does not wait for the task'));
    }
    this.#notifyIfDrained();
    return this.close();
  }

  #task<Name extends TaskName>(name: Name): (request: TaskRequest<Name>) => Promise<TaskValue<Name>> {
    return (request) => this.#run(name, request);
  }

  #run<Name extends TaskName>(name: Name, request: TaskRequest<Name>): Promise<TaskValue<Name>> {
    if (this.#closed) {
      return Promise.reject(new Error('The engine is closed'));
    }
    return new Promise((resolve, reject) => {
      const message = { id: this.#nextId++, name, request } as ProcessRequest;
      this.#submit({ message, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #submit(task: PendingTask): void {
    if (this.#downBy !== undefined) {
      task.reject(downError(this.#downBy));
      return;
    }
    this.#tasks.set(task.message.id, task);
    if (this.#main.isReady) {
      this.#main.send(task.message);
    }
  }

  #onMainReady(): void {
    const wasDown = this.#downBy !== undefined;
    this.#downBy = undefined;
    if (wasDown) {
      this.#options.onUp?.();
    }
    for (const { message } of this.#tasks.values()) {
      this.#main.send(message);
    }
  }

  #settle(id: number, outcome: TaskOutcome): void {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    if (task !== undefined) {
      settle(task, outcome);
    }
    this.#notifyIfDrained();
  }

  #onMainDeath({ death, failedStarts, overdue }: EngineDeath): void {
    const tasks = [...this.#tasks.values()];
    this.#options.onCrash?.({ death, tasksLost: failedStarts === 0 ? tasks.length : 0 });
    if (failedStarts === 0) {
      const suspects = overdue === undefined ? tasks : tasks.filter(({ message }) => message.id === overdue);
      for (const { message } of suspects) {
        this.#tasks.delete(message.id);
      }
      this.#suspects.push(suspects);
      this.#runNextSuspect();
    } else if (failedStarts >= MAX_FAILED_STARTS) {
      this.#tasks.clear();
      for (const task of tasks) {
        task.reject(downError(death));
      }
      if (this.#downBy === undefined) {
        this.#options.onDown?.(death);
      }
      this.#downBy = death;
    }
    this.#notifyIfDrained();
  }

  #runNextSuspect(): void {
    if (this.#alone !== undefined) {
      return;
    }
    while (this.#suspects[0]?.length === 0) {
      this.#suspects.shift();
    }
    const suspect = this.#suspects[0]?.shift();
    if (suspect === undefined) {
      void this.#quarantine?.close();
      this.#quarantine = undefined;
      this.#notifyIfDrained();
      return;
    }
    this.#alone = suspect;
    this.#quarantine ??= new EngineProcessHandle({
      ...this.#processOptions(1),
      // The suspect may have taken the process over: nothing that it does makes the next one less confined.
      environment: this.#main.soundEnvironment,
      isSound: true,
      onReady: () => this.#sendSuspect(),
      onOutcome: (id, outcome) => this.#settleSuspect(id, outcome),
      onDeath: (death) => this.#onQuarantineDeath(death),
    });
    this.#sendSuspect();
  }

  #sendSuspect(): void {
    if (this.#alone !== undefined && this.#quarantine?.isReady) {
      this.#quarantine.send(this.#alone.message);
    }
  }

  #settleSuspect(id: number, outcome: TaskOutcome): void {
    if (this.#alone?.message.id === id) {
      settle(this.#alone, outcome);
      this.#alone = undefined;
      this.#runNextSuspect();
    }
  }

  #onQuarantineDeath({ death, mayBeFromOutside, failedStarts }: EngineDeath): void {
    const suspect = this.#alone;
    this.#options.onCrash?.({ death, tasksLost: failedStarts === 0 && suspect ? 1 : 0 });
    if (suspect === undefined || (failedStarts > 0 && failedStarts < MAX_FAILED_STARTS)) {
      return;
    }
    if (failedStarts > 0) {
      suspect.reject(downError(death));
    } else if (mayBeFromOutside && !suspect.wasKilledAlone) {
      suspect.wasKilledAlone = true;
      return;
    } else {
      suspect.reject(new EngineError('crash', `The engine's process died (${death}) while it did this task alone`));
      // Clears the other suspects of the same death.
      for (const task of this.#suspects.shift() ?? []) {
        this.#submit(task);
      }
    }
    this.#alone = undefined;
    this.#runNextSuspect();
  }

  #processOptions(threads: number) {
    const { taskTimeoutMs = TASK_TIMEOUT_MS, chunkItems, fontDir, folders, program } = this.#options;
    const { onErrorLine = (line: string) => console.error(`engine: ${line}`) } = this.#options;
    const fontFolders = fontDir === undefined ? [BUNDLED_FONTS] : [BUNDLED_FONTS, fontDir];
    const argv = [threads, taskTimeoutMs, chunkItems, ...fontFolders].map(String);
    const environment = folders && confinedTo({ ...folders, readable: [...fontFolders, ...folders.readable] }, threads);
    return { argv, program, environment, onErrorLine };
  }

  #notifyIfDrained(): void {
    if (this.load.tasks === 0) {
      this.#onDrained?.();
    }
  }

  async #shutDown(): Promise<void> {
    if (this.load.tasks > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await Promise.all([this.#main.close(), this.#quarantine?.close()]);
  }
}

/** Resolves or rejects the task's promise. */
function settle({ resolve, reject }: PendingTask, outcome: TaskOutcome): void {
  if ('error' in outcome) {
    reject(new EngineError(outcome.error.code, outcome.error.message));
  } else {
    resolve(outcome.value);
  }
}

function downError(death: string): EngineError {
  return new EngineError('down', `The engine's process does not start (${death})`);
}
