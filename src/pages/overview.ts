/** `/account/o/…`: an organisation at a glance. */

import type { Middleware } from 'koa';
import { membershipOf } from './page-state.js';
import type { PageRooms } from './page-rooms.js';
import { usageChart } from './usage-chart.js';
import { pageFormats } from './view.js';

const DAYS = 30;

export function showOverview(rooms: PageRooms): Middleware {
  return async (ctx) => {
    const { organisationId, organisationName } = membershipOf(ctx);
    const [balance, jobs, keys, use] = await Promise.all([
      rooms.ledger.balance(organisationId),
      rooms.jobLists.page(organisationId, { limit: 5 }),
      rooms.keys.list(organisationId),
      rooms.ledgerReports.useByDay(organisationId, DAYS),
    ]);
    rooms.view.show(
      ctx,
      'overview',
      { title: organisationName, section: 'overview' },
      {
        balance,
        jobs,
        keys: keys.filter(({ revokedAt }) => revokedAt === null).length,
        used: use.reduce((sum, { credits }) => sum + credits, 0),
        chart: usageChart(use, pageFormats(ctx)),
      },
    );
  };
}
