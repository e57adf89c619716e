/**
 * Accepts jobs of the API and the studio: receives a body into a draft, checks it, charges for it and creates the job.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, noRoom } from '../contract/errors.js';
import { DAY_MS } from '../contract/limits.js';
import type { Ledger, Origin } from '../credits/ledger-store.js';
import { newRowId } from '../database/row-id.js';
import { NotCommittedError } from '../database/transaction.js';
import type { Step } from './work/queue/dispatcher.js';
import type { CheckedBody } from '../engine/engine.js';
import type { Log } from '../platform/log.js';
import type { BlobStore } from '../storage/blob-store.js';
import { inJobSpan } from '../platform/tracing/spans.js';
import type { ProcessFolder } from './files/process-folder.js';
import { jobPrefix, storeSpool } from './files/job-files.js';
import type { ClaimedRequest, IdempotencyStore } from './idempotency-store.js';
import type { Job, JobReceipt } from './job.js';
import type { Holding } from './job-store.js';
import { type MadeFrom, type NewJob, newJob, type NewJobStore } from './new-job-store.js';
import type { Draft } from './files/draft.js';

/** Time that a refusal waits until what was stored is deleted. */
const DISCARD_MS = 5_000;

/** The organisation that pays for a job, and the key or person that creates it. */
export interface Payer extends Origin {
  organisationId: string;
  /** The member who gets the mail with the download link. Default: the owner. */
  mailPersonId?: string | undefined;
}

/** The input of a job. `receive` is called first, then `check`. */
export interface Submission {
  /** The request's `Idempotency-Key`, if it has one. */
  key: SubmissionKey | undefined;
  madeFrom?: MadeFrom;
  receive(draft: Draft): Promise<void>;
  /** Checks the received body and writes the spool. */
  check(draft: Draft): Promise<CheckedBody & Pick<NewJob, 'skippedRows' | 'sourcePlaces'>>;
  /** Called before a job is paid for that had to wait for room. @throws BodyAbortedError when the client is gone */
  requireClient(): void;
}

export interface SubmissionKey {
  /** SHA-256 of the key, hex. */
  hash: string;
  /** SHA-256 of the body's form and content, hex. Known once the body is received. */
  fingerprint: () => string;
}

type Checked = CheckedBody & Pick<NewJob, 'skippedRows' | 'sourcePlaces' | 'madeFrom'>;

export interface AcceptedJob {
  job: JobReceipt;
  /** True when an earlier request with the same key created the job. It may be deleted meanwhile. */
  isReplayed: boolean;
}

export interface AcceptanceOptions {
  newJobs: NewJobStore;
  idempotency: IdempotencyStore;
  ledger: Ledger;
  storage: BlobStore;
  /** The work folder of this process. */
  folder: ProcessFolder;
  /** Renders accepted jobs. */
  runner: { readonly holding: Holding | undefined; submit: (steps: readonly Step[]) => void };
  /** Days from a job's creation until its archive, input and rows are deleted. */
  retentionDays: number;
  log: Log;
  /** Called when it is unknown whether a draft became a job, or its stored files could not be deleted. */
  onUnsettled: (draftId: string) => void;
  /** Admits a job that is drawn later and runs `store`. Rejects when the job could not be finished in time. */
  enterQueue: <T>(organisationId: string, store: () => Promise<T>) => Promise<T>;
  /** Called after a job was accepted by this process. */
  onAccepted?: ((job: Job) => void) | undefined;
  /** Called when an accepted job is already complete. */
  onComplete: (job: Job) => void;
}

export class Acceptance {
  readonly #options: AcceptanceOptions;

  constructor(options: AcceptanceOptions) {
    this.#options = options;
  }

  /**
   * Receives and checks a body, charges for it, creates the job and queues its chunks; once per key. When it resolves,
   * the job is as durable as the database and the store.
   * @throws ApiError `insufficient_credits`; `unavailable` when the store does not accept the spool; `outcome_unknown`;
   * `request_in_progress` and `idempotency_key_reused`; any error of `receive` and `check`
   */
  async accept(payer: Payer, submission: Submission): Promise<AcceptedJob> {
    const { folder } = this.#options;
    await using draft = folder.drafts.create();
    try {
      return await this.#acceptOnce(payer, draft, submission);
    } catch (error) {
      if (draft.isUnsettled) {
        this.#options.onUnsettled(draft.id);
      }
      throw error;
    }
  }

  async #acceptOnce(payer: Payer, draft: Draft, submission: Submission): Promise<AcceptedJob> {
    const { idempotency } = this.#options;
    const { key } = submission;
    if (key === undefined) {
      return { job: await this.#receive(payer, draft, submission), isReplayed: false };
    }
    const claim = { organisationId: payer.organisationId, keyHash: key.hash, jobId: draft.id };
    const earlier = await idempotency.claim(claim);
    if (earlier !== undefined) {
      await submission.receive(draft);
      if (key.fingerprint() !== earlier.fingerprint) {
        throw new ApiError('idempotency_key_reused', 'The Idempotency-Key was used with another body.');
      }
      return { job: earlier.receipt, isReplayed: true };
    }
    const claimed = () => ({ ...claim, fingerprint: key.fingerprint() });
    const job = await idempotency.hold(claim, () => this.#receive(payer, draft, submission, claimed));
    return { job, isReplayed: false };
  }

  async #receive(payer: Payer, draft: Draft, submission: Submission, claimed?: () => ClaimedRequest): Promise<Job> {
    await submission.receive(draft);
    const checked = { ...(await submission.check(draft)), madeFrom: submission.madeFrom };
    const claim = claimed?.();
    const { enterQueue } = this.#options;
    return inJobSpan('accept', draft.id, () =>
      checked.drawn === undefined
        ? enterQueue(payer.organisationId, async () => {
            submission.requireClient();
            return this.#acceptForLater(payer, draft, checked, claim);
          })
        : this.#acceptDrawn(payer, draft, checked, claim),
    );
  }

  /** Creates a small job that was drawn during its check. Nothing of it is stored but by the transaction. */
  async #acceptDrawn(payer: Payer, draft: Draft, checked: Checked, claim?: ClaimedRequest): Promise<Job> {
    draft.hasFiles = false;
    const job = await this.#create(this.#newJob(payer, draft.id, { ...checked, claim }));
    this.#options.onComplete(job);
    return job;
  }

  async #acceptForLater(payer: Payer, draft: Draft, checked: Checked, claim?: ClaimedRequest): Promise<Job> {
    const { ledger, runner } = this.#options;
    const { organisationId } = payer;
    // Avoids storing the input of a job that cannot be paid.
    await ledger.requireCredits(organisationId, checked.total);
    draft.isUnsettled = true;
    const spoolBytes = await this.#storeSpool(draft, checked);
    let job: Job;
    try {
      const { holding } = runner;
      job = await this.#create(this.#newJob(payer, draft.id, { ...checked, spoolBytes, claim, holding }));
    } catch (error) {
      // After any other error the job may exist.
      if (error instanceof NotCommittedError || (error instanceof ApiError && error.code !== 'outcome_unknown')) {
        await this.#discard(draft);
      }
      throw error;
    }
    draft.isUnsettled = false;
    runner.submit(checked.chunks.map((_, chunk) => ({ organisationId, jobId: job.id, chunk })));
    return job;
  }

  #newJob(payer: Payer, id: string, checked: Checked & Pick<NewJob, 'claim' | 'holding'>): NewJob {
    const createdAt = Date.now();
    return {
      ...checked,
      id,
      token: newRowId(),
      organisationId: payer.organisationId,
      mailPersonId: payer.mailPersonId,
      origin: payer,
      createdAt,
      expiresAt: createdAt + this.#options.retentionDays * DAY_MS,
    };
  }

  /** Charges for the job and commits it. */
  async #create(created: NewJob): Promise<Job> {
    const { newJobs, log } = this.#options;
    await inJobSpan('transaction', created.id, () => newJobs.create(created)).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'outcome_unknown') {
        log.error({ jobId: created.id, err: error.cause }, 'jobs: it is not known whether a job was created');
      }
      throw error;
    });
    const job = newJob(created);
    this.#options.onAccepted?.(job);
    return job;
  }

  /** Stores the spool before the job exists, so that any process that sees the job can render it. */
  async #storeSpool(draft: Draft, { spoolBytes, chunks }: CheckedBody): Promise<number> {
    const { storage, log } = this.#options;
    try {
      return await storeSpool(storage, { jobId: draft.id, path: draft.spoolPath, spoolBytes, chunks });
    } catch (error) {
      log.error({ err: error }, 'jobs: could not store a spool');
      // A store that keeps silent would keep silent here too, until nobody waits for the answer any more.
      await Promise.race([this.#discard(draft), delay(DISCARD_MS, undefined, { ref: false })]);
      throw noRoom(error);
    }
  }

  /** Deletes what was stored for a draft that does not become a job. What cannot be deleted now is settled later. */
  async #discard(draft: Draft): Promise<void> {
    const { storage, log } = this.#options;
    try {
      await storage.deleteAll(jobPrefix(draft.id));
      draft.isUnsettled = false;
    } catch (error) {
      log.error({ err: error }, 'jobs: could not delete the files of a refused job');
    }
  }
}
