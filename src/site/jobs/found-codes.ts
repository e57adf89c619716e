/** `/account/o/…/jobs/…/found.zip`: the pictures of the codes that a search finds, packed while they are read. */

import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { ZipArchive } from 'archiver';
import { sendOutput } from '../../api/endpoints/download.js';
import { sendBody } from '../../api/send-resource.js';
import type { ItemQuery } from '../../jobs/files/job-items.js';
import { filenameOf, type Job } from '../../jobs/job.js';
import type { JobOutput } from '../../jobs/job-output.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf } from '../shell/page-state.js';
import { codeSearch } from './job.js';

/** Codes that are looked up together. */
const PAGE = 1_000;

/** The date of the entries, as in the archive of a job: the same search gives the same bytes. */
const DATE = new Date(Date.UTC(1980, 1, 1));

export async function downloadFound(ctx: RouterContext, needs: Needs<'jobs' | 'admission'>): Promise<void> {
  const job = await findJob(ctx, needs);
  const find = () => findJob(ctx, needs);
  await sendOutput(ctx, find, { ...needs, holderOf }, job, async () => {
    await sendBody(ctx, () => foundArchive(needs.jobs.output, job, codeSearch(ctx, job)), {
      'Content-Type': 'application/zip',
    });
    const { filename, fallback } = filenameOf({ ...job, name: job.name && `${job.name}, found` }, 'zip');
    ctx.attachment(filename, { fallback });
  });
}

function foundArchive(output: JobOutput, job: Job, search: Pick<ItemQuery, 'search' | 'named' | 'unread'>): Readable {
  const archive = new ZipArchive();
  const packed = new PassThrough();
  const fail = (error: unknown) => packed.destroy(error as Error);
  archive.on('error', fail);
  packed.on('close', () => archive.abort());
  archive.pipe(packed);
  void packFound(archive, packed, { output, job, search }).catch(fail);
  return packed;
}

async function packFound(
  archive: ZipArchive,
  packed: PassThrough,
  { output, job, search }: { output: JobOutput; job: Job; search: Pick<ItemQuery, 'search' | 'named' | 'unread'> },
): Promise<void> {
  const gone = new AbortController();
  packed.once('close', () => gone.abort());
  const { signal } = gone;
  for (let from = 0; from < job.total; ) {
    const { items, next } = await output.findItems(job, { ...search, from, limit: PAGE, signal });
    for (const item of items) {
      for (const file of item.files) {
        const content = output.readFile(item, file);
        content.on('error', (error) => packed.destroy(error));
        try {
          // One after the other: each is an open file.
          const isPacked = once(archive, 'entry', { signal });
          // Compressed: what reads an archive from its beginning does not find the end of a stored stream.
          archive.append(content, { name: file.name, date: DATE });
          await isPacked;
        } finally {
          // The client may leave in the middle of it.
          content.destroy();
        }
      }
    }
    from = next;
  }
  await archive.finalize();
}
