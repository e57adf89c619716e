/** `/account/sign-in` and `/account/sign-out`. */

import type { Context, Middleware } from 'koa';
import { emailAddress } from '../account/required-text.js';
import { destination, Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf, pageState } from './page-state.js';
import { askForCode } from './second-factor.js';
import { signIn, signOut } from './session.js';

export function showSignIn(dependencies: PageDependencies): Middleware {
  return (ctx) => {
    if (pageState(ctx).person !== undefined) {
      ctx.redirect(destination(ctx.query['next']));
      return;
    }
    show(ctx, dependencies, new Form({ next: String(ctx.query['next'] ?? '') }));
  };
}

export function doSignIn(dependencies: PageDependencies): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const { client } = pageState(ctx);
    const email = emailAddress(form.get('email')) ?? '';
    const password = form.get('password');
    const person = await dependencies.throttle.attempt(email, client, () =>
      dependencies.admission.within('signIn', { address: client }, () =>
        dependencies.credentials.check(email, password),
      ),
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
  };
}

export const doSignOut: Middleware = (ctx) => {
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=signed-out');
};

export function signOutEverywhere(dependencies: PageDependencies): Middleware {
  return async (ctx) => {
    await dependencies.credentials.signOutEverywhere(actorOf(ctx));
    signOut(ctx);
    seeOther(ctx, '/account/sign-in?done=signed-out-everywhere');
  };
}

function show(ctx: Context, dependencies: PageDependencies, form: Form): void {
  const { signUp, passwords } = dependencies.config;
  dependencies.view.show(
    ctx,
    'sign-in',
    { title: 'Sign in', status: form.isValid ? 200 : 422 },
    {
      form,
      canSignUp: signUp === 'open' && passwords,
      passwords,
      singleSignOn: dependencies.singleSignOn !== undefined,
      next: destination(form.get('next')),
    },
  );
}
