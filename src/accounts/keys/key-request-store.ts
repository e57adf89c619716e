/**
 * The log of each API key's last requests, and when it was last used from where. Requests wait in memory and are written
 * together: a write for each would cost more than the request. A process that is killed loses those of a few seconds.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '../../contract/limits.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { inSteps } from '../../database/delete-expired.js';
import { retryConflicts, transact } from '../../database/transaction.js';
import { Rounds } from '../../platform/rounds.js';

/** Requests kept of each key. */
const MAX_REQUESTS = 100;

/** With 100 requests of this length a row fits in a TEXT column of MySQL, 64 KiB, also where each character takes two bytes. */
const MAX_PATH_CHARACTERS = 200;

/** Requests that wait for the next write, of all keys. Further ones are left out of the logs. */
const MAX_WAITING = 10_000;

const WRITE_EVERY_MS = 10_000;

/** Keys in a transaction. SQLite writes on the thread of the event loop. */
const KEYS_PER_WRITE = 20;

/** Of a key that is not used any more, log and last address are deleted after this time: they may tell of people. */
const KEPT_MS = 90 * DAY_MS;

export interface KeyRequest {
  /** Its end, in Unix milliseconds. */
  time: number;
  method: string;
  /** Without the query. */
  path: string;
  /** Null: the client left before the answer. */
  status: number | null;
  requestId: string;
  /** The client's IP address. */
  address: string;
}

export class KeyRequests {
  readonly #database: Database;
  #waiting = new Map<string, KeyRequest[]>();
  /** Requests that are being written. */
  #inWriting: ReadonlyMap<string, readonly KeyRequest[]> = new Map();
  #waitingCount = 0;
  #onFailure: (error: unknown) => void = () => undefined;
  #rounds: Rounds | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Writes what waits, regularly. Safe to run in several processes at once. */
  start(onFailure: (error: unknown) => void): void {
    this.#onFailure = onFailure;
    this.#rounds = new Rounds({ work: () => this.write(), everyMs: WRITE_EVERY_MS, onFailure });
    void this.#rounds.start();
  }

  /** Writes what waits, and nothing from then on. */
  async close(): Promise<void> {
    await this.#rounds?.close();
    await this.write().catch(this.#onFailure);
  }

  add(keyId: string, request: KeyRequest): void {
    const list = this.#waiting.get(keyId) ?? [];
    if (list.length === MAX_REQUESTS) {
      list.shift();
    } else if (this.#waitingCount === MAX_WAITING) {
      return;
    } else {
      this.#waitingCount += 1;
    }
    list.push({ ...request, path: request.path.slice(0, MAX_PATH_CHARACTERS) });
    this.#waiting.set(keyId, list);
  }

  /** Writes what waits. What could not be written is lost. */
  async write(): Promise<void> {
    // All processes lock keys in one order.
    const waiting = [...this.#waiting].toSorted(([one], [other]) => (one < other ? -1 : 1));
    this.#inWriting = this.#waiting;
    this.#waiting = new Map();
    this.#waitingCount = 0;
    for (let first = 0; first < waiting.length; first += KEYS_PER_WRITE) {
      const group = waiting.slice(first, first + KEYS_PER_WRITE);
      await transact(this.#database, (transaction) => writeGroup(transaction, group));
      await nextTurn();
    }
  }

  /** The last requests of an organisation's key, latest first. Those of other processes are seconds late. Writes nothing. */
  async list(organisationId: string, keyId: string): Promise<KeyRequest[]> {
    const row = await this.#database
      .selectFrom('api_keys')
      .leftJoin('key_requests', 'key_requests.key_id', 'api_keys.id')
      .select('requests')
      .where('api_keys.id', '=', keyId)
      .where('organisation_id', '=', organisationId)
      .executeTakeFirst();
    if (row === undefined) {
      return [];
    }
    const own = this.#own(keyId);
    const written = requestsIn(row.requests ?? undefined);
    const ids = new Set(written.map(({ requestId }) => requestId));
    return latest([...written, ...own.filter(({ requestId }) => !ids.has(requestId))]).toReversed();
  }

  /** The last request with a key that this process has seen lately. */
  lastUse(keyId: string): KeyRequest | undefined {
    return this.#own(keyId).at(-1);
  }

  #own(keyId: string): KeyRequest[] {
    return [...(this.#inWriting.get(keyId) ?? []), ...(this.#waiting.get(keyId) ?? [])];
  }
}

async function writeGroup(
  transaction: DatabaseTransaction,
  group: readonly (readonly [keyId: string, requests: KeyRequest[]])[],
): Promise<void> {
  // Locks the keys before their logs are read, so that no other process writes the same logs meanwhile.
  for (const [keyId, requests] of group) {
    await recordUse(transaction, keyId, requests.at(-1) as KeyRequest);
  }
  const rows = await transaction
    .selectFrom('key_requests')
    .select(['key_id', 'requests'])
    .where(
      'key_id',
      'in',
      group.map(([keyId]) => keyId),
    )
    .execute();
  const logs = new Map(rows.map((row) => [row.key_id, row.requests]));
  for (const [keyId, requests] of group) {
    const log = logs.get(keyId);
    const merged = latest([...requestsIn(log), ...requests]);
    const row = { requests: JSON.stringify(merged), expires_at: Date.now() + KEPT_MS };
    await (log === undefined
      ? transaction
          .insertInto('key_requests')
          .values({ key_id: keyId, ...row })
          .execute()
      : transaction.updateTable('key_requests').set(row).where('key_id', '=', keyId).execute());
  }
}

/** Records the last use where it is the latest. MySQL locks no row that a condition leaves out, so the values have it. */
async function recordUse(transaction: DatabaseTransaction, keyId: string, last: KeyRequest): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set((key) => {
      const isLatest = key.or([key('last_used_at', 'is', null), key('last_used_at', '<=', last.time)]);
      return {
        // Before the time, with which it compares: MySQL assigns one value after the other.
        last_used_address: key.case().when(isLatest).then(last.address).else(key.ref('last_used_address')).end(),
        last_used_at: key.case().when(isLatest).then(last.time).else(key.ref('last_used_at')).end(),
      };
    })
    .where('id', '=', keyId)
    .execute();
}

/** Deletes the addresses of last uses whose logs have expired by `time` (Unix milliseconds). Keys are few: no index has them. */
export async function forgetLastAddresses(database: Database, time: number): Promise<void> {
  await inSteps(async (limit) => {
    const old = await database
      .selectFrom('api_keys')
      .select('id')
      .where('last_used_address', 'is not', null)
      .where('last_used_at', '<=', time - KEPT_MS)
      .limit(limit)
      .execute();
    const ids = old.map(({ id }) => id);
    if (ids.length === 0) {
      return false;
    }
    await retryConflicts(() =>
      database
        .updateTable('api_keys')
        .set({ last_used_address: null })
        .where('id', 'in', ids)
        .where('last_used_at', '<=', time - KEPT_MS)
        .execute(),
    );
    return ids.length === limit;
  });
}

/** The last requests that are kept, oldest first. */
function latest(requests: readonly KeyRequest[]): KeyRequest[] {
  return requests.toSorted((one, other) => one.time - other.time).slice(-MAX_REQUESTS);
}

function requestsIn(text: string | undefined): KeyRequest[] {
  return text === undefined ? [] : (JSON.parse(text) as KeyRequest[]);
}
