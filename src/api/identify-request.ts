/** Gives every request an id, and logs one line about its end. */

import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context, Middleware } from 'koa';
import { type Log, loggedPath } from '../platform/log.js';
import { blockListOf } from '../platform/network.js';
import { requestState } from './request-state.js';
import { UnnamedProxies } from './unnamed-proxies.js';

const ID_BYTES = 12;

/** Random bytes for the next ids. Generating many at once costs hardly more than generating those of one id. */
let randomPool: Buffer = Buffer.alloc(0);

export function newRequestId(): string {
  if (randomPool.length === 0) {
    randomPool = randomBytes(256 * ID_BYTES);
  }
  const id = randomPool.toString('base64url', 0, ID_BYTES);
  randomPool = randomPool.subarray(ID_BYTES);
  return id;
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
    if (isIP(address.trim()) === 0 || !isProxy(client)) {
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
