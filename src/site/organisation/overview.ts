/** `/account/o/…`: overview of an organisation. */

import type { RouterContext } from '@koa/router';
import { jobRows } from '../jobs/jobs.js';
import type { PageDependencies } from '../page-dependencies.js';
import { membershipOf } from '../page-state.js';
import { CHART_DAYS, usageChart } from './usage-chart.js';
import { pageFormats } from '../view.js';

export async function showOverview(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId, organisationName } = membershipOf(ctx);
  const [balance, jobs, keys, use] = await Promise.all([
    dependencies.ledger.balance(organisationId),
    dependencies.jobList.page(organisationId, { limit: 5 }),
    dependencies.keys.list(organisationId),
    dependencies.ledgerReports.useByDay(organisationId, CHART_DAYS),
  ]);
  dependencies.view.show(
    ctx,
    'overview',
    { title: organisationName, section: 'overview' },
    {
      balance,
      jobs: jobRows(ctx, dependencies, jobs),
      keys: keys.filter(({ isActive }) => isActive).length,
      used: use.reduce((sum, { credits }) => sum + credits, 0),
      days: CHART_DAYS,
      chart: usageChart(use, pageFormats(ctx)),
    },
  );
}
