/** `/account/o/…/credits`: balance, use, and the ledger by page or as CSV. */

import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { askForCredits } from '../../accounts/organisations/notice-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import type { LedgerEntryKind } from '../../database/schema.js';
import { dayText, parseDay } from '../../contract/date-time.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import { ledgerCsv } from './export.js';
import { entryBefore, pageOf } from '../shell/paging.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, holderOf, membershipOf, organisationPath } from '../shell/page-state.js';
import { LISTS, listUse, periodOf, periods, usersOf } from './use.js';
import { usageChart } from './usage-chart.js';
import { pageFormats } from '../shell/formats.js';

const LINES = 25;

const KINDS: readonly LedgerEntryKind[] = ['charge', 'refund', 'grant'];

type CreditsPage = Needs<'ledger' | 'ledgerReports' | 'organisations' | 'view' | 'allowances'>;

export async function showCredits(
  ctx: RouterContext,
  { ledger, ledgerReports, organisations, view, allowances }: CreditsPage,
  form = new Form(),
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const kind = kindOf(ctx);
  const before = entryBefore(ctx);
  const day = dayOf(ctx);
  const period = periodOf(ctx);
  const { by, user } = usersOf(ctx);
  const [balance, lines, use, list, organisation] = await Promise.all([
    ledger.balance(organisationId),
    // Fetches one more than is shown, to know whether there is another page.
    ledgerReports.page(organisationId, { kind, day, before, limit: LINES + 1 }),
    ledgerReports.useByDay(organisationId, period.days, user),
    listUse(ledgerReports, organisationId, period.days, by),
    organisations.find(organisationId),
  ]);
  const { shown, next } = pageOf(lines, LINES);
  view.show(ctx, 'credits', {
    title: 'Credits',
    section: 'credits',
    form,
    balance,
    isUnlimited: ledger.isUnlimited,
    monthlyCredits: organisation?.monthlyCredits ?? allowances.standard,
    kinds: KINDS,
    kind,
    before,
    lines: shown,
    next,
    day,
    dayText: day === undefined ? '' : dayText(day),
    period,
    periods: periods(),
    by,
    lists: LISTS,
    user,
    shownUser: list.find((line) => line.user === user),
    chart: usageChart(use, pageFormats(ctx), day),
    list,
    most: Math.max(1, ...list.map(({ credits }) => credits)),
  });
}

/** Writes to the operators. */
export async function askOperators(
  ctx: RouterContext,
  needs: Needs<'database' | 'config' | 'throttle'> & CreditsPage,
): Promise<void> {
  const form = formOf(ctx);
  const text = form.text('message', 'The message', 300);
  if (!form.isValid) {
    await showCredits(ctx, needs, form);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  const { database, config, throttle } = needs;
  await throttle.count('ask', organisationId);
  await askForCredits({ database, baseUrl: config.baseUrl }, actorOf(ctx), organisationId, text);
  seeOther(ctx, `${organisationPath(organisationId)}/credits?done=asked`);
}

export async function downloadLedger(ctx: RouterContext, needs: Needs<'admission' | 'ledgerReports'>): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await withinDownload(ctx, needs.admission, holderOf(ctx), 'export', async () => {
    ctx.attachment('qrpress-ledger.csv');
    ctx.body = Readable.from(ledgerCsv(needs, organisationId, { kind: kindOf(ctx), day: dayOf(ctx) }), {
      objectMode: false,
    });
  });
}

function kindOf(ctx: RouterContext): LedgerEntryKind | undefined {
  return KINDS.find((each) => each === ctx.query['kind']);
}

/** The start of the day whose entries are shown, in UTC. */
function dayOf(ctx: RouterContext): number | undefined {
  return parseDay(String(ctx.query['day'] ?? ''));
}
