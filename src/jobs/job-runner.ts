/** Takes accepted jobs to their end: has the chunks rendered, finishes the archive. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatcher, Task, TaskHandler } from '../dispatch/dispatcher.js';
import type { Engine, FinishReport, RenderReport } from '../render/engine.js';
import { EngineError } from '../render/engine-error.js';
import { FarmCrashError } from '../render/farm-crash-error.js';
import type { BlobStore } from '../storage/blob-store.js';
import type { Job } from './job.js';
import { directoryKey, segmentKey, spoolKey, tailKey } from './job-files.js';
import type { ChunkResult, JobStore, SpoolPart } from './job-store.js';
import { RETRY_DELAYS_MS, Retries } from './retries.js';

/** Where the room says what an operator should know; a pino logger is one. */
export interface JobLog {
  info: (details: object, message: string) => void;
  error: (details: object, message: string) => void;
}

export interface JobRunnerOptions {
  store: JobStore;
  storage: BlobStore;
  engine: Engine;
  /** Folder for what is being written; it exists, and best lies on the storage's file system, so that a blob is moved and not copied. */
  workFolder: string;
  /** Makes the queue that hands tasks to the runner. */
  createDispatcher: (handle: TaskHandler) => Dispatcher;
  log: JobLog;
  /** Called when a job has become `complete` or `failed`, and that is committed. */
  onEnded?: (jobId: string) => void;
  /** Pauses between attempts at what may pass; `RETRY_DELAYS_MS` when absent. */
  retryDelaysMs?: readonly number[];
}

/** What people are told. */
const FAILURES = {
  nothingDrawn: 'No item could be drawn.',
  notStored: 'The pictures could not be stored.',
};

/** What follows from a failure that another attempt under the same circumstances would not change. */
type Verdict = 'try alone' | 'give up' | 'cannot be stored';

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #dispatcher: Dispatcher;
  readonly #stopping = new AbortController();
  readonly #retries: Retries;
  /** Jobs that are being taken up. */
  readonly #beginning = new Set<Promise<void>>();

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.retryDelaysMs ?? RETRY_DELAYS_MS, this.#stopping.signal);
    this.#dispatcher = options.createDispatcher((task) => this.#insist(task.jobId, () => this.#run(task)));
  }

  /** Takes up an accepted job from wherever it stands. Twice at once would be wasteful, but not wrong. */
  begin(job: Pick<Job, 'id' | 'organisationId' | 'status'>): void {
    const begun = this.#insist(job.id, () => this.#begin(job)).finally(() => this.#beginning.delete(begun));
    this.#beginning.add(begun);
  }

  /** Starts nothing more and waits for what is under way; what is left is taken up at the next start. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#dispatcher.close(), ...this.#beginning]);
  }

  /** A step that the database did not let happen is taken again: it is not the job's fault. */
  #insist(jobId: string, step: () => Promise<void>): Promise<void> {
    return this.#retries.insist(step, (error) => this.#options.log.error({ jobId, err: error }, 'job: step failed'));
  }

  async #begin({ id, organisationId, status }: Pick<Job, 'id' | 'organisationId' | 'status'>): Promise<void> {
    if (status === 'zipping') {
      this.#dispatcher.submit([{ organisationId, jobId: id }]);
      return;
    }
    const chunks = await this.#options.store.pendingChunks(id);
    this.#dispatcher.submit(chunks.map((chunk) => ({ organisationId, jobId: id, chunk })));
  }

  async #run(task: Task): Promise<void> {
    const scratch = join(this.#options.workFolder, randomBytes(12).toString('hex'));
    try {
      await (task.chunk === undefined ? this.#finish(task, scratch) : this.#render(task, task.chunk, scratch));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  async #render(task: Task, position: number, scratch: string): Promise<void> {
    const { store, log } = this.#options;
    const { jobId, organisationId } = task;
    const range = await store.pendingChunk(jobId, position);
    if (range === undefined) {
      return;
    }
    let result: ChunkResult;
    try {
      const report = await this.#retries.retry(() => this.#renderAndStore(jobId, position, range, scratch));
      if (report.failed > 0) {
        log.error({ jobId, chunk: position, failed: report.failed, failures: report.failures }, 'job: items failed');
      }
      const { completed, failed, segmentBytes } = report;
      result = { status: 'done', completed, failed, segmentBytes };
    } catch (error) {
      this.#rethrowWhenStopping(error);
      switch (verdictOn(error, task)) {
        case 'try alone':
          this.#dispatcher.submit([{ ...task, alone: true }]);
          return;
        case 'cannot be stored':
          await this.#fail(jobId, FAILURES.notStored, error);
          return;
        case 'give up':
          log.error({ jobId, chunk: position, failed: range.itemCount, err: error }, 'job: chunk failed');
          result = { status: 'failed', completed: 0, failed: range.itemCount, segmentBytes: 0 };
      }
    }
    if (await store.countChunk(jobId, position, result)) {
      this.#dispatcher.submit([{ organisationId, jobId }]);
    }
  }

  async #renderAndStore(jobId: string, position: number, part: SpoolPart, scratch: string): Promise<RenderReport> {
    const { storage, engine } = this.#options;
    const { headerBytes, ...range } = part;
    await mkdir(scratch, { recursive: true });
    const spoolPath = await storage.materialise(spoolKey(jobId), join(scratch, 'spool'), [
      { offset: 0, bytes: headerBytes },
      { offset: range.spoolOffset, bytes: range.spoolBytes },
    ]);
    const [segmentPath, directoryPath] = [join(scratch, 'segment'), join(scratch, 'directory')];
    const report = await engine.renderChunk({ ...range, spoolPath, segmentPath, directoryPath });
    await storage.adopt([
      { key: segmentKey(jobId, position), path: segmentPath },
      { key: directoryKey(jobId, position), path: directoryPath },
    ]);
    return report;
  }

  async #finish(task: Task, scratch: string): Promise<void> {
    const { store, log, onEnded } = this.#options;
    const { jobId } = task;
    const job = await store.find('id', jobId);
    if (job?.status !== 'zipping') {
      return;
    }
    if (job.completed === 0) {
      await this.#fail(jobId, FAILURES.nothingDrawn, new Error('no item could be rendered'));
      return;
    }
    let report: FinishReport;
    try {
      report = await this.#retries.retry(() => this.#finishAndStore(jobId, scratch));
    } catch (error) {
      this.#rethrowWhenStopping(error);
      if (verdictOn(error, task) === 'try alone') {
        this.#dispatcher.submit([{ ...task, alone: true }]);
      } else {
        await this.#fail(jobId, FAILURES.notStored, error);
      }
      return;
    }
    if (await store.complete(jobId, report)) {
      log.info({ jobId, total: job.total, failed: job.failed, archiveBytes: report.archiveBytes }, 'job: complete');
      onEnded?.(jobId);
    }
  }

  async #finishAndStore(jobId: string, scratch: string): Promise<FinishReport> {
    const { store, storage, engine } = this.#options;
    const chunks = await store.renderedChunks(jobId);
    await mkdir(scratch, { recursive: true });
    const parts = await Promise.all(
      chunks.map(async ({ position, segmentBytes }) => ({
        directoryPath: await storage.materialise(directoryKey(jobId, position), join(scratch, String(position))),
        segmentBytes,
      })),
    );
    const tailPath = join(scratch, 'tail');
    const report = await engine.finishArchive({ parts, tailPath });
    await storage.adopt([{ key: tailKey(jobId), path: tailPath }]);
    return report;
  }

  /** @param failure for people; the log says `reason` */
  async #fail(jobId: string, failure: string, reason: unknown): Promise<void> {
    const { store, log, onEnded } = this.#options;
    if (await store.fail(jobId, failure)) {
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
}

/** Who was under way when the farm died is suspected and runs again alone; who kills it alone, surely, is given up. */
function verdictOn(error: unknown, task: Task): Verdict {
  if (error instanceof FarmCrashError) {
    return task.alone === true && error.tasksLost === 1 ? 'give up' : 'try alone';
  }
  return error instanceof EngineError && error.code !== 'io' ? 'give up' : 'cannot be stored';
}
