/** Jobs with a database, a data folder, an organisation with credits, and a fake engine; it can be closed and opened again. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { Ledger } from '../../src/credits/ledger-store.js';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { LocalDispatcher } from '../../src/jobs/work/queue/local-dispatcher.js';
import type { CheckedBody, ChunkRange } from '../../src/engine/engine.js';
import { ProcessFolder } from '../../src/jobs/files/process-folder.js';
import type { Job } from '../../src/jobs/job.js';
import { Jobs, type JobsOptions } from '../../src/jobs/jobs.js';
import { verify } from '../../src/cli/verify.js';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { FileSystemStore } from '../../src/storage/file-system-store.js';
import { lineLog } from '../support/log.js';
import { type DatabaseKind, openTestDatabase } from '../support/databases.js';
import { FakeEngine } from './fake-engine.js';

const CHUNK_ITEMS = 10;

export class JobsFixture {
  readonly database: Database;
  readonly folder: string;
  readonly organisationId: string;
  readonly storage: BlobStore;
  /** Of the jobs that were made last. */
  process: ProcessFolder;
  /** Lines of the log. */
  readonly logged: string[] = [];
  /** Chunks and archive ends that were done for nothing. */
  leasesLost = 0;
  engine = new FakeEngine();
  jobs!: Jobs;
  readonly #closeDatabase: () => Promise<void>;
  readonly #ended = new Map<string, () => void>();
  readonly #others: Jobs[] = [];

  private constructor(database: Database, closeDatabase: () => Promise<void>, folder: string, organisationId: string) {
    this.database = database;
    this.#closeDatabase = closeDatabase;
    this.folder = folder;
    this.organisationId = organisationId;
    this.storage = new FileSystemStore(join(folder, 'blobs'));
    this.process = new ProcessFolder(join(folder, 'work'));
  }

  /** An organisation with 1,000 credits; the jobs are started. */
  static async open(kind: DatabaseKind): Promise<JobsFixture> {
    const { database, close } = await openTestDatabase(kind);
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-jobs-'));
    const organisations = new OrganisationStore(database);
    const organisationId = await organisations.create({ name: 'Acme', ownerEmail: 'a@example.com', credits: 1_000 });
    const fixture = new JobsFixture(database, close, folder, organisationId);
    await fixture.start();
    return fixture;
  }

  /** Starts jobs, the first or the next one on what is there. */
  async start(changes: Partial<JobsOptions> = {}): Promise<void> {
    this.jobs = new Jobs(this.options(changes));
    await this.jobs.start();
  }

  /** Jobs of another process on the same database and store, with an engine of its own; they are started, and close with the fixture. */
  async openOther(changes: Partial<JobsOptions> = {}): Promise<Jobs> {
    const folder = new ProcessFolder(join(this.folder, newRowId()));
    const engine = new FakeEngine();
    const jobs = new Jobs(this.options({ folder, engine, isOnlyProcess: false, reconcileEveryMs: 20, ...changes }));
    this.#others.push(jobs);
    await jobs.start();
    return jobs;
  }

  /** As another process has them, unless `changes` say otherwise. */
  options(changes: Partial<JobsOptions> = {}): JobsOptions {
    if (changes.folder === undefined) {
      // The jobs that were made before are dead from now on.
      this.process.release();
      this.process = new ProcessFolder(join(this.folder, 'work'));
    }
    return {
      database: this.database,
      storage: this.storage,
      engine: this.engine,
      folder: this.process,
      isOnlyProcess: true,
      dispatcher: new LocalDispatcher(3),
      retentionDays: 90,
      enterQueue: (_, store) => store(),
      retryDelaysMs: [0, 0, 0],
      log: lineLog((line) => this.logged.push(line)),
      onEnded: (jobId) => this.#ended.get(jobId)?.(),
      onLeaseLost: () => {
        this.leasesLost += 1;
      },
      ...changes,
    };
  }

  /** Submits a body of so many items, some of which are to be read back. */
  async accept(
    total: number,
    { jobs = this.jobs, organisationId = this.organisationId, verifyItems = 0 } = {},
  ): Promise<Job> {
    await this.process.create();
    const { job } = await jobs.accept(
      { organisationId },
      {
        key: undefined,
        receive: (draft) => writeFile(draft.bodyPath, 'body'),
        requireClient: () => undefined,
        check: async (draft) => {
          await writeFile(draft.spoolPath, 'spool');
          return { ...checkedBody(total), verifyItems };
        },
      },
    );
    return this.find(job.id);
  }

  /** Resolves when a job has ended. */
  async ended(jobId: string): Promise<Job> {
    const { reached, reach } = signal();
    this.#ended.set(jobId, reach);
    let job = await this.find(jobId);
    if (job.status === 'processing' || job.status === 'zipping') {
      await reached;
      job = await this.find(jobId);
    }
    return job;
  }

  async find(jobId: string): Promise<Job> {
    const job = await this.jobs.find(this.organisationId, jobId);
    if (job === undefined) {
      throw new Error(`no job ${jobId}`);
    }
    return job;
  }

  async archive(job: Job): Promise<string> {
    return text((await this.jobs.output.openArchive(job)).read());
  }

  /** Files that processes keep for themselves. */
  async leftovers(): Promise<string[]> {
    const entries = await readdir(join(this.folder, 'work'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock')).map(({ name }) => name);
  }

  balance(): Promise<number> {
    return new Ledger(this.database).balance(this.organisationId);
  }

  /** Credits of the entries of a job, in order. */
  async entries(jobId: string): Promise<[kind: string, amount: number][]> {
    const rows = await this.database
      .selectFrom('ledger_entries')
      .select(['kind', 'amount'])
      .where('job_id', '=', jobId)
      .orderBy('id')
      .execute();
    return rows.map(({ kind, amount }) => [kind, amount]);
  }

  /** Fails the test when an invariant is broken. */
  async expectSound(): Promise<void> {
    expect(await verify(this)).toEqual([]);
  }

  async close(): Promise<void> {
    await Promise.all([this.jobs, ...this.#others].map((jobs) => jobs.close()));
    await this.#closeDatabase();
    await rm(this.folder, { recursive: true });
  }
}

export function chunkRanges(total: number): ChunkRange[] {
  return Array.from({ length: Math.ceil(total / CHUNK_ITEMS) }, (_, position) => ({
    firstItem: position * CHUNK_ITEMS,
    itemCount: Math.min(CHUNK_ITEMS, total - position * CHUNK_ITEMS),
    spoolOffset: position,
    spoolBytes: 1,
  }));
}

export function checkedBody(total: number): CheckedBody {
  return {
    total,
    spoolBytes: 'spool'.length,
    chunks: chunkRanges(total),
    sendEmail: false,
    lines: [],
    warnings: [],
    actions: [],
    format: 'png',
  };
}

/** A promise and its resolver. */
export function signal(): { reached: Promise<void>; reach: () => void } {
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach };
}

/** A call that waits: `reached` resolves when it has been made, and `release` lets it go on. */
export function standstill() {
  const made = signal();
  const released = signal();
  return {
    stand: () => {
      made.reach();
      return released.reached;
    },
    reached: made.reached,
    release: () => released.reach(),
  };
}
