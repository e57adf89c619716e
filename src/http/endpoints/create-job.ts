/** `POST /api/v1/jobs` (section 4.2): receive the body, check it, accept the job. */

import type { Context, Middleware } from 'koa';
import { newRowId } from '../../database/row-id.js';
import { type BodyDescription, describeBody } from '../../intake/body-form.js';
import { checkDraft } from '../../intake/check-draft.js';
import type { IntakeRoom } from '../../intake/intake-room.js';
import { BodyAbortedError, receiveBody } from '../../intake/receive-body.js';
import type { DraftFolder } from '../../jobs/job-files.js';
import type { Jobs } from '../../jobs/jobs.js';
import type { Engine } from '../../render/engine.js';
import { jobCreated } from '../job-resource.js';
import { callerOf } from '../request-state.js';
import type { SignedUrls } from '../signed-urls.js';

/** Seconds until a first look at the job is worth it. */
const FIRST_LOOK_SECONDS = '1';

export interface CreateJobRooms {
  room: IntakeRoom;
  drafts: DraftFolder;
  engine: Engine;
  jobs: Jobs;
  urls: SignedUrls;
}

export function createJob(rooms: CreateJobRooms): Middleware {
  return async (ctx) => {
    const description = describeBody(ctx.req.headers);
    await rooms.room.enter(async () => {
      const draftId = newRowId();
      const checked = await receiveAndCheck(ctx, description, draftId, rooms);
      const job = await rooms.jobs.accept(callerOf(ctx).organisationId, draftId, checked);
      ctx.status = 202;
      ctx.set({ Location: `/api/v1/jobs/${job.id}`, 'Retry-After': FIRST_LOOK_SECONDS });
      ctx.body = jobCreated(job, rooms.urls);
    });
  };
}

/** Leaves a draft that is fit to be a job, or none. */
async function receiveAndCheck(
  ctx: Context,
  description: BodyDescription,
  draftId: string,
  { drafts, engine }: CreateJobRooms,
) {
  const bodyPath = drafts.bodyPath(draftId);
  try {
    if (ctx.req.headers.expect !== undefined) {
      ctx.res.writeContinue();
    }
    await receiveBody(ctx.req, description, bodyPath);
    const spoolPath = drafts.spoolPath(draftId);
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
