/** Jobs as table rows. */

import type { Context } from 'koa';
import type { ListedJob } from '../jobs/job-report-store.js';
import { type JobProgress, progressOf } from './job-progress.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageFormats } from './view.js';

export interface JobRow extends ListedJob {
  progress: JobProgress;
  /** The signed link, absolute. */
  downloadUrl: string;
}

export function jobRows(
  ctx: Context,
  { config, links }: Pick<PageDependencies, 'config' | 'links'>,
  jobs: readonly ListedJob[],
): JobRow[] {
  const formats = pageFormats(ctx);
  return jobs.map((job) => ({
    ...job,
    progress: progressOf(job, formats),
    downloadUrl: config.baseUrl + links.download(job),
  }));
}
