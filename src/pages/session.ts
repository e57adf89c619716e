/** The session of a browser: a random key in a cookie, everything else in the database. */

import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import { createSession } from 'koa-session';
import { newToken, tokenHash } from '../account/secret-token.js';
import { SESSION_IDLE_MS, type SessionStore } from '../account/session-store.js';
import { pageState } from './page-state.js';

/** Names of cookies: the prefix makes a browser refuse them from elsewhere, and needs HTTPS. */
export function cookieName(name: string, baseUrl: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** The state that koa-session keeps in the store. */
interface StoredSession {
  personId: string;
}

/** koa-session's own object, as far as it is used here. */
interface Session {
  personId?: string;
  externalKey?: string;
  isNew: boolean;
  regenerate: () => Promise<void>;
}

/** Finds who is signed in, and writes sessions; for paths of `app` behind it. */
export function sessions(app: Koa, store: SessionStore, baseUrl: string): Middleware {
  const secure = baseUrl.startsWith('https:');
  const options = {
    key: cookieName('qrpress-session', baseUrl),
    maxAge: SESSION_IDLE_MS,
    renew: true,
    // The key is random, and there is nothing else to protect.
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
      set: async (key: string, { personId }: StoredSession, maxAge: unknown, { ctx }: { ctx: Context }) => {
        const lifetimeMs = typeof maxAge === 'number' ? maxAge : SESSION_IDLE_MS;
        // A session that was ended meanwhile, by signing out everywhere, is not written anew.
        const { startsSession, client } = pageState(ctx);
        if (startsSession === undefined) {
          // While the database takes no writes the session ends as it would have, and the page is shown all the same.
          await store.extend(key, lifetimeMs).catch(() => undefined);
        } else {
          const from = { personId, address: client, browser: ctx.get('User-Agent') };
          await store.start(key, from, lifetimeMs, startsSession.passwordHash);
        }
      },
      destroy: (key: string) => store.remove(key),
    },
  };
  // Its types know no store whose functions have types.
  const session = createSession(options as never, app) as Middleware;
  return async (ctx, next) => {
    // Behind a proxy that ends TLS, the connection looks plain.
    ctx.cookies.secure = secure;
    await session(ctx, next);
  };
}

/**
 * Signs a person in under a new key: one that was known before is worth nothing.
 * @param passwordHash of the password that they gave, where they gave one
 * @throws AccountError `conflict` when that was changed meanwhile
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
    // At the end of the request it is written again, and is there already.
    state.startsSession = undefined;
  }
}

export function signOut(ctx: Context): void {
  (ctx as unknown as { session: null }).session = null;
  delete pageState(ctx).person;
}

/** The cookie's value, where somebody is signed in with it. */
export function sessionKey(ctx: Context): string | undefined {
  return pageState(ctx).person === undefined ? undefined : sessionOf(ctx).externalKey;
}

/** The hash that the session is stored under. */
export function sessionKeyHash(ctx: Context): string {
  return tokenHash(sessionKey(ctx) ?? '');
}

function sessionOf(ctx: Context): Session {
  return (ctx as unknown as { session: Session }).session;
}
