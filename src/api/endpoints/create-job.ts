/** `POST /api/v1/jobs` (section 4.2), and `POST /api/v1/jobs/validate`, which answers what it would without a job. */

import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { AdmissionControl, DiskShare, Needs } from '../../admission/admission-control.js';
import { invalidInput } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { JobCreated, JobValidation, Warning } from '../../contract/response-schema.js';
import type { Ledger } from '../../credits/ledger-store.js';
import type { CheckedBody, Engine } from '../../engine/engine.js';
import { type BodyDescription, describeBody } from '../../jobs/intake/request-body.js';
import { checkDraft, requireClient, whileConnected } from '../../jobs/intake/check-draft.js';
import type { BodyReceiver } from '../../jobs/intake/receive-body.js';
import type { Submission, SubmissionKey } from '../../jobs/acceptance.js';
import type { Draft, ProcessFolder } from '../../jobs/files/process-folder.js';
import type { FoundWarning } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';
import { callerOf, holderOf } from '../request-state.js';
import type { SignedUrls } from '../signed-urls.js';

/** `Retry-After`: seconds until the first status request makes sense. */
const FIRST_POLL_SECONDS = '1';

/** A body lies on the disk, and a spool about as long. */
const FILES_OF_A_BODY = 2;

/** Bodies up to this size are checked in memory, without a file. */
const SMALL_BODY_BYTES = 65_536;

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
      ...told(job.warnings),
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
    const { total, warnings, printedWidthMm } = await admission.within('job', holderOf(ctx), check, request.needs);
    const balance = await ledger.balance(callerOf(ctx).organisationId);
    const validation: JobValidation = {
      total,
      creditsRequired: total,
      balance,
      sufficient: ledger.suffices(balance, total),
      ...(printedWidthMm !== undefined && { printedWidthMm }),
      ...told(warnings),
    };
    ctx.body = validation;
  };
}

/** The warnings of an answer, as the contract has them. */
function told(found: readonly FoundWarning[]): { warnings?: Warning[] } {
  return found.length === 0
    ? {}
    : { warnings: found.map(({ code, message, items, first }) => ({ code, message, items, first })) };
}

/** A request that submits a job: refused by its headers, or received and checked. */
class JobRequest implements Submission {
  readonly key: SubmissionKey | undefined;
  readonly #ctx: Context;
  readonly #engine: Engine;
  readonly #receiver: BodyReceiver;
  readonly #description: BodyDescription;
  /** Fed with the decoded bytes if there is an idempotency key. */
  readonly #digest: Hash | undefined;
  /** A small body, kept in memory. */
  #body: Uint8Array | undefined;
  #disk: DiskShare | undefined;

  /** @throws ApiError when the headers alone are invalid */
  constructor(ctx: Context, engine: Engine, receiver: BodyReceiver) {
    this.#ctx = ctx;
    this.#engine = engine;
    this.#receiver = receiver;
    this.#description = describeBody(ctx.req.headers);
    const hash = idempotencyKeyHash(ctx.req.headers['idempotency-key']);
    if (hash !== undefined) {
      const digest = createHash('sha256').update(`${this.#description.form}\n`);
      this.#digest = digest;
      this.key = { hash, fingerprint: () => digest.digest('hex') };
    }
  }

  /** Disk space for the body and its spool, as far as the headers tell. */
  get needs(): Needs {
    return {
      diskBytes: FILES_OF_A_BODY * Math.min(this.#contentLength ?? 1, this.#description.limitBytes),
      // A body in memory mostly becomes a small job, which needs no store. The others meet its failure when they store their spool.
      usesStorage: !this.#isInMemory,
    };
  }

  /** Takes disk space for a body that becomes longer than the headers tell from `disk`. */
  within(disk: DiskShare): this {
    this.#disk = disk;
    return this;
  }

  async receive(draft: Draft): Promise<void> {
    const { req, res } = this.#ctx;
    if (req.headers.expect?.toLowerCase() === '100-continue') {
      res.writeContinue();
    }
    if (this.#isInMemory) {
      this.#body = await this.#receiver.receiveSmall(req, this.#contentLength ?? 0, this.#digest);
    } else {
      await this.#receiver.receive({
        request: req,
        description: this.#description,
        path: draft.bodyPath,
        holder: this.#holder,
        digest: this.#digest,
        onBytes: (bytes) => this.#disk?.growTo(FILES_OF_A_BODY * bytes),
      });
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

  requireClient(): void {
    requireClient(this.#ctx.res);
  }

  /** The person who made the key, or the organisation. */
  get #holder(): string {
    const { createdBy, organisationId } = callerOf(this.#ctx);
    return createdBy ?? organisationId;
  }

  /** True for a body that is checked in memory. */
  get #isInMemory(): boolean {
    return this.#description.coding === undefined && isSmallBody(this.#ctx.req.headers);
  }

  /** The `Content-Length`, if the client sent one. */
  get #contentLength(): number | undefined {
    return contentLengthOf(this.#ctx.req.headers);
  }
}

/** True for a body that is checked in memory, unless it is encoded. */
export function isSmallBody(headers: IncomingHttpHeaders): boolean {
  return (contentLengthOf(headers) ?? Number.POSITIVE_INFINITY) <= SMALL_BODY_BYTES;
}

function contentLengthOf({ 'content-length': length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length);
}

const KEY = /^[!-~]+$/;

/**
 * SHA-256 of the header's value, hex. Undefined without the header. @throws ApiError `invalid_input`, code
 * `invalid_header`
 */
function idempotencyKeyHash(header: string | string[] | undefined): string | undefined {
  if (header === undefined) {
    return undefined;
  }
  // Two headers arrive joined by a comma and a space, and a space is not allowed.
  if (typeof header !== 'string' || header.length > LIMITS.idempotencyKeyCharacters || !KEY.test(header)) {
    const message = `The Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters`;
    throw invalidInput({ path: '', code: 'invalid_header', message }, `${message}.`);
  }
  return createHash('sha256').update(header).digest('hex');
}
