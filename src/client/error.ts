/** The service's error responses as exceptions. */

import type { ErrorBody } from '../contract/response-schema.js';

type Refusal = Partial<ErrorBody> & Pick<ErrorBody, 'error' | 'message'> & Readonly<Record<string, unknown>>;

export class QrpressError extends Error {
  override readonly name = 'QrpressError';
  /** HTTP status. */
  readonly status: number;
  /** The error code, such as `insufficient_credits`. */
  readonly code: string;
  readonly body: Refusal;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: Refusal, retryAfterSeconds?: number) {
    super(`${status} ${body.error}: ${body.message}`);
    this.status = status;
    this.code = body.error;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export async function refusalOf(response: Response): Promise<QrpressError> {
  const text = await response.text();
  const retryAfter = response.headers.get('Retry-After');
  return new QrpressError(response.status, parsed(text), retryAfter === null ? undefined : Number(retryAfter));
}

/** A proxy between client and service may answer in a form of its own. */
function parsed(text: string): Refusal {
  try {
    const body = JSON.parse(text) as Refusal;
    if (typeof body.error === 'string') {
      return body;
    }
  } catch {
    // Handled below.
  }
  return { error: 'unreadable', message: text.slice(0, 200) };
}
