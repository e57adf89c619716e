/** Places for what computes the hash of a password: it takes memory, and a thread that files and zlib need too. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';

/** Runs `work` in a place for sign-ins. @throws ApiError `rate_limited`, `unavailable` */
export function withinSignIn<T>(
  ctx: Context | RouterContext,
  { admission }: Pick<PageDependencies, 'admission'>,
  work: () => Promise<T>,
): Promise<T> {
  return admission.within('signIn', { address: pageState(ctx).client }, work);
}
