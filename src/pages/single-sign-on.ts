/** `/account/sign-in/oidc`: signing in through the company's identity provider. */

import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AccountError } from '../account/account-error.js';
import { IdentityProvider, type SignInAttempt } from '../account/identity-provider.js';
import { IdentityStore } from '../account/identity-store.js';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import type { Log } from '../log.js';
import { destination, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';
import { cookieName, signIn } from './session.js';

/** Path to which the provider redirects people. */
const CALLBACK_PATH = '/account/sign-in/oidc/callback';

const ATTEMPT_TTL_MS = 600_000;

/** The identity provider, and who is who. Undefined when no provider is configured. */
export function openSingleSignOn({ oidc, baseUrl }: Config, database: Database, log: Log) {
  return (
    oidc && {
      provider: new IdentityProvider({
        ...oidc,
        redirectUri: baseUrl + CALLBACK_PATH,
        onFailure: (error) => log.error({ err: error }, 'pages: sign-in through the identity provider failed'),
      }),
      identities: new IdentityStore(database, oidc.groups),
    }
  );
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
  const { client, person } = pageState(ctx);
  const { url, attempt } = await dependencies.throttle.byProvider(client, () => provider.begin());
  const connects = ctx.query['connect'] === '1' && person !== undefined;
  const kept: StoredAttempt = { ...attempt, next: destination(ctx.query['next']), connects };
  const value = Buffer.from(JSON.stringify(kept)).toString('base64url');
  ctx.cookies.set(cookieName('qrpress-sign-in', dependencies.config.baseUrl), value, {
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
  const { client, person } = pageState(ctx);
  const identity = await dependencies.throttle.byProvider(client, () =>
    provider.finish(new URLSearchParams(ctx.querystring), kept),
  );
  const personId = await identities.enter(identity, client, kept.connects ? person?.id : undefined);
  await dependencies.throttle.count('signedIn', personId);
  await signIn(ctx, personId);
  seeOther(ctx, kept.next);
}

/** Refuses requests when the identity provider is the only way to sign in. */
export function requirePasswords({ config }: Pick<PageDependencies, 'config'>): Middleware {
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

function requireSingleSignOn({ singleSignOn }: PageDependencies) {
  if (singleSignOn === undefined) {
    throw new AccountError('not_found', 'There is nothing at this address.');
  }
  return singleSignOn;
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
