/** Brings the body of a request into a draft, and has it checked there. */

import type { Hash } from 'node:crypto';
import type { Context } from 'koa';
import { newRowId } from '../database/row-id.js';
import { type BodyDescription, describeBody } from '../intake/body-form.js';
import { checkDraft } from '../intake/check-draft.js';
import type { IntakeRoom } from '../intake/intake-room.js';
import { BodyAbortedError, receiveBody } from '../intake/receive-body.js';
import type { DraftFolder } from '../jobs/job-files.js';
import type { CheckedBody, Engine } from '../render/engine.js';
import { idempotencyKeyHash } from './idempotency-key.js';

export interface DraftRooms {
  room: IntakeRoom;
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

/** Leaves the body as a draft, or nothing. @param digest fed with the decoded bytes */
export async function receiveDraft(
  { ctx, description, draftId }: DraftRequest,
  { drafts }: DraftRooms,
  digest?: Hash,
): Promise<void> {
  if (ctx.req.headers.expect?.toLowerCase() === '100-continue') {
    ctx.res.writeContinue();
  }
  await receiveBody(ctx.req, description, drafts.bodyPath(draftId), digest);
}

/** Leaves a draft that is fit to be a job, or none. */
export async function receiveAndCheck(request: DraftRequest, rooms: DraftRooms, digest?: Hash): Promise<CheckedBody> {
  const { ctx, description, draftId } = request;
  const { drafts, engine } = rooms;
  try {
    await receiveDraft(request, rooms, digest);
    const [bodyPath, spoolPath] = [drafts.bodyPath(draftId), drafts.spoolPath(draftId)];
    const checked = await checkDraft(engine, { bodyPath, form: description.form, spoolPath });
    if (ctx.res.destroyed) {
      // Nobody would learn the id of what they paid for.
      throw new BodyAbortedError('The client went away before its job was accepted');
    }
    return checked;
  } catch (error) {
    await drafts.remove(draftId);
    throw error;
  }
}
