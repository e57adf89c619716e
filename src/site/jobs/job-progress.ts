/** A job's live progress: as server-sent events, or as JSON where those do not get through. */

import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Job } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';
import { type Formats, pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, personOf } from '../shell/page-state.js';
import { sessionKey } from '../shell/session.js';
import { progressOf } from '../shell/job-progress.js';

/** Time for which a successful access check is reused. */
const ACCESS_TTL_MS = 2_000;

/** Interval of keep-alive lines, so that no proxy considers the connection dead. */
const KEEP_ALIVE_MS = 15_000;

export async function showProgress(ctx: RouterContext, needs: Needs<'jobs'>): Promise<void> {
  ctx.body = progressOf(await findJob(ctx, needs), pageFormats(ctx));
}

/**
 * Sends an event whenever the progress changes, until the job ends, `stopping` is aborted, or the person is signed out
 * or no longer a member.
 */
export function streamProgress(
  needs: Needs<'jobs' | 'sessions' | 'admission'>,
  stopping: AbortSignal,
): RouterMiddleware {
  const watch = new JobWatch(needs.jobs);
  return async (ctx) => {
    const job = await findJob(ctx, needs);
    const formats = pageFormats(ctx);
    const key = sessionKey(ctx) ?? '';
    const isAllowed = () => needs.sessions.isMember(key, job.organisationId);
    const release = needs.admission.take('stream', { personId: personOf(ctx).id });
    let isClosed = false;
    const isOver = () => isClosed || stopping.aborted;
    const stream = Readable.from(events({ watch, isAllowed, formats, isOver }, job), { objectMode: false });
    stream.once('close', () => {
      isClosed = true;
      release();
    });
    ctx.type = 'text/event-stream; charset=utf-8';
    // Without it, proxies that buffer responses would hold the events back.
    ctx.set('X-Accel-Buffering', 'no');
    ctx.set('Cache-Control', 'no-store, no-transform');
    ctx.body = stream;
  };
}

interface Following {
  watch: JobWatch;
  /** True while the person may see the job. */
  isAllowed: () => Promise<boolean>;
  formats: Formats;
  /** True once nobody reads the events, or the process is about to end. */
  isOver: () => boolean;
}

async function* events({ watch, isAllowed, formats, isOver }: Following, first: Job): AsyncGenerator<string> {
  let job: Job | undefined = first;
  let sent = '';
  let sentAt = 0;
  let allowedAt = performance.now();
  while (job !== undefined && !isOver()) {
    const now = performance.now();
    if (now - allowedAt > ACCESS_TTL_MS) {
      if (!(await isAllowed())) {
        return;
      }
      allowedAt = now;
    }
    const progress = progressOf(job, formats);
    const state = `${progress.state} ${progress.done}`;
    if (state !== sent) {
      yield `data: ${JSON.stringify(progress)}\n\n`;
      sent = state;
      sentAt = now;
    } else if (now - sentAt > KEEP_ALIVE_MS) {
      yield ': still there\n\n';
      sentAt = now;
    }
    if (progress.ended) {
      return;
    }
    job = await watch.next(job);
  }
}

const POLL_INTERVAL_MS = 400;

/** Polls jobs for all pages that follow them: one query at a time per job, however many pages show it. */
export class JobWatch {
  readonly #jobs: Pick<Jobs, 'find'>;
  /** The pending query of each followed job. */
  readonly #looks = new Map<string, Promise<Job | undefined>>();

  constructor(jobs: Pick<Jobs, 'find'>) {
    this.#jobs = jobs;
  }

  /** Resolves with the job at the next poll. Undefined when it is gone. */
  next({ id, organisationId }: Job): Promise<Job | undefined> {
    let look = this.#looks.get(id);
    if (look === undefined) {
      look = this.#look(organisationId, id).finally(() => this.#looks.delete(id));
      this.#looks.set(id, look);
    }
    return look;
  }

  async #look(organisationId: string, id: string): Promise<Job | undefined> {
    await delay(POLL_INTERVAL_MS, undefined, { ref: false });
    return this.#jobs.find(organisationId, id);
  }
}
