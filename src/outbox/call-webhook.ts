/** One call of a webhook: a POST to a checked address. Redirects are not followed. */

import type { LookupAddress } from 'node:dns';
import { type Agent, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { DAY_MS } from '../contract/limits.js';
import { VERSION } from '../platform/version.js';
import type { AddressGuard } from './address-guard.js';

/** From the name's resolution to the headers of the response. */
export const CALL_TIMEOUT_MS = 10_000;

/** The part of a response's body that is kept for people. */
const MAX_ANSWER_CHARACTERS = 1_000;

/** A character has at most four bytes in UTF-8. */
const MAX_ANSWER_BYTES = 4 * MAX_ANSWER_CHARACTERS;

/** Time for the body after the headers. The headers alone decide, so that a slow body fails no call. */
const ANSWER_TIMEOUT_MS = 1_000;

/** Time that the body leaves of the call's, so that the call ends before it times out. */
const SPARE_MS = 200;

interface WebhookCall {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Answer {
  status: number;
  /** Time for which the receiver wants no call: a `Retry-After` with 429 or 503. Otherwise 0. */
  retryAfterMs: number;
  /** The first characters of the body, as far as they came in time. */
  text: string;
}

/** @throws RefusedAddressError, or the network's error */
export async function callWebhook(call: WebhookCall, guard: AddressGuard, signal: AbortSignal): Promise<Answer> {
  const url = new URL(call.url);
  const endsAt = Date.now() + CALL_TIMEOUT_MS - SPARE_MS;
  const addresses = await guard.resolve(url);
  const proxy = guard.proxy?.agentFor(
    url,
    addresses.map(({ address }) => address),
  );
  const response = await send(url, call, { addresses, proxy }, signal);
  const text = await textOf(response, Math.min(ANSWER_TIMEOUT_MS, endsAt - Date.now()));
  const { statusCode: status = 0, headers } = response;
  return { status, retryAfterMs: [429, 503].includes(status) ? retryAfterMs(headers['retry-after']) : 0, text };
}

/** Seconds or a date (RFC 9110, section 10.2.3), up to a day. */
function retryAfterMs(header = ''): number {
  const delay = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(delay) ? 0 : Math.min(Math.max(delay, 0), DAY_MS);
}

/** The way to a receiver. */
interface Route {
  /** Those that were checked. */
  addresses: LookupAddress[];
  /** Undefined: directly. */
  proxy: Agent | undefined;
}

function send(url: URL, call: WebhookCall, { addresses, proxy }: Route, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(call.body),
    'User-Agent': `qrpress/${VERSION}`,
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    // A proxy is told an address: it could find others by the name.
    const way =
      proxy === undefined
        ? { agent: false, lookup: answerWith(addresses) }
        : { agent: proxy, hostname: addresses[0]?.address, headers: { ...headers, Host: url.host } };
    const sent = request(url, { method: 'POST', headers, signal, ...way });
    sent.once('response', resolve);
    // Stays: a connection that breaks while the body is read must not end the process.
    sent.on('error', reject);
    sent.end(call.body);
  });
}

/** Reads the beginning of a body. A body that is late, or breaks off, is cut there. */
async function textOf(response: IncomingMessage, timeoutMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), timeoutMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) {
        break;
      }
    }
  } catch {
    // The text that came until then is kept.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
  return [...text].slice(0, MAX_ANSWER_CHARACTERS).join('');
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
