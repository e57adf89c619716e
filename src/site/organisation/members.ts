/** `/account/o/…/members`: the organisation's members and invitations. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { ROLES } from '../../accounts/organisations/membership-store.js';
import type { Role } from '../../database/schema.js';
import { addressOf, Form, formOf, seeOther } from '../shell/form.js';
import { type Confirmation, isConfirmed } from '../shell/passwords.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, membershipOf, pageState, personOf, organisationPath } from '../shell/page-state.js';

type MembersPage = Needs<'memberships' | 'team' | 'view' | 'config' | 'credentials'>;

/** Roles that managers give. Ownership has a form of its own, which asks for the password. */
const GIVEN = ROLES.filter((role) => role !== 'owner');

/** @param sent submitted forms with errors, to be shown again */
export async function showMembers(
  ctx: RouterContext,
  { memberships, team, view, config, credentials }: MembersPage,
  sent: Partial<Record<'invitation' | 'ownership' | 'taken', Form>> = {},
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const [members, invitations, hasPassword] = await Promise.all([
    memberships.members(organisationId),
    team.invitations(organisationId),
    credentials.hasPassword(personOf(ctx).id),
  ]);
  const forms = { invitation: new Form(), ownership: new Form(), taken: new Form(), ...sent };
  view.show(ctx, 'members', {
    title: 'Members',
    section: 'members',
    status: Object.values(forms).every(({ isValid }) => isValid) ? 200 : 422,
    forms,
    members,
    invitations,
    you: personOf(ctx).id,
    roles: GIVEN,
    hasPassword: hasPassword && config.passwords,
    owners: members.filter((member) => member.role === 'owner').length,
  });
}

export async function invite(ctx: RouterContext, needs: Needs<'throttle'> & MembersPage): Promise<void> {
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
  await showMembers(ctx, needs, { invitation: form });
}

/** Mails an open invitation again. */
export async function resendInvitation(
  ctx: RouterContext,
  { team, throttle }: Needs<'team' | 'throttle'>,
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const { id, name } = personOf(ctx);
  const invitation = await team.openInvitation(organisationId, ctx.params['invitationId'] ?? '');
  await throttle.form(pageState(ctx).client);
  await throttle.invitation(id, invitation.email);
  await team.invite(actorOf(ctx), name, organisationId, invitation.email, invitation.role);
  back(ctx, 'invited-again');
}

export async function withdrawInvitation(ctx: RouterContext, { team }: Needs<'team'>): Promise<void> {
  await team.withdraw(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['invitationId'] ?? '');
  back(ctx, 'withdrawn');
}

export async function changeRole(ctx: RouterContext, needs: MembersPage): Promise<void> {
  const form = formOf(ctx);
  const role = roleIn(form);
  if (form.isValid) {
    const { organisationId } = membershipOf(ctx);
    await requireNoOwner(ctx, needs);
    await needs.team.changeRole(actorOf(ctx), organisationId, ctx.params['personId'] ?? '', role);
    back(ctx, 'role-changed');
    return;
  }
  await showMembers(ctx, needs, { invitation: form });
}

export async function removeMember(ctx: RouterContext, needs: Needs<'team' | 'memberships'>): Promise<void> {
  await requireNoOwner(ctx, needs);
  await needs.team.remove(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
  back(ctx, 'removed');
}

/** Makes a member the owner in place of the person, or beside them. Asks for the password. */
export async function changeOwnership(ctx: RouterContext, needs: Confirmation & MembersPage): Promise<void> {
  const form = formOf(ctx);
  const personId = form.text('member', 'The new owner');
  if (!form.isValid || !(await isConfirmed(ctx, needs, form))) {
    await showMembers(ctx, needs, { ownership: form });
    return;
  }
  const { organisationId } = membershipOf(ctx);
  const isShared = form.get('share') === 'both';
  await (isShared
    ? needs.team.changeRole(actorOf(ctx), organisationId, personId, 'owner')
    : needs.team.handOver(actorOf(ctx), organisationId, personId));
  back(ctx, isShared ? 'shared' : 'handed-over');
}

/** Gives an owner beside others another role. Asks for the password. */
export async function takeOwnership(ctx: RouterContext, needs: Confirmation & MembersPage): Promise<void> {
  const form = formOf(ctx);
  const personId = form.text('owner', 'The owner');
  const role = roleIn(form);
  if (!form.isValid || !(await isConfirmed(ctx, needs, form))) {
    await showMembers(ctx, needs, { taken: form });
    return;
  }
  await needs.team.changeRole(actorOf(ctx), membershipOf(ctx).organisationId, personId, role);
  back(ctx, 'role-changed');
}

export async function leave(ctx: RouterContext, { team }: Needs<'team'>): Promise<void> {
  await team.leave(actorOf(ctx), membershipOf(ctx).organisationId);
  seeOther(ctx, '/account/you?done=left');
}

/** @throws AccountError `conflict` for an owner, whose form asks for the password */
async function requireNoOwner(ctx: RouterContext, { memberships }: Needs<'memberships'>): Promise<void> {
  const members = await memberships.members(membershipOf(ctx).organisationId);
  if (members.some(({ personId, role }) => personId === ctx.params['personId'] && role === 'owner')) {
    throw new AccountError('conflict', 'This is an owner. Take the ownership back first, under Ownership.');
  }
}

function roleIn(form: Form): Role {
  const role = GIVEN.find((each) => each === form.get('role'));
  if (role === undefined) {
    form.refuse('role', 'Choose admin or member.');
  }
  return role ?? 'member';
}

function back(ctx: RouterContext, done: string): void {
  seeOther(ctx, `${organisationPath(membershipOf(ctx).organisationId)}/members?done=${done}`);
}
