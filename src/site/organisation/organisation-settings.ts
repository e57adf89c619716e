/** `/account/o/…/settings`: the organisation's name, its audit log, and the export of its data. */

import type { RouterContext } from '@koa/router';
import {
  audit,
  type AuditAction,
  auditEntries,
  auditSearchEnd,
  ENTRIES_SEARCHED,
  ORGANISATION_ACTIONS,
  SIGN_IN_ACTIONS,
} from '../../accounts/audit-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import { type Exported, exportArchive } from './export.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, holderOf, membershipOf, personOf, organisationPath } from '../shell/page-state.js';
import { DAY_MS } from '../../contract/limits.js';
import { dayIn, entryBefore, pageOf, queryOf, searchOf } from '../shell/paging.js';

const LINES = 25;

/** Actions whose names are not the words of the pages. */
const WORDS: Partial<Record<AuditAction, string>> = {
  'keys-still-active': 'keys of a former member still work',
  'low-balance-set': 'low-balance alert changed',
  'ownership-handed-over': 'ownership transferred',
  'credits-asked': 'asked for credits',
  'allowance-set': 'monthly credits changed',
  'second-factor-refused': 'typed a wrong two-factor code',
  'second-factor-on': 'two-factor authentication turned on',
  'second-factor-off': 'two-factor authentication turned off',
  'address-changed': 'email address changed',
  'identity-connected': 'company account connected',
  'identity-disconnected': 'company account disconnected',
};

/** Actions whose subject begins with a number of credits. */
const COUNTED = new Set<AuditAction>(['credits-granted', 'credits-taken-back', 'allowance-set', 'low-balance-set']);

/** The actions of the log in the words of the pages, in the order of those. */
const ACTIONS = new Map(
  [...ORGANISATION_ACTIONS, ...SIGN_IN_ACTIONS]
    .map((action): [AuditAction, string] => [action, WORDS[action] ?? action.replaceAll('-', ' ')])
    .toSorted(([, one], [, other]) => (one < other ? -1 : 1)),
);

export async function showSettings(
  ctx: RouterContext,
  { database, view }: Needs<'database' | 'view'>,
  form = new Form({ name: membershipOf(ctx).organisationName }),
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const before = entryBefore(ctx);
  const search = searchOf(ctx, 200);
  const action = [...ACTIONS.keys()].find((each) => each === ctx.query['action']);
  const [from, to] = [dayIn(ctx, 'from'), dayIn(ctx, 'to')];
  const chosen = { q: search, action, from, to };
  const isFiltered = Object.values(chosen).some((each) => each !== undefined);
  const until = isFiltered ? await auditSearchEnd(database, organisationId, before) : undefined;
  const entries = await auditEntries(database, organisationId, LINES + 1, {
    search,
    action,
    createdAfter: from === undefined ? undefined : Date.parse(from) - 1,
    createdBefore: to === undefined ? undefined : Date.parse(to) + DAY_MS,
    before,
    until,
  });
  const { shown, next = until } = pageOf(entries, LINES);
  const { number } = pageFormats(ctx);
  view.show(ctx, 'settings', {
    title: 'Settings',
    section: 'settings',
    form,
    entries: shown.map((entry) =>
      COUNTED.has(entry.action)
        ? { ...entry, subject: entry.subject.replace(/^\d+/, (credits) => number(Number(credits))) }
        : entry,
    ),
    actions: ACTIONS,
    chosen,
    isFiltered,
    before,
    next: next === undefined ? undefined : queryOf({ ...chosen, before: String(next) }),
    newest: queryOf(chosen),
    searched: ENTRIES_SEARCHED,
  });
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
