/** `qrpress admin backup` and `admin restore`: all that a service keeps, into one folder or file and back. */

import { join } from 'node:path';
import { type Backoffice, openBackoffice } from '../backoffice.js';
import { type BackupReport, backUp, type BackupRooms } from '../backup/backup.js';
import { type RestoreReport, restore } from '../backup/restore.js';
import type { Config } from '../config.js';
import { requireCurrent } from '../database/migrate.js';
import { secretsPath } from '../secrets.js';
import { VERSION } from '../version.js';

/** Works beside a running service of the same version. */
export async function writeBackup(config: Config, path: string, archives: boolean): Promise<BackupReport> {
  // A backup changes nothing, so it does not migrate either.
  const rooms = await openBackoffice(config, requireCurrent);
  try {
    return await backUp(path, backupRooms(config, rooms), { version: VERSION, archives });
  } finally {
    await rooms.close();
  }
}

/** Fills an empty database and data folder, which no service runs on yet. */
export async function readBackup(config: Config, path: string): Promise<RestoreReport> {
  // The tables are first those of the backup.
  const rooms = await openBackoffice(config, async () => undefined);
  try {
    return await restore(path, backupRooms(config, rooms), join(config.dataDir, 'work'));
  } finally {
    await rooms.close();
  }
}

function backupRooms({ dataDir }: Config, { database, storage }: Backoffice): BackupRooms {
  return { database, storage, secretsPath: secretsPath(dataDir), outboxPath: join(dataDir, 'outbox') };
}
