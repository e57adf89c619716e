/** A failure of the engine that is not the caller's fault: a disk, a damaged spool, a bug. */

export class EngineError extends Error {
  override readonly name = 'EngineError';
  /**
   * Stable codes. From the addon: `io`, `corrupt_spool`, `panic` and others. `worker`: a thread was lost. `crash`: the
   * task crashes its process or takes too long, even when it runs alone. `down`: the process does not start, and the
   * task was not tried.
   */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
