/** `/account/operator`: the whole service, for who runs it; and the one-time link that makes the first of them. */

import { statfs } from 'node:fs/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { newRowId } from '../database/row-id.js';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { actorOf, pageState } from './page-state.js';
import { pageOf, rowAfter } from './row-after.js';
import { signIn } from './session.js';
import { seeOther } from './sign-in.js';
import { addressOf, passwordOf } from './sign-up.js';

const LINES = 20;

export function showOperator(rooms: PageRooms): RouterMiddleware {
  return (ctx) => show(ctx, rooms, new Form());
}

export function grantCredits(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const credits = Number(form.get('credits'));
    const reason = form.text('reason', 'The reason');
    const organisation = await rooms.organisations.find(form.get('organisation'));
    if (organisation === undefined) {
      form.refuse('organisation', 'Choose an organisation.');
    }
    if (!/^\d{1,9}$/.test(form.get('credits')) || credits < 1) {
      form.refuse('credits', 'Expected a whole number from 1 to 999,999,999.');
    }
    if (!form.isValid || organisation === undefined) {
      await show(ctx, rooms, form);
      return;
    }
    const grant = { organisationId: organisation.id, credits, reason };
    await rooms.operators.grant(actorOf(ctx), grant, form.get('submission'));
    seeOther(ctx, '/account/operator?done=granted');
  };
}

export function showOperatorLink(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => showLink(ctx, rooms, new Form());
}

export function becomeOperator(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const name = form.text('name', 'Your name');
    const email = addressOf(form);
    const password = passwordOf(form, name, email);
    if (!form.isValid) {
      await showLink(ctx, rooms, form);
      return;
    }
    const { client } = pageState(ctx);
    const token = ctx.params['token'] ?? '';
    const personId = await rooms.operators.becomeOperator(token, { name, email, password }, client);
    await signIn(ctx, personId);
    seeOther(ctx, '/account/operator');
  };
}

async function showLink(ctx: RouterContext, rooms: PageRooms, form: Form): Promise<void> {
  const token = ctx.params['token'] ?? '';
  const { state } = await rooms.operators.lookUpLink(token);
  const status = state === 'open' ? (form.isValid ? 200 : 422) : 410;
  rooms.view.show(ctx, 'operator-link', { title: 'Run this service', status }, { state, form, token });
}

async function show(ctx: RouterContext, rooms: PageRooms, form: Form): Promise<void> {
  const after = rowAfter(ctx);
  const [count, organisations, failedJobs, queue, stuckMails, disk, engine] = await Promise.all([
    rooms.organisations.count(),
    rooms.organisations.page(after, LINES + 1),
    rooms.jobLists.failed(LINES),
    rooms.jobLists.queue(),
    rooms.mails.stuck(LINES),
    statfs(rooms.config.dataDir),
    // The page is there to tell what is wrong: it must not fail with it.
    rooms.engine.describe().catch(() => undefined),
  ]);
  const { shown, next } = pageOf(organisations, LINES);
  rooms.view.show(
    ctx,
    'operator',
    { title: 'This service', section: 'operator', status: form.isValid ? 200 : 422 },
    {
      form,
      count,
      organisations: shown,
      next,
      // A form that is refused comes back with the organisations that it was sent with.
      after: after && `${after.createdAt}-${after.id}`,
      failedJobs,
      queue,
      stuckMails,
      disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
      engine,
      node: process.version,
      submission: newRowId(),
    },
  );
}
