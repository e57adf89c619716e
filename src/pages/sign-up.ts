/** `/account/sign-up` and `/account/verify/…`: a new organisation with its owner, and the confirmation of their address. */

import type { Context, Middleware } from 'koa';
import type { RouterMiddleware } from '@koa/router';
import { AccountError } from '../account/account-error.js';
import { emailAddress } from '../account/email-address.js';
import { passwordProblem } from '../account/password.js';
import { evenly } from './evenly.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { pageState } from './page-state.js';

export function showSignUp(rooms: PageRooms): Middleware {
  return (ctx) => {
    if (pageState(ctx).person !== undefined) {
      ctx.redirect('/account');
      return;
    }
    show(ctx, rooms, new Form());
  };
}

export function signUp(rooms: PageRooms): Middleware {
  return async (ctx) => {
    requireOpen(rooms);
    const form = formOf(ctx);
    const organisation = form.text('organisation', 'The organisation');
    const name = form.text('name', 'Your name');
    const email = addressOf(form);
    const password = passwordOf(form, name, email, organisation);
    if (!form.isValid) {
      show(ctx, rooms, form);
      return;
    }
    const { client } = pageState(ctx);
    await rooms.throttle.form(client);
    await evenly(async () => {
      // Who asks for a fifth mail within the hour gets the same answer, and no mail.
      if (await rooms.throttle.mayMail(email)) {
        await rooms.registration.signUp({ organisation, name, email, password }, client);
      }
    });
    rooms.view.show(ctx, 'check-mail', { title: 'Look into your mailbox' }, { email, purpose: 'verify' });
  };
}

export function showVerification(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { state } = await rooms.registration.lookUpVerification(ctx.params['token'] ?? '');
    const status = state === 'ended' ? 410 : 200;
    rooms.view.show(ctx, 'verify', { title: 'Confirm your address', status }, { state });
  };
}

export function verify(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { state } = await rooms.registration.verify(ctx.params['token'] ?? '', pageState(ctx).client);
    const status = state === 'ended' ? 410 : 200;
    const shown = state === 'open' ? 'done' : state;
    rooms.view.show(ctx, 'verify', { title: 'Confirm your address', status }, { state: shown });
  };
}

/** The address in the field `email`; an error is noted where it is none. */
export function addressOf(form: Form): string {
  const typed = form.text('email', 'Your email address', 254);
  const email = emailAddress(typed);
  if (email === undefined) {
    form.refuse('email', 'This is not an email address.');
  }
  return email ?? '';
}

/** The new password in the field `password`; an error is noted where it is not taken. */
export function passwordOf(form: Form, ...mustDiffer: string[]): string {
  const password = form.get('password');
  const problem = passwordProblem(password, ...mustDiffer);
  if (problem !== undefined) {
    form.refuse('password', problem);
  }
  return password;
}

function show(ctx: Context, rooms: PageRooms, form: Form): void {
  requireOpen(rooms);
  rooms.view.show(ctx, 'sign-up', { title: 'Create an account', status: form.isValid ? 200 : 422 }, { form });
}

/** @throws AccountError `forbidden` where nobody signs up on their own */
function requireOpen({ config }: PageRooms): void {
  if (config.signUp !== 'open') {
    throw new AccountError('forbidden', 'New accounts are made by invitation here. Ask for one.');
  }
}
