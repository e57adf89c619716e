/** `POST /api/v1/jobs` (section 4.2), and `POST /api/v1/jobs/validate`, which answers what it would without a job. */

import type { Middleware } from 'koa';
import type { AdmissionControl, DiskShare } from '../../admission/admission-control.js';
import type { JobCreated, JobValidation, Warning } from '../../contract/response-schema.js';
import type { Ledger } from '../../credits/ledger-store.js';
import type { Engine } from '../../engine/engine.js';
import type { BodyReceiver } from '../../jobs/intake/receive-body.js';
import type { ProcessFolder } from '../../jobs/files/process-folder.js';
import type { FoundWarning } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';
import { JobRequest } from '../job-request.js';
import { callerOf, holderOf } from '../request-state.js';
import type { SignedUrls } from '../signed-urls.js';

/** `Retry-After`: seconds until the first status request makes sense. */
const FIRST_POLL_SECONDS = '1';

export interface CreateJobDependencies {
  admission: AdmissionControl;
  engine: Engine;
  receiver: BodyReceiver;
  folder: ProcessFolder;
  jobs: Jobs;
  ledger: Ledger;
  urls: SignedUrls;
}

export function createJob({ admission, engine, receiver, jobs, urls }: CreateJobDependencies): Middleware {
  return async (ctx) => {
    const caller = callerOf(ctx);
    const request = new JobRequest(ctx, engine, receiver);
    const accept = (disk: DiskShare) => jobs.accept(caller, request.within(disk));
    const { job, isReplayed } = await admission.admit('job', holderOf(ctx), accept, request.needs);
    ctx.status = 202;
    ctx.set({ Location: `/api/v1/jobs/${job.id}`, 'Retry-After': FIRST_POLL_SECONDS });
    if (isReplayed) {
      ctx.set('Idempotent-Replayed', 'true');
    }
    const created: JobCreated = {
      jobId: job.id,
      total: job.total,
      creditsCharged: job.creditsCharged,
      statusUrl: urls.status(job),
      downloadUrl: urls.download(job),
      ...warningsMember(job.warnings),
    };
    ctx.body = created;
  };
}

export function validateJob({ admission, engine, receiver, folder, ledger }: CreateJobDependencies): Middleware {
  return async (ctx) => {
    const request = new JobRequest(ctx, engine, receiver);
    const check = async (disk: DiskShare) => {
      await using draft = folder.drafts.create();
      await request.within(disk).receive(draft);
      // Must be awaited here: the draft ends with this scope.
      return await request.check(draft, { drawIfSmall: false });
    };
    const { total, warnings, printedWidthMm } = await admission.admit('job', holderOf(ctx), check, request.needs);
    const balance = await ledger.balance(callerOf(ctx).organisationId);
    const validation: JobValidation = {
      total,
      creditsRequired: total,
      balance,
      sufficient: ledger.suffices(balance, total),
      ...(printedWidthMm !== undefined && { printedWidthMm }),
      ...warningsMember(warnings),
    };
    ctx.body = validation;
  };
}

/** The warnings of an answer, as the contract has them. */
function warningsMember(found: readonly FoundWarning[]): { warnings?: Warning[] } {
  return found.length === 0
    ? {}
    : { warnings: found.map(({ code, message, items, first }) => ({ code, message, items, first })) };
}
