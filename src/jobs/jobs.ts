/**
 * The interface to jobs for the rest of the service: accept, find, download, cancel, delete, expire, and resume at
 * start.
 */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Archive, entityTagOf } from './archive/archive.js';
import { ApiError } from '../contract/errors.js';
import type { LabelLayout } from '../contract/label-request.js';
import { HOUR_MS } from '../contract/limits.js';
import type { JobMeta } from '../contract/request-schema.js';
import { Ledger } from '../credits/ledger-store.js';
import type { Database } from '../database/connection.js';
import { pagesOf } from '../database/keyset.js';
import { isRowId } from '../database/row-id.js';
import type { Engine, ManifestForm, PictureExtension } from '../engine/engine.js';
import { Rounds } from '../platform/rounds.js';
import type { BlobStore } from '../storage/blob-store.js';
import { FileRanges } from '../storage/file-range.js';
import { inJobSpan } from '../platform/tracing/spans.js';
import { Acceptance, type AcceptanceOptions, type AcceptedJob, type Payer, type Submission } from './acceptance.js';
import { archiveParts } from './files/archive-parts.js';
import { jobPrefix } from './files/job-files.js';
import { findItems, type ItemPage, type ItemQuery } from './files/job-items.js';
import { labelFile, measureLabels, StoredSpool } from './files/labels.js';
import type { ProcessFolder } from './files/process-folder.js';
import {
  type FirstPicture,
  firstPicture,
  manifest,
  type Picture,
  picture,
  type SegmentPlace,
} from './files/rendered-items.js';
import { chunkSpool } from './files/spool-blobs.js';
import { lookOfSpool } from './files/spool-look.js';
import { IdempotencyStore } from './idempotency-store.js';
import type { Job } from './job.js';
import { type ExpiredJob, JobStore } from './job-store.js';
import { LeaseStore } from './lease-store.js';
import { NewJobStore, type NewJobStoreOptions } from './new-job-store.js';
import { JobRunner, type JobRunnerOptions } from './work/job-runner.js';
import { Reconciler } from './work/reconciler.js';
import { Settlement } from './work/settlement.js';

/** A sweep goes on behind a job that cannot be deleted, but not when all of them may be such. */
const MAX_FAILURES_OF_SWEEP = 100;

export interface JobsOptions
  extends Omit<JobRunnerOptions, 'store' | 'leases' | 'scratch'>,
    Pick<AcceptanceOptions, 'onAccepted' | 'enterQueue' | 'retentionDays'>,
    NewJobStoreOptions {
  database: Database;
  /** The folder of this process, with its drafts and temporary files. */
  folder: ProcessFolder;
  /** Mean interval between looks for abandoned work. Default: `RECONCILE_EVERY_MS`. */
  reconcileEveryMs?: number | undefined;
}

export class Jobs {
  readonly #options: JobsOptions;
  readonly #idempotency: IdempotencyStore;
  readonly #store: JobStore;
  readonly #leases: LeaseStore;
  readonly #runner: JobRunner;
  readonly #acceptance: Acceptance;
  readonly #settlement: Settlement;
  readonly #reconciler: Reconciler;
  readonly #sources: { storage: BlobStore; engine: Engine; scratch: string; ranges: FileRanges };
  readonly #upkeep: Rounds;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#store = new JobStore(options.database, options);
    this.#idempotency = new IdempotencyStore(options.database, options.folder.name);
    this.#leases = new LeaseStore(options.database, options.folder.name, options.isSole);
    this.#runner = new JobRunner({
      ...options,
      scratch: options.folder.scratch,
      store: this.#store,
      leases: this.#leases,
    });
    this.#settlement = new Settlement({
      ...options,
      store: this.#store,
      leases: this.#leases,
      idempotency: this.#idempotency,
    });
    this.#acceptance = new Acceptance({
      ...options,
      newJobs: new NewJobStore(options.database, options),
      idempotency: this.#idempotency,
      ledger: new Ledger(options.database, options.credits),
      runner: this.#runner,
      onUnsettled: (draftId) => this.#settlement.add(draftId),
      onComplete: ({ id }) => options.onEnded?.(id, { outcome: 'complete', seconds: 0, creditsRefunded: 0 }),
    });
    const { storage, engine, folder } = options;
    this.#sources = { storage, engine, scratch: folder.scratch, ranges: new FileRanges() };
    this.#reconciler = new Reconciler({
      leases: this.#leases,
      queue: options.dispatcher,
      settle: () => this.#settlement.settleOpen(),
      onFailure: (error) => options.log.error({ err: error }, 'jobs: the queue could not be filled'),
      everyMs: options.reconcileEveryMs,
    });
    this.#upkeep = new Rounds({
      work: async () => {
        await this.sweep();
        await folder.touch();
      },
      everyMs: HOUR_MS,
      // A failed touch is made good by the next: a day may pass between two.
      onFailure: (error) => options.log.warn({ err: error }, 'jobs: the work folder could not be touched'),
    });
    options.dispatcher.start(
      (step) => this.#runner.handle(step),
      () => this.#reconciler.runSoon(),
    );
  }

  /**
   * Resumes the work of stopped or killed processes, and starts to expire jobs. Await it before writing the first
   * draft.
   */
  async start(): Promise<void> {
    await this.#options.folder.create();
    await this.#settlement.settleLeftBehind();
    // Not awaited: after days without a process many jobs have expired.
    void this.#upkeep.start();
    this.#reconciler.start();
  }

  /** Turns a submission into a job that `payer` pays for. */
  accept(payer: Payer, submission: Submission): Promise<AcceptedJob> {
    return this.#acceptance.accept(payer, submission);
  }

  /** An organisation's job. Undefined when it belongs to another organisation, has expired, or never existed. */
  async find(organisationId: string, jobId: string): Promise<Job | undefined> {
    const job = isRowId(jobId) ? await this.#store.find('id', jobId) : undefined;
    return job?.organisationId === organisationId ? job : undefined;
  }

  /** The job of a signed URL. */
  async findByToken(token: string): Promise<Job | undefined> {
    return isRowId(token) ? this.#store.find('token', token) : undefined;
  }

  /** A complete job's archive. @throws ApiError `not_ready` */
  async openArchive(job: Job): Promise<Archive> {
    if (job.status !== 'complete' || job.endBytes === null || job.endedAt === null) {
      throw notReady(job);
    }
    const end = { attempt: job.finishAttempt, headerBytes: job.headerBytes, endBytes: job.endBytes };
    const parts = await inJobSpan('open archive', job.id, () => archiveParts(this.#store, job.id, end));
    return new Archive(this.#sources, parts, { jobId: job.id, endedAt: job.endedAt });
  }

  /** The manifest of a complete job: every item with its files. @throws ApiError `not_ready` */
  async openManifest(job: Job, form: ManifestForm): Promise<{ entityTag: string; read: () => Readable }> {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    const chunks = await this.#store.chunkPlaces(job.id);
    return {
      entityTag: entityTagOf(`manifest ${form} ${job.id}`),
      read: () => manifest(this.#sources, job.id, chunks, form),
    };
  }

  /** A page of a complete job's items, or those that a search finds. @throws ApiError `not_ready` */
  async findItems(job: Job, query: ItemQuery): Promise<ItemPage> {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    return findItems(this.#sources, job.id, await this.#store.chunkPlaces(job.id), query);
  }

  /** The picture of an item of a complete job. Undefined when there is none. @throws ApiError `not_ready` */
  async findPicture(
    job: Job,
    item: number,
    extension: PictureExtension,
  ): Promise<(Picture & { entityTag: string }) | undefined> {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    const [chunk] = await this.#store.chunkPlaces(job.id, item);
    const found = chunk && (await picture(this.#sources, job.id, chunk, item, extension));
    return found && { ...found, entityTag: entityTagOf(`picture ${item}${extension} ${job.id}`) };
  }

  /**
   * A complete job's codes on labels: the file, and a remark if modules are narrow.
   * @param signal ends the measuring of the codes
   * @throws ApiError `not_ready`; `invalid_input` if a code does not fit its label, or would be too small
   */
  async openLabels(
    job: Job,
    layout: LabelLayout,
    signal?: AbortSignal,
  ): Promise<{ remark: string | undefined; read: () => Readable }> {
    if (job.status !== 'complete') {
      throw notReady(job);
    }
    const chunks = await this.#store.chunkPlaces(job.id);
    const spool = new StoredSpool(this.#sources, job.id, chunks);
    const labelled = { ...this.#sources, layout, spool, holder: job.organisationId };
    const remark = await measureLabels(labelled, signal);
    return { remark, read: () => labelFile(labelled) };
  }

  /** The first picture of a job, as in its archive. There may be no archive yet. @param place of its chunk's segment */
  firstPicture({ id }: Job, place: SegmentPlace): Promise<FirstPicture> {
    return firstPicture(this.#options.storage, id, place);
  }

  /** The settings of a body that draws codes like those of a complete job. @throws ApiError `not_ready` */
  async meta(job: Job): Promise<JobMeta> {
    const [chunk] = job.status === 'complete' ? await this.#store.chunkPlaces(job.id, 0) : [];
    if (chunk === undefined) {
      throw notReady(job);
    }
    const { key } = chunkSpool(job.id, chunk.position, chunk);
    return lookOfSpool(await buffer(this.#options.storage.read(key, 0, chunk.headerBytes - 1)));
  }

  /**
   * Deletes idempotency records and jobs that have expired by `time` (Unix milliseconds), jobs with their files.
   * Refunds a job that had not ended. Leaves the rest to the next sweep once the jobs are closed, or many could not be
   * deleted.
   */
  async sweep(time = Date.now()): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#idempotency.expire(time);
      let failures = 0;
      for await (const page of pagesOf((limit, last: ExpiredJob | undefined) =>
        this.#store.expired(time, limit, last),
      )) {
        for (const { id } of page) {
          if (this.#upkeep.isClosed || failures === MAX_FAILURES_OF_SWEEP) {
            return;
          }
          failures += (await this.#expire(id)) ? 0 : 1;
        }
      }
    } catch (error) {
      log.error({ err: error }, 'jobs: sweep failed');
    }
  }

  /** Deletes an expired job. False when it could not be deleted. */
  async #expire(jobId: string): Promise<boolean> {
    const { log } = this.#options;
    try {
      await this.#store.fail(jobId, 'deadline');
      await this.#erase(jobId);
      log.info({ jobId }, 'job: expired and deleted');
      return true;
    } catch (error) {
      log.error({ jobId, err: error }, 'job: could not be deleted; the next sweep tries again');
      return false;
    }
  }

  /**
   * Cancels a job: chunks that have not started are not drawn, and their credits are returned once. Returns the ended
   * job, also when it was already cancelled.
   * @throws ApiError `not_cancellable` when it ended otherwise; `not_found`
   */
  async cancel({ id, organisationId }: Job): Promise<Job> {
    const { log, onEnded } = this.#options;
    if (await this.#store.fail(id, 'cancelled')) {
      log.info({ jobId: id }, 'job: cancelled');
      onEnded?.(id);
      await this.#runner.discardFiles(id);
    }
    const job = await this.find(organisationId, id);
    if (job === undefined) {
      throw new ApiError('not_found', 'The job was deleted.');
    }
    if (job.failure !== 'cancelled') {
      throw new ApiError(
        'not_cancellable',
        `The job is ${job.status}; only a job that has not ended can be cancelled.`,
      );
    }
    return job;
  }

  /**
   * Deletes an ended job with its input and archive. Its ledger entries stay. A sweep deletes files that cannot be
   * deleted now.
   * @throws ApiError `not_ended`; `not_found`
   */
  async delete({ id, organisationId }: Job): Promise<void> {
    const { log } = this.#options;
    if (!(await this.#store.hide(id))) {
      const job = await this.find(organisationId, id);
      throw job === undefined
        ? new ApiError('not_found', 'The job was deleted.')
        : new ApiError('not_ended', `The job is ${job.status}; only a job that has ended can be deleted.`);
    }
    try {
      await this.#erase(id);
      log.info({ jobId: id }, 'job: deleted');
    } catch (error) {
      log.error({ jobId: id, err: error }, 'job: could not delete its files; a sweep will');
    }
  }

  /** Takes no more work, waits for running chunks, and releases the rest for other processes or the next start. */
  async close(): Promise<void> {
    await Promise.all([this.#reconciler.close(), this.#runner.close(), this.#upkeep.close()]);
    try {
      await this.#leases.releaseAll();
      await this.#options.folder.removeUnlessNeeded();
    } catch (error) {
      // The folder tells the next start whose leases to release. At worst they expire.
      this.#options.log.error({ err: error }, 'jobs: could not release everything');
    }
  }

  /** Deletes the files and rows of a hidden or expired job. */
  async #erase(jobId: string): Promise<void> {
    const { storage } = this.#options;
    // Files first: until the rows are gone, the next sweep knows what to delete.
    await storage.deleteAll(jobPrefix(jobId));
    await this.#store.remove(jobId);
    // A chunk that was being drawn may have been stored in between. One stored later finds no row and deletes its own
    // files.
    await storage.deleteAll(jobPrefix(jobId));
  }
}

function notReady({ status }: Job): ApiError {
  return new ApiError('not_ready', `The job is ${status}; there is an archive once it is complete.`);
}
