/** A request that submits a job: refused by its headers, or received and checked. */

import { createHash, type Hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Needs } from '../admission/admission-control.js';
import { invalidInput } from '../contract/errors.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { type BodyDescription, describeBody } from '../intake/body-form.js';
import { checkDraft, whileConnected } from '../intake/check-draft.js';
import { receiveBody, receiveSmallBody } from '../intake/receive-body.js';
import type { Submission, SubmissionKey } from '../jobs/acceptance.js';
import type { Draft } from '../jobs/files/drafts.js';

/** Bodies up to this size are checked in memory, without a file. */
const SMALL_BODY_BYTES = 65_536;

export class JobRequest implements Submission {
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
      await receiveBody(req, this.#description, draft.bodyPath, this.#digest);
    }
  }

  /** Checks the body. Draws a small job at once, unless `drawIfSmall` is false. */
  check(draft: Draft, { drawIfSmall = true } = {}): Promise<CheckedBody> {
    const { form } = this.#description;
    return whileConnected(this.#ctx.res, draft, () => {
      const { bodyPath, spoolPath } = draft;
      return checkDraft(this.#engine, { bodyPath, body: this.#body, form, spoolPath, drawIfSmall });
    });
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
