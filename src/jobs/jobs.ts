/** The jobs room's door: accept, find, download; resume at start, expire, stop. */

import { Archive } from '../archive/archive.js';
import { SegmentHeaders } from '../archive/segment-headers.js';
import { Ledger, type Origin } from '../credits/ledger.js';
import type { Database } from '../database/connection.js';
import { isRowId, newRowId } from '../database/row-id.js';
import { ApiError } from '../errors.js';
import type { CheckedBody } from '../render/engine.js';
import type { OnComplete } from './completion-mail.js';
import { type ClaimedRequest, IdempotencyStore } from './idempotency-store.js';
import type { Job } from './job.js';
import { archiveParts } from './archive-parts.js';
import { composedKey, jobPrefix } from './job-files.js';
import { JobRunner, type JobRunnerOptions } from './job-runner.js';
import { JobStore } from './job-store.js';
import { LeaseStore } from './lease-store.js';
import type { ProcessFolder } from './process-folder.js';
import { Reconciler } from './reconciler.js';
import { storeSpool } from './spool-blobs.js';
import { type Trace, untraced } from './trace.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface JobsOptions extends Omit<JobRunnerOptions, 'store' | 'leases' | 'scratch'> {
  database: Database;
  /** Where this process keeps its drafts and what it is writing. */
  folder: ProcessFolder;
  /** Days after its creation that a job's archive, input and rows are deleted. */
  retentionDays: number;
  /** Pause between looks for work that nobody does; `RECONCILE_EVERY_MS` when absent. */
  reconcileEveryMs?: number | undefined;
  /** Called when a job was accepted here. */
  onAccepted?: ((job: Job) => void) | undefined;
  /** What else the transaction does that makes a job `complete`. */
  onComplete?: OnComplete;
}

/** Who pays for a job, and makes it. */
export interface Payer extends Origin {
  organisationId: string;
}

export class Jobs {
  /** Keys of the requests that become jobs. */
  readonly idempotency: IdempotencyStore;
  readonly #options: JobsOptions;
  readonly #trace: Trace;
  readonly #ledger: Ledger;
  readonly #store: JobStore;
  readonly #leases: LeaseStore;
  readonly #runner: JobRunner;
  readonly #reconciler: Reconciler;
  readonly #headers: SegmentHeaders;
  #sweeping: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#trace = options.trace ?? untraced;
    this.#ledger = new Ledger(options.database);
    this.#store = new JobStore(options.database, options.onComplete);
    this.idempotency = new IdempotencyStore(options.database);
    this.#leases = new LeaseStore(options.database, options.folder.name);
    this.#runner = new JobRunner({
      ...options,
      scratch: options.folder.scratch,
      store: this.#store,
      leases: this.#leases,
    });
    const { storage, engine, folder } = options;
    this.#headers = new SegmentHeaders({ store: storage, engine, scratch: folder.scratch });
    this.#reconciler = new Reconciler({
      leases: this.#leases,
      queue: this.#runner,
      onFailure: (error) => options.log.error({ err: error }, 'jobs: the queue could not be filled'),
      everyMs: options.reconcileEveryMs,
    });
  }

  /** Takes up what a stopped or killed process left, and begins to expire. To be awaited before the first draft is written. */
  async start(): Promise<void> {
    await this.#options.folder.create();
    await this.#settleLeftBehind();
    await this.sweep();
    this.#reconciler.start();
    this.#timer = setInterval(() => {
      // One that fails is made up for by the next: a day may pass between two.
      void this.#options.folder.touch().catch(() => undefined);
      this.#sweeping = this.sweep();
    }, HOUR_MS).unref();
  }

  /**
   * Stores a checked draft, then charges for it, makes it a job of the same id, and has it rendered. When it resolves, the
   * job outlives this machine as the database and the store do. It takes the draft over, whatever the outcome: after an
   * error that leaves open whether the job exists, only the next start can tell.
   * @param claim what the request's `Idempotency-Key` is recorded with
   * @throws ApiError `insufficient_credits`; `unavailable` when the store takes nothing; `request_in_progress` when the
   *   key was lost to another request
   */
  async accept(payer: Payer, draftId: string, checked: CheckedBody, claim?: ClaimedRequest): Promise<Job> {
    return this.#trace('accept', draftId, () => this.#accept(payer, draftId, checked, claim));
  }

  async #accept(payer: Payer, draftId: string, checked: CheckedBody, claim?: ClaimedRequest): Promise<Job> {
    const { folder, retentionDays } = this.#options;
    await this.#requireCredits(payer, draftId, checked);
    const spoolBytes = await this.#storeSpool(draftId, checked);
    const createdAt = Date.now();
    const job = {
      id: draftId,
      token: newRowId(),
      organisationId: payer.organisationId,
      sendEmail: checked.sendEmail,
      total: checked.total,
      createdAt,
      expiresAt: createdAt + retentionDays * DAY_MS,
    };
    try {
      const row = { ...job, origin: payer, spoolBytes, chunks: checked.chunks, claim };
      const holding = this.#closed ? undefined : this.#runner.holding;
      await this.#trace('transaction', draftId, () => this.#store.create({ ...row, holding }));
    } catch (error) {
      if (error instanceof ApiError) {
        await this.#discard(draftId);
      }
      throw error;
    }
    const accepted: Job = {
      ...job,
      status: 'processing',
      completed: 0,
      failed: 0,
      creditsCharged: job.total,
      creditsRefunded: 0,
      headerBytes: 0,
      tailBytes: null,
      archiveBytes: null,
      tailAttempt: 0,
      failure: null,
      endedAt: null,
    };
    this.#options.onAccepted?.(accepted);
    const { organisationId } = payer;
    this.#runner.submit(checked.chunks.map((_, chunk) => ({ organisationId, jobId: draftId, chunk })));
    // What cannot be removed is found by the next start.
    await folder.drafts.remove(draftId).catch(() => undefined);
    return accepted;
  }

  /** An organisation's job; undefined when it is another's, has expired, or never was. */
  async find(organisationId: string, jobId: string): Promise<Job | undefined> {
    const job = isRowId(jobId) ? await this.#store.find('id', jobId) : undefined;
    return job?.organisationId === organisationId ? job : undefined;
  }

  /** The job of a signed URL. */
  async findByToken(token: string): Promise<Job | undefined> {
    return isRowId(token) ? this.#store.find('token', token) : undefined;
  }

  /** A complete job's archive. @throws ApiError `not_ready`. */
  async openArchive(job: Job): Promise<Archive> {
    if (job.status !== 'complete' || job.tailBytes === null || job.endedAt === null) {
      throw new ApiError('not_ready', `The job is ${job.status}; there is an archive once it is complete.`);
    }
    const tail = { attempt: job.tailAttempt, headerBytes: job.headerBytes, tailBytes: job.tailBytes };
    const parts = await this.#trace('open archive', job.id, () => archiveParts(this.#store, job.id, tail));
    const composed = composedKey(job.id, job.tailAttempt);
    const sources = { store: this.#options.storage, headers: this.#headers };
    return new Archive(sources, parts, { jobId: job.id, endedAt: job.endedAt, composed });
  }

  /** Deletes the idempotency records and the jobs that have expired by `time` (Unix milliseconds), these with their files; one that had not ended is refunded. */
  async sweep(time = Date.now()): Promise<void> {
    const { storage, log } = this.#options;
    try {
      await this.idempotency.expire(time);
      for (const id of await this.#store.expired(time)) {
        await this.#store.fail(id, 'It did not end before it expired.');
        // The rows go last: until then the next sweep knows what to delete.
        await storage.deleteAll(jobPrefix(id));
        await this.#store.remove(id);
        log.info({ jobId: id }, 'job: expired and deleted');
      }
    } catch (error) {
      log.error({ err: error }, 'jobs: the sweep was cut short');
    }
  }

  /** Looks for work that nobody does: to be called when the queue may have lost some. */
  reconcile(): void {
    this.#reconciler.lookSoon();
  }

  /** Stops taking up work and waits for the chunks under way; what is left is for others at once, or for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await Promise.all([this.#reconciler.close(), this.#runner.close(), this.#sweeping]);
    try {
      await this.#leases.releaseAll();
      await this.#options.folder.removeUnlessNeeded();
    } catch (error) {
      // The folder tells the next start whose leases to let go of; at worst they run out.
      this.#options.log.error({ err: error }, 'jobs: not all was let go of');
    }
  }

  /** Spares the store the input of a job that cannot be paid for. */
  async #requireCredits({ organisationId }: Payer, draftId: string, { total }: CheckedBody): Promise<void> {
    try {
      await this.#ledger.requireCredits(organisationId, total);
    } catch (error) {
      await this.#options.folder.drafts.remove(draftId);
      throw error;
    }
  }

  /** Before the job exists, so that whoever sees the job can render it, wherever they are. */
  async #storeSpool(jobId: string, { spoolBytes, chunks }: CheckedBody): Promise<number> {
    const { storage, folder, log } = this.#options;
    try {
      return await storeSpool(storage, { jobId, path: folder.drafts.spoolPath(jobId), spoolBytes, chunks });
    } catch (error) {
      log.error({ err: error }, 'jobs: a spool could not be stored');
      await this.#discard(jobId);
      const message = 'The service cannot store more jobs at the moment; try again later.';
      throw new ApiError('unavailable', message, {}, { 'Retry-After': '60' });
    }
  }

  /** Deletes what was received and stored for a job that does not come to be; the draft last, since it tells the next start. */
  async #discard(draftId: string, { drafts } = this.#options.folder): Promise<void> {
    const { storage } = this.#options;
    await storage.deleteAll(jobPrefix(draftId));
    await drafts.remove(draftId);
  }

  /** Lets go of what processes held that are gone, and deletes their drafts with what they had stored for those that became no job. */
  async #settleLeftBehind(): Promise<void> {
    const { folder, isSole } = this.#options;
    for (const dead of await folder.leftBehind(isSole)) {
      await this.#leases.releaseAll(dead.name);
      const ids = await dead.drafts.list();
      const jobs = await this.#store.existing(ids);
      const abandoned = ids.filter((id) => !jobs.has(id));
      await this.idempotency.releaseDrafts(abandoned);
      for (const id of abandoned) {
        await this.#discard(id, dead);
      }
      await dead.remove();
    }
  }
}
