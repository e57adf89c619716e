/** The header `Idempotency-Key`: 1 to 255 visible ASCII characters, told apart within an organisation. */

import { createHash } from 'node:crypto';
import { ApiError } from '../errors.js';

const KEY = /^[!-~]{1,255}$/;

/** SHA-256 of the header's value, hex; undefined where there is none. @throws ApiError `invalid_input`, code `invalid_header` */
export function idempotencyKeyHash(header: string | string[] | undefined): string | undefined {
  if (header === undefined) {
    return undefined;
  }
  // Two headers arrive as one, joined by a comma and a space, and a space is not allowed.
  if (typeof header !== 'string' || !KEY.test(header)) {
    const message = 'Expected an Idempotency-Key of 1 to 255 visible ASCII characters';
    throw new ApiError('invalid_input', `${message}.`, {
      issues: [{ path: '', code: 'invalid_header', message }],
      issueCount: 1,
    });
  }
  return createHash('sha256').update(header).digest('hex');
}
