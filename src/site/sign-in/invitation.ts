/** `/account/invitation/…`: shows an invitation, and joins with an existing or a new account. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import type { Invitation } from '../../accounts/invitation-store.js';
import { Form, formOf, passwordOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, pageState } from '../page-state.js';
import { signIn, withinSignIn } from './session.js';
import { mustHavePasswords } from './single-sign-on.js';
import { organisationPath } from '../view.js';

export async function showInvitation(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  show(ctx, dependencies, await find(ctx, dependencies), new Form());
}

export async function acceptInvitation(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const invitation = await find(ctx, dependencies);
  const token = ctx.params['token'] ?? '';
  const { person, client } = pageState(ctx);
  if (person !== undefined) {
    const organisationId = await dependencies.team.join(actorOf(ctx), person.email, token);
    seeOther(ctx, `${organisationPath(organisationId)}?done=joined`);
    return;
  }
  mustHavePasswords(dependencies.config);
  if (dependencies.config.signUp === 'closed') {
    throw new AccountError('forbidden', 'No new accounts are made here. Sign in if you have one.');
  }
  const form = formOf(ctx);
  const name = form.text('name', 'Your name');
  const password = passwordOf(form, name, invitation.email, invitation.organisationName);
  if (!form.isValid) {
    show(ctx, dependencies, invitation, form);
    return;
  }
  await dependencies.throttle.form(client);
  const invited = { email: invitation.email, token };
  const { personId, organisationId } = await withinSignIn(ctx, dependencies, () =>
    dependencies.registration.signUpInvited({ name, password }, invited, client),
  );
  await signIn(ctx, personId);
  seeOther(ctx, `${organisationPath(organisationId)}?done=joined`);
}

async function find(ctx: RouterContext, dependencies: PageDependencies): Promise<Invitation> {
  const invitation = await dependencies.team.invitation(ctx.params['token'] ?? '');
  if (invitation === undefined) {
    throw new AccountError('link_ended', 'The invitation was used, withdrawn, or has ended. Ask for another one.');
  }
  return invitation;
}

function show(ctx: RouterContext, dependencies: PageDependencies, invitation: Invitation, form: Form): void {
  const { passwords, signUp } = dependencies.config;
  dependencies.view.show(
    ctx,
    'invitation',
    { title: `Join ${invitation.organisationName}` },
    { invitation, form, token: ctx.params['token'], canSignUp: passwords && signUp !== 'closed' },
  );
}
