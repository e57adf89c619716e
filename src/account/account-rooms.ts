/** What the flows of accounts share. */

import type { Database } from '../database/connection.js';

export interface AccountRooms {
  database: Database;
  /** Origin that links begin with. */
  baseUrl: string;
  /** Has the outbox looked at; to be called when a letter's transaction is committed. */
  wakePostman: () => void;
}

/** The link that a letter leads to. */
export function accountUrl({ baseUrl }: Pick<AccountRooms, 'baseUrl'>, path: string): string {
  return `${baseUrl}/account/${path}`;
}
