/** Brings the body of a request into a draft, and has it checked there. */

import { createHash, type Hash } from 'node:crypto';
import type { Context } from 'koa';
import type { AdmissionControl, Needs } from '../admission/admission-control.js';
import { ApiError } from '../contract/errors.js';
import { newRowId } from '../database/row-id.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { EngineError } from '../engine/engine-error.js';
import { type BodyDescription, describeBody } from '../intake/body-form.js';
import { checkDraft } from '../intake/check-draft.js';
import { receiveBody, receiveSmallBody } from '../intake/receive-body.js';
import { BodyAbortedError } from '../intake/received-bytes.js';
import type { DraftFolder } from '../jobs/files/job-files.js';

/** Bodies of at most as much are not written to a file before they are checked. */
const SMALL_BODY_BYTES = 65_536;

export interface DraftDependencies {
  admission: AdmissionControl;
  drafts: DraftFolder;
  engine: Engine;
}

/** A request for a job, of which only the headers were read. */
export interface DraftRequest {
  ctx: Context;
  description: BodyDescription;
  /** SHA-256 of the `Idempotency-Key`, hex. */
  keyHash: string | undefined;
  draftId: string;
}

/** @throws ApiError for what the headers alone refuse */
export function describeRequest(ctx: Context): DraftRequest {
  const { headers } = ctx.req;
  return {
    ctx,
    description: describeBody(headers),
    keyHash: idempotencyKeyHash(headers['idempotency-key']),
    draftId: newRowId(),
  };
}

/** What a body may come to on the disk: itself, and its items as they are drawn from. */
export function needsOf({ ctx, description: { coding, limitBytes } }: DraftRequest): Needs {
  const length = statedLength(ctx);
  const bytes = coding === undefined && length !== undefined ? Math.min(length, limitBytes) : limitBytes;
  return { diskBytes: 2 * bytes };
}

/** Bytes of the body as its client states them, where it does. */
function statedLength({ req }: Context): number | undefined {
  const length = req.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Leaves the body as a draft, or nothing; a small one stays in memory, and is returned. @param digest fed with the decoded bytes */
export async function receiveDraft(
  { ctx, description, draftId }: DraftRequest,
  { drafts }: DraftDependencies,
  digest?: Hash,
): Promise<Uint8Array | undefined> {
  if (ctx.req.headers.expect?.toLowerCase() === '100-continue') {
    ctx.res.writeContinue();
  }
  const length = statedLength(ctx);
  if (description.coding === undefined && length !== undefined && length <= SMALL_BODY_BYTES) {
    return receiveSmallBody(ctx.req, length, digest);
  }
  await receiveBody(ctx.req, description, drafts.bodyPath(draftId), digest);
  return undefined;
}

/**
 * Leaves a draft that is fit to be a job, or none; none as well where the job was small enough to be drawn at once, which only
 * `drawIfSmall` asks for.
 */
export async function receiveAndCheck(
  request: DraftRequest,
  dependencies: DraftDependencies,
  { digest, drawIfSmall = false }: { digest?: Hash; drawIfSmall?: boolean } = {},
): Promise<CheckedBody> {
  const { ctx, description, draftId } = request;
  const { drafts, engine } = dependencies;
  // The engine gives a check up whose body is gone.
  const cancel = () => void drafts.remove(draftId).catch(() => undefined);
  ctx.res.once('close', cancel);
  try {
    const body = await receiveDraft(request, dependencies, digest);
    const [bodyPath, spoolPath] = [drafts.bodyPath(draftId), drafts.spoolPath(draftId)];
    const checked = await checkDraft(engine, { bodyPath, body, form: description.form, spoolPath, drawIfSmall });
    if (ctx.res.destroyed) {
      // Nobody would learn the id of what they paid for.
      throw new BodyAbortedError('The client went away before its job was accepted');
    }
    return checked;
  } catch (error) {
    await drafts.remove(draftId);
    // The engine notices it between items; where it is about to open one of the draft's files, it finds none.
    if (ctx.res.destroyed && error instanceof EngineError && error.code === 'io') {
      throw new BodyAbortedError('The client went away while its body was checked', { cause: error });
    }
    throw error;
  } finally {
    ctx.res.off('close', cancel);
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
