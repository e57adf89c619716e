/** `/account/sign-in` and `/account/sign-out`. */

import type { Context, Middleware } from 'koa';
import { emailAddress } from '../account/email-address.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { actorOf, pageState } from './page-state.js';
import { signIn, signOut } from './session.js';

export function showSignIn(rooms: PageRooms): Middleware {
  return (ctx) => {
    if (pageState(ctx).person !== undefined) {
      ctx.redirect(destination(ctx.query['next']));
      return;
    }
    show(ctx, rooms, new Form({ next: String(ctx.query['next'] ?? '') }));
  };
}

export function doSignIn(rooms: PageRooms): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const { client } = pageState(ctx);
    const email = emailAddress(form.get('email')) ?? '';
    const password = form.get('password');
    const person = await rooms.throttle.attempt(email, client, () => rooms.credentials.check(email, password));
    if (person === undefined) {
      form.refuse('email', 'The address or the password is wrong.');
      show(ctx, rooms, form);
      return;
    }
    await signIn(ctx, person.id, person.passwordHash);
    seeOther(ctx, destination(form.get('next')));
  };
}

export const doSignOut: Middleware = (ctx) => {
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=signed-out');
};

export function signOutEverywhere(rooms: PageRooms): Middleware {
  return async (ctx) => {
    await rooms.credentials.signOutEverywhere(actorOf(ctx));
    signOut(ctx);
    seeOther(ctx, '/account/sign-in?done=signed-out-everywhere');
  };
}

/** Leads to a page after a form (RFC 9110, section 15.4.4). */
export function seeOther(ctx: Context, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** A page of the account that was asked for before signing in; nothing else is led to. */
function destination(next: unknown): string {
  return typeof next === 'string' && /^\/account\/[\w/-]*$/.test(next) ? next : '/account';
}

function show(ctx: Context, rooms: PageRooms, form: Form): void {
  const { signUp } = rooms.config;
  rooms.view.show(
    ctx,
    'sign-in',
    { title: 'Sign in', status: form.isValid ? 200 : 422 },
    { form, canSignUp: signUp === 'open' },
  );
}
