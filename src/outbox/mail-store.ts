/** The rows of mails. A mail is inserted by the transaction that it reports on, and deleted once it is delivered. */

import { DAY_MS } from '../contract/limits.js';
import { sweepTime } from '../database/clock.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { deleteSettled } from '../database/delete-expired.js';
import { newRowId } from '../database/row-id.js';
import type { Letter } from './letter.js';
import type { Attempt } from './outbox.js';
import * as rows from './outbox-rows-store.js';
import { wakeOutbox } from './wake.js';

/** Time that a mail that was given up is kept for inspection. Not longer, because it holds secret links. */
const GIVEN_UP_RETENTION_MS = 30 * DAY_MS;

/** Maximum number of given up mails that are counted. */
const MAX_COUNTED = 100_000;

/** A mail to be delivered. Its id is also the local part of the Message-ID, so that mail programs show a mail that was delivered twice once. */
export interface Mail extends Letter, rows.Claimed {
  recipient: string;
  /** Unix milliseconds. */
  createdAt: number;
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
export interface MailFigures extends rows.WaitingRows {
  givenUp: number;
}

/**
 * Inserts a letter into the outbox; it is sent only if the transaction commits.
 * @param organisationId the organisation in whose turn it is sent. Null: the turn of all letters that concern people alone
 */
export async function postMail(
  transaction: DatabaseTransaction,
  recipient: string,
  letter: Letter,
  organisationId: string | null = null,
): Promise<void> {
  const now = Date.now();
  await transaction
    .insertInto('mails')
    .values({
      id: newRowId(),
      organisation_id: organisationId,
      recipient,
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      attempts: 0,
      next_attempt_at: now,
      created_at: now,
    })
    .execute();
  wakeOutbox(transaction);
}

export class MailStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Mails that are due. Where many are: the first of people, and of each organisation. */
  async due(): Promise<rows.Due[]> {
    const due = this.#database
      .selectFrom('mails')
      .select(['id', 'recipient', 'organisation_id as organisationId'])
      .where('next_attempt_at', '<=', Date.now())
      .orderBy('next_attempt_at');
    let found = await due.limit(rows.DUE_FIRST).execute();
    if (found.length === rows.DUE_FIRST) {
      const firstOfEach = this.#database
        .selectFrom('organisations')
        .select((organisation) =>
          organisation
            .selectFrom('mails')
            .select('id')
            .whereRef('organisation_id', '=', 'organisations.id')
            .where('next_attempt_at', '<=', Date.now())
            .orderBy('next_attempt_at')
            .limit(1)
            .as('due'),
        );
      const ofEach = this.#database
        .selectFrom(firstOfEach.as('organisation'))
        .innerJoin('mails', 'mails.id', 'organisation.due')
        .select(['mails.id', 'recipient', 'organisation_id as organisationId'])
        .orderBy('next_attempt_at')
        .limit(rows.MAX_RECEIVERS);
      const ofPeople = due.where('organisation_id', 'is', null).limit(rows.DUE_FIRST);
      found = [...(await ofPeople.execute()), ...(await ofEach.execute())];
    }
    return found.map(({ id, recipient, organisationId }) => ({
      id,
      organisationId: organisationId ?? '',
      receiver: recipient,
      isFailing: false,
    }));
  }

  /** Claims a mail. Undefined when it is no longer due. */
  async claim({ id }: { id: string }, leaseMs: number): Promise<Mail | undefined> {
    const row = await this.#database
      .selectFrom('mails')
      .selectAll()
      .where('id', '=', id)
      .where('next_attempt_at', '<=', Date.now())
      .executeTakeFirst();
    if (row === undefined) {
      return undefined;
    }
    const leasedUntil = await rows.lease(this.#database, 'mails', { id, dueAt: row.next_attempt_at }, leaseMs);
    const { recipient, subject, text, html, attempts, created_at: createdAt } = row;
    return leasedUntil === undefined
      ? undefined
      : { id, recipient, subject, text, html, attempts, createdAt, leasedUntil };
  }

  /**
   * Deletes a delivered mail: its links are secrets, so nothing keeps them. Records a failed attempt, unless the claim had
   * expired: then another process has the mail.
   */
  async settle({ id, leasedUntil, attempts }: rows.Claimed, { outcome, text, nextAttemptAt }: Attempt): Promise<void> {
    if (outcome === 'delivered') {
      await this.#database.deleteFrom('mails').where('id', '=', id).execute();
      return;
    }
    await this.#database
      .updateTable('mails')
      .set({ attempts: attempts + 1, last_error: rows.shortened(text), next_attempt_at: nextAttemptAt })
      .where('id', '=', id)
      .where('next_attempt_at', '=', leasedUntil)
      .execute();
  }

  async release(mail: rows.Claimed): Promise<void> {
    await rows.release(this.#database, 'mails', mail);
  }

  /** Deletes mails that were given up long before `time` (Unix milliseconds), and recalls others. */
  async sweep(time?: number): Promise<void> {
    await rows.recall(this.#database, 'mails');
    const now = time ?? (await sweepTime(this.#database));
    await deleteSettled(this.#database, 'mails', now - GIVEN_UP_RETENTION_MS);
  }

  async figures(now = Date.now()): Promise<MailFigures> {
    const givenUp = this.#database.selectFrom('mails').select('id').where('next_attempt_at', 'is', null);
    const { count } = await this.#database
      .selectFrom(givenUp.limit(MAX_COUNTED).as('mail'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return { ...(await rows.waitingRows(this.#database, 'mails', now)), givenUp: count };
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
