/**
 * The parts that commands use without a running service, and the service too. Loading the rest takes longer than most
 * commands take.
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeyStore } from '../accounts/keys/api-key-store.js';
import { Operators } from '../accounts/operators.js';
import { creditsGrantedMail, lowBalanceMail } from '../accounts/organisations/notice-store.js';
import { OrganisationStore } from '../accounts/organisations/organisation-store.js';
import type { AdminContext } from '../cli/administer.js';
import { type Config, locationOfBlobs } from '../config/config.js';
import { Allowances } from '../credits/allowance-store.js';
import { Ledger } from '../credits/ledger-store.js';
import { type Database, type DatabaseTransaction, openDatabase } from '../database/connection.js';
import { migrate } from '../database/migrate.js';
import type { OnFailedSync } from '../database/sqlite-log.js';
import { ProcessFolder } from '../jobs/files/process-folder.js';
import { withSmallBlobs } from '../jobs/small-blob-store.js';
import type { Metrics } from '../observability/metrics.js';
import { openStorage } from '../storage/open-storage.js';
import { AddressGuard } from '../outbox/address-guard.js';
import { postLowCredits } from '../outbox/event-store.js';
import { WebhookStore } from '../accounts/webhook-store.js';

/** Longer than a statement waits for a lock (50 s), shorter than a client's connection may be idle. */
const DATABASE_SILENCE_MS = 60_000;

/**
 * Runs `prepare` (default: migrates) on the database, and builds the parts on top of it.
 * @param metrics of a service. Without them the caller is a command, whose statements may take any time
 */
export async function openAdminContext(
  config: Config,
  prepare: (database: Database) => Promise<unknown> = migrate,
  metrics?: Metrics,
  onFailedSync?: OnFailedSync,
): Promise<AdminContext> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { databaseUrl, databaseConnections: connections } = config;
  // On connections of its own: a migration, or the wait for that of another process, may take long and carry nothing.
  const unprepared = openDatabase(databaseUrl);
  try {
    await prepare(unprepared);
  } finally {
    await unprepared.destroy();
  }
  const database = openDatabase(databaseUrl, {
    connections,
    onFailedSync,
    ...(metrics && { observer: metrics.database(), silenceMs: DATABASE_SILENCE_MS }),
  });
  const store = await openStorage(locationOfBlobs(config));
  const observed =
    metrics === undefined
      ? store
      : (await import('../storage/instrumented-store.js')).instrumentStore(store, metrics.storage());
  const storage = withSmallBlobs(observed, database);
  const folder = new ProcessFolder(join(config.dataDir, 'work'));
  return {
    database,
    operators: new Operators(database, { onGrant: creditsGrantedMail(config), onTakenBack: onLessCredits(config) }),
    organisations: new OrganisationStore(database),
    keys: new ApiKeyStore(database),
    ledger: new Ledger(database, config.credits),
    allowances: new Allowances(database, config.monthlyCredits),
    webhooks: new WebhookStore(database, new AddressGuard(config.webhookAllow, config.proxy)),
    storage,
    folder,
    close: async () => {
      await storage.close();
      await database.destroy();
    },
  };
}

/** Returns what tells an organisation that its credits run low. Undefined where they never do. */
export function onLessCredits(config: Config) {
  const mail = lowBalanceMail(config);
  // Unlimited ones do not: a grant keeps the balance where it is, for each job that it does not suffice for.
  return config.credits === 'unlimited'
    ? undefined
    : (transaction: DatabaseTransaction, less: readonly { organisationId: string; credits: number }[]) =>
        postLowCredits(transaction, less, mail);
}
