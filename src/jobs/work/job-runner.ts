/** Runs accepted jobs to their end: renders the chunks and finishes the archive. */

import type { JobFailure } from '../../database/schema.js';
import type { Dispatcher, Step } from './queue/dispatcher.js';
import type { Engine } from '../../engine/engine.js';
import { NOTHING_VERIFIED } from '../../engine/verify-chunk.js';
import type { Log } from '../../platform/log.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { inJobSpan, inStepSpan, traceparent } from '../../platform/tracing/spans.js';
import { attemptKeys, isSpoolKey, jobPrefix } from '../files/job-files.js';
import type { ChunkResult, ChunkStore } from '../chunk-store.js';
import type { EndedJob } from '../job-report-store.js';
import type { ArchiveSize, ChunkLease, Holding, JobStore } from '../job-store.js';
import type { ClaimedChunk, Lease, LeaseStore } from '../lease-store.js';
import { finishArchive } from './finish-archive.js';
import { renderChunk } from './render-chunk.js';
import { HeldLeases } from './held-leases.js';
import { isDown, isFault, JobOverError, Retries, RETRY_DELAYS_MS } from './retries.js';

/** A process that is paused for longer loses its work to others. */
const LEASE_MS = 30_000;

export interface JobRunnerOptions {
  store: JobStore;
  chunks: ChunkStore;
  leases: LeaseStore;
  /** True when there is no other process: this one renders everything it accepts. */
  isOnlyProcess: boolean;
  storage: BlobStore;
  engine: Engine;
  /** Folder for temporary files. Best on the storage's file system, so that blobs are moved and not copied. */
  scratch: string;
  /** The queue of steps. Its caller passes the steps to `handle`. */
  dispatcher: Dispatcher;
  log: Log;
  /** Called after committing that a job is `complete` or `failed`; with its figures if they are at hand. */
  onEnded?: ((jobId: string, ended?: EndedJob) => void) | undefined;
  /**
   * Called when this process lost leases to another one, so that its work does not count. Once for all leases lost
   * together.
   */
  onLeaseLost?: (() => void) | undefined;
  /** Delays between attempts after temporary failures. Default: `RETRY_DELAYS_MS`. */
  retryDelaysMs?: readonly number[] | undefined;
  /** Default: `LEASE_MS`. */
  leaseMs?: number | undefined;
}

/** The segment of a chunk that was given up. */
const NO_SEGMENT = { segmentBytes: 0, indexBytes: 0, entries: 0, headerBytes: 0 };

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #stopping = new AbortController();
  readonly #retries: Retries;
  readonly #held: HeldLeases;
  #lossLoggedAt = 0;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.retryDelaysMs ?? RETRY_DELAYS_MS, this.#stopping.signal);
    this.#held = new HeldLeases(options.leases, options.leaseMs ?? LEASE_MS, (error) =>
      options.log.error({ err: error }, 'jobs: could not renew leases'),
    );
  }

  /**
   * The first holder of steps that this process submits, and the end of its lease. Undefined with a shared queue: the
   * lease would keep away the process that gets the step. Also undefined when this process is about to end.
   */
  get holding(): Holding | undefined {
    const { isOnlyProcess, leases } = this.#options;
    return isOnlyProcess && !this.#stopping.signal.aborted
      ? { worker: leases.worker, until: this.#held.end }
      : undefined;
  }

  /** Queues steps. Submitting one twice is wasteful but harmless. */
  submit(steps: readonly Step[]): void {
    const here = traceparent();
    this.#options.dispatcher.submit(here === undefined ? steps : steps.map((step) => ({ traceparent: here, ...step })));
  }

  /** Starts no more steps and waits for the running ones. The rest is left to other processes or the next start. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#options.dispatcher.close();
    await this.#held.close();
  }

  /** Handles a step in a span of its trace. Retries it when the database fails: that is not the job's fault. */
  handle(step: Step): Promise<number | undefined> {
    const { log } = this.#options;
    const { jobId, chunk } = step;
    const [name, attributes] = chunk === undefined ? ['finish', {}] : ['chunk', { 'qrpress.chunk': chunk }];
    return inStepSpan(name, { 'qrpress.job.id': jobId, ...attributes }, step.traceparent, async (span) => {
      const retryAt = await this.#retries.retryForever(
        () => this.#run(step),
        (error) => log.error({ jobId, chunk, err: error }, 'job: step failed'),
      );
      span.setAttribute('qrpress.postponed', retryAt !== undefined);
      return retryAt;
    });
  }

  async #run(step: Step): Promise<number | undefined> {
    const { leases } = this.#options;
    const { jobId, chunk: position } = step;
    if (position === undefined) {
      return this.#held.run(
        step,
        (until) => inJobSpan('claim', jobId, () => leases.claimFinish(jobId, until)),
        ({ attempt }) => this.#finish({ jobId, attempt }),
      );
    }
    return this.#held.run(
      step,
      (until) => inJobSpan('claim', jobId, () => leases.claimChunk(jobId, position, until)),
      (chunk) => this.#render(step, position, chunk),
    );
  }

  /** Resolves with the time of a retry when the engine is down. */
  async #render(step: Step, position: number, chunk: ClaimedChunk): Promise<number | undefined> {
    const { store, log } = this.#options;
    const { jobId, organisationId } = step;
    const lease: ChunkLease = { jobId, chunk: position, attempt: chunk.attempt };
    const startedAt = Date.now();
    let result: ChunkResult;
    try {
      const report = await this.#retries.retry(
        () => this.#unlessOver(lease, () => renderChunk(this.#options, jobId, position, chunk, this.#stopping.signal)),
        (error) => log.warn({ jobId, chunk: position, err: error }, 'job: chunk will be tried again'),
      );
      if (report.failed > 0) {
        log.error({ jobId, chunk: position, failed: report.failed, failures: report.failures }, 'job: items failed');
      }
      const { completed, failed, verification, readingsBytes } = report;
      result = { status: 'done', completed, failed, segment: report, verification, readingsBytes, startedAt };
    } catch (error) {
      const ended = await this.#endWithoutVerdict(lease, error);
      if (ended !== undefined) {
        return ended.retryAt;
      }
      if (!isFault(error)) {
        await this.#fail(lease, 'not_stored', error);
        return undefined;
      }
      log.error({ jobId, chunk: position, failed: chunk.itemCount, err: error }, 'job: chunk failed');
      result = {
        status: 'failed',
        completed: 0,
        failed: chunk.itemCount,
        segment: NO_SEGMENT,
        verification: NOTHING_VERIFIED,
        readingsBytes: 0,
        startedAt,
      };
    }
    switch (await inJobSpan('count', jobId, () => store.countChunk(lease, result, this.holding))) {
      case 'last':
        // Keeps the end of the job in the same trace as its chunks.
        this.submit([{ organisationId, jobId, ...(step.traceparent && { traceparent: step.traceparent }) }]);
        break;
      case 'refused':
        await this.#discardAttempt(lease);
        break;
      case 'counted':
    }
    if (chunk.attempt > 1) {
      await this.#discardEarlier(lease);
    }
    return undefined;
  }

  /** Resolves with the time of a retry when the engine is down. */
  async #finish(lease: Lease): Promise<number | undefined> {
    const { store, log, onEnded } = this.#options;
    const { jobId, attempt } = lease;
    const job = await store.find('id', jobId);
    if (job === undefined) {
      return undefined;
    }
    if (job.completed === 0) {
      await this.#fail(lease, 'nothing_drawn', new Error('no item could be rendered'));
      return undefined;
    }
    let size: ArchiveSize;
    try {
      size = await this.#retries.retry(
        () => this.#unlessOver(lease, () => finishArchive(this.#options, lease)),
        (error) => log.warn({ jobId, err: error }, 'job: the end of its archive will be tried again'),
      );
    } catch (error) {
      const ended = await this.#endWithoutVerdict(lease, error);
      if (ended === undefined) {
        await this.#fail(lease, 'not_stored', error);
      }
      return ended?.retryAt;
    }
    if (await inJobSpan('complete', jobId, () => store.complete(lease, size))) {
      log.info({ jobId, total: job.total, failed: job.failed, archiveBytes: size.archiveBytes }, 'job: complete');
      onEnded?.(jobId);
    } else {
      await this.#discardAttempt(lease);
    }
    if (attempt > 1) {
      await this.#discardEarlier(lease);
    }
    return undefined;
  }

  /** Runs `work`. If it fails after the job was deleted or ended, throws a JobOverError instead. @throws JobOverError */
  async #unlessOver<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if ((await this.#options.leases.attemptState(lease)) === 'over') {
        throw new JobOverError('the job was deleted, cancelled or failed', { cause: error });
      }
      throw error;
    }
  }

  /** Deletes the files of an attempt whose outcome was refused. If the job was deleted, nobody else knows that there are any. */
  async #discardAttempt(lease: Lease): Promise<void> {
    const { jobId, chunk } = lease;
    await this.#retries.retry(
      () => this.#discardUnlessLatest(lease),
      (error) => this.#options.log.warn({ jobId, chunk, err: error }, 'job: its refused files will be deleted later'),
    );
  }

  /** Leaves the files of the attempt that counts: the database's answer may have been lost. */
  async #discardUnlessLatest(lease: Lease): Promise<void> {
    const { store, leases, storage } = this.#options;
    const state = await leases.attemptState(lease);
    if (state === 'over') {
      const job = await store.find('id', lease.jobId);
      const isKept = job !== undefined && job.failure !== 'cancelled';
      await (isKept ? this.#deleteOutput(lease.jobId) : storage.deleteAll(jobPrefix(lease.jobId)));
    } else if (state === 'overtaken') {
      this.#reportLoss(lease);
      await storage.delete(attemptKeys(lease));
    }
  }

  /** Deletes the files of a cancelled job, its input too. Files that cannot be deleted now stay until the job expires. */
  async discardFiles(jobId: string): Promise<void> {
    await this.#discard(jobId, this.#options.storage.deleteAll(jobPrefix(jobId)));
  }

  /**
   * Deletes what was drawn of a failed job, which nobody can download. Its input stays: the job can be made again. A chunk that is
   * being drawn deletes its own files when it ends. Files that cannot be deleted now stay until the job expires.
   */
  async #discardOutput(jobId: string): Promise<void> {
    await this.#discard(jobId, this.#deleteOutput(jobId));
  }

  async #discard(jobId: string, deletion: Promise<void>): Promise<void> {
    const { log } = this.#options;
    await deletion.catch((error: unknown) =>
      log.error({ jobId, err: error }, 'job: could not delete the files of a failed job'),
    );
  }

  async #deleteOutput(jobId: string): Promise<void> {
    const { storage } = this.#options;
    const keys: string[] = [];
    for await (const { key } of storage.list(jobPrefix(jobId))) {
      if (!isSpoolKey(key)) {
        keys.push(key);
      }
    }
    await storage.delete(keys);
  }

  /** Logs lost leases: once for all that were lost together. */
  #reportLoss({ jobId, chunk }: Lease): void {
    const { log, onLeaseLost, leaseMs = LEASE_MS } = this.#options;
    const now = Date.now();
    if (now - this.#lossLoggedAt >= leaseMs) {
      this.#lossLoggedAt = now;
      log.warn(
        { jobId, chunk },
        'jobs: lost leases: another process took over this work (this process was paused, or a clock is wrong)',
      );
      onLeaseLost?.();
    }
  }

  /** Deletes files that interrupted earlier attempts may have left. */
  async #discardEarlier({ attempt, ...lease }: Lease): Promise<void> {
    const earlier = Array.from({ length: attempt - 1 }, (_, index) => attemptKeys({ ...lease, attempt: index + 1 }));
    await this.#options.storage.delete(earlier.flat());
  }

  /** @param reason for the log */
  async #fail(lease: Lease, failure: JobFailure, reason: unknown): Promise<void> {
    const { store, log, onEnded } = this.#options;
    const { jobId } = lease;
    if (await store.fail(jobId, failure, { lease })) {
      log.error({ jobId, err: reason }, 'job: failed, its credits were returned');
      onEnded?.(jobId);
      await this.#discardOutput(jobId);
    }
  }

  /**
   * Ends a step that failed while the engine is down or after its job was over. Undefined for other failures. While the process
   * stops a failure says nothing about the job, which is left for the next start. @throws the error then
   */
  async #endWithoutVerdict(lease: Lease, error: unknown): Promise<{ retryAt: number | undefined } | undefined> {
    if (this.#stopping.signal.aborted) {
      throw error;
    }
    if (isDown(error)) {
      return { retryAt: this.#retries.firstAt };
    }
    if (error instanceof JobOverError) {
      await this.#discardAttempt(lease);
      return { retryAt: undefined };
    }
    return undefined;
  }
}
