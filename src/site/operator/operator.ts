/**
 * `/account/operator`: the state of the whole service, for operators; and the one-time link that makes the first one.
 */

import type { RouterContext } from '@koa/router';
import { creditsAsked } from '../../accounts/organisations/notice-store.js';
import { firstDay, type Step } from '../../config/first-day.js';
import { diskOf } from '../../platform/disk.js';
import { lastHours, type LoadHour } from '../../observability/load-hour-store.js';
import { FAILURE_TEXT, STATE_NAMES } from '../../jobs/job.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, pageState, personOf } from '../shell/page-state.js';
import { pageOf, rowAfter, searchOf } from '../shell/paging.js';
import { signIn } from '../shell/session.js';
import { type Formats, pageFormats } from '../shell/formats.js';
import { withinSignIn, mustHavePasswords } from '../shell/passwords.js';

const LINES = 20;

const OLDEST_JOBS = 5;

/** A job of a million items usually takes a minute or two. */
const SLOW_SECONDS = 600;

/** Checks of `/readyz` that do not succeed, in words. The page says of the disk how much is free. */
const CHECK_TROUBLES: Readonly<Record<string, string>> = {
  'database failed': 'The database takes no writes.',
  'database degraded':
    'Another qrpress serve, which does not share the queue, uses the database too. Stop one of the two.',
  'schema failed': 'The database has the tables of an older version. Run qrpress migrate.',
  'schema degraded': 'The database has the tables of a newer version: an upgrade is in progress.',
  'storage failed': 'The storage takes no files, so new jobs are refused. Run qrpress doctor to see why.',
  'engine failed': 'The engine does not answer.',
  'redis degraded': 'Redis is away. Each process works by itself until it is back.',
};

/** Free share of the disk below which it counts as nearly full. */
const LOW_DISK = 0.1;

type OverviewPage = Needs<
  | 'organisations'
  | 'database'
  | 'operators'
  | 'jobReports'
  | 'mails'
  | 'config'
  | 'engine'
  | 'admission'
  | 'examine'
  | 'view'
>;

export async function showOperator(ctx: RouterContext, needs: OverviewPage): Promise<void> {
  const after = rowAfter(ctx);
  const search = searchOf(ctx, 200);
  const [state, count, asked, organisations, operators, failedJobs, queue, hours] = await Promise.all([
    stateOf(needs),
    needs.organisations.count(),
    creditsAsked(needs.database),
    needs.organisations.page(after, LINES + 1, search),
    needs.operators.list(),
    needs.jobReports.failed(LINES),
    needs.jobReports.queue(),
    lastHours(needs.database),
  ]);
  const steps = await firstDay(needs.config, needs.database);
  const { shown, next } = pageOf(organisations, LINES);
  needs.view.show(ctx, 'operator', {
    title: 'Server overview',
    section: 'operator',
    count,
    steps: steps.some(({ isDone }) => !isDone) ? steps.map((step) => asDelivered(step, state)) : [],
    asked,
    organisations: shown,
    next,
    isFirstPage: after === undefined,
    failedJobs: failedJobs.map((job) => ({ ...job, why: job.failure && FAILURE_TEXT[job.failure] })),
    queue,
    charts: loadCharts(hours, state.disk?.total ?? 0, pageFormats(ctx)),
    stateNames: STATE_NAMES,
    ...state,
    troubles: troublesOf(state),
    operators,
    you: personOf(ctx).email,
    search,
    query: search === undefined ? '' : `&q=${encodeURIComponent(search)}`,
    node: process.version,
  });
}

export async function withdrawOperator(ctx: RouterContext, { operators }: Needs<'operators'>): Promise<void> {
  await operators.withdraw(actorOf(ctx), formOf(ctx).get('email'));
  seeOther(ctx, '/account/operator?done=operator-withdrawn');
}

export async function becomeOperator(
  ctx: RouterContext,
  needs: Needs<'operators' | 'config' | 'admission' | 'view'>,
): Promise<void> {
  const token = ctx.params['token'] ?? '';
  if (pageState(ctx).person !== undefined) {
    await needs.operators.promote(token, actorOf(ctx));
    seeOther(ctx, '/account/operator');
    return;
  }
  mustHavePasswords(needs.config);
  const form = formOf(ctx);
  // Looked at first, as for a new password.
  if ((await needs.operators.lookUpLink(token)).state !== 'open') {
    await showOperatorLink(ctx, needs, form);
    return;
  }
  const name = form.text('name', 'Your name');
  const email = addressOf(form);
  const password = passwordOf(form, needs.config.brand.name, name, email);
  if (!form.isValid) {
    await showOperatorLink(ctx, needs, form);
    return;
  }
  const { client } = pageState(ctx);
  const personId = await withinSignIn(ctx, needs, () =>
    needs.operators.becomeOperator(token, { name, email, password }, client),
  );
  await signIn(ctx, personId);
  seeOther(ctx, '/account/operator');
}

export async function showOperatorLink(
  ctx: RouterContext,
  { operators, view, config }: Needs<'operators' | 'view' | 'config'>,
  form = new Form(),
): Promise<void> {
  const token = ctx.params['token'] ?? '';
  const { state } = await operators.lookUpLink(token);
  const status = state === 'open' ? undefined : 410;
  view.show(ctx, 'operator-link', {
    title: 'Run this service',
    status,
    state,
    form,
    token,
    passwords: config.passwords,
  });
}

type ServerState = Awaited<ReturnType<typeof stateOf>>;

/** State of the server's parts. Problems of a part are figures of it, so that the page can report them. */
async function stateOf(
  needs: Pick<OverviewPage, 'jobReports' | 'mails' | 'config' | 'engine' | 'admission' | 'examine'>,
) {
  const [checks, oldestJobs, stuckMails, disk, engine] = await Promise.all([
    needs.examine(),
    needs.jobReports.oldest(OLDEST_JOBS),
    needs.mails.stuck(LINES),
    diskOf(needs.config.dataDir).catch(() => undefined),
    needs.engine.describe().catch(() => undefined),
  ]);
  return {
    checks,
    admission: needs.admission.figures,
    disk: disk && { free: disk.freeBytes, total: disk.bytes },
    engine,
    stuckMails,
    oldestJobs: oldestJobs.map((job) => ({ ...job, seconds: (Date.now() - job.createdAt) / 1_000 })),
  };
}

/** The settings name a mail server. Whether it takes mails shows in those that wait. */
function asDelivered(step: Step, { stuckMails }: ServerState): Step {
  const isFailing = stuckMails.some(({ nextAttemptAt }) => nextAttemptAt !== null);
  return step.name === 'mail' && step.isDone && isFailing
    ? { ...step, isDone: false, detail: `${step.detail}, which did not take some emails: see below why` }
    : step;
}

/** Troubles of the server (full, slow or broken parts), one sentence each. */
function troublesOf({ checks, admission, disk, stuckMails, oldestJobs }: ServerState): string[] {
  const full = admission
    .filter(({ taken, places }) => taken >= places)
    .map(({ name }) => `All places for ${name.toLowerCase()} are taken. Callers are asked to try again.`);
  const slow = oldestJobs.filter(({ seconds }) => seconds > SLOW_SECONDS).length;
  return [
    ...Object.entries(checks).map(([name, { state }]) => CHECK_TROUBLES[`${name} ${state}`] ?? false),
    disk === undefined && 'The data folder cannot be read.',
    disk !== undefined &&
      (disk.free < disk.total * LOW_DISK || checks['disk']?.state !== 'ok') &&
      `The disk is nearly full: ${Math.round((100 * disk.free) / disk.total)} % is free.`,
    ...full,
    slow === 1 && 'One job has been in progress for more than ten minutes.',
    slow > 1 &&
      `${slow === OLDEST_JOBS ? `${slow} or more` : slow} jobs have been in progress for more than ten minutes.`,
    stuckMails.length > 0 && 'Some emails could not be delivered.',
  ].filter((trouble) => trouble !== false);
}

/** In user units. The page scales the chart to its width. */
const WIDTH = 240;
const HEIGHT = 48;
const GAP = 2;

interface LoadChart {
  name: string;
  /** The chart in words. */
  summary: string;
  /** The figure that says most, under the chart. */
  key: string;
  width: number;
  height: number;
  bars: { x: number; y: number; width: number; height: number; label: string }[];
}

/** @param hours in order, at least one; @param diskBytes of the whole disk, 0: unknown */
function loadCharts(hours: readonly LoadHour[], diskBytes: number, formats: Formats): LoadChart[] {
  const sum = (of: (hour: LoadHour) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const most = (of: (hour: LoadHour) => number) => Math.max(...hours.map(of));
  const chart = (
    name: string,
    of: (hour: LoadHour) => number,
    write: (value: number) => string,
    key: string,
    top = 0,
  ) => {
    const step = WIDTH / hours.length;
    const highest = Math.max(1, top, most(of));
    return {
      name,
      key,
      summary: `${name} in the last 24 hours: ${key}`,
      width: WIDTH,
      height: HEIGHT,
      bars: hours.map((hour, index) => {
        const value = of(hour);
        // An hour with anything must show a visible bar.
        const height = value === 0 ? 0 : Math.max(2, Math.round((value / highest) * HEIGHT));
        const label = `${formats.dateTime(hour.hour)}: ${write(value)}`;
        return { x: index * step + GAP / 2, y: HEIGHT - height, width: step - GAP, height, label };
      }),
    };
  };
  const { number, bytes } = formats;
  const seen = hours.map(({ leastDiskBytes }) => leastDiskBytes).filter((free) => free > 0);
  const leastDisk = seen.length === 0 ? 'not measured yet' : `${bytes(Math.min(...seen))} at least`;
  return [
    chart('Jobs', ({ jobs }) => jobs, number, number(sum(({ jobs }) => jobs))),
    chart('Codes drawn', ({ items }) => items, number, number(sum(({ items }) => items))),
    chart('Requests rejected', ({ refused }) => refused, number, number(sum(({ refused }) => refused))),
    chart(
      'Codes still to draw',
      (hour) => hour.mostQueuedItems,
      number,
      `${number(most((hour) => hour.mostQueuedItems))} at most`,
    ),
    chart(
      'Disk free',
      (hour) => hour.leastDiskBytes,
      (free) => (free === 0 ? 'not measured' : bytes(free)),
      leastDisk,
      diskBytes,
    ),
  ];
}
