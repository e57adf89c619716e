/** A job's progress, live: as server-sent events, and as JSON for where those do not come through. */

import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { RouterMiddleware } from '@koa/router';
import type { JobStatus } from '../database/schema.js';
import type { Job } from '../jobs/job.js';
import type { Formats } from './formats.js';
import { findJob } from './find-job.js';
import type { PageRooms } from './page-rooms.js';
import { pageFormats } from './view.js';

/** How often the job is looked at. */
const LOOK_EVERY_MS = 400;

/** A line at least this often, so that nothing between here and the browser takes the connection for dead. */
const SIGN_OF_LIFE_MS = 15_000;

export interface JobProgress {
  status: JobStatus;
  done: number;
  total: number;
  /** All in words, in the reader's locale. */
  summary: string;
  pace: string;
  ended: boolean;
}

export function progressOf(job: Job, formats: Formats, now = Date.now()): JobProgress {
  const done = job.completed + job.failed;
  const ended = job.status === 'complete' || job.status === 'failed';
  const seconds = Math.max(1, (job.endedAt ?? now) - job.createdAt) / 1000;
  const perSecond = done / seconds;
  const pace = done === 0 ? '' : `${formats.number(Math.round(perSecond))} items per second`;
  const left = job.status === 'processing' && done > 0 ? (job.total - done) / perSecond : 0;
  return {
    status: job.status,
    done,
    total: job.total,
    summary: `${formats.number(done)} of ${formats.number(job.total)}`,
    pace: left > 0 ? `${pace}, about ${formats.duration(left)} left` : pace,
    ended,
  };
}

export function showProgress(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    ctx.body = progressOf(await findJob(ctx, rooms), pageFormats(ctx));
  };
}

/** Sends an event whenever the progress changes, until the job ends or `stopping` is aborted. */
export function streamProgress(rooms: PageRooms, stopping: AbortSignal): RouterMiddleware {
  return async (ctx) => {
    const job = await findJob(ctx, rooms);
    const formats = pageFormats(ctx);
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, stopping]);
    const stream = Readable.from(events(rooms, job, formats, signal), { objectMode: false });
    stream.once('close', () => gone.abort());
    ctx.type = 'text/event-stream; charset=utf-8';
    // Proxies that collect an answer before they pass it on would make the events useless.
    ctx.set('X-Accel-Buffering', 'no');
    ctx.body = stream;
  };
}

async function* events({ jobs }: PageRooms, first: Job, formats: Formats, signal: AbortSignal): AsyncGenerator<string> {
  let job: Job | undefined = first;
  let sent = '';
  let sentAt = 0;
  while (job !== undefined && !signal.aborted) {
    const progress = progressOf(job, formats);
    const state = `${progress.status} ${progress.done}`;
    const now = performance.now();
    if (state !== sent) {
      yield `data: ${JSON.stringify(progress)}\n\n`;
      sent = state;
      sentAt = now;
    } else if (now - sentAt > SIGN_OF_LIFE_MS) {
      yield ': still there\n\n';
      sentAt = now;
    }
    if (progress.ended) {
      return;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    job = signal.aborted ? undefined : await jobs.find(job.organisationId, job.id);
  }
}
