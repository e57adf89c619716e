/** Lets a request through whose URL is signed and has not expired. */

import type { RouterMiddleware } from '@koa/router';
import { ApiError } from '../contract/errors.js';
import type { RateLimits } from './rate-limits.js';
import type { LinkKind, SignedUrls } from './signed-urls.js';

/** For routes with the parameter `token`. A wrong signature is refused before anything is counted. */
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
