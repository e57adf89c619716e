/** Pictures of a job's codes, as in the archive: the first one, also before there is an archive, and that of any item. */

import type { RouterContext } from '@koa/router';
import { withinDownload } from '../../admission/download-pace.js';
import { AccountError } from '../../accounts/account-error.js';
import { PICTURE_MEDIA_TYPES, type PictureExtension } from '../../engine/engine.js';
import type { FirstPicture, Picture } from '../../jobs/files/rendered-items.js';
import type { Job } from '../../jobs/job.js';
import type { JobReport } from '../../jobs/job-report-store.js';
import type { PageDependencies } from '../page-dependencies.js';
import { findJob, personOf } from '../page-state.js';

const PICTURE_TYPES = Object.entries(PICTURE_MEDIA_TYPES) as [PictureExtension, string][];

export function showFirstCode(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  return sendPicture(ctx, dependencies, async (job) => {
    const picture = await firstPictureOf(dependencies, job, await dependencies.jobReports.report(job.id));
    const [, type] = PICTURE_TYPES.find(([extension]) => picture?.name.endsWith(extension)) ?? [];
    return picture && type !== undefined ? { ...picture, type } : undefined;
  });
}

export function showCode(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  return sendPicture(ctx, dependencies, async (job) => {
    const item = ctx.params['item'] ?? '';
    if (job.status !== 'complete' || !/^\d{1,7}$/.test(item)) {
      return undefined;
    }
    for (const [extension, type] of PICTURE_TYPES) {
      const picture = await dependencies.jobs.findPicture(job, Number(item), extension);
      if (picture !== undefined) {
        return { ...picture, type };
      }
    }
    return undefined;
  });
}

async function sendPicture(
  ctx: RouterContext,
  dependencies: PageDependencies,
  find: (job: Job) => Promise<(Picture & { type: string }) | undefined>,
): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const holder = { organisationId: job.organisationId, personId: personOf(ctx).id };
  await withinDownload(ctx, dependencies.admission, holder, 'download', async () => {
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
  { jobs, log }: PageDependencies,
  job: Job,
  { firstRendered }: JobReport,
): Promise<FirstPicture | undefined> {
  if (job.status === 'failed' || firstRendered === undefined) {
    return undefined;
  }
  try {
    return await jobs.firstPicture(job, firstRendered);
  } catch (error) {
    // The page is useful without the picture.
    log.error({ jobId: job.id, err: error }, 'page: could not read the first picture');
    return undefined;
  }
}
