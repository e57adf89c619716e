/** `qrpress admin backup` and `admin restore`: all data of a service into one folder, and back. */

import { join } from 'node:path';
import { COMMAND_LINE } from '../accounts/actor.js';
import { audit } from '../accounts/audit-store.js';
import type { AdminContext, Administer } from './administer.js';
import { type BackupDependencies, type BackupReport, backUp } from './backup/backup.js';
import { openBackup, type RestoreReport, restore } from './backup/restore.js';
import type { Config } from '../config/config.js';
import { requireCurrent } from '../database/migrate.js';
import { secretsPath } from '../config/secrets.js';
import { VERSION } from '../platform/version.js';

/** Works beside a running service of the same version. */
export async function writeBackup(
  administer: Administer,
  config: Config,
  path: string,
  archives: boolean,
): Promise<BackupReport> {
  const backUpTo = async (context: AdminContext) => {
    const report = await backUp(path, backupDependencies(config, context), { version: VERSION, archives });
    // The backup is complete also where its database takes no writes.
    await audit(context.database, COMMAND_LINE, null, 'backup-made').catch(() => undefined);
    return report;
  };
  // A backup changes nothing else, so it must not migrate either.
  return administer(config, backUpTo, { prepare: requireCurrent });
}

/** Fills an empty database and data folder. No service may run on them yet. */
export async function readBackup(administer: Administer, config: Config, path: string): Promise<RestoreReport> {
  // Before the data folder and the database are made: without a backup they would look like an empty service.
  const backup = await openBackup(path);
  const restoreFrom = (context: AdminContext) =>
    restore(backup, backupDependencies(config, context), join(config.dataDir, 'work'));
  // Not migrated here: `restore` first creates the tables of the backup's version.
  return administer(config, restoreFrom, { mayCreate: true, prepare: async () => undefined });
}

function backupDependencies({ dataDir }: Config, { database, storage }: AdminContext): BackupDependencies {
  return { database, storage, secretsPath: secretsPath(dataDir), outboxPath: join(dataDir, 'outbox') };
}
