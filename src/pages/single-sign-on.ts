/** `/account/sign-in/oidc`: signing in through the company's identity provider. */

import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AccountError } from '../account/account-error.js';
import type { IdentityProvider, SignInAttempt } from '../account/identity-provider.js';
import type { IdentityStore } from '../account/identity-store.js';
import { destination, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';
import { cookieName, signIn } from './session.js';

/** Path to which the provider redirects people. */
export const CALLBACK_PATH = '/account/sign-in/oidc/callback';

const ATTEMPT_TTL_MS = 600_000;

export interface SingleSignOn {
  provider: IdentityProvider;
  identities: IdentityStore;
}

/** The attempt, and what to do afterwards. */
interface StoredAttempt extends SignInAttempt {
  /** The page to open afterwards. */
  next: string;
  /** True: connects the identity to the signed-in person's account. */
  connects: boolean;
}

/** Redirects to the provider's page. */
export async function beginSingleSignOn(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { provider } = requireSingleSignOn(dependencies);
  await dependencies.throttle.form(pageState(ctx).client);
  const { url, attempt } = await provider.begin();
  const connects = ctx.query['connect'] === '1' && pageState(ctx).person !== undefined;
  const kept: StoredAttempt = { ...attempt, next: destination(ctx.query['next']), connects };
  ctx.cookies.set(cookieName('qrpress-sign-in', dependencies.config.baseUrl), encode(kept), {
    httpOnly: true,
    // Lax: a strict cookie would not be sent with the redirect from the provider's site.
    sameSite: 'lax',
    signed: false,
    path: '/',
    maxAge: ATTEMPT_TTL_MS,
  });
  seeOther(ctx, url);
}

/** Signs in the person whom the provider redirected back. */
export async function finishSingleSignOn(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { provider, identities } = requireSingleSignOn(dependencies);
  const cookie = cookieName('qrpress-sign-in', dependencies.config.baseUrl);
  const kept = decode(ctx.cookies.get(cookie));
  ctx.cookies.set(cookie, null, { path: '/', signed: false });
  if (kept === undefined) {
    throw new AccountError('forbidden', 'The sign-in took too long. Start again.');
  }
  const identity = await provider.finish(new URLSearchParams(ctx.querystring), kept);
  const { client, person } = pageState(ctx);
  const personId = await identities.enter(identity, client, kept.connects ? person?.id : undefined);
  await signIn(ctx, personId);
  seeOther(ctx, kept.next);
}

/** Refuses requests when the identity provider is the only way to sign in. */
export function requirePasswords({ config }: Pick<PageDependencies, 'config'>): Middleware {
  return async (_ctx: Context, next) => {
    if (!config.passwords) {
      throw new AccountError('forbidden', 'Passwords are switched off here. Sign in with your company account.');
    }
    await next();
  };
}

function requireSingleSignOn({ singleSignOn }: PageDependencies): SingleSignOn {
  if (singleSignOn === undefined) {
    throw new AccountError('not_found', 'There is nothing at this address.');
  }
  return singleSignOn;
}

function encode(attempt: StoredAttempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** Undefined when the cookie is missing or invalid. */
function decode(text: string | undefined): StoredAttempt | undefined {
  try {
    const { state, nonce, codeVerifier, next, connects } = JSON.parse(
      Buffer.from(text ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
    const isOurs = [state, nonce, codeVerifier].every((each) => typeof each === 'string' && each !== '');
    return isOurs
      ? ({ state, nonce, codeVerifier, next: destination(next), connects: connects === true } as StoredAttempt)
      : undefined;
  } catch {
    return undefined;
  }
}
