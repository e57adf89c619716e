/** `/account/o/…/settings`: the organisation's name, the log of what was done, and the export of its data. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { audit } from '../account/audit-store.js';
import { entryBefore } from './entry-before.js';
import { exportArchive } from './export.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { actorOf, membershipOf } from './page-state.js';
import { seeOther } from './sign-in.js';
import { organisationPath } from './view.js';

const LINES = 25;

export function showSettings(rooms: PageRooms): RouterMiddleware {
  return (ctx) => show(ctx, rooms, new Form({ name: membershipOf(ctx).organisationName }));
}

export function rename(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const name = form.text('name', 'The name');
    if (!form.isValid) {
      await show(ctx, rooms, form);
      return;
    }
    const { organisationId } = membershipOf(ctx);
    await rooms.team.rename(actorOf(ctx), organisationId, name);
    seeOther(ctx, `${organisationPath(organisationId)}/settings?done=renamed`);
  };
}

export function exportData(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { organisationId } = membershipOf(ctx);
    await audit(rooms.database, actorOf(ctx), organisationId, 'data-exported');
    ctx.type = 'application/zip';
    ctx.set('Content-Disposition', 'attachment; filename="qrpress-export.zip"');
    ctx.body = exportArchive(rooms, organisationId);
  };
}

async function show(ctx: RouterContext, rooms: PageRooms, form: Form): Promise<void> {
  const before = entryBefore(ctx);
  const entries = await rooms.audit.list(membershipOf(ctx).organisationId, LINES + 1, before);
  rooms.view.show(
    ctx,
    'settings',
    { title: 'Settings', section: 'settings', status: form.isValid ? 200 : 422 },
    { form, entries: entries.slice(0, LINES), next: entries.length > LINES ? entries[LINES - 1]?.id : undefined },
  );
}
