/** The parts that administration commands work with. The composition root opens them. */

import type { ApiKeyStore } from '../accounts/keys/api-key-store.js';
import type { Operators } from '../accounts/operators.js';
import type { OrganisationStore } from '../accounts/organisations/organisation-store.js';
import type { WebhookStore } from '../accounts/webhook-store.js';
import type { Config } from '../config/config.js';
import type { Allowances } from '../credits/allowance-store.js';
import type { Ledger } from '../credits/ledger-store.js';
import type { Database } from '../database/connection.js';
import type { ProcessFolder } from '../jobs/files/process-folder.js';
import type { BlobStore } from '../storage/blob-store.js';

/** The parts that the administration commands work with. */
export interface AdminContext {
  database: Database;
  operators: Operators;
  organisations: OrganisationStore;
  keys: ApiKeyStore;
  ledger: Ledger;
  allowances: Allowances;
  webhooks: WebhookStore;
  storage: BlobStore;
  folder: ProcessFolder;
  close: () => Promise<void>;
}

export interface AdministerOptions {
  /** Makes the database if there is none. Default: refuses. */
  mayCreate?: boolean;
  /** Runs before all else. Default: migrates. */
  prepare?: (database: Database) => Promise<unknown>;
}

/**
 * Opens what needs no running service, for the duration of `work`.
 * @throws Error when there is no database
 */
export type Administer = <T>(
  config: Config,
  work: (context: AdminContext) => Promise<T>,
  options?: AdministerOptions,
) => Promise<T>;
