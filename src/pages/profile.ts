/** `/account`, `/account/you`: where a person comes in, their password and sessions, another organisation. */

import type { Context, Middleware } from 'koa';
import { newRowId } from '../database/row-id.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { actorOf, pageState, personOf } from './page-state.js';
import { sessionKeyHash } from './session.js';
import { seeOther } from './sign-in.js';
import { passwordOf } from './sign-up.js';
import { organisationPath } from './view.js';

/** To the first organisation; who has none sees themselves. */
export const enter: Middleware = (ctx) => {
  const [first] = pageState(ctx).memberships ?? [];
  const operators = personOf(ctx).isOperator ? '/account/operator' : '/account/you';
  seeOther(ctx, first === undefined ? operators : organisationPath(first.organisationId));
};

export function showProfile(rooms: PageRooms): Middleware {
  return (ctx) => show(ctx, rooms, {});
}

export function changePassword(rooms: PageRooms): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const { name, email } = personOf(ctx);
    const { client } = pageState(ctx);
    const password = passwordOf(form, name, email);
    if (form.isValid) {
      const changed = await rooms.throttle.attempt(email, client, async () => {
        const current = form.get('current');
        return (await rooms.credentials.change(actorOf(ctx), current, password, sessionKeyHash(ctx))) || undefined;
      });
      if (changed === true) {
        seeOther(ctx, '/account/you?done=password-changed');
        return;
      }
      form.refuse('current', 'This is not your current password.');
    }
    await show(ctx, rooms, { password: form });
  };
}

export function foundOrganisation(rooms: PageRooms): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const name = form.text('organisation', 'The name');
    if (!form.isValid) {
      await show(ctx, rooms, { organisation: form });
      return;
    }
    await rooms.throttle.form(pageState(ctx).client);
    const { email } = personOf(ctx);
    const organisationId = await rooms.team.found(actorOf(ctx), name, email, form.get('submission'));
    seeOther(ctx, organisationId === undefined ? '/account/you' : `${organisationPath(organisationId)}?done=founded`);
  };
}

async function show(ctx: Context, rooms: PageRooms, forms: { password?: Form; organisation?: Form }): Promise<void> {
  const { password = new Form(), organisation = new Form() } = forms;
  rooms.view.show(
    ctx,
    'you',
    { title: 'You', section: 'you', status: password.isValid && organisation.isValid ? 200 : 422 },
    {
      password,
      organisation,
      sessions: await rooms.sessions.count(personOf(ctx).id),
      memberships: pageState(ctx).memberships,
      path: organisationPath,
      canFound: rooms.config.signUp === 'open',
      submission: newRowId(),
    },
  );
}
