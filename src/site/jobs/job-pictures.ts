/** Pictures of a job's codes, as in the archive: the first one, also before there is an archive, and that of any item. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { sendBody } from '../../api/send-resource.js';
import { withinDownload } from '../../admission/download-pace.js';
import { AccountError } from '../../accounts/account-error.js';
import { PICTURE_TYPES } from '../../contract/request-schema.js';
import type { FirstPicture } from '../../jobs/files/rendered-items.js';
import type { Job } from '../../jobs/job.js';
import type { JobReport } from '../../jobs/job-report-store.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf } from '../shell/page-state.js';

export async function showFirstCode(
  ctx: RouterContext,
  needs: Needs<'jobReports' | 'jobs' | 'admission' | 'log'>,
): Promise<void> {
  const job = await findJob(ctx, needs);
  await withinDownload(ctx, needs.admission, holderOf(ctx), 'download', async () => {
    const picture = await firstPictureOf(needs, job, await needs.jobReports.report(job.id));
    const [, type] = Object.entries(PICTURE_TYPES).find(([format]) => picture?.name.endsWith(`.${format}`)) ?? [];
    if (picture === undefined || type === undefined) {
      throw new AccountError('not_found', 'This code was not drawn.');
    }
    await sendBody(ctx, picture.read, { 'Content-Type': type, 'Content-Length': String(picture.bytes) });
  });
}

/** Pictures never change. */
export const keepPictures: RouterMiddleware = async (ctx, next) => {
  await next();
  ctx.set('Cache-Control', 'private, max-age=86400');
};

/** The first picture of a job. Undefined when there is none: a failed job keeps no files. */
export async function firstPictureOf(
  { jobs, log }: Needs<'jobs' | 'log'>,
  job: Job,
  { firstRendered }: JobReport,
): Promise<FirstPicture | undefined> {
  if (job.status === 'failed' || firstRendered === undefined) {
    return undefined;
  }
  try {
    return await jobs.output.firstPicture(job, firstRendered);
  } catch (error) {
    // The page is useful without the picture.
    log.error({ jobId: job.id, err: error }, 'page: could not read the first picture');
    return undefined;
  }
}

/** The width of a job's first picture in pixels. Undefined when there is none. */
export async function firstWidth(
  needs: Needs<'jobs' | 'log'>,
  job: Job,
  report: JobReport,
): Promise<number | undefined> {
  const { head } = (await firstPictureOf(needs, job, report)) ?? {};
  // In its header, or in its box of coordinates.
  const [, side] = /^<svg [^>]*viewBox="0 0 (\d+) /.exec(head?.toString('latin1', 0, 300) ?? '') ?? [];
  return side === undefined ? head?.readUInt32BE(16) : Number(side);
}
