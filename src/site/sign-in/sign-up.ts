/**
 * `/account/sign-up` and `/account/forgot`: the service mails a link, whose page creates the account or sets a new password.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import type { SignUpState } from '../../accounts/people/registration.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { pageState, organisationPath } from '../shell/page-state.js';
import { signIn, signOut } from '../shell/session.js';
import { withinSignIn } from '../shell/passwords.js';

/** Minimum time of an answer by mail: longer than the slowest outcome takes on an idle machine. */
const MIN_DURATION_MS = 250;

export function showSignUp(ctx: RouterContext, needs: LinkPage): void {
  if (pageState(ctx).person !== undefined) {
    ctx.redirect('/account');
    return;
  }
  show(ctx, needs, new Form());
}

export async function signUp(ctx: RouterContext, needs: Needs<'registration' | 'throttle'> & LinkPage): Promise<void> {
  requireOpen(needs);
  const form = formOf(ctx);
  const email = addressOf(form);
  if (!form.isValid) {
    show(ctx, needs, form);
    return;
  }
  await answerByMail(ctx, needs, { email, purpose: 'sign-up' }, () => needs.registration.signUp(email));
}

/** Mails a link. Gives the same response in the same time, whether or not the address has an account. */
async function answerByMail(
  ctx: RouterContext,
  { throttle, config, view }: Needs<'throttle' | 'config' | 'view'>,
  { email, purpose }: { email: string; purpose: 'sign-up' | 'reset' },
  mail: () => Promise<void>,
): Promise<void> {
  await throttle.form(pageState(ctx).client);
  const mailIfAllowed = async () => {
    // A fifth request within an hour gets the same response, but no mail.
    if (await throttle.mayMail(email, purpose === 'reset' ? 'resetMail' : 'mail')) {
      await mail();
    }
  };
  await Promise.all([mailIfAllowed(), delay(MIN_DURATION_MS)]);
  const title = config.mail.smtpUrl === undefined ? 'No email was sent' : 'Check your inbox';
  view.show(ctx, 'check-mail', { title, email, purpose });
}

/** Reads the link's state without using it: programs that open links in mails create no account. */
export async function showNewAccount(ctx: RouterContext, needs: Needs<'registration'> & LinkPage): Promise<void> {
  showLink(ctx, needs, await needs.registration.lookUp(ctx.params['token'] ?? ''), new Form());
}

export async function createAccount(
  ctx: RouterContext,
  needs: Needs<'registration' | 'admission'> & LinkPage,
): Promise<void> {
  const token = ctx.params['token'] ?? '';
  const link = await needs.registration.lookUp(token);
  if (link.state !== 'open') {
    showLink(ctx, needs, link, new Form());
    return;
  }
  const form = formOf(ctx);
  const organisation = form.text('organisation', 'The organisation');
  const name = form.text('name', 'Your name');
  const password = passwordOf(form, needs.config.brand.name, name, link.email, organisation);
  if (!form.isValid) {
    showLink(ctx, needs, link, form);
    return;
  }
  const account = { organisation, name, password };
  const { personId, organisationId } = await withinSignIn(ctx, needs, () =>
    needs.registration.complete(token, account, pageState(ctx).client),
  );
  await signIn(ctx, personId);
  await needs.allowances.grantFirst(organisationId);
  seeOther(ctx, `${organisationPath(organisationId)}?done=signed-up`);
}

type LinkPage = Needs<'view' | 'config' | 'allowances'>;

function show(ctx: RouterContext, needs: LinkPage, form: Form): void {
  requireOpen(needs);
  needs.view.show(ctx, 'sign-up', { title: 'Create your account', form, credits: firstCredits(needs) });
}

function showLink(ctx: RouterContext, needs: LinkPage, link: SignUpState, form: Form): void {
  requireOpen(needs);
  const status = link.state === 'ended' ? 410 : undefined;
  const page = { title: 'Create your account', status, link, form, credits: firstCredits(needs) };
  needs.view.show(ctx, 'new-account', page);
}

/** Credits that an account starts with. Undefined where codes cost nothing. */
function firstCredits({ config, allowances }: LinkPage): number | undefined {
  return config.credits === 'unlimited' ? undefined : allowances.first;
}

/** @throws AccountError `forbidden` unless anybody may sign up */
function requireOpen({ config }: Needs<'config'>): void {
  if (config.signUp !== 'open') {
    throw new AccountError('forbidden', 'You need an invitation to create an account here. Ask for one.');
  }
}

export function showForgot(ctx: RouterContext, { view }: Needs<'view'>): void {
  view.show(ctx, 'forgot', { title: 'Set a new password', form: new Form() });
}

export async function forgot(
  ctx: RouterContext,
  needs: Needs<'view' | 'credentials' | 'throttle' | 'config'>,
): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  if (!form.isValid) {
    needs.view.show(ctx, 'forgot', { title: 'Set a new password', form });
    return;
  }
  await answerByMail(ctx, needs, { email, purpose: 'reset' }, () => needs.credentials.requestReset(email));
}

export async function showReset(
  ctx: RouterContext,
  { credentials, view }: Needs<'credentials' | 'view'>,
): Promise<void> {
  const { state } = await credentials.lookUpReset(ctx.params['token'] ?? '');
  const status = state === 'open' ? 200 : 410;
  view.show(ctx, 'reset', { title: 'Set a new password', status, state, form: new Form() });
}

export async function reset(
  ctx: RouterContext,
  needs: Needs<'config' | 'credentials' | 'view' | 'admission' | 'throttle'>,
): Promise<void> {
  const token = ctx.params['token'] ?? '';
  // Looked at first: nobody without a link can make the service estimate or hash a password.
  const person = await needs.credentials.personOfReset(token);
  if (person === undefined) {
    await showReset(ctx, needs);
    return;
  }
  const form = formOf(ctx);
  const password = passwordOf(form, needs.config.brand.name, person.name, person.email);
  if (!form.isValid) {
    needs.view.show(ctx, 'reset', { title: 'Set a new password', state: 'open', form });
    return;
  }
  const { client } = pageState(ctx);
  await withinSignIn(ctx, needs, () => needs.credentials.reset(token, password, client));
  await needs.throttle.forget(person, client);
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=password-set');
}
