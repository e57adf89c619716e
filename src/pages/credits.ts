/** `/account/o/…/credits`: balance, use, and the ledger page by page or as CSV. */

import { Readable } from 'node:stream';
import type { RouterMiddleware } from '@koa/router';
import type { LedgerEntryKind } from '../database/schema.js';
import { csvLine, ledgerColumns, ledgerRow } from './csv.js';
import { entryBefore } from './paging.js';
import type { PageDependencies } from './page-dependencies.js';
import { membershipOf } from './page-state.js';
import { CHART_DAYS, usageChart } from './usage-chart.js';
import { pageFormats } from './view.js';

const DAY_MS = 86_400_000;
const LINES = 25;

const KINDS: readonly LedgerEntryKind[] = ['charge', 'refund', 'grant'];

export function showCredits(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const { organisationId } = membershipOf(ctx);
    const kind = KINDS.find((each) => each === ctx.query['kind']);
    const before = entryBefore(ctx);
    const [balance, lines, days, keys, organisation] = await Promise.all([
      dependencies.ledger.balance(organisationId),
      // One more than is shown tells whether there is another page.
      dependencies.ledgerReports.page(organisationId, { kind, before, limit: LINES + 1 }),
      dependencies.ledgerReports.useByDay(organisationId, CHART_DAYS),
      dependencies.ledgerReports.useByKey(organisationId, Date.now() - CHART_DAYS * DAY_MS),
      dependencies.organisations.find(organisationId),
    ]);
    dependencies.view.show(
      ctx,
      'credits',
      { title: 'Credits', section: 'credits' },
      {
        balance,
        monthlyCredits: organisation?.monthlyCredits ?? dependencies.allowances.standard,
        kinds: KINDS,
        kind,
        before,
        lines: lines.slice(0, LINES),
        next: lines.length > LINES ? lines[LINES - 1]?.id : undefined,
        days: CHART_DAYS,
        chart: usageChart(days, pageFormats(ctx)),
        keys,
        mostByKey: Math.max(1, ...keys.map(({ credits }) => credits)),
      },
    );
  };
}

export function downloadLedger(dependencies: PageDependencies): RouterMiddleware {
  return (ctx) => {
    const { organisationId } = membershipOf(ctx);
    ctx.type = 'text/csv; charset=utf-8';
    ctx.set('Content-Disposition', 'attachment; filename="qrpress-ledger.csv"');
    ctx.body = Readable.from(ledgerCsv(dependencies, organisationId), { objectMode: false });
  };
}

async function* ledgerCsv({ ledgerReports }: PageDependencies, organisationId: string): AsyncGenerator<string> {
  yield csvLine(ledgerColumns);
  for await (const line of ledgerReports.all(organisationId)) {
    yield csvLine(ledgerRow(line));
  }
}
