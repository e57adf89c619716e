/** `/account/o/…/credits`: balance, use, and the ledger by page or as CSV. */

import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { askForCredits, creditsAsked } from '../../accounts/organisations/notice-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import type { LedgerEntryKind } from '../../database/schema.js';
import { dayText, parseDay } from '../../contract/date-time.js';
import { DAY_MS } from '../../contract/limits.js';
import type { Days, LedgerReportStore } from '../../credits/ledger-report-store.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import { ledgerCsv } from './export.js';
import { entryBefore, pageOf } from '../shell/paging.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, holderOf, membershipOf, organisationPath } from '../shell/page-state.js';
import { LISTS, listUse, type Period, periodOf, periods, usersOf } from './use.js';
import { usageChart } from './usage-chart.js';
import { pageFormats } from '../shell/formats.js';

/** Entries of a page, and of one that is to be printed. */
const [LINES, LINES_TO_PRINT] = [25, 1_000];

const KINDS: readonly LedgerEntryKind[] = ['charge', 'refund', 'grant'];

type CreditsPage = Needs<'database' | 'ledger' | 'ledgerReports' | 'organisations' | 'view' | 'allowances'>;

export async function showCredits(
  ctx: RouterContext,
  { database, ledger, ledgerReports, organisations, view, allowances }: CreditsPage,
  form = new Form(),
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const kind = kindOf(ctx);
  const before = entryBefore(ctx);
  const day = dayOf(ctx);
  const period = periodOf(ctx);
  const { by, user } = usersOf(ctx);
  const days = daysOf(day, period);
  const isStatement = ctx.query['statement'] !== undefined;
  const limit = isStatement ? LINES_TO_PRINT : LINES;
  const [balance, lines, balances, use, list, organisation, asked] = await Promise.all([
    ledger.balance(organisationId),
    // Fetches one more than is shown, to know whether there is another page.
    ledgerReports.page(organisationId, { kind, days, before, limit: limit + 1 }),
    days && balancesOf(ledgerReports, organisationId, days),
    ledgerReports.useByDay(organisationId, period.days, user),
    listUse(ledgerReports, organisationId, period.days, by),
    organisations.find(organisationId),
    creditsAsked(database, organisationId),
  ]);
  const { shown, next } = pageOf(lines, limit);
  const formats = pageFormats(ctx);
  const shownDays = day === undefined ? 'month' in period.name && formats.month(period.name.month) : formats.date(day);
  const name = organisation?.name;
  view.show(ctx, 'credits', {
    // Browsers print the title on each sheet.
    title: isStatement ? ['Statement of credits', shownDays, name].filter(Boolean).join(', ') : 'Credits',
    name,
    shownDays,
    section: 'credits',
    form,
    balance,
    asked,
    isUnlimited: ledger.isUnlimited,
    monthlyCredits: organisation?.monthlyCredits ?? allowances.standard,
    kinds: KINDS,
    kind,
    before,
    lines: shown,
    next,
    day,
    dayText: day === undefined ? '' : dayText(day),
    balances,
    isOver: days !== undefined && days.first + days.count * DAY_MS <= Date.now(),
    isStatement,
    period,
    periods: periods(),
    by,
    lists: LISTS,
    user,
    shownUser: list.find((line) => line.user === user),
    chart: usageChart(use, formats, day),
    list,
    most: Math.max(1, ...list.map(({ credits }) => credits)),
  });
}

/** Writes to the operators. */
export async function askOperators(
  ctx: RouterContext,
  needs: Needs<'config' | 'throttle'> & CreditsPage,
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
    const days = daysOf(dayOf(ctx), periodOf(ctx));
    ctx.attachment('qrpress-ledger.csv');
    ctx.body = Readable.from(ledgerCsv(needs, organisationId, { kind: kindOf(ctx), days }), { objectMode: false });
  });
}

function kindOf(ctx: RouterContext): LedgerEntryKind | undefined {
  return KINDS.find((each) => each === ctx.query['kind']);
}

/** The start of the day whose entries are shown, in UTC. */
function dayOf(ctx: RouterContext): number | undefined {
  return parseDay(String(ctx.query['day'] ?? ''));
}

/** The days whose entries are shown: one, or those of a month. Undefined: all. */
function daysOf(day: number | undefined, { days, name }: Period): Days | undefined {
  return day === undefined ? ('month' in name ? days : undefined) : { first: day, count: 1 };
}

/** The balances before and after some days. */
async function balancesOf(ledgerReports: LedgerReportStore, organisationId: string, { first, count }: Days) {
  const [opening, closing] = await Promise.all([
    ledgerReports.balanceAt(organisationId, first),
    ledgerReports.balanceAt(organisationId, first + count * DAY_MS),
  ]);
  return { opening, closing };
}
