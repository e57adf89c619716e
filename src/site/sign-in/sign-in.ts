/** `/account/sign-in` and `/account/sign-out`. */

import type { RouterContext } from '@koa/router';
import { emailAddress } from '../../accounts/required-text.js';
import { destination, Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, pageState } from '../page-state.js';
import { askForCode } from './second-factor.js';
import { signIn, signOut, withinSignIn } from './session.js';

export function showSignIn(ctx: RouterContext, dependencies: PageDependencies): void {
  if (pageState(ctx).person !== undefined) {
    ctx.redirect(destination(ctx.query['next']));
    return;
  }
  show(ctx, dependencies, new Form({ next: String(ctx.query['next'] ?? '') }));
}

export async function doSignIn(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const { client } = pageState(ctx);
  const email = emailAddress(form.get('email')) ?? '';
  const password = form.get('password');
  const person = await dependencies.throttle.attempt(email, client, () =>
    withinSignIn(ctx, dependencies, () => dependencies.credentials.check(email, password)),
  );
  if (person === undefined) {
    form.refuse('email', 'The address or the password is wrong.');
    show(ctx, dependencies, form);
    return;
  }
  if (await dependencies.secondFactor.isOn(person.id)) {
    await askForCode(ctx, dependencies, person, form.get('next'));
    return;
  }
  await signIn(ctx, person.id, person.passwordHash ?? undefined);
  seeOther(ctx, destination(form.get('next')));
}

export function doSignOut(ctx: RouterContext): void {
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=signed-out');
}

export async function signOutEverywhere(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.credentials.signOutEverywhere(actorOf(ctx));
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=signed-out-everywhere');
}

function show(ctx: RouterContext, dependencies: PageDependencies, form: Form): void {
  const { signUp, passwords } = dependencies.config;
  dependencies.view.show(
    ctx,
    'sign-in',
    { title: 'Sign in' },
    {
      form,
      canSignUp: signUp === 'open' && passwords,
      passwords,
      singleSignOn: dependencies.singleSignOn !== undefined,
      next: destination(form.get('next')),
    },
  );
}
