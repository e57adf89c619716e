/** `/account/forgot` and `/account/reset/…`: a new password through a mailed link. */

import type { RouterContext } from '@koa/router';
import { evenly } from './evenly.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';
import { signOut } from './session.js';
import { outboxOf } from './sign-up.js';

export function showForgot(ctx: RouterContext, dependencies: PageDependencies): void {
  dependencies.view.show(ctx, 'forgot', { title: 'Set a new password' }, { form: new Form() });
}

/** Gives the same response in the same time, whether or not the address has an account. */
export async function forgot(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  if (!form.isValid) {
    dependencies.view.show(ctx, 'forgot', { title: 'Set a new password' }, { form });
    return;
  }
  await dependencies.throttle.form(pageState(ctx).client);
  await evenly(async () => {
    if (await dependencies.throttle.mayMail(email)) {
      await dependencies.credentials.requestReset(email);
    }
  });
  dependencies.view.show(
    ctx,
    'check-mail',
    { title: 'Check your inbox' },
    { email, purpose: 'reset', outbox: outboxOf(dependencies) },
  );
}

export async function showReset(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { state } = await dependencies.credentials.lookUpReset(ctx.params['token'] ?? '');
  const status = state === 'open' ? 200 : 410;
  dependencies.view.show(ctx, 'reset', { title: 'Set a new password', status }, { state, form: new Form() });
}

export async function reset(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const password = passwordOf(form);
  if (!form.isValid) {
    dependencies.view.show(ctx, 'reset', { title: 'Set a new password' }, { state: 'open', form });
    return;
  }
  await dependencies.credentials.reset(ctx.params['token'] ?? '', password, pageState(ctx).client);
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=password-set');
}
