/** The farm's process died while a task was in its hands. */

export class FarmCrashError extends Error {
  override readonly name = 'FarmCrashError';
  /** Whether the task had reached the process, so that it may be what killed it; false when the process died on its way up. */
  readonly taskStarted: boolean;

  /** `death` says how the process ended: `signal SIGABRT`, `exit code 1`. */
  constructor(death: string, taskStarted: boolean) {
    super(`The render farm's process died (${death})`);
    this.taskStarted = taskStarted;
  }
}
