/** The mail outbox. A mail is inserted by the transaction that it reports on, and deleted once it is delivered. */

import type { Database, DatabaseTransaction } from '../database/connection.js';
import { deleteSettled } from '../database/delete-expired.js';
import { newRowId } from '../database/row-id.js';
import type { Letter } from './letter.js';

/**
 * Time that a claim keeps other processes from delivering the same mail. The claim is renewed meanwhile. A killed
 * process renews nothing.
 */
const LEASE_MS = 120_000;

/** Time that a mail that was given up is kept for inspection. Not longer, because it holds secret links. */
const GIVEN_UP_RETENTION_MS = 30 * 86_400_000;

/** Maximum number of mails that are counted. The figures are read all the time. */
const MAX_COUNTED = 100_000;

const MAX_ERROR_CHARACTERS = 500;

export interface Mail extends Letter {
  /** Also the local part of the Message-ID, so that mail programs show a mail that was delivered twice once. */
  id: string;
  recipient: string;
  /** Failed attempts. */
  attempts: number;
  /** Unix milliseconds. */
  createdAt: number;
}

/** A mail that no other process delivers before `leasedUntil`. */
export interface ClaimedMail extends Mail {
  /** Unix milliseconds. */
  leasedUntil: number;
}

/** A mail whose delivery has failed so far, as operators see it. */
interface StuckMail {
  id: string;
  recipient: string;
  subject: string;
  attempts: number;
  lastError: string | null;
  /** Null: given up. */
  nextAttemptAt: number | null;
  createdAt: number;
}

/** Counts for metrics, each at most 100,000. */
export interface MailFigures {
  waiting: number;
  givenUp: number;
  /** Age of the oldest waiting mail in seconds; 0 when none waits. */
  oldestSeconds: number;
}

/** Inserts a letter into the outbox; it is sent only if the transaction commits. */
export async function postMail(transaction: DatabaseTransaction, recipient: string, letter: Letter): Promise<void> {
  const now = Date.now();
  await transaction
    .insertInto('mails')
    .values({
      id: newRowId(),
      recipient,
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      attempts: 0,
      next_attempt_at: now,
      last_error: null,
      created_at: now,
    })
    .execute();
}

export class MailStore {
  /** Duration of a claim, in milliseconds. */
  readonly leaseMs: number;
  readonly #database: Database;

  constructor(database: Database, leaseMs = LEASE_MS) {
    this.#database = database;
    this.leaseMs = leaseMs;
  }

  /** Claims the mail that has been due longest. Undefined when none is due. */
  async claim(): Promise<ClaimedMail | undefined> {
    for (;;) {
      const now = Date.now();
      const due = await this.#database
        .selectFrom('mails')
        .selectAll()
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .limit(1)
        .executeTakeFirst();
      if (due === undefined) {
        return undefined;
      }
      const leasedUntil = await this.#lease(due.id, due.next_attempt_at ?? 0);
      // Another process may have been first.
      if (leasedUntil !== undefined) {
        const { id, recipient, subject, text, html, attempts, created_at: createdAt } = due;
        return { id, recipient, subject, text, html, attempts, createdAt, leasedUntil };
      }
    }
  }

  /** Extends a claim. False when it had expired and another process has the mail. */
  async renew(mail: ClaimedMail): Promise<boolean> {
    const leasedUntil = await this.#lease(mail.id, mail.leasedUntil);
    mail.leasedUntil = leasedUntil ?? mail.leasedUntil;
    return leasedUntil !== undefined;
  }

  /** Claims a mail whose next attempt is at `before`. Undefined when that has changed. */
  async #lease(id: string, before: number): Promise<number | undefined> {
    const until = Math.max(Date.now() + this.leaseMs, before + 1);
    const { numUpdatedRows } = await this.#database
      .updateTable('mails')
      .set({ next_attempt_at: until })
      .where('id', '=', id)
      .where('next_attempt_at', '=', before)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? until : undefined;
  }

  /** Deletes a delivered mail. Its links are secrets, so nothing keeps them. */
  async remove(id: string): Promise<void> {
    await this.#database.deleteFrom('mails').where('id', '=', id).execute();
  }

  /**
   * Records a failed attempt, unless the claim had expired: then another process has the mail.
   * @param nextAttemptAt Unix milliseconds; null gives the mail up
   */
  async postpone({ id, leasedUntil }: ClaimedMail, reason: string, nextAttemptAt: number | null): Promise<void> {
    await this.#database
      .updateTable('mails')
      .set((column) => ({
        attempts: column('attempts', '+', 1),
        last_error: [...reason].slice(0, MAX_ERROR_CHARACTERS).join(''),
        next_attempt_at: nextAttemptAt,
      }))
      .where('id', '=', id)
      .where('next_attempt_at', '=', leasedUntil)
      .execute();
  }

  /** Deletes mails that were given up long before `time` (Unix milliseconds). */
  async sweep(time: number): Promise<void> {
    await deleteSettled(this.#database, 'mails', time - GIVEN_UP_RETENTION_MS);
  }

  async figures(now = Date.now()): Promise<MailFigures> {
    const counted = (operator: 'is' | 'is not') =>
      this.#database
        .selectFrom(
          this.#database
            .selectFrom('mails')
            .select('created_at')
            .where('next_attempt_at', operator, null)
            .orderBy('next_attempt_at')
            .limit(MAX_COUNTED)
            .as('mail'),
        )
        .select(({ fn }) => [fn.countAll<number>().as('mails'), fn.min<number | null>('created_at').as('oldest')])
        .executeTakeFirstOrThrow();
    const [waiting, givenUp] = await Promise.all([counted('is not'), counted('is')]);
    return {
      waiting: waiting.mails,
      givenUp: givenUp.mails,
      oldestSeconds: waiting.oldest === null ? 0 : Math.max(0, now - waiting.oldest) / 1_000,
    };
  }

  /** Mails with a failed attempt, newest first. */
  async stuck(limit: number): Promise<StuckMail[]> {
    // Found by their index alone: the texts of all others need not be read.
    const latest = this.#database
      .selectFrom('mails')
      .select('id')
      .where('attempts', '>', 0)
      .orderBy('created_at', 'desc')
      .limit(limit);
    return this.#database
      .selectFrom(latest.as('latest'))
      .innerJoin('mails', 'mails.id', 'latest.id')
      .select(['mails.id', 'recipient', 'subject', 'attempts', 'last_error as lastError'])
      .select(['next_attempt_at as nextAttemptAt', 'created_at as createdAt'])
      .orderBy('created_at', 'desc')
      .execute();
  }
}
