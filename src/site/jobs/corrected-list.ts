/**
 * `/account/o/…/jobs/…/list.ndjson`: the list of a job that is made again, as lines of a body. Corrected codes take the place of the
 * old ones.
 */

import { text } from 'node:stream/consumers';
import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { sendOutput } from '../../api/endpoints/download.js';
import { sendBody } from '../../api/send-resource.js';
import type { ReplacedItem } from '../../engine/engine.js';
import { filenameOf, type Job } from '../../jobs/job.js';
import type { Correction } from '../../jobs/job-report-store.js';
import { parseSmallJson } from '../shell/small-json.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf } from '../shell/page-state.js';

export async function sendCorrectedList(
  ctx: RouterContext,
  needs: Needs<'jobs' | 'jobReports' | 'admission'>,
): Promise<void> {
  const job = await findJob(ctx, needs);
  const corrections = await needs.jobReports.allCorrections(job);
  if (corrections === undefined) {
    throw new AccountError('conflict', 'Too many codes of this job were corrected. Correct them in your own list.');
  }
  const find = () => findJob(ctx, needs);
  await sendOutput(ctx, find, { ...needs, holderOf }, job, async () => {
    const { read } = await needs.jobs.output.openItems(job, await correctedItems(needs, job, corrections));
    await sendBody(ctx, read, {});
    const { filename, fallback } = filenameOf(job, 'ndjson');
    ctx.attachment(filename, { fallback });
    // Behind the name, which sets a type too.
    ctx.set('Content-Type', 'application/x-ndjson; charset=utf-8');
  });
}

/** The corrected codes, as lines of a body. */
async function correctedItems(
  { jobs }: Needs<'jobs'>,
  job: Job,
  corrections: readonly Correction[],
): Promise<ReplacedItem[]> {
  if (corrections.length === 0) {
    return [];
  }
  const { style } = await jobs.output.settings(job);
  const replaced: ReplacedItem[] = [];
  for (const { id, correctedItem } of corrections) {
    const made = await jobs.find(job.organisationId, id);
    if (made !== undefined) {
      const { read } = await jobs.output.openItems(made);
      replaced.push({ item: correctedItem, line: lineOf(await text(read()), style?.caption?.text ?? '') });
    }
  }
  return replaced;
}

/** The line of the one item in a body. A correction states each caption; one that is `shared` follows the style. */
function lineOf(body: string, shared: string): string {
  const { caption, ...item } = parseSmallJson(body) as { caption?: string };
  return `${JSON.stringify(caption === shared ? item : { ...item, caption })}\n`;
}
