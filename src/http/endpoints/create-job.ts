/** `POST /api/v1/jobs` (section 4.2), and `POST /api/v1/jobs/validate`, which answers what it would without a job. */

import { createHash, type Hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { AdmissionControl, Needs } from '../../admission/admission-control.js';
import { invalidInput } from '../../contract/errors.js';
import type { JobCreated, JobValidation } from '../../contract/response-schema.js';
import type { Ledger } from '../../credits/ledger-store.js';
import type { CheckedBody, Engine } from '../../engine/engine.js';
import { type BodyDescription, describeBody } from '../../intake/body-form.js';
import { checkDraft, whileConnected } from '../../intake/check-draft.js';
import { receiveBody, receiveSmallBody } from '../../intake/receive-body.js';
import type { Submission, SubmissionKey } from '../../jobs/acceptance.js';
import type { Draft } from '../../jobs/files/drafts.js';
import type { ProcessFolder } from '../../jobs/files/process-folder.js';
import type { Jobs } from '../../jobs/jobs.js';
import { callerOf, holderOf } from '../request-state.js';
import type { SignedUrls } from '../signed-urls.js';

/** `Retry-After`: seconds until the first status request makes sense. */
const FIRST_POLL_SECONDS = '1';

/** Bodies up to this size are checked in memory, without a file. */
const SMALL_BODY_BYTES = 65_536;

export interface CreateJobDependencies {
  admission: AdmissionControl;
  engine: Engine;
  folder: ProcessFolder;
  jobs: Jobs;
  ledger: Ledger;
  urls: SignedUrls;
}

export function createJob({ admission, engine, jobs, urls }: CreateJobDependencies): Middleware {
  return async (ctx) => {
    const caller = callerOf(ctx);
    const request = new JobRequest(ctx, engine);
    const accept = () => jobs.accept(caller, request);
    const { job, isReplayed } = await admission.within('job', holderOf(ctx), accept, request.needs);
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
      ...(job.warnings.length > 0 && { warnings: job.warnings }),
    };
    ctx.body = created;
  };
}

export function validateJob({ admission, engine, folder, ledger }: CreateJobDependencies): Middleware {
  return async (ctx) => {
    const request = new JobRequest(ctx, engine);
    const check = async () => {
      await using draft = folder.drafts.create();
      await request.receive(draft);
      // Must be awaited here: the draft ends with this scope.
      return await request.check(draft, { drawIfSmall: false });
    };
    const { total, warnings, printedWidthMm } = await admission.within('job', holderOf(ctx), check, request.needs);
    const balance = await ledger.balance(callerOf(ctx).organisationId);
    const validation: JobValidation = {
      total,
      creditsRequired: total,
      balance,
      sufficient: ledger.suffices(balance, total),
      ...(printedWidthMm !== undefined && { printedWidthMm }),
      ...(warnings.length > 0 && { warnings }),
    };
    ctx.body = validation;
  };
}

/** A request that submits a job: refused by its headers, or received and checked. */
class JobRequest implements Submission {
  readonly key: SubmissionKey | undefined;
  readonly #ctx: Context;
  readonly #engine: Engine;
  readonly #description: BodyDescription;
  /** Fed with the decoded bytes if there is an idempotency key. */
  readonly #digest: Hash | undefined;
  /** A small body, kept in memory. */
  #body: Uint8Array | undefined;

  /** @throws ApiError when the headers alone are invalid */
  constructor(ctx: Context, engine: Engine) {
    this.#ctx = ctx;
    this.#engine = engine;
    this.#description = describeBody(ctx.req.headers);
    const hash = idempotencyKeyHash(ctx.req.headers['idempotency-key']);
    if (hash !== undefined) {
      const digest = createHash('sha256').update(`${this.#description.form}\n`);
      this.#digest = digest;
      this.key = { hash, fingerprint: () => digest.digest('hex') };
    }
  }

  /** Disk space for the body and its spool. */
  get needs(): Needs {
    const { coding, limitBytes } = this.#description;
    const length = this.#contentLength;
    const bytes = coding === undefined && length !== undefined ? Math.min(length, limitBytes) : limitBytes;
    return { diskBytes: 2 * bytes };
  }

  async receive(draft: Draft): Promise<void> {
    const { req, res } = this.#ctx;
    if (req.headers.expect?.toLowerCase() === '100-continue') {
      res.writeContinue();
    }
    const length = this.#contentLength;
    if (this.#description.coding === undefined && length !== undefined && length <= SMALL_BODY_BYTES) {
      this.#body = await receiveSmallBody(req, length, this.#digest);
    } else {
      await receiveBody(req, this.#description, draft.bodyPath, this.#holder, this.#digest);
    }
  }

  /** Checks the body. Draws a small job at once, unless `drawIfSmall` is false. */
  check(draft: Draft, { drawIfSmall = true } = {}): Promise<CheckedBody> {
    const { form } = this.#description;
    return whileConnected(this.#ctx.res, draft, () => {
      const { bodyPath, spoolPath } = draft;
      return checkDraft(this.#engine, {
        bodyPath,
        body: this.#body,
        form,
        spoolPath,
        drawIfSmall,
        holder: this.#holder,
      });
    });
  }

  /** The person who made the key, or the organisation. */
  get #holder(): string {
    const { createdBy, organisationId } = callerOf(this.#ctx);
    return createdBy ?? organisationId;
  }

  /** The `Content-Length`, if the client sent one. */
  get #contentLength(): number | undefined {
    const length = this.#ctx.req.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }
}

const KEY = /^[!-~]{1,255}$/;

/**
 * SHA-256 of the header's value, hex. Undefined without the header. @throws ApiError `invalid_input`, code
 * `invalid_header`
 */
function idempotencyKeyHash(header: string | string[] | undefined): string | undefined {
  if (header === undefined) {
    return undefined;
  }
  // Two headers arrive joined by a comma and a space, and a space is not allowed.
  if (typeof header !== 'string' || !KEY.test(header)) {
    const message = 'The Idempotency-Key must be 1 to 255 visible ASCII characters';
    throw invalidInput({ path: '', code: 'invalid_header', message }, `${message}.`);
  }
  return createHash('sha256').update(header).digest('hex');
}
