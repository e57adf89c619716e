/** A refusal that only the account pages have, with a message for the person. */

/** HTTP statuses by reason. */
const STATUS = {
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  link_ended: 410,
} as const;

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly reason: keyof typeof STATUS;

  constructor(reason: keyof typeof STATUS, message: string) {
    super(message);
    this.reason = reason;
  }

  get status(): number {
    return STATUS[this.reason];
  }
}
