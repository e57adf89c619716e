/** `/account/o/…/settings`: the organisation's name, the log of what was done, and the export of its data. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { audit } from '../account/audit-store.js';
import { entryBefore } from './paging.js';
import { exportArchive } from './export.js';
import { Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf, membershipOf, personOf } from './page-state.js';
import { organisationPath } from './view.js';

const LINES = 25;

export function showSettings(dependencies: PageDependencies): RouterMiddleware {
  return (ctx) => show(ctx, dependencies, new Form({ name: membershipOf(ctx).organisationName }));
}

export function rename(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const name = form.text('name', 'The name');
    if (!form.isValid) {
      await show(ctx, dependencies, form);
      return;
    }
    const { organisationId } = membershipOf(ctx);
    await dependencies.team.rename(actorOf(ctx), organisationId, name);
    seeOther(ctx, `${organisationPath(organisationId)}/settings?done=renamed`);
  };
}

export function exportData(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
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
  };
}

async function show(ctx: RouterContext, dependencies: PageDependencies, form: Form): Promise<void> {
  const before = entryBefore(ctx);
  const entries = await dependencies.audit.list(membershipOf(ctx).organisationId, LINES + 1, before);
  dependencies.view.show(
    ctx,
    'settings',
    { title: 'Settings', section: 'settings', status: form.isValid ? 200 : 422 },
    { form, entries: entries.slice(0, LINES), next: entries.length > LINES ? entries[LINES - 1]?.id : undefined },
  );
}
