/** `/account/operator`: the whole service, for who runs it; and the one-time link that makes the first of them. */

import { statfs } from 'node:fs/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { FAILURE_TEXT } from '../jobs/job.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf, pageState } from './page-state.js';
import { pageOf, rowAfter } from './paging.js';
import { signIn } from './session.js';

const LINES = 20;

export function showOperator(dependencies: PageDependencies): RouterMiddleware {
  return (ctx) => show(ctx, dependencies);
}

export function showOperatorLink(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => showLink(ctx, dependencies, new Form());
}

export function becomeOperator(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const token = ctx.params['token'] ?? '';
    if (pageState(ctx).person !== undefined) {
      await dependencies.operators.promote(token, actorOf(ctx));
      seeOther(ctx, '/account/operator');
      return;
    }
    const form = formOf(ctx);
    const name = form.text('name', 'Your name');
    const email = addressOf(form);
    const password = passwordOf(form, name, email);
    if (!form.isValid) {
      await showLink(ctx, dependencies, form);
      return;
    }
    const { client } = pageState(ctx);
    const personId = await dependencies.operators.becomeOperator(token, { name, email, password }, client);
    await signIn(ctx, personId);
    seeOther(ctx, '/account/operator');
  };
}

async function showLink(ctx: RouterContext, dependencies: PageDependencies, form: Form): Promise<void> {
  const token = ctx.params['token'] ?? '';
  const { state } = await dependencies.operators.lookUpLink(token);
  const status = state === 'open' ? (form.isValid ? 200 : 422) : 410;
  dependencies.view.show(
    ctx,
    'operator-link',
    { title: 'Run this service', status },
    { state, form, token, passwords: dependencies.config.passwords },
  );
}

async function show(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const after = rowAfter(ctx);
  const [count, organisations, failedJobs, queue, stuckMails, disk, engine] = await Promise.all([
    dependencies.organisations.count(),
    dependencies.organisations.page(after, LINES + 1),
    dependencies.jobReports.failed(LINES),
    dependencies.jobReports.queue(),
    dependencies.mails.stuck(LINES),
    statfs(dependencies.config.dataDir),
    // The page is there to tell what is wrong: it must not fail with it.
    dependencies.engine.describe().catch(() => undefined),
  ]);
  const { shown, next } = pageOf(organisations, LINES);
  dependencies.view.show(
    ctx,
    'operator',
    { title: 'Overview of this server', section: 'operator' },
    {
      count,
      organisations: shown,
      next,
      isFirstPage: after === undefined,
      failedJobs: failedJobs.map((job) => ({ ...job, why: job.failure && FAILURE_TEXT[job.failure] })),
      queue,
      admission: dependencies.admission.figures,
      stuckMails,
      disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
      engine,
      node: process.version,
    },
  );
}
