/**
 * `/account/operator`: the state of the whole service, for operators; and the one-time link that makes the first one.
 */

import type { RouterContext } from '@koa/router';
import { creditsAsked } from '../../accounts/notice-store.js';
import type { AdmissionFigures } from '../../admission/table.js';
import { diskOf } from '../../platform/disk.js';
import { lastHours } from '../../observability/load-hour-store.js';
import { FAILURE_TEXT, STATE_NAMES } from '../../jobs/job.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, pageState, personOf } from '../page-state.js';
import { pageOf, rowAfter, searchOf } from '../paging.js';
import { loadCharts } from './load-charts.js';
import { pageFormats } from '../view.js';
import { signIn, withinSignIn } from '../sign-in/session.js';
import { mustHavePasswords } from '../sign-in/single-sign-on.js';

const LINES = 20;

const OLDEST_JOBS = 5;

/** A job of a million items usually takes a minute or two. */
const SLOW_SECONDS = 600;

/** Free share of the disk below which it counts as nearly full. */
const LOW_DISK = 0.1;

export async function showOperator(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const after = rowAfter(ctx);
  const search = searchOf(ctx, 200);
  const [count, asked, organisations, operators, oldestJobs, failedJobs, queue, stuckMails, disk, hours, engine] =
    await Promise.all([
      dependencies.organisations.count(),
      creditsAsked(dependencies.database),
      dependencies.organisations.page(after, LINES + 1, search),
      dependencies.operators.list(),
      dependencies.jobReports.oldest(OLDEST_JOBS),
      dependencies.jobReports.failed(LINES),
      dependencies.jobReports.queue(),
      dependencies.mails.stuck(LINES),
      diskOf(dependencies.config.dataDir),
      lastHours(dependencies.database),
      // The page reports problems, so it must not fail because of them.
      dependencies.engine.describe().catch(() => undefined),
    ]);
  const { shown, next } = pageOf(organisations, LINES);
  const state = {
    admission: dependencies.admission.figures,
    disk: { free: disk.freeBytes, total: disk.bytes },
    engine,
    stuckMails,
    hasMailServer: dependencies.config.mail.smtpUrl !== undefined,
    oldestJobs: oldestJobs.map((job) => ({ ...job, seconds: (Date.now() - job.createdAt) / 1_000 })),
  };
  dependencies.view.show(
    ctx,
    'operator',
    { title: 'Overview of this server', section: 'operator' },
    {
      count,
      asked,
      organisations: shown,
      next,
      isFirstPage: after === undefined,
      failedJobs: failedJobs.map((job) => ({ ...job, why: job.failure && FAILURE_TEXT[job.failure] })),
      queue,
      charts: loadCharts(hours, disk.bytes, pageFormats(ctx)),
      stateNames: STATE_NAMES,
      ...state,
      troubles: problemsOf(state),
      operators,
      you: personOf(ctx).email,
      search,
      query: search === undefined ? '' : `&q=${encodeURIComponent(search)}`,
      node: process.version,
    },
  );
}

export async function withdrawOperator(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.operators.withdraw(formOf(ctx).get('email'), actorOf(ctx));
  seeOther(ctx, '/account/operator?done=operator-withdrawn');
}

export async function becomeOperator(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const token = ctx.params['token'] ?? '';
  if (pageState(ctx).person !== undefined) {
    await dependencies.operators.promote(token, actorOf(ctx));
    seeOther(ctx, '/account/operator');
    return;
  }
  mustHavePasswords(dependencies.config);
  const form = formOf(ctx);
  // Looked at first, as for a new password.
  if ((await dependencies.operators.lookUpLink(token)).state !== 'open') {
    await showOperatorLink(ctx, dependencies, form);
    return;
  }
  const name = form.text('name', 'Your name');
  const email = addressOf(form);
  const password = passwordOf(form, name, email);
  if (!form.isValid) {
    await showOperatorLink(ctx, dependencies, form);
    return;
  }
  const { client } = pageState(ctx);
  const personId = await withinSignIn(ctx, dependencies, () =>
    dependencies.operators.becomeOperator(token, { name, email, password }, client),
  );
  await signIn(ctx, personId);
  seeOther(ctx, '/account/operator');
}

export async function showOperatorLink(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form(),
): Promise<void> {
  const token = ctx.params['token'] ?? '';
  const { state } = await dependencies.operators.lookUpLink(token);
  const status = state === 'open' ? undefined : 410;
  dependencies.view.show(
    ctx,
    'operator-link',
    { title: 'Run this service', status },
    { state, form, token, passwords: dependencies.config.passwords },
  );
}

interface ServerState {
  admission: readonly AdmissionFigures[];
  disk: { free: number; total: number };
  engine: unknown;
  stuckMails: readonly unknown[];
  oldestJobs: readonly { seconds: number }[];
}

/** Problems (full, slow or broken parts), one sentence each. */
function problemsOf({ admission, disk, engine, stuckMails, oldestJobs }: ServerState): string[] {
  const full = admission
    .filter(({ taken, places }) => taken >= places)
    .map(({ sentence }) => `Too many ${sentence}. Callers are asked to try again.`);
  const slow = oldestJobs.filter(({ seconds }) => seconds > SLOW_SECONDS).length;
  return [
    engine === undefined && 'The engine does not answer.',
    disk.free < disk.total * LOW_DISK &&
      `The disk is nearly full: ${Math.round((100 * disk.free) / disk.total)} % is free.`,
    ...full,
    slow === 1 && 'One job has been in progress for more than ten minutes.',
    slow > 1 &&
      `${slow === OLDEST_JOBS ? `${slow} or more` : slow} jobs have been in progress for more than ten minutes.`,
    stuckMails.length > 0 && 'Some emails could not be delivered.',
  ].filter((trouble) => trouble !== false);
}
