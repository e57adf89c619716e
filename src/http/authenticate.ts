/** Checks API keys and signed URLs, and their rate limits. */

import type { RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import type { ApiKeyStore } from '../account/api-key-store.js';
import { ApiError } from '../contract/errors.js';
import type { Endpoint, RateLimits } from './rate-limits.js';
import { requestState } from './request-state.js';
import type { LinkKind, SignedUrls } from './signed-urls.js';

/** RFC 9110, section 11.4: the scheme is case-insensitive. */
const BEARER = /^bearer +(\S+)$/i;

/**
 * Admits a request with a valid key whose bucket for `endpoint` is not empty. Every request with a key counts, whatever
 * its outcome.
 */
export function authenticate(endpoint: Endpoint, keys: ApiKeyStore, limits: RateLimits): Middleware {
  return async (ctx, next) => {
    const [, key] = BEARER.exec(ctx.get('Authorization').trim()) ?? [];
    const caller = key === undefined ? undefined : await keys.authenticate(key);
    if (caller === undefined) {
      throw new ApiError(
        'invalid_api_key',
        'The API key is missing, malformed or revoked. Send it as Authorization: Bearer <key>.',
        {},
        { 'WWW-Authenticate': 'Bearer' },
      );
    }
    requestState(ctx).caller = caller;
    const { headers, refusal } = await limits.consume(endpoint, caller.keyId, caller.organisationId);
    ctx.set(headers);
    if (refusal !== undefined) {
      throw refusal;
    }
    await next();
  };
}

/**
 * Admits a request whose URL is signed and has not expired. For routes with the parameter `token`. A wrong signature is
 * refused before anything is counted.
 */
export function signedLink(kind: LinkKind, urls: SignedUrls, limits: RateLimits): RouterMiddleware {
  return async (ctx, next) => {
    const token = ctx.params['token'] ?? '';
    const expiresAt = urls.verify(kind, token, ctx.querystring);
    const { refusal } = await limits.consume(`link-${kind}`, token);
    if (refusal !== undefined) {
      throw refusal;
    }
    if (expiresAt <= Date.now()) {
      throw new ApiError('link_expired', 'The link has expired.');
    }
    await next();
  };
}
