/** `/account/o/…`: overview of an organisation. */

import type { RouterContext } from '@koa/router';
import { lastDays } from '../../credits/ledger-report-store.js';
import type { Needs } from '../shell/page-dependencies.js';
import { membershipOf } from '../shell/page-state.js';
import { CHART_DAYS, usageChart } from './usage-chart.js';
import { jobRows } from '../shell/job-progress.js';
import { pageFormats } from '../shell/formats.js';

export async function showOverview(
  ctx: RouterContext,
  needs: Needs<'ledger' | 'jobList' | 'keys' | 'ledgerReports' | 'view' | 'config' | 'urls'>,
): Promise<void> {
  const { organisationId, organisationName } = membershipOf(ctx);
  const [balance, jobs, keys, use] = await Promise.all([
    needs.ledger.balance(organisationId),
    needs.jobList.page(organisationId, { limit: 5 }),
    needs.keys.list(organisationId),
    needs.ledgerReports.useByDay(organisationId, lastDays(CHART_DAYS)),
  ]);
  needs.view.show(ctx, 'overview', {
    title: organisationName,
    section: 'overview',
    notice: beginning(ctx, needs, balance),
    balance,
    isShort: balance === 0 && !needs.ledger.isUnlimited,
    jobs: jobRows(ctx, needs, jobs),
    keys: keys.filter(({ isActive }) => isActive).length,
    used: use.reduce((sum, { credits }) => sum + credits, 0),
    days: CHART_DAYS,
    chart: usageChart(use, pageFormats(ctx)),
  });
}

/** The greeting of a new organisation: that of a sign-up, or another one of a person. */
function beginning(ctx: RouterContext, { ledger }: Needs<'ledger'>, balance: number): string | undefined {
  const credits = ledger.isUnlimited || balance === 0 ? undefined : pageFormats(ctx).counted(balance, 'credit');
  switch (ctx.query['done']) {
    case 'signed-up':
      return `Welcome. Your email address is confirmed${credits ? `, and ${credits} are waiting for you` : ''}.`;
    case 'founded':
      return `The organisation is ready${credits ? `, and has ${credits}` : ''}.`;
    default:
      return undefined;
  }
}
