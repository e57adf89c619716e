/** `/account/sign-in` and `/account/sign-out`. */

import type { RouterContext } from '@koa/router';
import { emailAddress } from '../../accounts/required-text.js';
import { destination, Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, pageState } from '../shell/page-state.js';
import { askForCode } from './second-factor.js';
import { signIn, signOut } from '../shell/session.js';
import { withinSignIn } from '../shell/passwords.js';

export function showSignIn(ctx: RouterContext, needs: Needs<'config' | 'view' | 'singleSignOn'>): void {
  if (pageState(ctx).person !== undefined) {
    ctx.redirect(destination(ctx.query['next']));
    return;
  }
  show(ctx, needs, new Form({ next: String(ctx.query['next'] ?? '') }));
}

export async function doSignIn(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'admission' | 'credentials' | 'secondFactor' | 'config' | 'view' | 'singleSignOn'>,
): Promise<void> {
  const form = formOf(ctx);
  const { client } = pageState(ctx);
  const email = emailAddress(form.get('email')) ?? '';
  const password = form.get('password');
  const person = await needs.throttle.attempt(email, client, () =>
    withinSignIn(ctx, needs, () => needs.credentials.check(email, password)),
  );
  if (person === undefined) {
    form.refuse('email', 'The email address or password is wrong.');
    show(ctx, needs, form);
    return;
  }
  if (await needs.secondFactor.isOn(person.id)) {
    await askForCode(ctx, needs, person, form.get('next'));
    return;
  }
  await signIn(ctx, person.id, person.passwordHash ?? undefined);
  seeOther(ctx, destination(form.get('next')));
}

export function doSignOut(ctx: RouterContext): void {
  const next = formOf(ctx).get('next');
  signOut(ctx);
  // An invitation goes on for somebody else.
  seeOther(ctx, `${next === '' ? '/account/sign-in' : destination(next)}?done=signed-out`);
}

export async function signOutEverywhere(ctx: RouterContext, { credentials }: Needs<'credentials'>): Promise<void> {
  await credentials.signOutEverywhere(actorOf(ctx));
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=signed-out-everywhere');
}

function show(
  ctx: RouterContext,
  { config, view, singleSignOn }: Needs<'config' | 'view' | 'singleSignOn'>,
  form: Form,
): void {
  const { signUp, passwords, mail } = config;
  view.show(ctx, 'sign-in', {
    title: 'Sign in',
    form,
    // The link that creates an account comes by mail.
    canSignUp: signUp === 'open' && passwords && mail.smtpUrl !== undefined,
    passwords,
    singleSignOn: singleSignOn !== undefined,
    next: destination(form.get('next')),
  });
}
