/** A failure of the engine that is no caller's fault: a disk, a damaged spool, a defect. */

export class EngineError extends Error {
  override readonly name = 'EngineError';
  /**
   * Stable: from the addon (`io`, `corrupt_spool`, `panic`, …); `worker`: a thread was lost; `crash`: the task ends the process
   * that does it, or takes too long, also alone; `down`: the process does not start, and the task was not tried.
   */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
