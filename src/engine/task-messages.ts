/**
 * Messages between the engine, its process and its threads: plain data, the same over the IPC channel and between
 * threads.
 */

import type { Engine } from './engine.js';

export type TaskName = keyof Engine;
export type TaskRequest<Name extends TaskName> = Parameters<Engine[Name]>[0];
export type TaskValue<Name extends TaskName> = Awaited<ReturnType<Engine[Name]>>;

/** A task for a thread. */
export type Task<Name extends TaskName = TaskName> = {
  [Each in Name]: { name: Each; request: TaskRequest<Each> };
}[Name];

/** Result of a task. Errors are values, because neither threads nor the channel transmit an error's `code`. */
export type TaskOutcome<Name extends TaskName = TaskName> =
  | { value: TaskValue<Name> }
  | { error: { code: string; message: string } };

/** From the supervisor to the process. */
export type ProcessRequest = Task & { id: number };

/** Interval of the process's signs of life. */
export const BEAT_MS = 1_000;

/**
 * From the process to the supervisor: `ready` once when the engine is loaded, then one outcome per request, in any
 * order. `overdue`: the id of a request that takes too long. `alive`: sent every `BEAT_MS`.
 */
export type ProcessReply = { ready: true } | { alive: true } | { overdue: number } | ({ id: number } & TaskOutcome);
