/** `/account/o/…/settings`: the organisation's name, its audit log, and the export of its data. */

import type { RouterContext } from '@koa/router';
import { audit } from '../account/audit-store.js';
import { entryBefore } from './paging.js';
import { exportArchive } from './export.js';
import { Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf, membershipOf, personOf } from './page-state.js';
import { organisationPath } from './view.js';

const LINES = 25;

export async function showSettings(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form({ name: membershipOf(ctx).organisationName }),
): Promise<void> {
  const before = entryBefore(ctx);
  const entries = await dependencies.audit.list(membershipOf(ctx).organisationId, LINES + 1, before);
  dependencies.view.show(
    ctx,
    'settings',
    { title: 'Settings', section: 'settings' },
    { form, entries: entries.slice(0, LINES), next: entries.length > LINES ? entries[LINES - 1]?.id : undefined },
  );
}

export async function rename(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'The name');
  if (!form.isValid) {
    await showSettings(ctx, dependencies, form);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  await dependencies.team.rename(actorOf(ctx), organisationId, name);
  seeOther(ctx, `${organisationPath(organisationId)}/settings?done=renamed`);
}

export async function exportData(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const leave = dependencies.admission.take('export', { organisationId, personId: personOf(ctx).id });
  try {
    await audit(dependencies.database, actorOf(ctx), organisationId, 'data-exported');
    const archive = exportArchive(dependencies, organisationId);
    ctx.type = 'application/zip';
    ctx.set('Content-Disposition', 'attachment; filename="qrpress-export.zip"');
    ctx.body = archive.once('close', leave);
  } catch (error) {
    leave();
    throw error;
  }
}
