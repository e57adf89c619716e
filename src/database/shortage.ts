/** Errors of a database that may pass by themselves. */

import { type Shortage, type ShortageCodes, shortageOfCode } from '../platform/shortage.js';
import { NotCommittedError, OutcomeUnknownError } from './transaction.js';

/** SQLite: the file is read-only, unreadable or unwritable, or locked by another process. */
const SQLITE_CODE = /^SQLITE_(?:READONLY|IOERR|CANTOPEN|BUSY|LOCKED)/;

const CODES: ShortageCodes = {
  disk: new Set(['SQLITE_FULL', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL']),
  server: new Set([
    'PROTOCOL_CONNECTION_LOST',
    // MySQL and MariaDB: too many connections, shutdown, read-only, lock timeouts and deadlocks.
    'ER_CON_COUNT_ERROR',
    'ER_TOO_MANY_USER_CONNECTIONS',
    'ER_USER_LIMIT_REACHED',
    'ER_SERVER_SHUTDOWN',
    'ER_NORMAL_SHUTDOWN',
    'ER_CONNECTION_KILLED',
    'ER_NEW_ABORTING_CONNECTION',
    'ER_QUERY_INTERRUPTED',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_READ_ONLY_MODE',
    'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    'ER_LOCK_DEADLOCK',
    'ER_LOCK_WAIT_TIMEOUT',
    // The user is locked, renamed or without rights until somebody gives them back.
    'ER_ACCESS_DENIED_ERROR',
    'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
    'ER_ACCOUNT_HAS_BEEN_LOCKED',
    'ER_DBACCESS_DENIED_ERROR',
    'ER_TABLEACCESS_DENIED_ERROR',
    // Somebody restores the database.
    'ER_NO_SUCH_TABLE',
  ]),
};

export function databaseShortage(error: unknown): Shortage | undefined {
  if (error instanceof NotCommittedError || error instanceof OutcomeUnknownError) {
    return databaseShortage(error.cause) ?? 'server';
  }
  const { code, fatal } = error as { code?: unknown; fatal?: unknown };
  // mysql2 sets `fatal` on errors that end the connection.
  const isLost = fatal === true || (typeof code === 'string' && SQLITE_CODE.test(code));
  return shortageOfCode(error, CODES) ?? (isLost ? 'server' : undefined);
}
