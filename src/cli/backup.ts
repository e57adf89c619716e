/** `qrpress admin backup` and `admin restore`: all data of a service into one folder or file, and back. */

import { join } from 'node:path';
import { type AdminContext, openAdminContext } from './admin-context.js';
import { type BackupDependencies, type BackupReport, backUp } from './backup/backup.js';
import { type RestoreReport, restore } from './backup/restore.js';
import type { Config } from '../config/config.js';
import { requireCurrent } from '../database/migrate.js';
import { secretsPath } from '../config/secrets.js';
import { VERSION } from '../platform/version.js';
import { showDataFolder } from './admin.js';

/** Works beside a running service of the same version. */
export async function writeBackup(config: Config, path: string, archives: boolean): Promise<BackupReport> {
  showDataFolder(config);
  // A backup changes nothing, so it must not migrate either.
  const dependencies = await openAdminContext(config, requireCurrent);
  try {
    return await backUp(path, backupDependencies(config, dependencies), { version: VERSION, archives });
  } finally {
    await dependencies.close();
  }
}

/** Fills an empty database and data folder. No service may run on them yet. */
export async function readBackup(config: Config, path: string): Promise<RestoreReport> {
  showDataFolder(config, true);
  // Not migrated here: `restore` first creates the tables of the backup's version.
  const dependencies = await openAdminContext(config, async () => undefined);
  try {
    return await restore(path, backupDependencies(config, dependencies), join(config.dataDir, 'work'));
  } finally {
    await dependencies.close();
  }
}

function backupDependencies({ dataDir }: Config, { database, storage }: AdminContext): BackupDependencies {
  return { database, storage, secretsPath: secretsPath(dataDir), outboxPath: join(dataDir, 'outbox') };
}
