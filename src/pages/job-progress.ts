/** A job's progress, live: as server-sent events, and as JSON for where those do not come through. */

import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { RouterMiddleware } from '@koa/router';
import type { JobStatus } from '../database/schema.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import { findJob } from './find-job.js';
import type { Formats } from './formats.js';
import type { PageDependencies } from './page-dependencies.js';
import { personOf } from './page-state.js';
import { sessionKey } from './session.js';
import { pageFormats } from './view.js';

/** Time for which the right to see the job is taken for granted. */
const ALLOWED_FOR_MS = 2_000;

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
  // The items that a failed job did not reach were not drawn.
  const done = job.status === 'failed' ? job.completed : job.completed + job.failed;
  const ended = job.status === 'complete' || job.status === 'failed';
  const seconds = Math.max(1, (job.endedAt ?? now) - job.createdAt) / 1000;
  const perSecond = done / seconds;
  const pace = done === 0 || ended ? '' : `${formats.number(Math.round(perSecond))} items per second`;
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

export function showProgress(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    ctx.body = progressOf(await findJob(ctx, dependencies), pageFormats(ctx));
  };
}

/**
 * Sends an event whenever the progress changes, until the job ends, `stopping` is aborted, or who follows it is signed
 * out or no member any more.
 */
export function streamProgress(dependencies: PageDependencies, stopping: AbortSignal): RouterMiddleware {
  const watch = new JobWatch(dependencies.jobs);
  return async (ctx) => {
    const job = await findJob(ctx, dependencies);
    const formats = pageFormats(ctx);
    const key = sessionKey(ctx) ?? '';
    const isAllowed = () => dependencies.sessions.isMember(key, job.organisationId);
    const release = dependencies.admission.take('stream', { personId: personOf(ctx).id });
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, stopping]);
    const stream = Readable.from(events({ watch, isAllowed, formats, signal }, job), { objectMode: false });
    stream.once('close', () => {
      gone.abort();
      release();
    });
    ctx.type = 'text/event-stream; charset=utf-8';
    // Proxies that collect an answer before they pass it on would make the events useless.
    ctx.set('X-Accel-Buffering', 'no');
    ctx.set('Cache-Control', 'no-cache, no-transform');
    ctx.body = stream;
  };
}

interface Following {
  watch: JobWatch;
  /** True where the follower may still see the job. */
  isAllowed: () => Promise<boolean>;
  formats: Formats;
  signal: AbortSignal;
}

async function* events({ watch, isAllowed, formats, signal }: Following, first: Job): AsyncGenerator<string> {
  let job: Job | undefined = first;
  let sent = '';
  let sentAt = 0;
  let allowedAt = performance.now();
  while (job !== undefined && !signal.aborted) {
    const now = performance.now();
    if (now - allowedAt > ALLOWED_FOR_MS) {
      if (!(await isAllowed())) {
        return;
      }
      allowedAt = now;
    }
    const progress = progressOf(job, formats);
    const state = `${progress.status} ${progress.done}`;
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
    job = await watch.next(job);
  }
}

/** Pause between two looks at a job. */
const LOOK_EVERY_MS = 400;

/** Looks at jobs for all who follow them: one query at a time for a job, however many pages show it. */
export class JobWatch {
  readonly #jobs: Pick<Jobs, 'find'>;
  /** The look that each followed job waits for. */
  readonly #looks = new Map<string, Promise<Job | undefined>>();

  constructor(jobs: Pick<Jobs, 'find'>) {
    this.#jobs = jobs;
  }

  /** Resolves with the job as the next look finds it; undefined when it is gone. */
  next({ id, organisationId }: Job): Promise<Job | undefined> {
    let look = this.#looks.get(id);
    if (look === undefined) {
      look = this.#look(organisationId, id).finally(() => this.#looks.delete(id));
      this.#looks.set(id, look);
    }
    return look;
  }

  async #look(organisationId: string, id: string): Promise<Job | undefined> {
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
    return this.#jobs.find(organisationId, id);
  }
}
