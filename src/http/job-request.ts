/** A request that brings a job: refused by its headers, or received and checked. */

import { createHash, type Hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Needs } from '../admission/admission-control.js';
import { ApiError } from '../contract/errors.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { type BodyDescription, describeBody } from '../intake/body-form.js';
import { checkDraft, whileConnected } from '../intake/check-draft.js';
import { receiveBody, receiveSmallBody } from '../intake/receive-body.js';
import type { Submission, SubmissionKey } from '../jobs/acceptance.js';
import type { Draft } from '../jobs/files/drafts.js';

/** Bodies of at most as much are not written to a file before they are checked. */
const SMALL_BODY_BYTES = 65_536;

export class JobRequest implements Submission {
  readonly key: SubmissionKey | undefined;
  readonly #ctx: Context;
  readonly #engine: Engine;
  readonly #description: BodyDescription;
  /** Fed with the decoded bytes, where there is a key. */
  readonly #digest: Hash | undefined;
  /** A small body, which stays in memory. */
  #body: Uint8Array | undefined;

  /** @throws ApiError for what the headers alone refuse */
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

  /** Disk space for the body and for the spool made of it. */
  get needs(): Needs {
    const { coding, limitBytes } = this.#description;
    const length = this.#statedLength;
    const bytes = coding === undefined && length !== undefined ? Math.min(length, limitBytes) : limitBytes;
    return { diskBytes: 2 * bytes };
  }

  async receive(draft: Draft): Promise<void> {
    const { req, res } = this.#ctx;
    if (req.headers.expect?.toLowerCase() === '100-continue') {
      res.writeContinue();
    }
    const length = this.#statedLength;
    if (this.#description.coding === undefined && length !== undefined && length <= SMALL_BODY_BYTES) {
      this.#body = await receiveSmallBody(req, length, this.#digest);
    } else {
      await receiveBody(req, this.#description, draft.bodyPath, this.#digest);
    }
  }

  /** Draws a small job at once, unless the caller only wants to know what is wrong with it. */
  check(draft: Draft, { drawIfSmall = true } = {}): Promise<CheckedBody> {
    const { form } = this.#description;
    return whileConnected(this.#ctx.res, draft, () => {
      const { bodyPath, spoolPath } = draft;
      return checkDraft(this.#engine, { bodyPath, body: this.#body, form, spoolPath, drawIfSmall });
    });
  }

  /** Bytes of the body as its client states them, where it does. */
  get #statedLength(): number | undefined {
    const length = this.#ctx.req.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }
}

const KEY = /^[!-~]{1,255}$/;

/** SHA-256 of the header's value, hex; undefined where there is none. @throws ApiError `invalid_input`, code `invalid_header` */
function idempotencyKeyHash(header: string | string[] | undefined): string | undefined {
  if (header === undefined) {
    return undefined;
  }
  // Two headers arrive as one, joined by a comma and a space, and a space is not allowed.
  if (typeof header !== 'string' || !KEY.test(header)) {
    const message = 'Expected an Idempotency-Key of 1 to 255 visible ASCII characters';
    throw new ApiError('invalid_input', `${message}.`, {
      issues: [{ path: '', code: 'invalid_header', message }],
      issueCount: 1,
    });
  }
  return createHash('sha256').update(header).digest('hex');
}
