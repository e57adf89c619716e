/** `/account/o/…/settings`: the organisation's name, its audit log, and the export of its data. */

import type { RouterContext } from '@koa/router';
import { audit, auditEntries } from '../../accounts/audit-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import { type Exported, exportArchive } from './export.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, holderOf, membershipOf, personOf, organisationPath } from '../shell/page-state.js';
import { entryBefore, pageOf } from '../shell/paging.js';

const LINES = 25;

/** Actions of the audit log whose names are not the words of the pages. */
const ACTIONS: Readonly<Record<string, string>> = {
  'keys-still-active': 'keys of a former member still work',
  'low-balance-set': 'low-balance alert changed',
  'ownership-handed-over': 'ownership transferred',
  'credits-asked': 'asked for credits',
  'allowance-set': 'monthly credits changed',
  'identity-connected': 'company account connected',
  'identity-disconnected': 'company account disconnected',
  'second-factor-on': 'two-factor authentication turned on',
  'second-factor-off': 'two-factor authentication turned off',
  'second-factor-refused': 'wrong codes at sign-in',
};

export async function showSettings(
  ctx: RouterContext,
  { database, view }: Needs<'database' | 'view'>,
  form = new Form({ name: membershipOf(ctx).organisationName }),
): Promise<void> {
  const before = entryBefore(ctx);
  const entries = await auditEntries(database, membershipOf(ctx).organisationId, LINES + 1, before);
  const { shown, next } = pageOf(entries, LINES);
  view.show(ctx, 'settings', { title: 'Settings', section: 'settings', form, entries: shown, next, actions: ACTIONS });
}

export async function rename(ctx: RouterContext, needs: Needs<'team' | 'database' | 'view'>): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'The name');
  if (!form.isValid) {
    await showSettings(ctx, needs, form);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  await needs.team.rename(actorOf(ctx), organisationId, name);
  seeOther(ctx, `${organisationPath(organisationId)}/settings?done=renamed`);
}

export async function exportData(ctx: RouterContext, needs: Needs<'admission' | 'throttle'> & Exported): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await needs.throttle.count('change', personOf(ctx).id);
  await withinDownload(ctx, needs.admission, holderOf(ctx), 'export', async () => {
    await audit(needs.database, actorOf(ctx), organisationId, 'data-exported');
    ctx.attachment('qrpress-export.zip');
    ctx.body = exportArchive(needs, organisationId);
  });
}
