/** Steps of pages that take a password: whether there are passwords here, a place to hash one, and a person's own as a confirmation. */

import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AccountError } from '../../accounts/account-error.js';
import type { Config } from '../../config/config.js';
import { ApiError } from '../../contract/errors.js';
import type { Form } from './form.js';
import type { Needs } from './page-dependencies.js';
import { pageState, personOf } from './page-state.js';

/** Refuses requests when the identity provider is the only way to sign in. */
export function requirePasswords({ config }: Needs<'config'>): Middleware {
  return async (_ctx: Context, next) => {
    mustHavePasswords(config);
    await next();
  };
}

/** @throws AccountError `forbidden` when the identity provider is the only way to sign in */
export function mustHavePasswords({ passwords }: Pick<Config, 'passwords'>): void {
  if (!passwords) {
    throw new AccountError('forbidden', 'Passwords are switched off here. Sign in with your company account.');
  }
}

/**
 * Runs `work` in a place for sign-ins. It computes the hash of a password, which takes memory, and a thread that files and
 * zlib need too. @throws ApiError `rate_limited`, `unavailable`
 */
export function withinSignIn<T>(ctx: Context, { admission }: Needs<'admission'>, work: () => Promise<T>): Promise<T> {
  return admission.admit('signIn', { address: pageState(ctx).client }, work);
}

export type Confirmation = Needs<'config' | 'credentials' | 'throttle' | 'admission'>;

/** True when the person typed their password in the field `current`, or signs in without one. Otherwise records an error. */
export async function isConfirmed(ctx: RouterContext, needs: Confirmation, form: Form): Promise<boolean> {
  const { id, email } = personOf(ctx);
  if (!needs.config.passwords || !(await needs.credentials.hasPassword(id))) {
    return true;
  }
  const person = await tryPassword(ctx, needs, () => needs.credentials.check(email, form.get('current')));
  if (person === undefined) {
    refuseCurrent(form);
  }
  return person !== undefined;
}

export function refuseCurrent(form: Form): void {
  const isEmpty = form.get('current') === '';
  form.refuse('current', isEmpty ? 'Type your current password.' : 'This is not your current password.');
}

/**
 * Runs an attempt at the password of the person who is signed in.
 * @throws AccountError `too_many_passwords`, with the header `Retry-After`; ApiError `rate_limited`, `unavailable`
 */
export async function tryPassword<T>(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'admission'>,
  attempt: () => Promise<T>,
): Promise<T> {
  let isTried = false;
  const run = () => {
    isTried = true;
    return withinSignIn(ctx, needs, attempt);
  };
  try {
    return await needs.throttle.attempt(personOf(ctx).email, pageState(ctx).client, run);
  } catch (error) {
    if (isTried || !(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
    ctx.set(error.headers);
    throw new AccountError(
      'too_many_passwords',
      'Wrong passwords were typed too often on your network, by you or by somebody else there. Nothing was changed.',
    );
  }
}
