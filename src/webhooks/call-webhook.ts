/** One call of a webhook: a POST to an address that was looked at, without following where the answer leads. */

import type { LookupAddress } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { VERSION } from '../version.js';
import type { AddressGuard } from './address-guard.js';

/** From the resolution of the name to the head of the answer. */
const PATIENCE_MS = 10_000;

export interface WebhookCall {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Resolves with the status of the answer, whose body nobody reads. @throws RefusedAddressError, or what the network says */
export async function callWebhook(call: WebhookCall, guard: AddressGuard, stopping: AbortSignal): Promise<number> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([patience, stopping]);
  try {
    const url = new URL(call.url);
    const addresses = await unlessAborted(guard.resolve(url), signal);
    return await send(url, call, addresses, signal);
  } catch (error) {
    throw patience.aborted ? new Error(`no answer within ${PATIENCE_MS / 1_000} s`, { cause: error }) : error;
  }
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

/** A resolver that knows one answer: a name that is looked up again may lead elsewhere. */
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

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
