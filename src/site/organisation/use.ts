/** Credits used in a period, by day, key, person or job, and `/account/o/…/credits/use.csv`, the same as CSV. */

import type { RouterContext } from '@koa/router';
import { DAY_MS } from '../../contract/limits.js';
import { type Days, lastDays, type LedgerReportStore } from '../../credits/ledger-report-store.js';
import { dayText } from '../../contract/date-time.js';
import type { Needs } from '../shell/page-dependencies.js';
import { membershipOf } from '../shell/page-state.js';
import { CHART_DAYS } from './usage-chart.js';
import { csvHead, csvLine } from '../shell/csv.js';

/** Numbers of days that can be chosen. */
const RANGES = [7, CHART_DAYS, 90] as const;

/** Groups of the list of a period. */
export const LISTS = ['key', 'person', 'job'] as const;

/** Jobs that a page lists, and a file. */
const [JOBS, JOBS_OF_FILE] = [20, 1_000];

export interface Period {
  days: Days;
  /** Its part of a query: `days=30` or `month=2026-11`. */
  query: string;
  /** Number of days before and with today, or the start of a month. */
  name: { last: number } | { month: number };
}

/** The period that the query names; otherwise the last thirty days. */
export function periodOf(ctx: RouterContext): Period {
  const { days, month } = ctx.query;
  const [, year = '', number = ''] = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(String(month ?? '')) ?? [];
  const start = Date.UTC(Number(year), Number(number) - 1);
  return year !== '' && start <= Date.now()
    ? monthFrom(start)
    : lastPeriod(RANGES.find((each) => String(each) === days) ?? CHART_DAYS);
}

/** The periods that a page offers: the last days, this month and the one before. */
export function periods(now = new Date()): Period[] {
  const months = [0, -1].map((offset) => monthFrom(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)));
  return [...RANGES.map(lastPeriod), ...months];
}

function lastPeriod(last: number): Period {
  return { days: lastDays(last), query: `days=${last}`, name: { last } };
}

/** A month up to today. */
function monthFrom(month: number): Period {
  const start = new Date(month);
  const end = Math.min(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1), Date.now());
  const count = Math.ceil((end - month) / DAY_MS);
  return {
    days: { first: month, count: Math.max(1, count) },
    query: `month=${start.toISOString().slice(0, 7)}`,
    name: { month },
  };
}

/** The groups of the list, and the key or person of the chart. `people` selects everything that no key did. */
export function usersOf(ctx: RouterContext): { by: (typeof LISTS)[number]; user: string | null | undefined } {
  const { by, key } = ctx.query;
  return {
    by: LISTS.find((each) => each === by) ?? 'key',
    user: typeof key !== 'string' || key === '' ? undefined : key === 'people' ? null : key,
  };
}

/** A line of the list. */
export interface UseLine {
  /** Null for several together. */
  id: string | null;
  name: string | null;
  /** Choices of the chart. */
  user?: string;
  /** The key or person that made a job. */
  maker?: string | null;
  createdAt?: number;
  /** Absent for a job. */
  jobs?: number;
  credits: number;
}

/** The list of a period, most first. That by key or person ends with all that is not in it, so that it adds up to the chart. */
export async function listUse(
  reports: LedgerReportStore,
  organisationId: string,
  days: Days,
  by: (typeof LISTS)[number],
  most = JOBS,
): Promise<UseLine[]> {
  if (by === 'job') {
    const jobs = await reports.useByJob(organisationId, days, most);
    return jobs.map(({ keyName, personName, ...job }) => ({ ...job, maker: keyName ?? personName }));
  }
  const { users, more, others } = await reports.useBy(by, organisationId, days);
  const sums: UseLine[] = [
    {
      id: null,
      name: more.users === 1 ? 'And one other' : `And ${more.users} others`,
      jobs: more.jobs,
      credits: more.credits,
    },
    by === 'key'
      ? { id: null, name: 'People, in the studio', user: 'people', ...others }
      : { id: null, name: 'API keys', ...others },
  ];
  return [
    ...users.map((use) => ({ ...use, user: use.id })),
    ...sums.filter(({ jobs, credits }) => jobs !== 0 || credits !== 0),
  ];
}

/** One line for each day, or for each key, person or job. */
export async function downloadUse(ctx: RouterContext, { ledgerReports }: Needs<'ledgerReports'>): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const { days } = periodOf(ctx);
  const { by, user } = usersOf(ctx);
  ctx.attachment(`qrpress-use-by-${ctx.query['by'] === undefined ? 'day' : by}.csv`);
  if (ctx.query['by'] === undefined) {
    const use = await ledgerReports.useByDay(organisationId, days, user);
    const rows = use.map(({ day, credits }) => [dayText(day), credits]);
    ctx.body = csvHead(['day', 'credits']) + rows.map(csvLine).join('');
    return;
  }
  const lines = await listUse(ledgerReports, organisationId, days, by, JOBS_OF_FILE);
  const columns = by === 'job' ? ['job', 'name', 'by', 'created', 'credits'] : [by, 'name', 'jobs', 'credits'];
  const rows = lines.map(({ id, name, maker = null, createdAt = 0, jobs = 0, credits }) =>
    by === 'job' ? [id, name, maker, new Date(createdAt).toISOString(), credits] : [id, name, jobs, credits],
  );
  ctx.body = csvHead(columns) + rows.map(csvLine).join('');
}
