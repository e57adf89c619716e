/** Pages of lists, newest first: each link to older lines says where the next page begins. */

import type { Context } from 'koa';

export interface ListedRow {
  /** Unix milliseconds. */
  createdAt: number;
  id: string;
}

/** Undefined where the query names no row. */
export function rowAfter(ctx: Context): ListedRow | undefined {
  const [, createdAt, id] = /^(\d{1,15})-(\w{26})$/.exec(String(ctx.query['after'] ?? '')) ?? [];
  return createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
}

/** The rows of a page, and what the link to the next one says, if there is one. @param rows up to one more than the page has */
export function pageOf<T extends ListedRow>(rows: readonly T[], lines: number): { shown: T[]; next?: string } {
  const shown = rows.slice(0, lines);
  const last = shown.at(-1);
  return rows.length > lines && last ? { shown, next: `${last.createdAt}-${last.id}` } : { shown };
}

/** Undefined where the query has no such id. */
export function entryBefore(ctx: Context): number | undefined {
  const before = ctx.query['before'];
  return typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
}
