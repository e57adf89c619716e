/** Part of the composition root: the rooms that need no running service. The rest takes longer to load than most commands take. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeyStore } from './account/api-key-store.js';
import { Operators } from './account/operators.js';
import { OrganisationStore } from './account/organisation-store.js';
import type { Config } from './config.js';
import { Ledger } from './credits/ledger.js';
import { type Database, openDatabase } from './database/connection.js';
import { migrate } from './database/migrate.js';
import type { DraftFolder } from './jobs/job-files.js';
import { ProcessFolder } from './jobs/process-folder.js';
import type { Metrics } from './metrics/metrics.js';
import { observeStore } from './metrics/observed-store.js';
import type { BlobStore } from './storage/blob-store.js';
import { openStorage } from './storage/open-storage.js';
import { traceStore } from './tracing/traced-store.js';
import type { Tracing } from './tracing/tracing.js';

/** What the administration commands work with. */
export interface Backoffice {
  database: Database;
  operators: Operators;
  organisations: OrganisationStore;
  keys: ApiKeyStore;
  ledger: Ledger;
  storage: BlobStore;
  /** Of this process. */
  folder: ProcessFolder;
  drafts: DraftFolder;
  close: () => Promise<void>;
}

/** Opens the database, brings its tables up to date unless `prepare` does something else, and builds the rooms around it. */
export async function openBackoffice(
  config: Config,
  prepare: (database: Database) => Promise<unknown> = migrate,
  metrics?: Metrics,
  tracing?: Tracing,
): Promise<Backoffice> {
  await mkdir(config.dataDir, { recursive: true });
  const { databaseUrl, databaseConnections: connections } = config;
  const database = openDatabase(databaseUrl, { connections, observer: metrics?.database() });
  try {
    await prepare(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const store = await openStorage(config.storage ?? { kind: 'folder', path: join(config.dataDir, 'storage') });
  const storage = traceStore(metrics === undefined ? store : observeStore(store, metrics), tracing);
  const folder = new ProcessFolder(join(config.dataDir, 'work'));
  return {
    database,
    operators: new Operators(database),
    organisations: new OrganisationStore(database),
    keys: new ApiKeyStore(database),
    ledger: new Ledger(database),
    storage,
    folder,
    drafts: folder.drafts,
    close: async () => {
      await storage.close();
      await database.destroy();
    },
  };
}
