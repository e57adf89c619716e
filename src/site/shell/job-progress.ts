/** How far a job is, as pages show it: on its own page, and as a row of a table. */

import type { Context } from 'koa';
import { type Job, type JobState, STATE_NAMES, stateOf } from '../../jobs/job.js';
import type { ListedJob } from '../../jobs/job-list-store.js';
import { type Formats, pageFormats } from './formats.js';
import type { Needs } from './page-dependencies.js';

export interface JobProgress {
  state: JobState;
  /** Name of the state. */
  name: string;
  done: number;
  total: number;
  /** As text, in the reader's locale. */
  summary: string;
  pace: string;
  ended: boolean;
}

export function progressOf(job: Job, formats: Formats, now = Date.now()): JobProgress {
  const state = stateOf(job);
  // The items that a failed job did not reach were not drawn.
  const done = job.status === 'failed' ? job.completed : job.completed + job.failed;
  const ended = job.status === 'complete' || job.status === 'failed';
  const seconds = Math.max(1, (job.endedAt ?? now) - job.createdAt) / 1000;
  const perSecond = done / seconds;
  const pace = done === 0 || ended ? '' : `${formats.counted(Math.round(perSecond), 'code')} per second`;
  const left = job.status === 'processing' && done > 0 ? (job.total - done) / perSecond : 0;
  return {
    state,
    name: STATE_NAMES[state],
    done,
    total: job.total,
    summary: `${formats.number(done)} of ${formats.number(job.total)}`,
    pace: left > 0 ? `${pace}, about ${formats.duration(left)} left` : pace,
    ended,
  };
}

/** A job as a row of a table. */
interface JobLine extends ListedJob {
  progress: JobProgress;
  /** The signed link, absolute. */
  downloadUrl: string;
}

export function jobRows(
  ctx: Context,
  { config, urls }: Needs<'config' | 'urls'>,
  jobs: readonly ListedJob[],
): JobLine[] {
  const formats = pageFormats(ctx);
  return jobs.map((job) => ({
    ...job,
    progress: progressOf(job, formats),
    downloadUrl: config.baseUrl + urls.download(job),
  }));
}
