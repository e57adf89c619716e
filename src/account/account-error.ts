/** A refusal on the account pages, with a message for the person. */

export type AccountErrorReason = 'forbidden' | 'not_found' | 'conflict' | 'link_ended' | 'too_many' | 'unavailable';

const STATUS: Readonly<Record<AccountErrorReason, number>> = {
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  link_ended: 410,
  too_many: 429,
  unavailable: 503,
};

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly reason: AccountErrorReason;
  /** For `too_many`: seconds until a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: AccountErrorReason, message: string, retryAfterSeconds?: number) {
    super(message);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** HTTP status. */
  get status(): number {
    return STATUS[this.reason];
  }
}
