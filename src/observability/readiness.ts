/** The checks of `GET /readyz` and of the server overview: everything that a process needs to accept and do work. */

import { type Database, probeWrite } from '../database/connection.js';
import { schemaState } from '../database/migrate.js';
import { inTime, oneAtATime } from '../platform/concurrency.js';
import { diskOf, RESERVED_DISK_BYTES } from '../platform/disk.js';
import type { Engine } from '../engine/engine.js';
import type { BlobStore } from '../storage/blob-store.js';

/** Checks by name. `degraded`: the part works, but needs attention. A check rejects with the reason of its failure. */
type ReadinessChecks = Readonly<Record<string, () => Promise<'ok' | 'degraded'>>>;

interface CheckResult {
  state: 'ok' | 'degraded' | 'failed';
  durationMs: number;
}

/** Runs all checks. Never rejects. */
export type Examine = () => Promise<Record<string, CheckResult>>;

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 2_000;

interface ReadinessDependencies {
  database: Database;
  databaseLock: { isUndisturbed: boolean };
  storage: BlobStore;
  engine: Engine;
  /** Undefined when no Redis is configured. */
  redis: { isAvailable: boolean } | undefined;
  dataDir: string;
}

/** Free bytes on the data folder's file system. Below `low` the check is degraded; below `full` it fails. */
const DISK_BYTES = { low: 2 * 1024 ** 3, full: RESERVED_DISK_BYTES };

/** @param onFailure gets the reason for which a check failed */
export function readiness(
  dependencies: ReadinessDependencies,
  onFailure: (name: string, reason: unknown) => void,
): Examine {
  // Concurrent probes must not use up the connections of a part that hangs.
  const single = Object.entries(checksOf(dependencies)).map(([name, check]) => [name, oneAtATime(check)] as const);
  return async () => {
    const results = single.map(async ([name, check]) => {
      const started = performance.now();
      const state = await inTime(CHECK_TIMEOUT_MS, check()).catch((reason: unknown) => {
        onFailure(name, reason);
        return 'failed' as const;
      });
      return [name, { state, durationMs: Math.round(performance.now() - started) }] as const;
    });
    return Object.fromEntries(await Promise.all(results));
  };
}

function checksOf(dependencies: ReadinessDependencies): ReadinessChecks {
  const { database, databaseLock, storage, engine, redis, dataDir } = dependencies;
  return {
    database: async () => {
      await probeWrite(database);
      return databaseLock.isUndisturbed ? 'ok' : 'degraded';
    },
    schema: () => checkSchema(database),
    storage: async () => {
      await storage.check();
      return 'ok';
    },
    disk: () => checkDisk(dataDir),
    engine: async () => {
      await engine.describe();
      return 'ok';
    },
    // Without Redis each process counts for itself and finds work in the database.
    ...(redis && { redis: async () => (redis.isAvailable ? 'ok' : 'degraded') }),
  };
}

/** Newer tables mean that an upgrade is in progress. */
async function checkSchema(database: Database): Promise<'ok' | 'degraded'> {
  const state = await schemaState(database);
  if (state === 'outdated') {
    throw new Error('the database has the tables of an older version; run `qrpress migrate`');
  }
  return state === 'newer' ? 'degraded' : 'ok';
}

export async function checkDisk(folder: string, { low, full } = DISK_BYTES): Promise<'ok' | 'degraded'> {
  const { freeBytes } = await diskOf(folder);
  if (freeBytes < full) {
    throw new Error(`${folder} has ${freeBytes} bytes free, fewer than the required ${full}`);
  }
  return freeBytes < low ? 'degraded' : 'ok';
}
