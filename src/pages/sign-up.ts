/** `/account/sign-up` and `/account/sign-up/…`: an address is mailed a link, whose page makes the account. */

import type { Context, Middleware } from 'koa';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { AccountError } from '../account/account-error.js';
import { emailAddress } from '../account/email-address.js';
import { passwordProblem } from '../account/password.js';
import type { SignUpState } from '../account/registration.js';
import { evenly } from './evenly.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { pageState } from './page-state.js';
import { signIn } from './session.js';
import { seeOther } from './sign-in.js';
import { organisationPath } from './view.js';

export function showSignUp(rooms: PageRooms): Middleware {
  return (ctx) => {
    if (pageState(ctx).person !== undefined) {
      ctx.redirect('/account');
      return;
    }
    show(ctx, rooms, new Form());
  };
}

/** Answers the same, in the same time, whether or not the address has an account. */
export function signUp(rooms: PageRooms): Middleware {
  return async (ctx) => {
    requireOpen(rooms);
    const form = formOf(ctx);
    const email = addressOf(form);
    if (!form.isValid) {
      show(ctx, rooms, form);
      return;
    }
    await rooms.throttle.form(pageState(ctx).client);
    await evenly(async () => {
      // Who asks for a fifth mail within the hour gets the same answer, and no mail.
      if (await rooms.throttle.mayMail(email)) {
        await rooms.registration.signUp(email);
      }
    });
    rooms.view.show(ctx, 'check-mail', { title: 'Look into your mailbox' }, { email, purpose: 'sign-up' });
  };
}

/** Looks at the link without using it: programs that follow the links of mails make no account. */
export function showNewAccount(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => showLink(ctx, rooms, await rooms.registration.lookUp(ctx.params['token'] ?? ''), new Form());
}

export function createAccount(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const token = ctx.params['token'] ?? '';
    const link = await rooms.registration.lookUp(token);
    if (link.state !== 'open') {
      showLink(ctx, rooms, link, new Form());
      return;
    }
    const form = formOf(ctx);
    const organisation = form.text('organisation', 'The organisation');
    const name = form.text('name', 'Your name');
    const password = passwordOf(form, name, link.email, organisation);
    if (!form.isValid) {
      showLink(ctx, rooms, link, form);
      return;
    }
    const account = { organisation, name, password };
    const { personId, organisationId } = await rooms.registration.complete(token, account, pageState(ctx).client);
    await signIn(ctx, personId);
    seeOther(ctx, `${organisationPath(organisationId)}?done=signed-up`);
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

function showLink(ctx: RouterContext, rooms: PageRooms, link: SignUpState, form: Form): void {
  requireOpen(rooms);
  const status = link.state === 'ended' ? 410 : form.isValid ? 200 : 422;
  rooms.view.show(ctx, 'new-account', { title: 'Create your account', status }, { link, form });
}

/** @throws AccountError `forbidden` where nobody signs up on their own */
function requireOpen({ config }: PageRooms): void {
  if (config.signUp !== 'open') {
    throw new AccountError('forbidden', 'New accounts are made by invitation here. Ask for one.');
  }
}
