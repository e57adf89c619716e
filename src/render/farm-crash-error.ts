/** The farm's process died while a task was in its hands. */

export class FarmCrashError extends Error {
  override readonly name = 'FarmCrashError';
  /** Whether the task had reached the process, so that it may be what killed it; false when the process died on its way up. */
  readonly taskStarted: boolean;

  /** Tasks that the death took with it, at least this one: only where it is 1 is this task known to be the cause. */
  readonly tasksLost: number;

  /** `death` says how the process ended: `signal SIGABRT`, `exit code 1`. */
  constructor(death: string, taskStarted: boolean, tasksLost: number) {
    super(`The render farm's process died (${death})`);
    this.taskStarted = taskStarted;
    this.tasksLost = tasksLost;
  }
}
