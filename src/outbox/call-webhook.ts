/** One call of a webhook: a POST to a checked address. Redirects are not followed. */

import type { LookupAddress } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { VERSION } from '../platform/version.js';
import type { AddressGuard } from './address-guard.js';

/** From the name's resolution to the headers of the response. */
export const CALL_TIMEOUT_MS = 10_000;

interface WebhookCall {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Resolves with the status of the response. Its body is not read. @throws RefusedAddressError, or the network's error
 */
export async function callWebhook(call: WebhookCall, guard: AddressGuard, signal: AbortSignal): Promise<number> {
  const url = new URL(call.url);
  return send(url, call, await guard.resolve(url), signal);
}

function send(url: URL, call: WebhookCall, addresses: LookupAddress[], signal: AbortSignal): Promise<number> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(call.body),
    'User-Agent': `qrpress/${VERSION}`,
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal, agent: false, lookup: answerWith(addresses) });
    sent.once('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.once('error', reject);
    sent.end(call.body);
  });
}

/** A resolver with a fixed answer: a second lookup could lead to an address that was not checked. */
function answerWith(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all === true) {
      callback(null, addresses);
    } else {
      callback(null, first?.address ?? '', first?.family);
    }
  };
}
