/** Gives every request its id, and the log one line about how it ended. */

import { randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Context, Middleware } from 'koa';
import { type Log, loggedPath } from '../log.js';
import { requestState } from './request-state.js';

/** Bytes of an id. */
const ID_BYTES = 12;

/** Random bytes for the next ids: to ask for many at once costs hardly more than to ask for those of one. */
let randomPool: Buffer = Buffer.alloc(0);

export function newRequestId(): string {
  if (randomPool.length === 0) {
    randomPool = randomBytes(256 * ID_BYTES);
  }
  const id = randomPool.toString('base64url', 0, ID_BYTES);
  randomPool = randomPool.subarray(ID_BYTES);
  return id;
}

/** @param trustedProxies addresses and networks whose `X-Forwarded-For` is believed */
export function identifyRequest(log: Log, trustedProxies: readonly string[]): Middleware {
  const isProxy = proxyTest(trustedProxies);
  return (ctx, next) => {
    const state = requestState(ctx);
    state.requestId = newRequestId();
    ctx.set('X-Request-Id', state.requestId);
    state.isWithoutPath = !hasPath(ctx);
    if (state.isWithoutPath) {
      // Whoever looks at the path meets one, the log as well.
      ctx.url = '/';
    }
    const started = performance.now();
    const client = clientAddress(ctx, isProxy);
    state.client = client;
    state.isForwarded = isProxy(ctx.req.socket.remoteAddress ?? '');
    ctx.res.once('close', () => {
      log.info({
        requestId: state.requestId,
        client,
        method: ctx.method,
        // Without its query, which may open something to whoever reads it.
        path: loggedPath(ctx.path),
        status: ctx.res.writableFinished ? ctx.status : 'aborted',
        organisation: state.caller?.organisationId,
        ms: Math.round(performance.now() - started),
      });
    });
    return next();
  };
}

/** Koa's `path` is null, or throws, for what the parser takes for a target and is no URL. */
function hasPath(ctx: Context): boolean {
  try {
    return (ctx.path as string | null) !== null;
  } catch {
    return false;
  }
}

/** The last address on the way here that is not a trusted proxy's. */
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

/** Tells whether an address is in one of the networks. A connection that is gone already has no address. */
function proxyTest(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) {
    return () => false;
  }
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}
