/** Signed URLs: give access to a job's status and download until they expire. */

import { createHmac } from 'node:crypto';
import { isEqualSecret } from '../accounts/secret-token.js';
import { ApiError } from '../contract/errors.js';
import type { Job } from '../jobs/job.js';

/** Kind of a link. A link of one kind does not open the other. */
export type LinkKind = 'status' | 'download';

type Linked = Pick<Job, 'token' | 'expiresAt'>;

/** Unix seconds in their canonical form. */
const EXPIRY = /^[1-9]\d{0,11}$/;

export class SignedUrls {
  readonly #secrets: readonly string[];

  /** The first of `secrets` signs; all of them verify. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** The link to a job's archive, until the job expires. */
  download({ token, expiresAt }: Linked): string {
    return this.sign('download', token, expiresAt);
  }

  /** The link to a job's status, until the job expires. */
  status({ token, expiresAt }: Linked): string {
    return this.sign('status', token, expiresAt);
  }

  /** The path and query that give access to `token`'s job until `expiresAt` (Unix milliseconds). */
  sign(kind: LinkKind, token: string, expiresAt: number): string {
    const [secret] = this.#secrets;
    if (secret === undefined) {
      throw new Error('there is no secret to sign with');
    }
    const expiry = String(Math.floor(expiresAt / 1000));
    const path = kind === 'status' ? `/d/${token}/status` : `/d/${token}`;
    return `${path}?exp=${expiry}&t=${signature(secret, kind, token, expiry)}`;
  }

  /**
   * Verifies a URL and returns its expiry (Unix milliseconds).
   * @param query as received, without `?`: a differently escaped query is not valid
   * @throws ApiError `invalid_signature`
   */
  verify(kind: LinkKind, token: string, query: string): number {
    const members = query.split('&').map((member) => /^(exp|t)=(.*)$/s.exec(member));
    const [expiry, ...moreExpiries] = members.flatMap((member) => (member?.[1] === 'exp' ? [member[2]] : []));
    const [given, ...moreGiven] = members.flatMap((member) => (member?.[1] === 't' ? [member[2]] : []));
    const single = moreExpiries.length === 0 && moreGiven.length === 0;
    if (!single || expiry === undefined || given === undefined || !EXPIRY.test(expiry)) {
      throw invalidSignature();
    }
    // All secrets are tried, so that the time does not reveal which one signed.
    const matches = this.#secrets.filter((secret) => isEqualSecret(signature(secret, kind, token, expiry), given));
    if (matches.length === 0) {
      throw invalidSignature();
    }
    return Number(expiry) * 1000;
  }
}

function signature(secret: string, kind: LinkKind, token: string, expiry: string): string {
  // No part contains a line feed, so no two links sign the same text.
  return createHmac('sha256', secret).update(`${kind}\n${token}\n${expiry}`).digest('base64url');
}

function invalidSignature(): ApiError {
  return new ApiError('invalid_signature', 'The link is not signed by this service.');
}
