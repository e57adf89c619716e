/** The parts that all flows of accounts share. */

import type { Database } from '../database/connection.js';

export interface AccountDependencies {
  database: Database;
  /** Origin that links begin with. */
  baseUrl: string;
  /** Has the outbox looked at; to be called when a letter's transaction is committed. */
  wakeOutboxWorker: () => void;
}

/** The link that a letter leads to. */
export function accountUrl({ baseUrl }: Pick<AccountDependencies, 'baseUrl'>, path: string): string {
  return `${baseUrl}/account/${path}`;
}
