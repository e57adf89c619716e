/** `/account/o/…/settings`: the organisation's name, its audit log, and the export of its data. */

import type { RouterContext } from '@koa/router';
import { audit, auditEntries } from '../../accounts/audit-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import { exportArchive } from './export.js';
import { Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, membershipOf, personOf } from '../page-state.js';
import { entryBefore, pageOf } from '../paging.js';
import { organisationPath } from '../view.js';

const LINES = 25;

export async function showSettings(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form({ name: membershipOf(ctx).organisationName }),
): Promise<void> {
  const before = entryBefore(ctx);
  const entries = await auditEntries(dependencies.database, membershipOf(ctx).organisationId, LINES + 1, before);
  const { shown, next } = pageOf(entries, LINES);
  dependencies.view.show(ctx, 'settings', { title: 'Settings', section: 'settings' }, { form, entries: shown, next });
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
  const holder = { organisationId, personId: personOf(ctx).id };
  await withinDownload(ctx, dependencies.admission, holder, 'export', async () => {
    await audit(dependencies.database, actorOf(ctx), organisationId, 'data-exported');
    ctx.type = 'application/zip';
    ctx.set('Content-Disposition', 'attachment; filename="qrpress-export.zip"');
    ctx.body = exportArchive(dependencies, organisationId);
  });
}
