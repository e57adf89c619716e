/** The query of a list, newest first: its search, and its page. Each link to older lines names the last row shown. */

import type { Context } from 'koa';

export interface ListedRow {
  /** Unix milliseconds. */
  createdAt: number;
  id: string;
}

/** Undefined when the query names no row. */
export function rowAfter(ctx: Context): ListedRow | undefined {
  const [, createdAt, id] = /^(\d{1,15})-(\w{26})$/.exec(String(ctx.query['after'] ?? '')) ?? [];
  return createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
}

/**
 * The rows of a page, and the place of the next page, if there is one. @param rows up to one more than the page shows
 */
export function pageOf<T extends ListedRow>(rows: readonly T[], lines: number): { shown: T[]; next?: string } {
  const shown = rows.slice(0, lines);
  const last = shown.at(-1);
  return rows.length > lines && last ? { shown, next: `${last.createdAt}-${last.id}` } : { shown };
}

/** Undefined when the query has no such id. */
export function entryBefore(ctx: Context): number | undefined {
  const before = ctx.query['before'];
  return typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
}

/** The search text. Undefined when it is empty. */
export function searchOf(ctx: Context, maxCharacters: number): string | undefined {
  const text = typeof ctx.query['q'] === 'string' ? ctx.query['q'].trim().slice(0, maxCharacters) : '';
  return text === '' ? undefined : text;
}
