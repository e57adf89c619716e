/**
 * The Redis shared by several processes, and whether it can be used. Results of commands decide that: a server may answer and
 * refuse every write (a replica after a failover, no memory, a full disk), or keep its connections and hold back its answers.
 * Redis never holds the only copy of anything, so its absence fails no request.
 */

import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { Rounds } from '../rounds.js';
import type { Log } from '../log.js';
import { connectRedis, isReadOnly } from './connection.js';

/** Interval between test writes. */
const PROBE_EVERY_MS = 1_000;

const PROBE_KEY = 'qrpress:probe';

/**
 * `available`: Redis takes writes again. `away`: it does not, emitted at each look while that is so. `fallback`: an attempt
 * was counted in memory instead.
 */
interface Events {
  available: [];
  away: [];
  fallback: [];
}

export class SharedRedis extends EventEmitter<Events> {
  readonly client: Redis;
  readonly #log: Log;
  readonly #probes: Rounds;
  #isAvailable = false;
  /** True after the outage was logged. */
  #isLogged = false;
  #failure = 'the connection was closed';
  /** True while the server is a replica. */
  #isReadOnly = false;

  /** Connects to `url` (`redis://` or `rediss://user:password@host:port/database`) and reconnects whenever the connection breaks. */
  constructor(url: string, log: Log) {
    super();
    this.#log = log;
    this.client = connectRedis(url);
    this.#probes = new Rounds({
      work: () => this.#probe(),
      everyMs: PROBE_EVERY_MS,
      onFailure: (error) => this.refuse(error),
    });
    // One that takes no writes is not asked again before the next look: each time the connection is made anew.
    this.client.on('ready', () => void (this.#isReadOnly || this.#probes.runSoon()));
    this.client.on('error', ({ message }: Error) => {
      // Only the message: the error may carry the failed command, which may contain the password.
      this.#failure = message;
    });
    this.client.on('reconnecting', () => this.#setAway());
    void this.#probes.start();
  }

  /** True while Redis takes writes. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** A command failed. Redis counts as away until a write succeeds. */
  refuse(error: unknown): void {
    this.#failure = (error as Error).message;
    this.#isReadOnly ||= isReadOnly(this.#failure);
    this.#setAway();
  }

  /** A command was refused, or failed otherwise: then a test write finds out whether Redis can be used. */
  suspect(error: unknown): void {
    if ((error as Error).name === 'ReplyError') {
      this.refuse(error);
    } else {
      this.#probes.runSoon();
    }
  }

  close(): void {
    void this.#probes.close();
    this.client.disconnect();
  }

  async #probe(): Promise<void> {
    if (this.client.status !== 'ready') {
      this.#setAway();
      return;
    }
    const write = () => this.client.set(PROBE_KEY, '', 'PX', PROBE_EVERY_MS);
    // One late answer may be the fault of this process, which had no time to read it.
    await write().catch((error: Error) => {
      if (error.message !== 'Command timed out') {
        throw error;
      }
      return write();
    });
    if (!this.#isAvailable) {
      this.#isAvailable = true;
      this.#isLogged = false;
      this.#isReadOnly = false;
      this.#failure = 'the connection was closed';
      this.#log.info({}, 'redis: connected');
      this.emit('available');
    }
  }

  #setAway(): void {
    if (this.#probes.isClosed) {
      return;
    }
    this.#isAvailable = false;
    // One line per outage, not per look. None before the first connection had its time.
    if (!this.#isLogged && this.client.status !== 'connecting' && this.client.status !== 'connect') {
      this.#isLogged = true;
      this.#log.warn({ reason: this.#failure }, 'redis: unavailable');
    }
    this.emit('away');
  }
}
