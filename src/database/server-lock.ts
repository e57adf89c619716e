/**
 * Locks of a MySQL server by which processes know of each other. A process without Redis has a queue of its own, and mostly files
 * of its own: on a database that others use it would claim jobs whose input it does not have.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Rounds } from '../platform/rounds.js';
import { type Database, type DatabaseUrl, openDatabase } from './connection.js';

/** `alone`: a process without Redis, which must be the only one. `shared`: one of those with Redis. */
type Holder = 'alone' | 'shared';

/** Interval between looks whether the lock is still held. A server that restarts forgets it. */
const LOOK_EVERY_MS = 5_000;

/** Time after which the server gives up the lock of a host that is lost. */
const SILENCE_SECONDS = 60;

/** Time that a start waits for a process that is ending, whose lock the server may still hold, and the interval of its looks. */
const [WAIT_MS, RETRY_MS] = [3_000, 100];

/** Locks are those of the whole server, and their names have 64 characters at most. */
const nameOf = (holder: Holder) =>
  sql<string>`concat('qrpress ', ${sql.lit(holder)}, ' ', left(sha2(database(), 256), 32))`;

export class ServerLock {
  readonly #database: Database;
  readonly #own: Holder;
  readonly #looks: Rounds;
  /** The connection that held the lock last. A server that does not see that it broke goes on holding the lock for it. */
  #connectionId = 0;
  #isUndisturbed = false;
  #onChange: (isUndisturbed: boolean) => void = () => undefined;

  private constructor(database: Database, own: Holder) {
    this.#database = database;
    this.#own = own;
    this.#looks = new Rounds({
      work: () => this.#look(),
      everyMs: LOOK_EVERY_MS,
      // While the server is away, nobody can use the database.
      onFailure: () => undefined,
    });
  }

  /** Held from now on, and taken again when it is lost. Undefined when a process uses the database that must not do so beside this one. */
  static async take(url: DatabaseUrl, own: Holder): Promise<ServerLock | undefined> {
    const lock = new ServerLock(openDatabase(url, { connections: 1, silenceMs: SILENCE_SECONDS * 1_000 }), own);
    try {
      const deadline = performance.now() + WAIT_MS;
      await lock.#look();
      while (!lock.isUndisturbed && performance.now() < deadline) {
        await delay(RETRY_MS);
        await lock.#look();
      }
    } catch (error) {
      await lock.close();
      throw error;
    }
    if (!lock.isUndisturbed) {
      await lock.close();
      return undefined;
    }
    void lock.#looks.start();
    return lock;
  }

  /** False while a process uses the database that must not do so beside this one. */
  get isUndisturbed(): boolean {
    return this.#isUndisturbed;
  }

  /** @param onChange called when `isUndisturbed` has changed */
  watch(onChange: (isUndisturbed: boolean) => void): void {
    this.#onChange = onChange;
  }

  /** Gives up the lock. */
  async close(): Promise<void> {
    await this.#looks.close();
    await this.#database.destroy();
  }

  /** Takes its own lock before it looks at the other one, so that of two starts at the same moment at least one is refused. */
  async #look(): Promise<void> {
    const own = nameOf(this.#own);
    const other = nameOf(this.#own === 'alone' ? 'shared' : 'alone');
    const found = await this.#database.connection().execute(async (connection) => {
      await sql`set session wait_timeout = ${sql.lit(SILENCE_SECONDS)}`.execute(connection);
      await sql`
        select if(is_used_lock(${own}) = connection_id(), 1, get_lock(${own}, 0))
      `.execute(connection);
      const { rows } = await sql<{ id: number; holder: number | null; isOtherFree: number }>`
        select connection_id() as id, is_used_lock(${own}) as holder, is_free_lock(${other}) as isOtherFree
      `.execute(connection);
      return rows[0];
    });
    if (found?.holder === found?.id) {
      this.#connectionId = found?.id ?? 0;
    }
    // One of the processes with Redis holds their lock for all.
    const isHeld = found?.holder === this.#connectionId || this.#own === 'shared';
    const isUndisturbed = found?.isOtherFree === 1 && isHeld;
    if (isUndisturbed !== this.#isUndisturbed) {
      this.#isUndisturbed = isUndisturbed;
      this.#onChange(isUndisturbed);
    }
  }
}

/** The processes that use a database of a MySQL server. */
export async function holdersOf(database: Database): Promise<Holder[]> {
  const holders: Holder[] = [];
  for (const holder of ['alone', 'shared'] as const) {
    const { rows } = await sql<{ is: number }>`select is_free_lock(${nameOf(holder)}) as \`is\``.execute(database);
    if (rows[0]?.is !== 1) holders.push(holder);
  }
  return holders;
}
