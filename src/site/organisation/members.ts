/** `/account/o/…/members`: the organisation's members and invitations. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { ROLES } from '../../accounts/organisations/membership-store.js';
import { shownOutbox } from '../../outbox/delivery.js';
import type { Role } from '../../database/schema.js';
import { addressOf, Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, membershipOf, pageState, personOf, organisationPath } from '../shell/page-state.js';

export async function showMembers(
  ctx: RouterContext,
  { memberships, team, view, config }: Needs<'memberships' | 'team' | 'view' | 'config'>,
  form = new Form(),
): Promise<void> {
  const { organisationId, role } = membershipOf(ctx);
  const [members, invitations] = await Promise.all([
    memberships.members(organisationId),
    team.invitations(organisationId),
  ]);
  view.show(ctx, 'members', {
    title: 'Members',
    section: 'members',
    form,
    members,
    invitations,
    you: personOf(ctx).id,
    roles: role === 'owner' ? ROLES : ROLES.filter((each) => each !== 'owner'),
    // Without a mail server, the page tells managers where the mails are.
    outbox: shownOutbox(config),
    owners: members.filter((member) => member.role === 'owner').length,
  });
}

export async function invite(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'team' | 'memberships' | 'view' | 'config'>,
): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  const role = roleIn(form);
  if (form.isValid) {
    const { organisationId } = membershipOf(ctx);
    await needs.throttle.form(pageState(ctx).client);
    await needs.throttle.invitation(personOf(ctx).id, email);
    try {
      await needs.team.invite(actorOf(ctx), personOf(ctx).name, organisationId, email, role);
      back(ctx, 'invited');
      return;
    } catch (error) {
      if (!(error instanceof AccountError && error.reason === 'conflict')) {
        throw error;
      }
      form.refuse('email', error.message);
    }
  }
  await showMembers(ctx, needs, form);
}

export async function withdrawInvitation(ctx: RouterContext, { team }: Needs<'team'>): Promise<void> {
  await team.withdraw(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['invitationId'] ?? '');
  back(ctx, 'withdrawn');
}

export async function changeRole(
  ctx: RouterContext,
  needs: Needs<'team' | 'memberships' | 'view' | 'config'>,
): Promise<void> {
  const form = formOf(ctx);
  const role = roleIn(form);
  if (form.isValid) {
    const { organisationId } = membershipOf(ctx);
    await needs.team.changeRole(actorOf(ctx), organisationId, ctx.params['personId'] ?? '', role);
    back(ctx, 'role-changed');
    return;
  }
  await showMembers(ctx, needs, form);
}

export async function removeMember(ctx: RouterContext, { team }: Needs<'team'>): Promise<void> {
  await team.remove(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
  back(ctx, 'removed');
}

export async function handOver(ctx: RouterContext, { team }: Needs<'team'>): Promise<void> {
  await team.handOver(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
  back(ctx, 'handed-over');
}

export async function leave(ctx: RouterContext, { team }: Needs<'team'>): Promise<void> {
  await team.leave(actorOf(ctx), membershipOf(ctx).organisationId);
  seeOther(ctx, '/account/you?done=left');
}

function roleIn(form: Form): Role {
  const role = ROLES.find((each) => each === form.get('role'));
  if (role === undefined) {
    form.refuse('role', 'Choose a role.');
  }
  return role ?? 'member';
}

function back(ctx: RouterContext, done: string): void {
  seeOther(ctx, `${organisationPath(membershipOf(ctx).organisationId)}/members?done=${done}`);
}
