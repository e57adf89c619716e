/** A queue of the steps of jobs. Either local to this process or shared through Redis. */

import type { QueueFigures } from '../../../admission/queue-room.js';

/**
 * A chunk to render or an archive to finish, as data that any process can pick up. It is a hint: the database says what
 * is still to be done.
 */
export interface Step {
  organisationId: string;
  jobId: string;
  /** Position of the chunk to render. Absent: the step finishes the archive. */
  chunk?: number;
  /** The parent span, in the form of W3C Trace Context. Absent when the job is not traced. */
  traceparent?: string | undefined;
}

/**
 * Runs a step, as far as the database says that it is still to be done. Never rejects. Idempotent.
 * Resolves with a time (Unix milliseconds) when another process holds the step, or this one cannot do it: the step is due
 * again from then on.
 */
export type StepHandler = (step: Step) => Promise<number | undefined>;

export interface Dispatcher {
  /**
   * Starts to pass steps to `handle`. Call it once, before the first `submit`.
   * @param reconcile called when the queue may lack steps that the database knows of
   */
  start(handle: StepHandler, reconcile: () => void): void;
  /**
   * Queues steps. Those that finish an archive go before all chunks; a step that is already queued stays as it is.
   * Never fails: the next look into the database finds lost steps. After `close` steps are dropped.
   */
  submit(steps: readonly Step[]): void;
  /** Resolves once the submitted steps are queued or lost. Never rejects. */
  sent(): Promise<void>;
  /** Undefined when the figures are not available. */
  figures(organisationId: string): Promise<QueueFigures | undefined>;
  /** Starts no more steps until `resume`: those that wait in a shared queue are left to other processes. */
  pause(): void;
  resume(): void;
  /** Starts no more steps and resolves when all running steps have ended. */
  close(): Promise<void>;
}
