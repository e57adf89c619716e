/** Gives every request an id and its client's address, and logs one line about its end. */

import { isIP } from 'node:net';
import type { Context, Middleware } from 'koa';
import { type Log, loggedPath } from '../platform/log.js';
import { blockListOf } from '../platform/network.js';
import { RandomPool } from '../platform/random-pool.js';
import { requestState } from './request-state.js';
import { HOUR_MS } from '../contract/limits.js';

const random = new RandomPool(12);

export function newRequestId(): string {
  return random.next().toString('base64url');
}

/** @param trustedProxies addresses and networks whose `X-Forwarded-For` is trusted */
export function identifyRequest(log: Log, trustedProxies: readonly string[]): Middleware {
  const isProxy = proxyTest(trustedProxies);
  const unnamed = new UnnamedProxies(log);
  return (ctx, next) => {
    const state = requestState(ctx);
    state.requestId = newRequestId();
    ctx.set('X-Request-Id', state.requestId);
    state.isWithoutPath = !hasPath(ctx);
    if (state.isWithoutPath) {
      // Gives a path to all later code that reads one, such as the log.
      ctx.url = '/';
    }
    const started = performance.now();
    const client = clientAddress(ctx, isProxy);
    state.client = client;
    const peer = ctx.req.socket.remoteAddress ?? '';
    state.isForwarded = isProxy(peer);
    if (!state.isForwarded && ctx.get('X-Forwarded-For') !== '') {
      unnamed.note(peer);
    }
    ctx.res.once('close', () => {
      log.info({
        requestId: state.requestId,
        client,
        method: ctx.method,
        // Without the query, which may be a credential.
        path: loggedPath(ctx.path),
        status: ctx.res.writableFinished ? ctx.status : 'aborted',
        organisation: state.caller?.organisationId,
        ms: Math.round(performance.now() - started),
      });
    });
    return next();
  };
}

/** Koa's `path` is null, or throws, for a request target that the parser accepts but that is not a URL. */
function hasPath(ctx: Context): boolean {
  try {
    return (ctx.path as string | null) !== null;
  } catch {
    return false;
  }
}

/** The last address in the chain that is not a trusted proxy. */
function clientAddress(ctx: Context, isProxy: (address: string) => boolean): string {
  let client = ctx.req.socket.remoteAddress ?? '';
  for (const address of ctx.get('X-Forwarded-For').split(',').toReversed()) {
    // A zone has a meaning on one host alone, and any length.
    if (isIP(address.trim()) === 0 || address.includes('%') || !isProxy(client)) {
      break;
    }
    client = address.trim();
  }
  return client;
}

/** Returns a predicate: true for an address in one of the networks. A closed connection has no address. */
function proxyTest(networks: readonly string[]): (address: string) => boolean {
  const list = blockListOf(networks);
  return (address) => {
    const family = networks.length === 0 ? 0 : isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Addresses that are named within an hour. Any client may send the header, from any number of addresses. */
const MAX_NAMED = 20;

export class UnnamedProxies {
  readonly #log: Log;
  /** Addresses that were named, with the time from which they may be named again. */
  readonly #named = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes a request with a forwarding header. @param address that it came from, which is not trusted */
  note(address: string): void {
    const now = performance.now();
    if ((this.#named.get(address) ?? 0) > now) {
      return;
    }
    for (const [each, until] of this.#named) {
      if (until <= now) {
        this.#named.delete(each);
      }
    }
    if (this.#named.size < MAX_NAMED) {
      this.#named.set(address, now + HOUR_MS);
      this.#log.warn(
        { proxy: address },
        'X-Forwarded-For does not count: QRPRESS_TRUSTED_PROXIES does not name this proxy, whose clients share its limits',
      );
    }
  }
}
