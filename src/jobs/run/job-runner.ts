/** Takes accepted jobs to their end: has the chunks rendered, finishes the archive. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobFailure } from '../../database/schema.js';
import type { Dispatcher, Task } from '../../dispatch/dispatcher.js';
import type { Engine, RenderReport } from '../../engine/engine.js';
import { EngineError } from '../../engine/engine-error.js';
import { NOTHING_VERIFIED, type Verification, verifyChunk } from '../../engine/verify-chunk.js';
import type { Log } from '../../log.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { jobStep, taskSpan, traceparent } from '../../tracing/spans.js';
import { archiveEndKey, jobPrefix, segmentIndexKey, segmentKey } from '../files/job-files.js';
import { chunkSpool } from '../files/spool-blobs.js';
import type { EndedJob } from '../job-figures-store.js';
import type { ArchiveSize, ChunkLease, ChunkResult, Holding, JobStore } from '../job-store.js';
import type { ClaimedChunk, Lease, LeaseStore } from '../lease-store.js';
import { ArchiveFinisher } from './archive-finisher.js';
import { HeldLeases } from './held-leases.js';
import { JobDeletedError, RETRY_DELAYS_MS, Retries } from './retries.js';

/** A process that stands still for longer loses its work to others. */
const LEASE_MS = 30_000;

export interface JobRunnerOptions {
  store: JobStore;
  leases: LeaseStore;
  /** True where there is no other process: this one renders all that it accepts, and all that it finds is its own. */
  isSole: boolean;
  storage: BlobStore;
  engine: Engine;
  /** Folder for what is being written; it best lies on the storage's file system, so that a blob is moved and not copied. */
  scratch: string;
  /** The queue of tasks; who starts it hands them to `handle`. */
  dispatcher: Dispatcher;
  log: Log;
  /** Called when a job has become `complete` or `failed`, and that is committed; with how, where that is at hand. */
  onEnded?: (jobId: string, ended?: EndedJob) => void;
  /** Called when work was done here that counts no more, since its lease had gone to another process; once for all that was in hand together. */
  onLeaseLost?: () => void;
  /** Pauses between attempts at what may pass; `RETRY_DELAYS_MS` when absent. */
  retryDelaysMs?: readonly number[];
  /** `LEASE_MS` when absent. */
  leaseMs?: number;
}

/** Of a chunk that was given up. */
const NO_SEGMENT = { segmentBytes: 0, indexBytes: 0, entries: 0, headerBytes: 0 };

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #stopping = new AbortController();
  readonly #retries: Retries;
  readonly #held: HeldLeases;
  readonly #finisher: ArchiveFinisher;
  #lossToldAt = 0;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.retryDelaysMs ?? RETRY_DELAYS_MS, this.#stopping.signal);
    this.#held = new HeldLeases(options.leases, options.leaseMs ?? LEASE_MS, (error) =>
      options.log.error({ err: error }, 'jobs: leases were not renewed'),
    );
    this.#finisher = new ArchiveFinisher(options);
  }

  /**
   * The first holder of the tasks that this process submits, and the end of its lease. Nobody where the queue is shared: a lease of this
   * process would keep away whoever is handed the task. Nobody either when this process is about to end.
   */
  get holding(): Holding | undefined {
    const { isSole, leases } = this.#options;
    return isSole && !this.#stopping.signal.aborted ? { worker: leases.worker, until: this.#held.end } : undefined;
  }

  /** Queues what is to be done. Twice would be wasteful, but not wrong. */
  submit(tasks: readonly Task[]): void {
    const here = traceparent();
    this.#options.dispatcher.submit(here === undefined ? tasks : tasks.map((task) => ({ traceparent: here, ...task })));
  }

  /** Resolves when what was submitted is queued, or lost. */
  async sent(): Promise<void> {
    await this.#options.dispatcher.sent();
  }

  /** Starts nothing more and waits for what is under way; what is left is for others, or for the next start. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#options.dispatcher.close();
  }

  /** Does a task in a span of the trace that it belongs to. */
  handle(task: Task): Promise<number | undefined> {
    const { jobId, chunk } = task;
    const [name, attributes] = chunk === undefined ? ['finish', {}] : ['chunk', { 'qrpress.chunk': chunk }];
    return taskSpan(name, { 'qrpress.job.id': jobId, ...attributes }, task.traceparent, async (span) => {
      const comeAgainAt = await this.#retryForever(task);
      span.setAttribute('qrpress.postponed', comeAgainAt !== undefined);
      return comeAgainAt;
    });
  }

  /** A step that the database did not let happen is taken again: it is not the job's fault. */
  async #retryForever(task: Task): Promise<number | undefined> {
    let comeAgainAt: number | undefined;
    const step = async () => {
      comeAgainAt = await this.#run(task);
    };
    const { log } = this.#options;
    await this.#retries.retryForever(step, (error) => log.error({ jobId: task.jobId, err: error }, 'job: step failed'));
    return comeAgainAt;
  }

  async #run(task: Task): Promise<number | undefined> {
    const { leases } = this.#options;
    const { jobId, chunk: position } = task;
    if (position === undefined) {
      return this.#held.under(
        task,
        (until) => jobStep('claim', jobId, () => leases.claimFinish(jobId, until)),
        ({ attempt }) => this.#withScratch((scratch) => this.#finish({ jobId, attempt }, scratch)),
      );
    }
    return this.#held.under(
      task,
      (until) => jobStep('claim', jobId, () => leases.claimChunk(jobId, position, until)),
      (chunk) => this.#withScratch((scratch) => this.#render(task, position, chunk, scratch)),
    );
  }

  async #withScratch(work: (scratch: string) => Promise<void>): Promise<void> {
    const scratch = join(this.#options.scratch, randomBytes(12).toString('hex'));
    try {
      await work(scratch);
    } finally {
      // It is empty, unless something went wrong or its input came from a bucket.
      await rmdir(scratch).catch(() => rm(scratch, { recursive: true, force: true }));
    }
  }

  async #render(task: Task, position: number, chunk: ClaimedChunk, scratch: string): Promise<void> {
    const { store, log } = this.#options;
    const { jobId, organisationId } = task;
    const lease: ChunkLease = { jobId, chunk: position, attempt: chunk.attempt };
    let result: ChunkResult;
    try {
      const report = await this.#retries.retry(() =>
        this.#unlessDeleted(lease, () => this.#renderAndStore(jobId, position, chunk, scratch)),
      );
      if (report.failed > 0) {
        log.error({ jobId, chunk: position, failed: report.failed, failures: report.failures }, 'job: items failed');
      }
      const { completed, failed, verification } = report;
      result = { status: 'done', completed, failed, segment: report, verification };
    } catch (error) {
      this.#rethrowWhenStopping(error);
      if (error instanceof JobDeletedError) {
        await this.#discardAttempt(lease);
        return;
      }
      if (!isFault(error)) {
        await this.#fail(lease, 'not_stored', error);
        return;
      }
      log.error({ jobId, chunk: position, failed: chunk.itemCount, err: error }, 'job: chunk failed');
      result = {
        status: 'failed',
        completed: 0,
        failed: chunk.itemCount,
        segment: NO_SEGMENT,
        verification: NOTHING_VERIFIED,
      };
    }
    switch (await jobStep('count', jobId, () => store.countChunk(lease, result, this.holding))) {
      case 'last':
        // The end of the job belongs beside its chunks.
        this.submit([{ organisationId, jobId, ...(task.traceparent && { traceparent: task.traceparent }) }]);
        break;
      case 'refused':
        await this.#discardAttempt(lease);
        break;
      case 'counted':
    }
    if (chunk.attempt > 1) {
      await this.#discardEarlier(lease);
    }
  }

  async #renderAndStore(
    jobId: string,
    position: number,
    { attempt, firstItem, itemCount, total, verifyItems, ...place }: ClaimedChunk,
    scratch: string,
  ): Promise<RenderReport & { verification: Verification }> {
    const { storage, engine } = this.#options;
    await mkdir(scratch, { recursive: true });
    const { key, ranges, spoolOffset } = chunkSpool(jobId, position, place);
    const spoolPath = await storage.materialise(key, join(scratch, 'spool'), ranges);
    const [segmentPath, indexPath] = [join(scratch, 'segment'), join(scratch, 'index')];
    const proofsPath = verifyItems > 0 ? join(scratch, 'proofs') : undefined;
    const report = await engine.renderChunk({
      firstItem,
      itemCount,
      spoolOffset,
      spoolBytes: place.spoolBytes,
      spoolPath,
      segmentPath,
      indexPath,
      ...(proofsPath !== undefined && { proofs: { path: proofsPath, items: verifyItems, total } }),
    });
    await storage.adopt([
      { key: segmentKey(jobId, position, attempt), path: segmentPath },
      { key: segmentIndexKey(jobId, position, attempt), path: indexPath },
    ]);
    return { ...report, verification: await this.#verify(jobId, position, proofsPath) };
  }

  /** Where a reader fails, the pictures are as good as they were: the chunk is done, with nothing read back. */
  async #verify(jobId: string, position: number, proofsPath: string | undefined): Promise<Verification> {
    try {
      return await verifyChunk(this.#options.engine, proofsPath);
    } catch (error) {
      this.#rethrowWhenStopping(error);
      this.#options.log.error({ jobId, chunk: position, err: error }, 'job: codes were not read back');
      return NOTHING_VERIFIED;
    }
  }

  async #finish(lease: Lease, scratch: string): Promise<void> {
    const { store, log, onEnded } = this.#options;
    const { jobId, attempt } = lease;
    const job = await store.find('id', jobId);
    if (job === undefined) {
      return;
    }
    if (job.completed === 0) {
      await this.#fail(lease, 'nothing_drawn', new Error('no item could be rendered'));
      return;
    }
    let size: ArchiveSize;
    try {
      size = await this.#retries.retry(() => this.#unlessDeleted(lease, () => this.#finisher.finish(lease, scratch)));
    } catch (error) {
      this.#rethrowWhenStopping(error);
      if (error instanceof JobDeletedError) {
        await this.#discardAttempt(lease);
        return;
      }
      await this.#fail(lease, 'not_stored', error);
      return;
    }
    if (await jobStep('complete', jobId, () => store.complete(lease, size))) {
      log.info({ jobId, total: job.total, failed: job.failed, archiveBytes: size.archiveBytes }, 'job: complete');
      onEnded?.(jobId);
    } else {
      await this.#discardAttempt(lease);
    }
    if (attempt > 1) {
      await this.#discardEarlier(lease);
    }
  }

  /** Does `work`; a failure of it that comes from the job's deletion is told as such. @throws JobDeletedError */
  async #unlessDeleted<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if ((await this.#options.store.standingOf(lease)) === 'deleted') {
        throw new JobDeletedError('the job was deleted', { cause: error });
      }
      throw error;
    }
  }

  /** Deletes what an attempt wrote whose outcome was refused. It may be this very attempt that counts, where the answer got lost. */
  async #discardAttempt(lease: Lease): Promise<void> {
    const { store, storage } = this.#options;
    const standing = await store.standingOf(lease);
    if (standing === 'deleted') {
      await storage.deleteAll(jobPrefix(lease.jobId));
    } else if (standing === 'overtaken') {
      this.#tellOfLoss(lease);
      await storage.delete(keysOf(lease));
    }
  }

  /** A process that stood still loses all that it had in hand, which is told once. */
  #tellOfLoss({ jobId, chunk }: Lease): void {
    const { log, onLeaseLost, leaseMs = LEASE_MS } = this.#options;
    const now = Date.now();
    if (now - this.#lossToldAt >= leaseMs) {
      this.#lossToldAt = now;
      log.warn(
        { jobId, chunk },
        'jobs: another process took over work of this one, which stood still, or whose clock is wrong',
      );
      onLeaseLost?.();
    }
  }

  /** Deletes what earlier attempts may have left that were cut off. */
  async #discardEarlier({ attempt, ...lease }: Lease): Promise<void> {
    const earlier = Array.from({ length: attempt - 1 }, (_, index) => keysOf({ ...lease, attempt: index + 1 }));
    await this.#options.storage.delete(earlier.flat());
  }

  /** @param reason for the log */
  async #fail(lease: Lease, failure: JobFailure, reason: unknown): Promise<void> {
    const { store, log, onEnded } = this.#options;
    const { jobId } = lease;
    if (await store.fail(jobId, failure, lease)) {
      log.error({ jobId, err: reason }, 'job: failed, its credits were returned');
      onEnded?.(jobId);
    }
  }

  /** A failure while the process stops says nothing about the job, which is left for the next start. */
  #rethrowWhenStopping(error: unknown): void {
    if (this.#stopping.signal.aborted) {
      throw error;
    }
  }
}

/** True where the chunk is at fault for a failure, and not the storage. */
function isFault(error: unknown): boolean {
  return error instanceof EngineError && error.code !== 'io';
}

/** Keys of the files that an attempt writes. */
function keysOf({ jobId, chunk, attempt }: Lease): string[] {
  return chunk === undefined
    ? [archiveEndKey(jobId, attempt)]
    : [segmentKey(jobId, chunk, attempt), segmentIndexKey(jobId, chunk, attempt)];
}
