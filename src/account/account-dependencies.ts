/** Dependencies shared by all account flows. */

import type { Database } from '../database/connection.js';

export interface AccountDependencies {
  database: Database;
  /** Origin of the links in letters. */
  baseUrl: string;
  /** Makes the outbox worker look for mails. Call it after committing a letter's transaction. */
  wakeOutboxWorker: () => void;
}

/** The URL of an account page, for a link in a letter. */
export function accountUrl({ baseUrl }: Pick<AccountDependencies, 'baseUrl'>, path: string): string {
  return `${baseUrl}/account/${path}`;
}
