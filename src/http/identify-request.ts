/** Gives every request its id, and the log one line about how it ended. */

import { randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Context, Middleware } from 'koa';
import { type Log, loggedPath } from '../log.js';
import { requestState } from './request-state.js';

export function newRequestId(): string {
  return randomBytes(12).toString('base64url');
}

/** @param trustedProxies addresses and networks whose `X-Forwarded-For` is believed */
export function identifyRequest(log: Log, trustedProxies: readonly string[]): Middleware {
  const proxies = blockListOf(trustedProxies);
  return async (ctx, next) => {
    const state = requestState(ctx);
    state.requestId = newRequestId();
    ctx.set('X-Request-Id', state.requestId);
    const started = performance.now();
    const client = clientAddress(ctx, proxies);
    state.client = client;
    state.isForwarded = isListed(ctx.req.socket.remoteAddress ?? '', proxies);
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
    await next();
  };
}

/** The last address on the way here that is not a trusted proxy's. */
function clientAddress(ctx: Context, proxies: BlockList): string {
  let client = ctx.req.socket.remoteAddress ?? '';
  for (const address of ctx.get('X-Forwarded-For').split(',').toReversed()) {
    if (isIP(address.trim()) === 0 || !isListed(client, proxies)) {
      break;
    }
    client = address.trim();
  }
  return client;
}

/** A connection that is gone already has no address. */
function isListed(address: string, list: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}
