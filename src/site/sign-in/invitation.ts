/** `/account/invitation/…`: shows an invitation, and joins with an existing or a new account. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { type Invitation, INVITATION_ENDED } from '../../accounts/organisations/invitation-store.js';
import { Form, formOf, passwordOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, pageState, organisationPath } from '../shell/page-state.js';
import { signIn } from '../shell/session.js';
import { withinSignIn, mustHavePasswords } from '../shell/passwords.js';

export async function showInvitation(ctx: RouterContext, needs: Needs<'config' | 'view' | 'team'>): Promise<void> {
  show(ctx, needs, await find(ctx, needs), new Form());
}

export async function acceptInvitation(
  ctx: RouterContext,
  needs: Needs<'team' | 'config' | 'throttle' | 'admission' | 'registration' | 'view'>,
): Promise<void> {
  const invitation = await find(ctx, needs);
  const token = ctx.params['token'] ?? '';
  const { person, client } = pageState(ctx);
  if (invitation.usedAt !== null) {
    show(ctx, needs, invitation, new Form());
    return;
  }
  if (person !== undefined) {
    const organisationId = await needs.team.join(actorOf(ctx), person.email, token);
    showJoined(ctx, organisationId, invitation);
    return;
  }
  mustHavePasswords(needs.config);
  if (needs.config.signUp === 'closed') {
    throw new AccountError('forbidden', 'You can’t create an account here. Sign in if you have one.');
  }
  const form = formOf(ctx);
  const name = form.text('name', 'Your name');
  const password = passwordOf(form, needs.config.brand.name, name, invitation.email, invitation.organisationName);
  if (!form.isValid) {
    show(ctx, needs, invitation, form);
    return;
  }
  await needs.throttle.form(client);
  const invited = { email: invitation.email, token };
  const { personId, organisationId } = await withinSignIn(ctx, needs, () =>
    needs.registration.signUpInvited({ name, password }, invited, client),
  );
  await signIn(ctx, personId);
  showJoined(ctx, organisationId, invitation);
}

function showJoined(ctx: RouterContext, organisationId: string, { role }: Invitation): void {
  seeOther(ctx, `${organisationPath(organisationId)}?done=joined-${role}`);
}

async function find(ctx: RouterContext, { team }: Needs<'team'>): Promise<Invitation> {
  const invitation = await team.invitation(ctx.params['token'] ?? '');
  if (invitation === undefined) {
    throw new AccountError('link_ended', INVITATION_ENDED);
  }
  return invitation;
}

function show(
  ctx: RouterContext,
  { config, view }: Needs<'config' | 'view'>,
  invitation: Invitation,
  form: Form,
): void {
  const { passwords, signUp } = config;
  view.show(ctx, 'invitation', {
    title: `Join ${invitation.organisationName}`,
    invitation,
    form,
    token: ctx.params['token'],
    path: organisationPath(invitation.organisationId),
    canSignUp: passwords && signUp !== 'closed',
  });
}
