/**
 * The interface to jobs for the rest of the service: accept, find, cancel, delete, expire, and resume at start; and the
 * output of jobs.
 */

import { ApiError } from '../contract/errors.js';
import { HOUR_MS } from '../contract/limits.js';
import { Ledger } from '../credits/ledger-store.js';
import { sweepTime } from '../database/clock.js';
import type { Database } from '../database/connection.js';
import { pagesOf } from '../database/keyset.js';
import { isRowId } from '../database/row-id.js';
import { Rounds } from '../platform/rounds.js';
import { Acceptance, type AcceptanceOptions, type AcceptedJob, type Payer, type Submission } from './acceptance.js';
import { jobPrefix } from './files/job-files.js';
import type { ProcessFolder } from './files/process-folder.js';
import { ChunkStore } from './chunk-store.js';
import { IdempotencyStore } from './idempotency-store.js';
import type { Job } from './job.js';
import { JobOutput } from './job-output.js';
import { type ExpiredJob, JobStore, type RecordChange } from './job-store.js';
import { LeaseStore } from './lease-store.js';
import { NewJobStore, type NewJobStoreOptions } from './new-job-store.js';
import { JobRunner, type JobRunnerOptions } from './work/job-runner.js';
import { Reconciler } from './work/reconciler.js';
import { Settlement } from './work/settlement.js';

/** A sweep skips jobs that cannot be deleted. After so many failures it ends, since the others would probably fail too. */
const MAX_FAILURES_OF_SWEEP = 100;

export interface JobsOptions
  extends Omit<JobRunnerOptions, 'store' | 'chunks' | 'leases' | 'scratch'>,
    Pick<AcceptanceOptions, 'onAccepted' | 'enterQueue' | 'retentionDays'>,
    NewJobStoreOptions {
  database: Database;
  /** The folder of this process, with its drafts and temporary files. */
  folder: ProcessFolder;
  /** Mean interval between looks for abandoned work. Default: `RECONCILE_EVERY_MS`. */
  reconcileEveryMs?: number | undefined;
}

export class Jobs {
  readonly output: JobOutput;
  readonly #options: Pick<JobsOptions, 'database' | 'storage' | 'folder' | 'isOnlyProcess' | 'log' | 'onEnded'>;
  readonly #idempotency: IdempotencyStore;
  readonly #store: JobStore;
  readonly #leases: LeaseStore;
  readonly #runner: JobRunner;
  readonly #acceptance: Acceptance;
  readonly #settlement: Settlement;
  readonly #reconciler: Reconciler;
  readonly #upkeep = new Rounds({
    work: async () => {
      try {
        await this.#options.folder.touch();
      } finally {
        await this.sweep();
      }
    },
    everyMs: HOUR_MS,
    // A failed touch is made good by the next: a day may pass between two.
    onFailure: (error) => this.#options.log.warn({ err: error }, 'jobs: the work folder could not be touched'),
  });

  constructor(options: JobsOptions) {
    const { database, storage, engine, folder, dispatcher, isOnlyProcess, log, credits, onEnd, onEnded } = options;
    this.#options = options;
    this.#store = new JobStore(database, onEnd);
    this.#idempotency = new IdempotencyStore(database, folder.name);
    this.#leases = new LeaseStore(database, folder.name, isOnlyProcess);
    const chunks = new ChunkStore(database);
    const find = this.find.bind(this);
    this.output = new JobOutput(chunks, { find, storage, engine, scratch: folder.scratch });
    const stores = { store: this.#store, chunks, leases: this.#leases, idempotency: this.#idempotency };
    this.#runner = new JobRunner({ ...options, ...stores, scratch: folder.scratch });
    this.#settlement = new Settlement({ ...stores, storage, folder });
    this.#acceptance = new Acceptance({
      ...options,
      ...stores,
      newJobs: new NewJobStore(database, options),
      ledger: new Ledger(database, credits),
      runner: this.#runner,
      onUnsettled: (draftId) => this.#settlement.add(draftId),
      onComplete: ({ id }) => onEnded?.(id, { outcome: 'complete', seconds: 0, creditsRefunded: 0 }),
    });
    this.#reconciler = new Reconciler({
      leases: this.#leases,
      queue: dispatcher,
      settle: () => this.#settlement.settleOpen(),
      onFailure: (error) => log.error({ err: error }, 'jobs: the queue could not be filled'),
      everyMs: options.reconcileEveryMs,
    });
    dispatcher.start(
      (step) => this.#runner.handle(step),
      () => this.#reconciler.runSoon(),
    );
  }

  /**
   * Resumes the work of stopped or killed processes, and starts to expire jobs. Await it before writing the first
   * draft.
   */
  async start(): Promise<void> {
    const { folder, isOnlyProcess } = this.#options;
    await folder.create();
    // The first sweep settles what processes elsewhere have left, if the clock is right.
    await this.#settlement.settleLeftBehind(isOnlyProcess, 0);
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

  /** Records that a job's archive is being downloaded, if nobody did before. Not awaited: the download does not need it. */
  noteDownload({ id, downloadedAt }: Job): void {
    if (downloadedAt === null) {
      this.#store.markDownloaded(id).catch((error: unknown) => {
        this.#options.log.warn({ jobId: id, err: error }, 'job: its first download could not be recorded');
      });
    }
  }

  /**
   * Deletes idempotency records and jobs that have expired by `time` (Unix milliseconds; by default the clock's, unless it is in
   * doubt), jobs with their files.
   * Refunds a job that had not ended. Leaves the rest to the next sweep once the jobs are closed, or many could not be
   * deleted. Then settles what dead processes have left: one in a container is followed by no start on its host.
   */
  async sweep(time?: number): Promise<void> {
    const { log } = this.#options;
    try {
      const now = time ?? (await this.#sweepTime());
      await this.#idempotency.expire(now);
      let failures = 0;
      for await (const page of pagesOf((limit, last: ExpiredJob | undefined) =>
        this.#store.expired(now, limit, last),
      )) {
        for (const { id } of page) {
          if (this.#upkeep.isClosed || failures === MAX_FAILURES_OF_SWEEP) {
            return;
          }
          failures += (await this.#expire(id)) ? 0 : 1;
        }
      }
      // A process elsewhere may have started since this one did.
      await this.#settlement.settleLeftBehind(false, now);
    } catch (error) {
      log.error({ err: error }, 'jobs: sweep failed');
    }
  }

  /** The time by which jobs expire. 0 while the clock is in doubt: then only jobs are deleted that people deleted. */
  async #sweepTime(): Promise<number> {
    const { database, log } = this.#options;
    const time = await sweepTime(database);
    if (time === 0) {
      log.warn(
        { now: new Date().toISOString() },
        'jobs: the clock is more than a week ahead of the last sweep; all that has expired is kept until it has been so for a day',
      );
    }
    return time;
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
  async cancel({ id, organisationId }: Job, record?: RecordChange): Promise<Job> {
    const { log, onEnded } = this.#options;
    if (await this.#store.fail(id, 'cancelled', { record })) {
      log.info({ jobId: id }, 'job: cancelled');
      onEnded?.(id);
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
    // Also where an earlier call ended the job and was killed before this.
    await this.#runner.discardFiles(id);
    return job;
  }

  rename({ id }: Job, name: string, record: RecordChange): Promise<void> {
    return this.#store.rename(id, name, record);
  }

  /** Signed links that the job had, in mails and webhooks too, lead nowhere afterwards. */
  withdrawLinks({ id }: Job, record: RecordChange): Promise<void> {
    return this.#store.renewToken(id, record);
  }

  /**
   * Deletes an ended job with its input and archive. Its ledger entries stay. A sweep deletes files that cannot be
   * deleted now.
   * @throws ApiError `not_ended`; `not_found`
   */
  async delete({ id, organisationId }: Job, record?: RecordChange): Promise<void> {
    const { log } = this.#options;
    if (!(await this.#store.hide(id, record))) {
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
      await this.#options.folder.close();
    } catch (error) {
      // The folder tells the next start whose leases to release. At worst they expire.
      this.#options.log.error({ err: error }, 'jobs: could not release everything');
    } finally {
      this.#options.folder.release();
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
