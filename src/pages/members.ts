/** `/account/o/…/members`: who belongs to the organisation, and who is invited. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Role } from '../database/schema.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { actorOf, membershipOf, pageState, personOf } from './page-state.js';
import { seeOther } from './sign-in.js';
import { addressOf } from './sign-up.js';
import { organisationPath } from './view.js';

const ROLES: readonly Role[] = ['owner', 'admin', 'member'];

export function showMembers(rooms: PageRooms): RouterMiddleware {
  return (ctx) => show(ctx, rooms, new Form());
}

export function invite(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const email = addressOf(form);
    const role = roleIn(form);
    if (form.isValid) {
      const { organisationId } = membershipOf(ctx);
      await rooms.throttle.form(pageState(ctx).client);
      await rooms.throttle.invitation(organisationId, email);
      await rooms.team.invite(actorOf(ctx), personOf(ctx).name, organisationId, email, role);
      back(ctx, 'invited');
      return;
    }
    await show(ctx, rooms, form);
  };
}

export function withdrawInvitation(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    await rooms.team.withdraw(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['invitationId'] ?? '');
    back(ctx, 'withdrawn');
  };
}

export function changeRole(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const role = roleIn(form);
    if (form.isValid) {
      const { organisationId } = membershipOf(ctx);
      await rooms.team.changeRole(actorOf(ctx), organisationId, ctx.params['personId'] ?? '', role);
      back(ctx, 'role-changed');
      return;
    }
    await show(ctx, rooms, form);
  };
}

export function removeMember(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    await rooms.team.remove(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
    back(ctx, 'removed');
  };
}

export function handOver(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    await rooms.team.handOver(actorOf(ctx), membershipOf(ctx).organisationId, ctx.params['personId'] ?? '');
    back(ctx, 'handed-over');
  };
}

export function leave(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    await rooms.team.leave(actorOf(ctx), membershipOf(ctx).organisationId);
    seeOther(ctx, '/account/you?done=left');
  };
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

async function show(ctx: RouterContext, rooms: PageRooms, form: Form): Promise<void> {
  const { organisationId, role } = membershipOf(ctx);
  const [members, invitations] = await Promise.all([
    rooms.memberships.members(organisationId),
    rooms.team.invitations(organisationId),
  ]);
  rooms.view.show(
    ctx,
    'members',
    { title: 'Members', section: 'members', status: form.isValid ? 200 : 422 },
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
