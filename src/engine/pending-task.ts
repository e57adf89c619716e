/** A task of the engine without an outcome. */

import { EngineError } from './engine-error.js';
import type { ProcessRequest, TaskOutcome } from './task-messages.js';

export interface PendingTask {
  message: ProcessRequest;
  resolve: (value: unknown) => void;
  /** True once its process was killed while it ran alone. */
  wasKilledAlone?: boolean;
  reject: (error: Error) => void;
}

/** Resolves or rejects the task's promise. */
export function settle(task: PendingTask, outcome: TaskOutcome): void {
  if ('error' in outcome) {
    task.reject(new EngineError(outcome.error.code, outcome.error.message));
  } else {
    task.resolve(outcome.value);
  }
}
