/** A task of the engine that has no outcome yet. */

import { EngineError } from './engine-error.js';
import type { ProcessRequest, TaskOutcome } from './task-messages.js';

export interface PendingTask {
  message: ProcessRequest;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Tells whoever waits for the task. */
export function settle(task: PendingTask, outcome: TaskOutcome): void {
  if ('error' in outcome) {
    task.reject(new EngineError(outcome.error.code, outcome.error.message));
  } else {
    task.resolve(outcome.value);
  }
}
