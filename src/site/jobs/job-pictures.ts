/** Pictures of a job's codes, as in the archive: the first one, also before there is an archive, and that of any item. */

import type { RouterContext } from '@koa/router';
import { withinDownload } from '../../admission/download-pace.js';
import { AccountError } from '../../accounts/account-error.js';
import { PICTURE_TYPES, type PictureFormat } from '../../contract/request-schema.js';
import type { FirstPicture, Picture } from '../../jobs/files/rendered-items.js';
import type { Job } from '../../jobs/job.js';
import type { JobReport } from '../../jobs/job-report-store.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf } from '../shell/page-state.js';

const FORMATS = Object.entries(PICTURE_TYPES) as [PictureFormat, string][];

export function showFirstCode(
  ctx: RouterContext,
  needs: Needs<'jobReports' | 'jobs' | 'admission' | 'log'>,
): Promise<void> {
  return sendPicture(ctx, needs, async (job) => {
    const picture = await firstPictureOf(needs, job, await needs.jobReports.report(job.id));
    const [, type] = FORMATS.find(([format]) => picture?.name.endsWith(`.${format}`)) ?? [];
    return picture && type !== undefined ? { ...picture, type } : undefined;
  });
}

export function showCode(ctx: RouterContext, needs: Needs<'jobs' | 'admission'>): Promise<void> {
  return sendPicture(ctx, needs, async (job) => {
    const item = ctx.params['item'] ?? '';
    if (job.status !== 'complete' || !/^\d{1,7}$/.test(item)) {
      return undefined;
    }
    for (const [format, type] of FORMATS) {
      const picture = await needs.jobs.output.findPicture(job, Number(item), format);
      if (picture !== undefined) {
        return { ...picture, type };
      }
    }
    return undefined;
  });
}

async function sendPicture(
  ctx: RouterContext,
  needs: Needs<'jobs' | 'admission'>,
  find: (job: Job) => Promise<(Picture & { type: string }) | undefined>,
): Promise<void> {
  const job = await findJob(ctx, needs);
  await withinDownload(ctx, needs.admission, holderOf(ctx), 'download', async () => {
    const picture = await find(job);
    if (picture === undefined) {
      throw new AccountError('not_found', 'This code was not drawn.');
    }
    ctx.type = picture.type;
    ctx.body = picture.read();
    ctx.length = picture.bytes;
    // Pictures never change.
    ctx.set('Cache-Control', 'private, max-age=86400');
  });
}

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
