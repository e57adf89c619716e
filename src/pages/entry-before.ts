/** Where a page of entries begins: below the id in the query, as the link to the older ones has it. */

import type { Context } from 'koa';

/** Undefined where the query has no such id. */
export function entryBefore(ctx: Context): number | undefined {
  const before = ctx.query['before'];
  return typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
}
