/** `/account/sign-up` and `/account/sign-up/…`: the service mails a link, whose page creates the account. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../account/account-error.js';
import type { SignUpState } from '../account/registration.js';
import { LIMITS } from '../contract/limits.js';
import { outboxFolder } from '../mail/delivery.js';
import { evenly } from './evenly.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageState } from './page-state.js';
import { signIn } from './session.js';
import { organisationPath } from './view.js';

export function showSignUp(ctx: RouterContext, dependencies: PageDependencies): void {
  if (pageState(ctx).person !== undefined) {
    ctx.redirect('/account');
    return;
  }
  show(ctx, dependencies, new Form());
}

/** Gives the same response in the same time, whether or not the address has an account. */
export async function signUp(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  requireOpen(dependencies);
  const form = formOf(ctx);
  const email = addressOf(form);
  if (!form.isValid) {
    show(ctx, dependencies, form);
    return;
  }
  await dependencies.throttle.form(pageState(ctx).client);
  await evenly(async () => {
    // A fifth request within an hour gets the same response, but no mail.
    if (await dependencies.throttle.mayMail(email)) {
      await dependencies.registration.signUp(email);
    }
  });
  dependencies.view.show(
    ctx,
    'check-mail',
    { title: 'Check your inbox' },
    { email, purpose: 'sign-up', outbox: outboxOf(dependencies) },
  );
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
  const { personId, organisationId } = await dependencies.registration.complete(token, account, pageState(ctx).client);
  await signIn(ctx, personId);
  seeOther(ctx, `${organisationPath(organisationId)}?done=signed-up`);
}

/** The folder for mails when no mail server is configured. The page tells people to look there. */
export function outboxOf({ config: { mail, dataDir } }: PageDependencies): string | undefined {
  return mail.smtpUrl === undefined ? outboxFolder(dataDir) : undefined;
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
