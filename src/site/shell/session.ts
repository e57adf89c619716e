/** The session of a browser: a random key in a cookie, and everything else in the database. */

import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import { createSession } from 'koa-session';
import { newToken, tokenHash } from '../../accounts/secret-token.js';
import { SESSION_IDLE_MS, type SessionStore } from '../../accounts/people/session-store.js';
import { pageState } from './page-state.js';

/** Name of the session's cookie, before `cookieName`. */
export const SESSION_COOKIE = 'qrpress-session';

/** Cookie names. With the `__Host-` prefix, which needs HTTPS, browsers refuse such cookies from other origins. */
export function cookieName(name: string, baseUrl: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** koa-session's object, as far as it is used here. */
interface Session {
  personId?: string;
  externalKey?: string;
  isNew: boolean;
  regenerate: () => Promise<void>;
}

/** Finds the signed-in person and writes sessions, for the middlewares after it. */
export function sessions(app: Koa, store: SessionStore, baseUrl: string): Middleware {
  const secure = baseUrl.startsWith('https:');
  const options = {
    key: cookieName(SESSION_COOKIE, baseUrl),
    maxAge: SESSION_IDLE_MS,
    renew: true,
    // The key is random, and the cookie contains nothing else to protect.
    signed: false,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    genid: newToken,
    store: {
      get: async (key: string, _maxAge: unknown, { ctx }: { ctx: Context }) => {
        const found = await store.find(key);
        if (found === undefined) {
          return undefined;
        }
        pageState(ctx).person = found.person;
        return { personId: found.person.id, _expire: found.expiresAt };
      },
      set: async (key: string, { personId }: { personId: string }, maxAge: unknown, { ctx }: { ctx: Context }) => {
        const lifetimeMs = typeof maxAge === 'number' ? maxAge : SESSION_IDLE_MS;
        // A session that was ended meanwhile, by signing out everywhere, must not be written again.
        const { startsSession, client } = pageState(ctx);
        if (startsSession === undefined) {
          // While the database is read-only, the session is not extended, but the page is still shown.
          await store.extend(key, lifetimeMs).catch(() => undefined);
        } else {
          const from = { personId, address: client, browser: ctx.get('User-Agent') };
          await store.start(key, from, lifetimeMs, startsSession.passwordHash);
        }
      },
      destroy: (key: string) => store.remove(key),
    },
  };
  // koa-session's types do not accept a store with typed functions.
  const session = createSession(options as never, app) as Middleware;
  return async (ctx, next) => {
    // Behind a proxy that terminates TLS, the connection looks like plain HTTP.
    ctx.cookies.secure = secure;
    await session(ctx, next);
  };
}

/**
 * Signs a person in with a new session key, so that a key known before is worthless.
 * @param passwordHash hash of the password that was given, if one was given
 * @throws AccountError `conflict` when the password was changed meanwhile
 */
export async function signIn(ctx: Context, personId: string, passwordHash?: string): Promise<void> {
  const state = pageState(ctx);
  const session = sessionOf(ctx);
  session.personId = personId;
  state.startsSession = { passwordHash };
  try {
    await session.regenerate();
  } catch (error) {
    signOut(ctx);
    throw error;
  } finally {
    // The session is written again at the end of the request, when it already exists.
    state.startsSession = undefined;
  }
}

export function signOut(ctx: Context): void {
  (ctx as unknown as { session: null }).session = null;
  delete pageState(ctx).person;
}

/** The cookie's value, if somebody is signed in with it. */
export function sessionKey(ctx: Context): string | undefined {
  return pageState(ctx).person === undefined ? undefined : sessionOf(ctx).externalKey;
}

/** The hash under which the session is stored. */
export function sessionKeyHash(ctx: Context): string {
  return tokenHash(sessionKey(ctx) ?? '');
}

function sessionOf(ctx: Context): Session {
  return (ctx as unknown as { session: Session }).session;
}
