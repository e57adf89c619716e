/** `qrpress admin`: single operations on organisations, keys and credits. Works beside a running service. */

import { existsSync } from 'node:fs';
import { accountUrl } from '../accounts/letters.js';
import { createInvitation } from '../accounts/organisations/invitation-store.js';
import { type AdminContext, openAdminContext } from './admin-context.js';
import type { Config } from '../config/config.js';
import type { Database } from '../database/connection.js';
import type { Role } from '../database/schema.js';
import { transact } from '../database/transaction.js';
import { type VerifyOptions, type Violation, verify } from './verify.js';

/**
 * Opens what needs no running service, for the duration of `work`.
 * @param mayCreate makes the database if there is none
 * @param prepare runs before all else. Default: migrates
 * @throws Error when there is no database
 */
export async function administer<T>(
  config: Config,
  work: (dependencies: AdminContext) => Promise<T>,
  { mayCreate = false, prepare }: { mayCreate?: boolean; prepare?: (database: Database) => Promise<unknown> } = {},
): Promise<T> {
  showDataFolder(config, mayCreate);
  const dependencies = await openAdminContext(config, prepare);
  try {
    return await work(dependencies);
  } finally {
    await dependencies.close();
  }
}

/**
 * Prints the data folder to standard error: another folder or database has other organisations.
 * @throws Error when there is no database: a mistyped folder must not become a second, empty service
 */
function showDataFolder({ dataDir, databaseUrl }: Config, mayCreate = false): void {
  const path = databaseUrl.slice('sqlite:'.length);
  const isNew = databaseUrl.startsWith('sqlite:') && !existsSync(path);
  console.error(`data folder: ${dataDir}${isNew && mayCreate ? ' (new)' : ''}`);
  if (isNew && !mayCreate) {
    throw new Error(
      `there is no database at ${path}; set QRPRESS_DATA_DIR to the folder of the service, or start it once`,
    );
  }
}

/** The link of a new invitation. Sends no mail. @throws AccountError `conflict`; ApiError `not_found` */
export async function invitationUrl(
  baseUrl: string,
  database: Database,
  { organisationId, email, role }: { organisationId: string; email: string; role: Role },
): Promise<string> {
  const { token } = await transact(database, (transaction) =>
    createInvitation(transaction, { invitedBy: null, organisationId, email, role }),
  );
  return accountUrl({ baseUrl }, `invitation/${token}`);
}

/** A new one-time link that makes a person an operator. Earlier links end. */
export async function operatorUrl(baseUrl: string, operators: AdminContext['operators']): Promise<string> {
  return accountUrl({ baseUrl }, `operator/${await operators.issueLink()}`);
}

export function verifyInvariants(config: Config, options?: VerifyOptions): Promise<Violation[]> {
  return administer(config, (dependencies) => verify(dependencies, options));
}
