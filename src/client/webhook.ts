/** Verifies messages of webhooks: Standard Webhooks, with the cryptography that every runtime has. */

import type { WebhookMessage } from '../contract/response-schema.js';

/** Headers of a request, as a `Headers` object or as Node.js has them. */
export type WebhookHeaders =
  | { get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A message that is older, or newer, may be one that somebody sends again. */
const TOLERANCE_SECONDS = 300;

const PREFIX = 'whsec_';

/**
 * The message of a request, once it is known to come from the service.
 * @param body exactly as received: bytes that were parsed and written again may differ
 * @param secret the webhook's, or several of which one is to fit
 * @throws Error when the request is not signed with the secret, or its time is not now
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS) {
    throw new Error('The webhook was not sent just now.');
  }
  const message = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const given = signatures.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
  for (const each of [secret].flat()) {
    const key = await crypto.subtle.importKey(
      'raw',
      fromBase64(each.startsWith(PREFIX) ? each.slice(PREFIX.length) : each),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    for (const signature of given) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, fromBase64(signature), message)) {
        return JSON.parse(body) as WebhookMessage;
      }
    }
  }
  throw new Error('The webhook is not signed with this secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = typeof headers['get'] === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== 'string') {
    throw new Error(`The header ${name} is missing.`);
  }
  return value;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
