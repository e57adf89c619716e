/** `/account/o/…/members`: the organisation's members and invitations. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { ROLES } from '../../accounts/membership-store.js';
import type { Role } from '../../database/schema.js';
import { addressOf, Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, membershipOf, pageState, personOf } from '../page-state.js';
import { organisationPath } from '../view.js';

export async function showMembers(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form(),
): Promise<void> {
  const { organisationId, role } = membershipOf(ctx);
  const [members, invitations] = await Promise.all([
    dependencies.memberships.members(organisationId),
    dependencies.team.invitations(organisationId),
  ]);
  dependencies.view.show(
    ctx,
    'members',
    { title: 'Members', section: 'members' },
    {
      form,
      members,
      invitations,
      you: personOf(ctx).id,
      roles: role === 'owner' ? ROLES : ROLES.filter((each) => each !== 'owner'),
      owners: members.filter((member) => member.role === 'owner').length,
    },
  );
}

export async function invite(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  const role = roleIn(form);
  if (form.isValid) {
    const { organisationId } = membershipOf(ctx);
    await dependencies.throttle.form(pageState(ctx).client);
    await dependencies.throttle.invitation(personOf(ctx).id, email);
    try {
      await dependencies.team.invite(actorOf(ctx), personOf(ctx).name, organisationId, email, role);
      back(ctx, 'invited');
      return;
    } catch (error) {
      if (!(error instanceof AccountError && error.reason === 'conflict')) {
        throw error;
      }
      form.refuse('email', error.message);
    }
  }
  await showMembers(ctx, dependencies, form);
}

export async function withdrawInvitation(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.team.withdraw(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['invitationId'] ?? '');
  back(ctx, 'withdrawn');
}

export async function changeRole(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const role = roleIn(form);
  if (form.isValid) {
    const { organisationId } = membershipOf(ctx);
    await dependencies.team.changeRole(actorOf(ctx), organisationId, ctx.params['personId'] ?? '', role);
    back(ctx, 'role-changed');
    return;
  }
  await showMembers(ctx, dependencies, form);
}

export async function removeMember(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.team.remove(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
  back(ctx, 'removed');
}

export async function handOver(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.team.handOver(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
  back(ctx, 'handed-over');
}

export async function leave(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.team.leave(actorOf(ctx), membershipOf(ctx).organisationId);
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
