/** A request that submits a job: what its headers say, its body, and its check. */

import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import type { DiskShare, Needs } from '../admission/admission-control.js';
import { invalidInput } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import type { Submission, SubmissionKey } from '../jobs/acceptance.js';
import type { Draft } from '../jobs/files/draft.js';
import { checkDraft, requireClient, whileConnected } from '../jobs/intake/check-draft.js';
import type { BodyReceiver } from '../jobs/intake/receive-body.js';
import { type BodyDescription, describeBody } from '../jobs/intake/request-body.js';
import { callerOf } from './request-state.js';

/** A body lies on the disk, and a spool about as long. */
const FILES_OF_A_BODY = 2;

/** Bodies up to this size are checked in memory, without a file. */
const SMALL_BODY_BYTES = 65_536;

/** Refused by its headers, or received and checked. */
export class JobRequest implements Submission {
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
      diskBytes: FILES_OF_A_BODY * Math.min(this.#contentLength ?? 0, this.#description.limitBytes),
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
function isSmallBody(headers: IncomingHttpHeaders): boolean {
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
