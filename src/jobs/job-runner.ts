/** Takes accepted jobs to their end: has the chunks rendered, finishes the archive. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatcher, Task, TaskHandler } from '../dispatch/dispatcher.js';
import type { Engine, RenderReport } from '../render/engine.js';
import { EngineError } from '../render/engine-error.js';
import { FarmCrashError } from '../render/farm-crash-error.js';
import type { BlobStore } from '../storage/blob-store.js';
import { ArchiveFinisher } from './archive-finisher.js';
import { Gate } from './gate.js';
import { HeldLeases } from './held-leases.js';
import { composedKey, directoryKey, jobPrefix, segmentKey, tailKey } from './job-files.js';
import type { ArchiveSize, ChunkLease, ChunkResult, Holding, JobStore } from './job-store.js';
import type { ClaimedChunk, Lease, LeaseStore } from './lease-store.js';
import { RETRY_DELAYS_MS, Retries } from './retries.js';
import { chunkSpool } from './spool-blobs.js';
import { type Trace, untraced } from './trace.js';

/** How long a process may stand still before others take its work over. */
const LEASE_MS = 30_000;

/** Where the room says what an operator should know; a pino logger is one. */
export interface JobLog {
  info: (details: object, message: string) => void;
  error: (details: object, message: string) => void;
}

export interface JobRunnerOptions {
  store: JobStore;
  leases: LeaseStore;
  /** Whether there is no other process: this one renders what it accepts, and whatever it finds is its own. */
  isSole: boolean;
  storage: BlobStore;
  engine: Engine;
  /** Folder for what is being written; it best lies on the storage's file system, so that a blob is moved and not copied. */
  scratch: string;
  /** Makes the queue that hands tasks to the runner. */
  createDispatcher: (handle: TaskHandler) => Dispatcher;
  log: JobLog;
  /** Called when a job has become `complete` or `failed`, and that is committed. */
  onEnded?: (jobId: string) => void;
  /** Called when work was done here that counts no more, since its lease had gone to another process. */
  onLeaseLost?: () => void;
  /** Who is told of steps; nobody when absent. */
  trace?: Trace | undefined;
  /** Pauses between attempts at what may pass; `RETRY_DELAYS_MS` when absent. */
  retryDelaysMs?: readonly number[];
  /** `LEASE_MS` when absent. */
  leaseMs?: number;
}

/** What people are told. */
const FAILURES = {
  nothingDrawn: 'No item could be drawn.',
  notStored: 'The pictures could not be stored.',
};

/** Of a chunk that was given up. */
const NO_SEGMENT = { segmentBytes: 0, directoryBytes: 0, entries: 0, headerBytes: 0 };

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #trace: Trace;
  readonly #dispatcher: Dispatcher;
  readonly #stopping = new AbortController();
  readonly #retries: Retries;
  readonly #held: HeldLeases;
  readonly #finisher: ArchiveFinisher;
  /** Around the farm: a chunk that is suspected of having killed it is rendered alone. */
  readonly #gate = new Gate();

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#trace = options.trace ?? untraced;
    this.#retries = new Retries(options.retryDelaysMs ?? RETRY_DELAYS_MS, this.#stopping.signal);
    this.#held = new HeldLeases(options.leases, options.leaseMs ?? LEASE_MS, (error) =>
      options.log.error({ err: error }, 'jobs: leases were not renewed'),
    );
    this.#finisher = new ArchiveFinisher(options);
    this.#dispatcher = options.createDispatcher((task) => this.#insist(task));
  }

  /**
   * Who holds from the start what this process submits, and until when. Nobody where the queue is shared: a lease of this
   * process would keep away whoever is handed the task.
   */
  get holding(): Holding | undefined {
    const { isSole, leases } = this.#options;
    return isSole ? { worker: leases.worker, until: this.#held.end } : undefined;
  }

  /** Queues what is to be done. Twice would be wasteful, but not wrong. */
  submit(tasks: readonly Task[]): void {
    this.#dispatcher.submit(tasks);
  }

  /** Resolves when what was submitted is queued, or lost. */
  async sent(): Promise<void> {
    await this.#dispatcher.sent();
  }

  /** Starts nothing more and waits for what is under way; what is left is for others, or for the next start. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#dispatcher.close();
  }

  /** A step that the database did not let happen is taken again: it is not the job's fault. */
  async #insist(task: Task): Promise<number | undefined> {
    let comeAgainAt: number | undefined;
    const step = async () => {
      comeAgainAt = await this.#run(task);
    };
    const { log } = this.#options;
    await this.#retries.insist(step, (error) => log.error({ jobId: task.jobId, err: error }, 'job: step failed'));
    return comeAgainAt;
  }

  async #run(task: Task): Promise<number | undefined> {
    const { leases } = this.#options;
    const { jobId, chunk: position } = task;
    if (position === undefined) {
      return this.#held.under(
        task,
        (until) => this.#trace('claim', jobId, () => leases.claimTail(jobId, until)),
        ({ attempt }) => this.#withScratch((scratch) => this.#finish({ jobId, attempt }, scratch)),
      );
    }
    return this.#held.under(
      task,
      (until) => this.#trace('claim', jobId, () => leases.claimChunk(jobId, position, until)),
      (chunk) => this.#withScratch((scratch) => this.#render(task, position, chunk, scratch)),
    );
  }

  async #withScratch(work: (scratch: string) => Promise<void>): Promise<void> {
    const scratch = join(this.#options.scratch, randomBytes(12).toString('hex'));
    try {
      await work(scratch);
    } finally {
      // What was made has been moved from it, unless something went wrong or its input came from a bucket.
      await rmdir(scratch).catch(() => rm(scratch, { recursive: true, force: true }));
    }
  }

  async #render(task: Task, position: number, chunk: ClaimedChunk, scratch: string): Promise<void> {
    const { store, log } = this.#options;
    const { jobId, organisationId, traceparent } = task;
    const lease: ChunkLease = { jobId, chunk: position, attempt: chunk.attempt };
    let result: ChunkResult;
    try {
      const report = await this.#inFarm(() => this.#renderAndStore(jobId, position, chunk, scratch));
      if (report.failed > 0) {
        log.error({ jobId, chunk: position, failed: report.failed, failures: report.failures }, 'job: items failed');
      }
      const { completed, failed } = report;
      result = { status: 'done', completed, failed, segment: report };
    } catch (error) {
      this.#rethrowWhenStopping(error);
      if (!isFault(error)) {
        await this.#fail(lease, FAILURES.notStored, error);
        return;
      }
      log.error({ jobId, chunk: position, failed: chunk.itemCount, err: error }, 'job: chunk failed');
      result = { status: 'failed', completed: 0, failed: chunk.itemCount, segment: NO_SEGMENT };
    }
    switch (await this.#trace('count', jobId, () => store.countChunk(lease, result, this.holding))) {
      case 'last':
        this.#dispatcher.submit([{ organisationId, jobId, traceparent }]);
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
    { attempt, firstItem, itemCount, ...place }: ClaimedChunk,
    scratch: string,
  ): Promise<RenderReport> {
    const { storage, engine } = this.#options;
    await mkdir(scratch, { recursive: true });
    const { key, ranges, spoolOffset } = chunkSpool(jobId, position, place);
    const spoolPath = await storage.materialise(key, join(scratch, 'spool'), ranges);
    const [segmentPath, directoryPath] = [join(scratch, 'segment'), join(scratch, 'directory')];
    const report = await engine.renderChunk({
      firstItem,
      itemCount,
      spoolOffset,
      spoolBytes: place.spoolBytes,
      spoolPath,
      segmentPath,
      directoryPath,
    });
    await storage.adopt([
      { key: segmentKey(jobId, position, attempt), path: segmentPath },
      { key: directoryKey(jobId, position, attempt), path: directoryPath },
    ]);
    return report;
  }

  async #finish(lease: Lease, scratch: string): Promise<void> {
    const { store, log, onEnded } = this.#options;
    const { jobId, attempt } = lease;
    const job = await store.find('id', jobId);
    if (job === undefined) {
      return;
    }
    if (job.completed === 0) {
      await this.#fail(lease, FAILURES.nothingDrawn, new Error('no item could be rendered'));
      return;
    }
    let size: ArchiveSize;
    try {
      size = await this.#inFarm(() => this.#finisher.finish(lease, scratch));
    } catch (error) {
      this.#rethrowWhenStopping(error);
      await this.#fail(lease, FAILURES.notStored, error);
      return;
    }
    await this.#compose(lease, size);
    if (await this.#trace('complete', jobId, () => store.complete(lease, size))) {
      log.info({ jobId, total: job.total, failed: job.failed, archiveBytes: size.archiveBytes }, 'job: complete');
      onEnded?.(jobId);
    } else {
      await this.#discardAttempt(lease);
    }
    if (attempt > 1) {
      await this.#discardEarlier(lease);
    }
  }

  /** Without one blob of it all the archive is streamed, so the job does not depend on it. */
  async #compose(lease: Lease, size: ArchiveSize): Promise<void> {
    try {
      await this.#finisher.compose(lease, size);
    } catch (error) {
      this.#rethrowWhenStopping(error);
      const message = 'job: its archive is not one object, and will be streamed';
      this.#options.log.error({ jobId: lease.jobId, err: error }, message);
    }
  }

  /** Whoever was under way when the farm died is suspected, and runs again alone; what then kills it, surely, is not tried again. */
  async #inFarm<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#gate.beside(() => this.#retries.retry(work));
    } catch (error) {
      this.#rethrowUnlessSuspected(error);
    }
    for (;;) {
      try {
        return await this.#gate.alone(() => this.#retries.retry(work));
      } catch (error) {
        this.#rethrowUnlessSuspected(error);
        if ((error as FarmCrashError).tasksLost === 1) {
          throw error;
        }
      }
    }
  }

  /** Deletes what an attempt wrote whose outcome was refused. It may be this very attempt that counts, where the answer got lost. */
  async #discardAttempt(lease: Lease): Promise<void> {
    const { store, storage, onLeaseLost } = this.#options;
    const standing = await store.standingOf(lease);
    if (standing === 'deleted') {
      await storage.deleteAll(jobPrefix(lease.jobId));
    } else if (standing === 'overtaken') {
      onLeaseLost?.();
      await storage.delete(keysOf(lease));
    }
  }

  /** Deletes what earlier attempts may have left that were cut off. */
  async #discardEarlier({ attempt, ...lease }: Lease): Promise<void> {
    const earlier = Array.from({ length: attempt - 1 }, (_, index) => keysOf({ ...lease, attempt: index + 1 }));
    await this.#options.storage.delete(earlier.flat());
  }

  /** @param failure for people; the log says `reason` */
  async #fail(lease: Lease, failure: string, reason: unknown): Promise<void> {
    const { store, log, onEnded } = this.#options;
    const { jobId } = lease;
    if (await store.fail(jobId, failure, lease)) {
      log.error({ jobId, err: reason }, 'job: failed, its credits were returned');
      onEnded?.(jobId);
    }
  }

  /** What fails on the way down says nothing about the job, and is left for the next start. */
  #rethrowWhenStopping(error: unknown): void {
    if (this.#stopping.signal.aborted) {
      throw error;
    }
  }

  #rethrowUnlessSuspected(error: unknown): void {
    this.#rethrowWhenStopping(error);
    if (!(error instanceof FarmCrashError)) {
      throw error;
    }
  }
}

/** Whether a chunk is at fault for a failure, and not the storage. */
function isFault(error: unknown): boolean {
  return error instanceof FarmCrashError || (error instanceof EngineError && error.code !== 'io');
}

/** What an attempt writes. */
function keysOf({ jobId, chunk, attempt }: Lease): string[] {
  return chunk === undefined
    ? [tailKey(jobId, attempt), composedKey(jobId, attempt)]
    : [segmentKey(jobId, chunk, attempt), directoryKey(jobId, chunk, attempt)];
}
