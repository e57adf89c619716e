/** The checks of `GET /readyz`: everything that a process needs to accept and do work. */

import { type Database, probeWrite } from '../database/connection.js';
import { schemaState } from '../database/migrate.js';
import { diskOf, RESERVED_DISK_BYTES } from '../platform/disk.js';
import type { Engine } from '../engine/engine.js';
import type { BlobStore } from '../storage/blob-store.js';

/** Checks by name. `degraded`: the part works, but needs attention. A check rejects with the reason of its failure. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<'ok' | 'degraded'>>>;

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

export function readinessChecks(dependencies: ReadinessDependencies): ReadinessChecks {
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
