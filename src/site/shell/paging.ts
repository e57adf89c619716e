/** The query of a list, newest first: its search, its days, and its page. Each link to older lines names the last row shown. */

import { parseDay } from '../../contract/date-time.js';
import type { Context } from 'koa';

/** The place of a row. Undefined when the query names none. */
export function rowAfter(ctx: Context): { createdAt: number; id: string } | undefined {
  const [, createdAt, id] = /^(\d{1,15})-(\w{26})$/.exec(String(ctx.query['after'] ?? '')) ?? [];
  return createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
}

/**
 * The rows of a page, and the place of the next page, if there is one: an entry's number, or a row's time and id.
 * @param rows up to one more than the page shows
 */
export function pageOf<Row extends { createdAt: number; id: string | number }>(
  rows: readonly Row[],
  lines: number,
): { shown: Row[]; next?: string } {
  const shown = rows.slice(0, lines);
  const last = shown.at(-1);
  return rows.length > lines && last ? { shown, next: placeOf(last) } : { shown };
}

/** A row's place in the query of the next page. */
export function placeOf({ createdAt, id }: { createdAt: number; id: string | number }): string {
  return typeof id === 'number' ? String(id) : `${createdAt}-${id}`;
}

/** The id of an entry. Undefined when the query has none. */
export function entryBefore(ctx: Context): number | undefined {
  const before = ctx.query['before'];
  return typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
}

/** The search text. Undefined when it is empty. */
export function searchOf(ctx: Context, maxCharacters: number): string | undefined {
  const text = typeof ctx.query['q'] === 'string' ? ctx.query['q'].trim() : '';
  // Cut between characters: half a surrogate pair has no form in the link to the next page.
  return text === '' ? undefined : [...text].slice(0, maxCharacters).join('');
}

/** A day, such as 2026-01-31. Undefined when the query has none. */
export function dayIn(ctx: Context, name: string): string | undefined {
  const text = String(ctx.query[name] ?? '');
  return parseDay(text) === undefined ? undefined : text;
}

/** The filters of a list as the query of a link, without those that are not set. */
export function queryOf(filters: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}
