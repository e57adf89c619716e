/** `/account/sign-in/oidc`: signing in through the company's identity provider, and connecting an account with it. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { AccountError } from '../../accounts/account-error.js';
import type { SignInAttempt } from '../../accounts/people/identity-provider.js';
import { destination, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, pageState, personOf } from '../shell/page-state.js';
import { type ProfilePage, showProfile } from './profile.js';
import { cookieName, sessionKeyHash, signIn } from '../shell/session.js';
import { type Confirmation, isConfirmed } from '../shell/passwords.js';

/** Path to which the provider redirects people. */
export const SINGLE_SIGN_ON_CALLBACK = '/account/sign-in/oidc/callback';

const ATTEMPT_TTL_MS = 600_000;

/** The attempt, and what to do afterwards. */
interface StoredAttempt extends SignInAttempt {
  /** The page to open afterwards. */
  next: string;
  /** Token of a connection that the signed-in person asked for. Undefined: a sign-in. */
  connection?: string | undefined;
}

/** Redirects to the provider's page. */
export async function beginSingleSignOn(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'config' | 'singleSignOn'>,
): Promise<void> {
  const { provider } = requireSingleSignOn(needs);
  const { url, attempt } = await needs.throttle.byProvider(pageState(ctx).client, () => provider.begin());
  keepAttempt(ctx, needs, { ...attempt, next: destination(ctx.query['next']) });
  seeOther(ctx, url);
}

/** Leads a person who has confirmed it to the provider's page, to connect the identity that answers there. */
export async function beginConnection(ctx: RouterContext, needs: Confirmation & ProfilePage): Promise<void> {
  const { provider, connections } = requireSingleSignOn(needs);
  const form = formOf(ctx);
  if (!(await isConfirmed(ctx, needs, form))) {
    await showProfile(ctx, needs, { company: form });
    return;
  }
  const { url, attempt } = await needs.throttle.byProvider(pageState(ctx).client, () => provider.begin());
  const connection = await connections.begin(personOf(ctx).id);
  keepAttempt(ctx, needs, { ...attempt, next: '/account/you', connection });
  // A page in between: browsers hold a redirect to the provider against the policy for forms, which go to this service alone.
  needs.view.show(ctx, 'connect', { title: 'Connect your company account', section: 'you', url });
}

export async function disconnect(ctx: RouterContext, needs: Confirmation & ProfilePage): Promise<void> {
  const { connections } = requireSingleSignOn(needs);
  const form = formOf(ctx);
  if (!(await isConfirmed(ctx, needs, form))) {
    await showProfile(ctx, needs, { company: form });
    return;
  }
  const actor = actorOf(ctx);
  const needsOne = !needs.config.passwords || !(await needs.credentials.hasPassword(actor.personId));
  const options = { needsOne, sessionKeyHash: sessionKeyHash(ctx) };
  await connections.disconnect(actor, ctx.params['identityId'] ?? '', options);
  seeOther(ctx, '/account/you?done=disconnected');
}

/** Signs in the person whom the provider redirected back, or connects the identity to the person who is signed in. */
export async function finishSingleSignOn(
  ctx: RouterContext,
  needs: Needs<'config' | 'throttle' | 'singleSignOn'>,
): Promise<void> {
  const { provider, identities } = requireSingleSignOn(needs);
  const cookie = cookieName('qrpress-sign-in', needs.config.baseUrl);
  const kept = decode(ctx.cookies.get(cookie));
  ctx.cookies.set(cookie, null, { path: '/', signed: false });
  if (kept === undefined) {
    throw new AccountError('sign_in_ended', 'The sign-in took too long.', 'Sign-in cancelled');
  }
  const { client, person } = pageState(ctx);
  const identity = await needs.throttle.byProvider(client, () =>
    provider.finish(new URLSearchParams(ctx.querystring), kept),
  );
  if (kept.connection !== undefined) {
    await identities.enter(identity, client, { token: kept.connection, personId: person?.id });
    seeOther(ctx, `${kept.next}?done=connected`);
    return;
  }
  const personId = await identities.enter(identity, client);
  await needs.throttle.count('signedIn', personId);
  await signIn(ctx, personId);
  seeOther(ctx, kept.next);
}

function requireSingleSignOn({ singleSignOn }: Needs<'singleSignOn'>) {
  if (singleSignOn === undefined) {
    throw new AccountError('not_found', 'There is nothing at this address.');
  }
  return singleSignOn;
}

function keepAttempt(ctx: Context, { config }: Needs<'config'>, attempt: StoredAttempt): void {
  const value = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  ctx.cookies.set(cookieName('qrpress-sign-in', config.baseUrl), value, {
    httpOnly: true,
    // Lax: a strict cookie would not be sent with the redirect from the provider's site.
    sameSite: 'lax',
    signed: false,
    path: '/',
    maxAge: ATTEMPT_TTL_MS,
  });
}

/** Undefined when the cookie is missing or invalid. */
function decode(text: string | undefined): StoredAttempt | undefined {
  try {
    const { state, nonce, codeVerifier, next, connection } = JSON.parse(
      Buffer.from(text ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
    const isOurs = [state, nonce, codeVerifier].every((each) => typeof each === 'string' && each !== '');
    const isConnection = typeof connection === 'string';
    return isOurs
      ? ({ state, nonce, codeVerifier, next: destination(next), ...(isConnection && { connection }) } as StoredAttempt)
      : undefined;
  } catch {
    return undefined;
  }
}
