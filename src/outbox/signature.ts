/** Webhook secrets and signatures after Standard Webhooks: HMAC-SHA256 over id, time and body. */

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

interface Secrets {
  secret: string;
  previous_secret: string | null;
  previous_secret_until: number | null;
}

/** A webhook's secrets that sign at the time `now` (Unix milliseconds), newest first. */
export function validSecrets({ secret, previous_secret, previous_secret_until }: Secrets, now: number): string[] {
  const isValid = previous_secret !== null && (previous_secret_until ?? 0) > now;
  return isValid ? [secret, previous_secret] : [secret];
}

interface SignedMessage {
  /** The same for every attempt. */
  id: string;
  /** Time of the attempt: Unix seconds. */
  timestamp: number;
  body: string;
}

/** Headers of an attempt, with one signature per secret. */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signature(message, secret)).join(' '),
  };
}

function signature({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
