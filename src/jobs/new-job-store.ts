/** Creates jobs. Jobs that arrive together are charged and inserted in one transaction. */

import { type ApiError, outcomeUnknown } from '../contract/errors.js';
import type { CreditMode } from '../credits/credit-mode.js';
import { chargeJobs, type Origin } from '../credits/ledger-store.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { folded } from '../database/folded.js';
import { GroupedWrites, OutcomeUnknownError, transact } from '../database/transaction.js';
import type { JobRow } from '../database/schema.js';
import { insertion } from '../database/statement.js';
import type { ChunkRange, DrawnJob } from '../engine/engine.js';
import { archiveEndKey, jobPrefix, segmentIndexKey, segmentKey, smallSpoolKey } from './files/job-files.js';
import { type ClaimedRequest, recordAnswer, requestInProgress, withdrawAnswer } from './idempotency-store.js';
import { type FoundWarning, type Job, jobFromRow, verificationColumns } from './job.js';
import { NOTHING_VERIFIED } from '../engine/verify-chunk.js';
import type { Holding, OnEnd } from './job-store.js';
import { payerRefusals } from './payer-store.js';
import type { SourcePlaces } from './source-places.js';

/** The job whose codes another makes anew. */
export interface MadeFrom {
  jobId: string;
  /** The one item that is corrected. Undefined: what was missing is made. */
  correctedItem?: number | undefined;
}

/** Bytes of blobs per INSERT, plus one blob of at most 131,072: a statement fits into the smallest packet that servers have by default. */
const BLOB_BYTES_PER_INSERT = 500_000;

export interface NewJob {
  id: string;
  token: string;
  organisationId: string;
  /** The key or the person that creates it. */
  origin: Origin;
  name?: string | undefined;
  sendEmail: boolean;
  /** The member who gets that mail. Default: the owner. */
  mailPersonId?: string | undefined;
  warnings: FoundWarning[];
  /** Number of items to read back. Default: 0. */
  verifyItems?: number | undefined;
  /** Number of items. Each costs one credit. */
  total: number;
  /** Faulty rows of a spreadsheet that were left out. Default: 0. */
  skippedRows?: number | undefined;
  sourcePlaces?: SourcePlaces | undefined;
  madeFrom?: MadeFrom | undefined;
  spoolBytes: number;
  /** In order. */
  chunks: readonly ChunkRange[];
  createdAt: number;
  expiresAt: number;
  /** The first holder of the chunks. Default: none. */
  holding?: Holding | undefined;
  /** The request's claim of its `Idempotency-Key`, if it had one. */
  claim?: ClaimedRequest | undefined;
  /** The archive, if it is already drawn: then the job is complete. */
  drawn?: DrawnJob | undefined;
}

interface Charge {
  organisationId: string;
  credits: number;
}

/** Called in the transaction that charges the organisations. */
type OnCharge = (transaction: DatabaseTransaction, charges: readonly Charge[]) => Promise<void>;

const insertJobs = insertion('jobs');
const insertChunks = insertion('chunks');
const insertBlobs = insertion('small_blobs');

export interface NewJobStoreOptions {
  /** Default: `metered`. */
  credits?: CreditMode | undefined;
  onCharge?: OnCharge | undefined;
  onEnd?: OnEnd | undefined;
}

export class NewJobStore {
  readonly #database: Database;
  readonly #options: NewJobStoreOptions;
  readonly #creations = new GroupedWrites(
    (jobs: readonly NewJob[]) => this.#createAll(jobs),
    ({ organisationId }) => organisationId,
  );

  constructor(database: Database, options: NewJobStoreOptions = {}) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * Charges for a job and creates it, in one transaction with jobs that arrive at the same time; or does nothing.
   * @throws ApiError `insufficient_credits`, `organisation_suspended`, `invalid_api_key`, `request_in_progress`,
   * `outcome_unknown`; NotCommittedError
   */
  async create(job: NewJob): Promise<void> {
    try {
      await this.#creations.add(job);
    } catch (error) {
      throw error instanceof OutcomeUnknownError ? outcomeUnknown(job.id, error) : error;
    }
  }

  /** Returns the refusals of the jobs that are not created. */
  async #createAll(jobs: readonly NewJob[]): Promise<Map<NewJob, ApiError>> {
    let accepted: readonly NewJob[] = [];
    const work = async (transaction: DatabaseTransaction) => {
      const refusals = await this.#claimAndCharge(transaction, jobs);
      accepted = jobs.filter((job) => !refusals.has(job));
      await insertJobs(transaction, accepted.map(jobRow));
      await insertChunks(transaction, accepted.flatMap(chunkRows));
      for (const rows of bySize(accepted.flatMap(blobRows))) {
        await insertBlobs(transaction, rows);
      }
      await this.#tell(transaction, accepted);
      return refusals;
    };
    return transact(this.#database, work, (transaction) => areThere(transaction, accepted));
  }

  async #tell(transaction: DatabaseTransaction, accepted: readonly NewJob[]): Promise<void> {
    const { onCharge, onEnd } = this.#options;
    if (accepted.length > 0) {
      await onCharge?.(transaction, creditsByOrganisation(accepted));
    }
    const ended = accepted.filter(({ drawn }) => drawn !== undefined);
    if (ended.length > 0) {
      await onEnd?.(transaction, ended.map(newJob));
    }
  }

  async #claimAndCharge(transaction: DatabaseTransaction, jobs: readonly NewJob[]): Promise<Map<NewJob, ApiError>> {
    const refusals = new Map<NewJob, ApiError>();
    const refusalOf = await payerRefusals(transaction, jobs);
    for (const job of jobs) {
      const refusal = refusalOf(job);
      if (refusal !== undefined) {
        refusals.set(job, refusal);
      } else if (job.claim !== undefined && !(await recordAnswer(transaction, job.claim, newJob(job)))) {
        refusals.set(job, requestInProgress());
      }
    }
    const claimed = jobs.filter((job) => !refusals.has(job));
    const charges = claimed.map(({ organisationId, id, total, origin }) => ({
      organisationId,
      jobId: id,
      credits: total,
      origin,
    }));
    // Charges come before the inserts that refer to organisations, so that the organisations are already locked then.
    const unpaid = await chargeJobs(transaction, charges, this.#options.credits);
    for (const [index, job] of claimed.entries()) {
      const refusal = unpaid[index];
      if (refusal !== undefined) {
        refusals.set(job, refusal);
        await (job.claim && withdrawAnswer(transaction, job.claim));
      }
    }
    return refusals;
  }
}

/** True when the jobs exist; all or none of them do. Waits for a commit that a server is still carrying out. */
async function areThere(transaction: DatabaseTransaction, jobs: readonly NewJob[]): Promise<boolean> {
  const [first] = jobs;
  if (first === undefined) {
    return true;
  }
  await transaction
    .updateTable('organisations')
    .set((row) => ({ balance: row.ref('balance') }))
    .where('id', '=', first.organisationId)
    .execute();
  const found = await transaction.selectFrom('jobs').select('id').where('id', '=', first.id).executeTakeFirst();
  return found !== undefined;
}

/** A job as it is right after its creation. */
export function newJob(created: NewJob): Job {
  return jobFromRow(jobRow(created));
}

function jobRow({ drawn, ...created }: NewJob): JobRow {
  const isDrawn = drawn !== undefined;
  return {
    id: created.id,
    token: created.token,
    name: created.name ?? null,
    folded_name: created.name === undefined ? null : folded(created.name),
    organisation_id: created.organisationId,
    status: isDrawn ? 'complete' : 'processing',
    send_email: created.sendEmail ? 1 : 0,
    mail_person_id: created.mailPersonId ?? null,
    warnings: created.warnings.length > 0 ? JSON.stringify(created.warnings) : null,
    verify_items: created.verifyItems ?? 0,
    ...verificationColumns(NOTHING_VERIFIED),
    total: created.total,
    completed: isDrawn ? created.total : 0,
    failed: 0,
    credits_charged: created.total,
    credits_refunded: 0,
    spool_bytes: created.spoolBytes,
    header_bytes: isDrawn ? 0 : null,
    end_bytes: isDrawn ? drawn.archiveEnd.length : null,
    archive_bytes: isDrawn ? drawn.segmentBytes + drawn.archiveEnd.length : null,
    failure: null,
    finish_attempt: 0,
    finish_worker: null,
    finish_leased_until: null,
    skipped_rows: created.skippedRows ?? 0,
    source_places: created.sourcePlaces === undefined ? null : JSON.stringify(created.sourcePlaces),
    made_from: created.madeFrom?.jobId ?? null,
    corrected_item: created.madeFrom?.correctedItem ?? null,
    created_at: created.createdAt,
    started_at: isDrawn ? created.createdAt : null,
    ended_at: isDrawn ? created.createdAt : null,
    downloaded_at: null,
    expires_at: created.expiresAt,
  };
}

function chunkRows({ id, chunks, holding, drawn }: NewJob) {
  return chunks.map((chunk, position) => ({
    job_id: id,
    position,
    status: drawn === undefined ? ('pending' as const) : ('done' as const),
    first_item: chunk.firstItem,
    item_count: chunk.itemCount,
    spool_offset: chunk.spoolOffset,
    spool_bytes: chunk.spoolBytes,
    segment_bytes: drawn?.segmentBytes ?? 0,
    index_bytes: drawn?.indexBytes ?? 0,
    readings_bytes: 0,
    entries: drawn?.entries ?? 0,
    header_bytes: drawn?.headerBytes ?? 0,
    failed_items: 0,
    attempt: holding === undefined ? 0 : 1,
    worker: holding?.worker ?? null,
    leased_until: holding?.until ?? null,
  }));
}

/** An already drawn job has one chunk, in attempt 0. */
function blobRows({ id, drawn }: NewJob) {
  const blobs: [key: string, content: Uint8Array][] =
    drawn === undefined
      ? []
      : [
          [archiveEndKey(id, 0), drawn.archiveEnd],
          [segmentIndexKey(id, 0, 0), drawn.index],
          [segmentKey(id, 0, 0), drawn.segment],
          [smallSpoolKey(id), drawn.spool],
        ];
  return blobs.map(([key, { buffer, byteOffset, byteLength }]) => ({
    job_id: id,
    name: key.slice(jobPrefix(id).length + 1),
    // As a Buffer: mysql2 sends any other array of bytes as text.
    content: Buffer.from(buffer, byteOffset, byteLength),
  }));
}

/** Groups rows by their number of bytes. */
function bySize<Row extends { content: Uint8Array }>(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  let room = 0;
  for (const row of rows) {
    if (room <= 0) {
      groups.push([]);
      room = BLOB_BYTES_PER_INSERT;
    }
    groups.at(-1)?.push(row);
    room -= row.content.length;
  }
  return groups;
}

function creditsByOrganisation(jobs: readonly NewJob[]): Charge[] {
  const credits = new Map<string, number>();
  for (const { organisationId, total } of jobs) {
    credits.set(organisationId, (credits.get(organisationId) ?? 0) + total);
  }
  return [...credits].map(([organisationId, sum]) => ({ organisationId, credits: sum }));
}
