/** Reports on jobs, for people and metrics: jobs and queue of the whole service, and details of one job. */

import type { NotNull } from 'kysely';
import type { Database } from '../database/connection.js';
import type { SegmentPlace } from './files/rendered-items.js';
import { type Job, jobFromRow } from './job.js';
import type { JobMaker } from './job-list-store.js';

/** Maximum number of listed gaps: a page has no room for more. */
const MAX_GAPS = 20;

/** Maximum number of listed jobs that make missing codes, and of those that correct a code. */
const [MAX_REMADE, MAX_CORRECTIONS] = [10, 100];

/** Maximum number of jobs whose codes are read to take the place of others: each is some milliseconds. */
export const MOST_TAKEN = 500;

/** Unfinished work in the whole service. */
export interface QueueReport {
  /** Jobs by their state. */
  processing: number;
  zipping: number;
  /** Items without an outcome. */
  items: number;
  /** Chunks without an outcome. */
  chunks: number;
  /** Age in seconds of the oldest job with such a chunk; 0 when there is none. */
  oldestSeconds: number;
}

export interface EndedJob {
  /** Separate from `failed`: a cancelled job does not indicate a problem. */
  outcome: 'complete' | 'failed' | 'cancelled';
  seconds: number;
  creditsRefunded: number;
}

/** A range of items of which some or all were not drawn. */
interface Gap {
  /** From 0. */
  firstItem: number;
  itemCount: number;
  failedItems: number;
}

/** A job that makes codes of another anew. */
export interface RemadeJob {
  id: string;
  name: string | null;
  total: number;
  /** Unix milliseconds. */
  createdAt: number;
}

/** A job that corrects a code of another. */
export interface Correction extends RemadeJob {
  /** Index of the code in the other job. */
  correctedItem: number;
}

export interface JobReport {
  /** Numbers of chunks. */
  chunks: { done: number; failed: number; pending: number };
  /** The first chunks with failed items, in order. */
  gaps: Gap[];
  /** The first chunk with a picture. Undefined when there is none, yet or any more. */
  firstRendered: SegmentPlace | undefined;
  maker: JobMaker;
  /** Jobs that make missing codes of this one, unless they were cancelled: those of most codes first, then the latest. */
  remade: RemadeJob[];
}

export class JobReportStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Failed jobs of all organisations, without cancelled ones, newest first. */
  async failed(limit: number): Promise<(Job & { organisationName: string })[]> {
    const rows = await this.#ofAllOrganisations()
      .where('status', '=', 'failed')
      .where('failure', '!=', 'cancelled')
      .orderBy('jobs.created_at', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ organisationName, ...row }) => ({ ...jobFromRow(row), organisationName }));
  }

  /** Unfinished jobs of all organisations, oldest first. */
  async oldest(limit: number): Promise<(Job & { organisationName: string })[]> {
    const rows = await this.#ofAllOrganisations()
      .where('status', 'in', ['processing', 'zipping'])
      .orderBy('jobs.created_at')
      .limit(limit)
      .execute();
    return rows.map(({ organisationName, ...row }) => ({ ...jobFromRow(row), organisationName }));
  }

  async queue(now = Date.now()): Promise<QueueReport> {
    const states = await this.#database
      .selectFrom('jobs')
      .select(({ fn }) => ['status', fn.countAll<number>().as('jobs')])
      .where('status', 'in', ['processing', 'zipping'])
      .groupBy('status')
      .execute();
    const waiting = await this.#database
      .selectFrom('jobs')
      .innerJoin('chunks', 'chunks.job_id', 'jobs.id')
      .select(({ fn }) => [fn.countAll<number>().as('chunks'), fn.sum<number | null>('chunks.item_count').as('items')])
      .select(({ fn }) => fn.min<number | null>('jobs.created_at').as('oldest'))
      .where('jobs.status', '=', 'processing')
      .where('chunks.status', '=', 'pending')
      .executeTakeFirstOrThrow();
    const count = (status: string) => states.find((state) => state.status === status)?.jobs ?? 0;
    return {
      processing: count('processing'),
      zipping: count('zipping'),
      items: waiting.items ?? 0,
      chunks: waiting.chunks,
      oldestSeconds: waiting.oldest === null ? 0 : Math.max(0, now - waiting.oldest) / 1_000,
    };
  }

  /** The end of a job. Undefined when the job is gone or has not ended. */
  async ended(jobId: string): Promise<EndedJob | undefined> {
    const job = await this.#database
      .selectFrom('jobs')
      .select(['status', 'failure', 'created_at', 'ended_at', 'credits_refunded'])
      .where('id', '=', jobId)
      .executeTakeFirst();
    if (job === undefined || job.ended_at === null || (job.status !== 'complete' && job.status !== 'failed')) {
      return undefined;
    }
    const seconds = Math.max(0, job.ended_at - job.created_at) / 1_000;
    const outcome = job.failure === 'cancelled' ? job.failure : job.status;
    return { outcome, seconds, creditsRefunded: job.credits_refunded };
  }

  /** Details of one job's chunks. */
  async report(jobId: string): Promise<JobReport> {
    const [counts, gaps, firstRendered, maker, remade] = await Promise.all([
      this.#database
        .selectFrom('chunks')
        .select(({ fn }) => ['status', fn.countAll<number>().as('chunks')])
        .where('job_id', '=', jobId)
        .groupBy('status')
        .execute(),
      this.gaps(jobId),
      this.#database
        .selectFrom('chunks')
        .select(['position', 'segment_bytes as segmentBytes', 'attempt'])
        .where('job_id', '=', jobId)
        .where('status', '=', 'done')
        .where('segment_bytes', '>', 0)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst(),
      this.#database
        .selectFrom('ledger_entries as charge')
        .leftJoin('api_keys', 'api_keys.id', 'charge.key_id')
        .leftJoin('people', 'people.id', 'charge.person_id')
        .select(['api_keys.name as keyName', 'people.name as personName'])
        .where('charge.job_id', '=', jobId)
        .where('charge.kind', '=', 'charge')
        .executeTakeFirst(),
      this.remade(jobId),
    ]);
    const count = (status: string) => counts.find((row) => row.status === status)?.chunks ?? 0;
    return {
      chunks: { done: count('done'), failed: count('failed'), pending: count('pending') },
      gaps,
      firstRendered,
      maker: maker ?? { keyName: null, personName: null },
      remade,
    };
  }

  /** The first chunks with failed items, in order. */
  gaps(jobId: string): Promise<Gap[]> {
    return this.#database
      .selectFrom('chunks')
      .select(['first_item as firstItem', 'item_count as itemCount', 'failed_items as failedItems'])
      .where('job_id', '=', jobId)
      .where('failed_items', '>', 0)
      .orderBy('position')
      .limit(MAX_GAPS)
      .execute();
  }

  /** Jobs that make missing codes of this one, unless they were cancelled: those of most codes first, then the latest. */
  remade(jobId: string): Promise<RemadeJob[]> {
    return this.#remade()
      .where('made_from', '=', jobId)
      .where('corrected_item', 'is', null)
      .orderBy('total', 'desc')
      .orderBy('created_at', 'desc')
      .limit(MAX_REMADE)
      .execute();
  }

  /**
   * Jobs that correct a code of this one, the latest first, and for each code the latest alone. The code of a job that is a
   * correction itself is corrected by later ones of the same code.
   */
  async corrections(job: Job): Promise<Correction[]> {
    return latestOfEach(await this.#corrections(job, MAX_CORRECTIONS));
  }

  /** As `corrections`, without one that is left out. Undefined where more than `MOST_TAKEN` jobs correct codes. */
  async allCorrections(job: Job): Promise<Correction[] | undefined> {
    const found = await this.#corrections(job, MOST_TAKEN + 1);
    return found.length > MOST_TAKEN ? undefined : latestOfEach(found);
  }

  /** Number of jobs that correct this code of a job. */
  async correctionCount(jobId: string, item: number): Promise<number> {
    const jobs = this.#remade().where('made_from', '=', jobId).where('corrected_item', '=', item);
    return (await jobs.limit(MAX_CORRECTIONS).execute()).length;
  }

  async #corrections({ id, madeFrom, correctedItem, createdAt }: Job, limit: number): Promise<Correction[]> {
    const rows = await this.#remade()
      .select(['made_from as madeFrom', 'corrected_item as correctedItem'])
      .where((row) =>
        row.or([
          row('made_from', '=', id),
          row.and([
            row('made_from', '=', madeFrom),
            row('corrected_item', '=', correctedItem),
            row('created_at', '>', createdAt),
          ]),
        ]),
      )
      .where('corrected_item', 'is not', null)
      .$narrowType<{ correctedItem: NotNull }>()
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => (row.madeFrom === id ? row : { ...row, correctedItem: 0 }));
  }

  /** Jobs that make codes of others anew, unless they were cancelled. */
  #remade() {
    return this.#database
      .selectFrom('jobs')
      .select(['id', 'name', 'total', 'created_at as createdAt'])
      .where('expires_at', '>', Date.now())
      .where((row) => row.or([row('failure', 'is', null), row('failure', '<>', 'cancelled')]));
  }

  #ofAllOrganisations() {
    return this.#database
      .selectFrom('jobs')
      .innerJoin('organisations', 'organisations.id', 'jobs.organisation_id')
      .selectAll('jobs')
      .select('organisations.name as organisationName');
  }
}

/** For each code the first of its corrections, which are in the order of the latest. */
function latestOfEach(corrections: readonly Correction[]): Correction[] {
  const isFirst = ({ correctedItem }: Correction, place: number) =>
    corrections.findIndex((each) => each.correctedItem === correctedItem) === place;
  return corrections.filter(isFirst);
}
