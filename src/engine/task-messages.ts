/** Messages between the engine, its process and its threads: plain data, the same over the IPC channel and between threads. */

import type { Engine } from './engine.js';

export type TaskName = keyof Engine;
export type TaskRequest<Name extends TaskName> = Parameters<Engine[Name]>[0];
export type TaskValue<Name extends TaskName> = Awaited<ReturnType<Engine[Name]>>;

/** Something for a thread to do. */
export interface Task<Name extends TaskName = TaskName> {
  name: Name;
  request: TaskRequest<Name>;
}

/** The end of a task. Errors are values, since neither threads nor the channel carry an error's `code`. */
export type TaskOutcome<Name extends TaskName = TaskName> =
  | { value: TaskValue<Name> }
  | { error: { code: string; message: string } };

/** Supervisor to process. */
export type ProcessRequest = Task & { id: number };

/**
 * Process to supervisor: once that the engine is loaded, then one outcome for each request, in any order. `overdue`: the id of a
 * request that takes longer than it may.
 */
export type ProcessReply = { ready: true } | { overdue: number } | ({ id: number } & TaskOutcome);
