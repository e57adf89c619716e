/** Temporary failures of a server, a disk or the network. */

import { type ApiError, unavailable } from '../contract/errors.js';

/** `Retry-After` in seconds. */
const RETRY_AFTER = { disk: 60, server: 5 };

const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL']);

/** SQLite: the file is read-only, unreadable or unwritable, or locked by another process. */
const SQLITE_CODE = /^SQLITE_(?:READONLY|IOERR|CANTOPEN|BUSY|LOCKED)/;

const SERVER_CODES = new Set([
  // Connection failures.
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  // The engine has no thread free, its process does not start, or it cannot read or write a file.
  'busy',
  'down',
  'io',
  // A file system that fails or is mounted read-only.
  'EROFS',
  'EIO',
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
]);

/** The client's error for a failure that may be temporary. Undefined for every other error. */
export function asUnavailable(error: unknown): ApiError | undefined {
  const { code, fatal } = error as { code?: unknown; fatal?: unknown };
  if (typeof code === 'string' && DISK_CODES.has(code)) {
    return unavailable('The service lacks disk space; try again later.', RETRY_AFTER.disk);
  }
  // mysql2 sets `fatal` on errors that end the connection.
  if (fatal === true || (typeof code === 'string' && (SERVER_CODES.has(code) || SQLITE_CODE.test(code)))) {
    return unavailable('The service is temporarily unavailable; try again later.', RETRY_AFTER.server);
  }
  return undefined;
}
