/** Verifies webhook messages according to Standard Webhooks, with Web Crypto. */

import type { WebhookMessage } from '../contract/response-schema.js';

/** Request headers: a `Headers` object, or headers as Node.js has them. */
export type WebhookHeaders =
  | { get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** An older or newer message may be a replay. */
const TOLERANCE_SECONDS = 300;

const PREFIX = 'whsec_';

/**
 * Returns the message of a request after verifying that the service sent it.
 * @param body exactly as received: parsing and serialising it again may change bytes
 * @param secret the webhook's secret, or several of which one must match
 * @throws Error when no secret matches the signature, or the timestamp is not recent
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
    throw new Error('The timestamp of the webhook is not recent.');
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
  throw new Error('The signature of the webhook does not match the secret.');
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
