/**
 * Limits that an operator gave single organisations. They are few and needed by every request, so each process keeps
 * them in memory.
 */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { transact } from '../../database/transaction.js';
import { Rounds } from '../../platform/rounds.js';
import { lockMembers } from './membership-store.js';
import { nameOfOrganisation } from './organisation-store.js';

/** A limit that was set by another process holds here after this time. */
const LOOK_EVERY_MS = 5_000;

/** Limits of one organisation; null: those of the service. */
export interface OwnLimits {
  /** Requests a minute of each key that make or check a job. */
  createsPerMinute: number | null;
  /** Other requests a minute of each key, to each endpoint. */
  readsPerMinute: number | null;
  /** Pieces of each kind of work at once, in each process: it lowers what admission control allows. */
  atOnce: number | null;
}

const NO_OWN_LIMITS: OwnLimits = { createsPerMinute: null, readsPerMinute: null, atOnce: null };

/**
 * Sets an organisation's own limits inside the caller's transaction, and returns them. Members that `change` lacks stay.
 * @throws ApiError `not_found` when there is no such organisation
 */
export async function setOwnLimits(
  transaction: DatabaseTransaction,
  organisationId: string,
  change: Partial<OwnLimits>,
): Promise<OwnLimits> {
  // Of two who set limits at once, the second finds what the first has written.
  await lockMembers(transaction, organisationId);
  await nameOfOrganisation(transaction, organisationId);
  const before = await limitsIn(transaction).where('organisation_id', '=', organisationId).executeTakeFirst();
  const { createsPerMinute, readsPerMinute, atOnce } = { ...NO_OWN_LIMITS, ...before, ...change };
  await transaction.deleteFrom('organisation_limits').where('organisation_id', '=', organisationId).execute();
  if (createsPerMinute !== null || readsPerMinute !== null || atOnce !== null) {
    await transaction
      .insertInto('organisation_limits')
      .values({
        organisation_id: organisationId,
        creates_per_minute: createsPerMinute,
        reads_per_minute: readsPerMinute,
        at_once: atOnce,
      })
      .execute();
  }
  return { createsPerMinute, readsPerMinute, atOnce };
}

function limitsIn(database: Database) {
  return database
    .selectFrom('organisation_limits')
    .select(['organisation_id as organisationId', 'creates_per_minute as createsPerMinute'])
    .select(['reads_per_minute as readsPerMinute', 'at_once as atOnce']);
}

export class OrganisationLimits {
  readonly #database: Database;
  #known: ReadonlyMap<string, OwnLimits> = new Map();
  #rounds: Rounds | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads the limits, and from then on reads them every five seconds. Rejects when the first reading fails. */
  async start(onFailure: (error: unknown) => void): Promise<void> {
    await this.load();
    this.#rounds = new Rounds({ work: () => this.load(), everyMs: LOOK_EVERY_MS, onFailure });
    void this.#rounds.start();
  }

  async close(): Promise<void> {
    await this.#rounds?.close();
  }

  async load(): Promise<void> {
    const rows = await limitsIn(this.#database).execute();
    this.#known = new Map(rows.map(({ organisationId, ...limits }) => [organisationId, limits]));
  }

  /** Limits of an organisation, as they were read last. */
  of(organisationId: string): OwnLimits {
    return this.#known.get(organisationId) ?? NO_OWN_LIMITS;
  }

  /** Sets an organisation's own limits. Members that `change` lacks stay. @throws ApiError `not_found` */
  set(organisationId: string, change: Partial<OwnLimits>): Promise<OwnLimits> {
    return transact(this.#database, (transaction) => setOwnLimits(transaction, organisationId, change));
  }
}
