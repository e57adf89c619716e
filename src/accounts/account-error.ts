/** A refusal that only the account pages have, with a message for the person. */

/** HTTP statuses by reason. */
const STATUS = {
  forbidden: 403,
  /** The identity provider signed nobody in. */
  sign_in_ended: 403,
  not_found: 404,
  conflict: 409,
  link_ended: 410,
  too_large: 413,
  too_many_passwords: 429,
} as const;

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly reason: keyof typeof STATUS;
  /** Heading of the page. Undefined: that of the status. */
  readonly title: string | undefined;
  /** The link that leads on. Undefined: to the account. */
  readonly next: { href: string; label: string } | undefined;

  constructor(reason: keyof typeof STATUS, message: string, title?: string, next?: { href: string; label: string }) {
    super(message);
    this.reason = reason;
    this.title = title;
    this.next = next;
  }

  get status(): number {
    return STATUS[this.reason];
  }
}
