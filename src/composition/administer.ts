/** Opens the service's data for a command. Works beside a running service. */

import { existsSync } from 'node:fs';
import type { AdminContext, AdministerOptions } from '../cli/administer.js';
import type { Config } from '../config/config.js';
import { openAdminContext } from './admin-context.js';

/** See `Administer`. */
export async function administer<T>(
  config: Config,
  work: (context: AdminContext) => Promise<T>,
  { mayCreate = false, prepare }: AdministerOptions = {},
): Promise<T> {
  showDataFolder(config, mayCreate);
  const context = await openAdminContext(config, prepare);
  try {
    return await work(context);
  } finally {
    await context.close();
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
