/** `/account/o/…/credits`: balance, use, and the ledger by page or as CSV. */

import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { askForCredits } from '../../accounts/notice-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import type { LedgerEntryKind } from '../../database/schema.js';
import { Form, formOf, seeOther } from '../form.js';
import { csvLine, ledgerCsv } from './export.js';
import { entryBefore, pageOf } from '../paging.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, membershipOf, personOf } from '../page-state.js';
import { CHART_DAYS, usageChart } from './usage-chart.js';
import { organisationPath, pageFormats } from '../view.js';

const LINES = 25;

/** Days that the chart can show. */
const RANGES = [7, CHART_DAYS, 90] as const;

const KINDS: readonly LedgerEntryKind[] = ['charge', 'refund', 'grant'];

export async function showCredits(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form(),
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const kind = kindOf(ctx);
  const before = entryBefore(ctx);
  const { days, keyId } = rangeOf(ctx);
  const [balance, lines, use, keys, organisation] = await Promise.all([
    dependencies.ledger.balance(organisationId),
    // Fetches one more than is shown, to know whether there is another page.
    dependencies.ledgerReports.page(organisationId, { kind, before, limit: LINES + 1 }),
    dependencies.ledgerReports.useByDay(organisationId, days, keyId),
    dependencies.ledgerReports.useByKey(organisationId, days),
    dependencies.organisations.find(organisationId),
  ]);
  const { shown, next } = pageOf(lines, LINES);
  dependencies.view.show(
    ctx,
    'credits',
    { title: 'Credits', section: 'credits' },
    {
      form,
      balance,
      isUnlimited: dependencies.ledger.isUnlimited,
      monthlyCredits: organisation?.monthlyCredits ?? dependencies.allowances.standard,
      kinds: KINDS,
      kind,
      before,
      lines: shown,
      next,
      days,
      ranges: RANGES,
      keyId,
      shownKey: keys.find((key) => key.keyId === keyId),
      chart: usageChart(use, pageFormats(ctx)),
      keys,
      mostByKey: Math.max(1, ...keys.map(({ credits }) => credits)),
    },
  );
}

/** Writes to the operators. */
export async function askOperators(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const text = form.text('message', 'The message', 300);
  if (!form.isValid) {
    await showCredits(ctx, dependencies, form);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  const { database, config, wake, throttle } = dependencies;
  await throttle.count('ask', organisationId);
  await askForCredits({ database, baseUrl: config.baseUrl, wakeOutbox: wake }, actorOf(ctx), organisationId, text);
  seeOther(ctx, `${organisationPath(organisationId)}/credits?done=asked`);
}

/** The chart's data as CSV: one line per day. */
export async function downloadUse(ctx: RouterContext, { ledgerReports }: PageDependencies): Promise<void> {
  const { days, keyId } = rangeOf(ctx);
  const use = await ledgerReports.useByDay(membershipOf(ctx).organisationId, days, keyId);
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', 'attachment; filename="qrpress-use.csv"');
  const lines = use.map(({ day, credits }) =>
    csvLine([new Date(day).toISOString().slice(0, 'yyyy-mm-dd'.length), credits]),
  );
  ctx.body = [csvLine(['day', 'credits']), ...lines].join('');
}

export async function downloadLedger(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const holder = { organisationId, personId: personOf(ctx).id };
  await withinDownload(ctx, dependencies.admission, holder, 'export', async () => {
    ctx.type = 'text/csv; charset=utf-8';
    ctx.set('Content-Disposition', 'attachment; filename="qrpress-ledger.csv"');
    ctx.body = Readable.from(ledgerCsv(dependencies, organisationId, kindOf(ctx)), { objectMode: false });
  });
}

function kindOf(ctx: RouterContext): LedgerEntryKind | undefined {
  return KINDS.find((each) => each === ctx.query['kind']);
}

/** The days and the key of the chart. `people` selects everything that no key did. */
function rangeOf(ctx: RouterContext): { days: number; keyId: string | null | undefined } {
  const { days, key } = ctx.query;
  return {
    days: RANGES.find((each) => String(each) === days) ?? CHART_DAYS,
    keyId: typeof key !== 'string' || key === '' ? undefined : key === 'people' ? null : key,
  };
}
