/** `/account/sign-in` and `/account/sign-out`. */

import type { RouterContext } from '@koa/router';
import { emailAddress } from '../../accounts/required-text.js';
import { ApiError } from '../../contract/errors.js';
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
  const person = await needs.throttle
    .attempt(email, client, () => withinSignIn(ctx, needs, () => needs.credentials.check(email, password)))
    .catch(tooManyAttempts);
  if (person === undefined || person instanceof ApiError) {
    ctx.set(person?.headers ?? {});
    form.refuse('email', person?.message ?? 'The email address or password is wrong.');
    show(ctx, needs, form, person?.status);
    return;
  }
  if (await needs.secondFactor.isOn(person.id)) {
    await askForCode(ctx, needs, person, form.get('next'));
    return;
  }
  await signIn(ctx, person.id, person.passwordHash ?? undefined);
  seeOther(ctx, destination(form.get('next')));
}

/** The refusal, which the page shows beside the way to a new password. */
function tooManyAttempts(error: unknown): ApiError {
  if (error instanceof ApiError && error.code === 'rate_limited') {
    return error;
  }
  throw error;
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
  status?: number,
): void {
  const { signUp, passwords, mail } = config;
  view.show(ctx, 'sign-in', {
    title: 'Sign in',
    status,
    form,
    // The link that creates an account comes by mail.
    canSignUp: signUp === 'open' && passwords && mail.smtpUrl !== undefined,
    passwords,
    singleSignOn: singleSignOn !== undefined,
    next: destination(form.get('next')),
  });
}
