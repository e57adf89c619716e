/** Reports every query and every event of the connection pool to an observer. */

import type { LogEvent } from 'kysely';

export type QueryKind = 'select' | 'insert' | 'update' | 'delete' | 'other';

/** `enqueue`: a query waits because every connection is in use. */
export const POOL_EVENTS = ['connection', 'acquire', 'release', 'enqueue'] as const;

export interface DatabaseObserver {
  query: (kind: QueryKind, seconds: number, failed: boolean) => void;
  pool: (event: (typeof POOL_EVENTS)[number]) => void;
}

const KINDS: Readonly<Record<string, QueryKind>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

export function observeQuery({ query }: DatabaseObserver): (event: LogEvent) => void {
  return (event) =>
    query(KINDS[event.query.query.kind] ?? 'other', event.queryDurationMillis / 1_000, event.level === 'error');
}
