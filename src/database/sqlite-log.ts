/**
 * The log of an SQLite file (WAL): its syncs and its checkpoints. Both take as long as the disk does, so they run on other threads
 * than the event loop's.
 */

import { fstatSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import LibsqlDatabase from 'libsql/promise';
import { sharedSync } from '../platform/concurrency.js';
import { unlessAbsent } from '../platform/disk.js';

/** Length of a log that is copied into the database's file. SQLite's default is 1,000 pages. */
const LONG_LOG_BYTES = 4_096_000;

/** Time that a checkpoint waits for readers and writers of other processes. This process writes nothing meanwhile. */
const CHECKPOINT_WAIT_MS = 250;

/** Reports a sync that failed. `isMadeGood`: a checkpoint has made everything durable since. */
export type OnFailedSync = (error: unknown, isMadeGood: boolean) => void;

export class SqliteLog {
  /** Resolves when everything that was committed before the call survives a power cut. Callers share syncs. */
  readonly sync = sharedSync(() => this.#sync());
  readonly #path: string;
  /** Runs `work` while no transaction of this process is open, and begins none before it has ended. */
  readonly #withoutWrites: (work: () => Promise<void>) => Promise<void>;
  readonly #onFailedSync: OnFailedSync | undefined;
  /** A connection of its own, whose statements run on another thread. */
  readonly #connection: LibsqlDatabase;
  #file: FileHandle | undefined;
  #isInDoubt = false;
  #checkpointAtBytes = LONG_LOG_BYTES;
  #checkpoint: Promise<unknown> | undefined;

  constructor(
    path: string,
    withoutWrites: (work: () => Promise<void>) => Promise<void>,
    onFailedSync: OnFailedSync | undefined,
  ) {
    this.#path = `${path}-wal`;
    this.#withoutWrites = withoutWrites;
    this.#onFailedSync = onFailedSync;
    this.#connection = new LibsqlDatabase(path, {});
  }

  /**
   * Makes a log durable that is there already. The process that wrote it may have ended after a failed sync, and then a further sync
   * of the same pages says nothing. Another process that uses the database now looks after the log itself.
   */
  async open(): Promise<void> {
    await this.#connection.exec(`pragma busy_timeout = ${CHECKPOINT_WAIT_MS}; pragma synchronous = FULL`);
    const found = await unlessAbsent(stat(this.#path));
    if (found !== undefined && found.size > 0) {
      await this.#copy().catch(unlessBusy);
    }
  }

  /** From a failed sync until a checkpoint has succeeded: nothing that is written then is durable. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  async close(): Promise<void> {
    await this.#checkpoint;
    this.#connection.close();
    await this.#file?.close();
  }

  async #sync(): Promise<void> {
    if (!this.#isInDoubt) {
      try {
        // The log stays the same file while the database is open.
        this.#file ??= await open(this.#path);
        await this.#file.datasync();
        const { size } = fstatSync(this.#file.fd);
        if (size >= this.#checkpointAtBytes) {
          this.#checkpoint ??= this.#shorten(size);
        }
        return;
      } catch (error) {
        this.#doubt(error);
      }
    }
    // The next sync of the same file would succeed, although the pages of the failed one may never reach the disk.
    await this.#withoutWrites(() => this.#copy()).catch((cause: unknown) => {
      // Not the code of a lock, after which a caller would write again what is written already.
      const error = new Error('a sync of the database’s log failed, and no checkpoint has made it good', { cause });
      throw Object.assign(error, { code: 'SQLITE_IOERR_FSYNC' });
    });
  }

  #doubt(error: unknown): void {
    this.#isInDoubt = true;
    this.#onFailedSync?.(error, false);
  }

  /** Checkpoints a long log. Where readers of other processes keep a part of it, tries again when it has grown as much again. */
  async #shorten(size: number): Promise<void> {
    try {
      await this.#withoutWrites(() => this.#copy());
      this.#checkpointAtBytes = LONG_LOG_BYTES;
    } catch (error) {
      this.#checkpointAtBytes = size + LONG_LOG_BYTES;
      if (!isBusy(error)) {
        this.#doubt(error);
      }
    } finally {
      this.#checkpoint = undefined;
    }
  }

  /** Syncs the log, copies it into the database's file, syncs that, and begins a new log. */
  async #copy(): Promise<void> {
    const statement = await this.#connection.prepare('pragma wal_checkpoint(truncate)');
    const [{ busy }] = await statement.all();
    if (busy !== 0) {
      throw Object.assign(new Error('other processes use the database'), { code: 'SQLITE_BUSY' });
    }
    // Writes and syncs the head of the new log here: the next writer would do it, on the event loop's thread.
    await this.#connection.exec('pragma user_version = 0').catch(unlessBusy);
    if (this.#isInDoubt) {
      this.#isInDoubt = false;
      this.#onFailedSync?.(undefined, true);
    }
  }
}

/** True when another process holds a lock. */
export function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/** @throws the error, unless another process holds a lock */
function unlessBusy(error: unknown): void {
  if (!isBusy(error)) {
    throw error;
  }
}
