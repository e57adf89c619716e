/** What the engine could not do for a reason that is no caller's fault: a disk, a damaged spool, a defect. */

export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** Stable, from the addon (`io`, `corrupt_spool`, `panic`, …), or `worker` when a thread was lost. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
