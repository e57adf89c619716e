/** The outbox: mails are put in by the transaction of what they tell of, and taken out once they are delivered. */

import type { Database, DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import type { Letter } from './letter.js';

/** Time for which a claim keeps others from delivering the same mail, unless it is renewed: a killed process renews nothing. */
const LEASE_MS = 120_000;

/** A mail that was given up holds links that are secrets, and is kept no longer than somebody may look for it. */
const GIVEN_UP_KEPT_MS = 30 * 86_400_000;

/** Characters of an error that are kept. */
const ERROR_CHARACTERS = 500;

export interface Mail extends Letter {
  /** Also the part of its Message-ID before the at sign, so that one that was delivered twice shows once. */
  id: string;
  recipient: string;
  /** Attempts that have failed. */
  attempts: number;
  /** Unix milliseconds. */
  createdAt: number;
}

/** A mail that nobody else delivers until then. */
export interface ClaimedMail extends Mail {
  /** Unix milliseconds. */
  leasedUntil: number;
}

/** A mail that was not delivered so far, as operators see it. */
export interface StuckMail {
  id: string;
  recipient: string;
  subject: string;
  attempts: number;
  lastError: string | null;
  /** Null: given up. */
  nextAttemptAt: number | null;
  createdAt: number;
}

/** The content of the outbox, as figures. */
export interface MailFigures {
  waiting: number;
  givenUp: number;
  /** Since the oldest one that waits was written; 0 where none does. */
  oldestSeconds: number;
}

/** Puts a letter into the outbox if, and only if, the transaction is committed. */
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
  /** Milliseconds that a claim holds. */
  readonly leaseMs: number;
  readonly #database: Database;

  constructor(database: Database, leaseMs = LEASE_MS) {
    this.#database = database;
    this.leaseMs = leaseMs;
  }

  /** Claims the mail that has been due longest; undefined when none is due. */
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

  /** Goes on with a claim; false when it had ended, and somebody else has the mail. */
  async renew(mail: ClaimedMail): Promise<boolean> {
    const leasedUntil = await this.#lease(mail.id, mail.leasedUntil);
    mail.leasedUntil = leasedUntil ?? mail.leasedUntil;
    return leasedUntil !== undefined;
  }

  /** Takes a mail whose next attempt is at `before`; undefined when that was changed. */
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

  /** Takes a delivered mail out; its links are secrets that nothing keeps. */
  async remove(id: string): Promise<void> {
    await this.#database.deleteFrom('mails').where('id', '=', id).execute();
  }

  /**
   * Counts a failed attempt, unless the claim had ended: then the mail is somebody else's.
   * @param nextAttemptAt Unix milliseconds; null gives up
   */
  async postpone({ id, leasedUntil }: ClaimedMail, reason: string, nextAttemptAt: number | null): Promise<void> {
    await this.#database
      .updateTable('mails')
      .set((column) => ({
        attempts: column('attempts', '+', 1),
        last_error: [...reason].slice(0, ERROR_CHARACTERS).join(''),
        next_attempt_at: nextAttemptAt,
      }))
      .where('id', '=', id)
      .where('next_attempt_at', '=', leasedUntil)
      .execute();
  }

  /** Deletes what was given up long before `time` (Unix milliseconds). */
  async sweep(time: number): Promise<void> {
    await this.#database
      .deleteFrom('mails')
      .where('next_attempt_at', 'is', null)
      .where('created_at', '<=', time - GIVEN_UP_KEPT_MS)
      .execute();
  }

  async figures(now = Date.now()): Promise<MailFigures> {
    const [all, waiting] = await Promise.all([
      this.#database
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('mails'))
        .executeTakeFirstOrThrow(),
      this.#database
        .selectFrom('mails')
        .select(({ fn }) => [fn.countAll<number>().as('mails'), fn.min<number | null>('created_at').as('oldest')])
        .where('next_attempt_at', 'is not', null)
        .executeTakeFirstOrThrow(),
    ]);
    return {
      waiting: waiting.mails,
      givenUp: all.mails - waiting.mails,
      oldestSeconds: waiting.oldest === null ? 0 : Math.max(0, now - waiting.oldest) / 1_000,
    };
  }

  /** Mails with a failed attempt, newest first. */
  async stuck(limit: number): Promise<StuckMail[]> {
    return this.#database
      .selectFrom('mails')
      .select(['id', 'recipient', 'subject', 'attempts', 'last_error as lastError'])
      .select(['next_attempt_at as nextAttemptAt', 'created_at as createdAt'])
      .where('attempts', '>', 0)
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute();
  }
}
