/**
 * `/account/sign-up` and `/account/forgot`: the service mails a link, whose page creates the account or sets a new password.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import type { SignUpState } from '../../accounts/registration.js';
import { LIMITS } from '../../contract/limits.js';
import { outboxFolder } from '../../outbox/delivery.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { pageState } from '../page-state.js';
import { signIn, signOut, withinSignIn } from './session.js';
import { organisationPath } from '../view.js';

/** Minimum time of an answer by mail: longer than the slowest outcome takes on an idle machine. */
const MIN_DURATION_MS = 250;

export function showSignUp(ctx: RouterContext, dependencies: PageDependencies): void {
  if (pageState(ctx).person !== undefined) {
    ctx.redirect('/account');
    return;
  }
  show(ctx, dependencies, new Form());
}

export async function signUp(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  requireOpen(dependencies);
  const form = formOf(ctx);
  const email = addressOf(form);
  if (!form.isValid) {
    show(ctx, dependencies, form);
    return;
  }
  await answerByMail(ctx, dependencies, { email, purpose: 'sign-up' }, () => dependencies.registration.signUp(email));
}

/** Mails a link. Gives the same response in the same time, whether or not the address has an account. */
async function answerByMail(
  ctx: RouterContext,
  { throttle, config, view }: PageDependencies,
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
  // Without a mail server, the page tells people where the mails are.
  const outbox = config.mail.smtpUrl === undefined ? outboxFolder(config.dataDir) : undefined;
  view.show(ctx, 'check-mail', { title: 'Check your inbox' }, { email, purpose, outbox });
}

/** Reads the link's state without using it: programs that open links in mails create no account. */
export async function showNewAccount(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  showLink(ctx, dependencies, await dependencies.registration.lookUp(ctx.params['token'] ?? ''), new Form());
}

export async function createAccount(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const token = ctx.params['token'] ?? '';
  const link = await dependencies.registration.lookUp(token);
  if (link.state !== 'open') {
    showLink(ctx, dependencies, link, new Form());
    return;
  }
  const form = formOf(ctx);
  const organisation = form.text('organisation', 'The organisation');
  const name = form.text('name', 'Your name');
  const password = passwordOf(form, name, link.email, organisation);
  if (!form.isValid) {
    showLink(ctx, dependencies, link, form);
    return;
  }
  const account = { organisation, name, password };
  const { personId, organisationId } = await withinSignIn(ctx, dependencies, () =>
    dependencies.registration.complete(token, account, pageState(ctx).client),
  );
  await signIn(ctx, personId);
  seeOther(ctx, `${organisationPath(organisationId)}?done=signed-up`);
}

function show(ctx: RouterContext, dependencies: PageDependencies, form: Form): void {
  requireOpen(dependencies);
  dependencies.view.show(
    ctx,
    'sign-up',
    { title: 'Create your account' },
    { form, welcomeCredits: LIMITS.welcomeCredits },
  );
}

function showLink(ctx: RouterContext, dependencies: PageDependencies, link: SignUpState, form: Form): void {
  requireOpen(dependencies);
  const status = link.state === 'ended' ? 410 : undefined;
  dependencies.view.show(
    ctx,
    'new-account',
    { title: 'Create your account', status },
    { link, form, welcomeCredits: LIMITS.welcomeCredits },
  );
}

/** @throws AccountError `forbidden` unless anybody may sign up */
function requireOpen({ config }: PageDependencies): void {
  if (config.signUp !== 'open') {
    throw new AccountError('forbidden', 'New accounts are made by invitation here. Ask for one.');
  }
}

export function showForgot(ctx: RouterContext, dependencies: PageDependencies): void {
  dependencies.view.show(ctx, 'forgot', { title: 'Set a new password' }, { form: new Form() });
}

export async function forgot(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  if (!form.isValid) {
    dependencies.view.show(ctx, 'forgot', { title: 'Set a new password' }, { form });
    return;
  }
  await answerByMail(ctx, dependencies, { email, purpose: 'reset' }, () =>
    dependencies.credentials.requestReset(email),
  );
}

export async function showReset(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { state } = await dependencies.credentials.lookUpReset(ctx.params['token'] ?? '');
  const status = state === 'open' ? 200 : 410;
  dependencies.view.show(ctx, 'reset', { title: 'Set a new password', status }, { state, form: new Form() });
}

export async function reset(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const token = ctx.params['token'] ?? '';
  // Looked at first: nobody without a link can make the service estimate or hash a password.
  const person = await dependencies.credentials.personOfReset(token);
  if (person === undefined) {
    await showReset(ctx, dependencies);
    return;
  }
  const form = formOf(ctx);
  const password = passwordOf(form, person.name, person.email);
  if (!form.isValid) {
    dependencies.view.show(ctx, 'reset', { title: 'Set a new password' }, { state: 'open', form });
    return;
  }
  const { client } = pageState(ctx);
  const personId = await withinSignIn(ctx, dependencies, () => dependencies.credentials.reset(token, password, client));
  await dependencies.throttle.forgetCodes(personId);
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=password-set');
}
