/** `/account/forgot` and `/account/reset/…`: a new password by a mailed link. */

import type { Middleware } from 'koa';
import type { RouterMiddleware } from '@koa/router';
import { evenly } from './evenly.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { pageState } from './page-state.js';
import { signOut } from './session.js';
import { seeOther } from './sign-in.js';
import { addressOf, passwordOf } from './sign-up.js';

export function showForgot(rooms: PageRooms): Middleware {
  return (ctx) => rooms.view.show(ctx, 'forgot', { title: 'Set a new password' }, { form: new Form() });
}

/** Answers the same, in the same time, whether or not the address has an account. */
export function forgot(rooms: PageRooms): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const email = addressOf(form);
    if (!form.isValid) {
      rooms.view.show(ctx, 'forgot', { title: 'Set a new password', status: 422 }, { form });
      return;
    }
    await rooms.throttle.form(pageState(ctx).client);
    await evenly(async () => {
      if (await rooms.throttle.mayMail(email)) {
        await rooms.credentials.requestReset(email);
      }
    });
    rooms.view.show(ctx, 'check-mail', { title: 'Look into your mailbox' }, { email, purpose: 'reset' });
  };
}

export function showReset(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { state } = await rooms.credentials.lookUpReset(ctx.params['token'] ?? '');
    const status = state === 'open' ? 200 : 410;
    rooms.view.show(ctx, 'reset', { title: 'Set a new password', status }, { state, form: new Form() });
  };
}

export function reset(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const password = passwordOf(form);
    if (!form.isValid) {
      rooms.view.show(ctx, 'reset', { title: 'Set a new password', status: 422 }, { state: 'open', form });
      return;
    }
    await rooms.credentials.reset(ctx.params['token'] ?? '', password, pageState(ctx).client);
    signOut(ctx);
    seeOther(ctx, '/account/sign-in?done=password-set');
  };
}
