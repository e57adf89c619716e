/** Keyset pagination: a page continues where the last one ended, whatever rows were added or removed meanwhile. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Expression, ExpressionBuilder, OperandValueExpression, ReferenceExpression, SqlBool } from 'kysely';

/** A sort column, and its value in the last row of the previous page. */
type Place<DB, TB extends keyof DB, Column> = readonly [Column, OperandValueExpression<DB, TB, Column>];

/**
 * True for rows after that place, sorted by two columns: `>` when both ascend, `<` when both descend. A row comparison,
 * `(a, b) > (x, y)`, would be shorter, but MySQL does not use an index for it. The first condition follows from the others;
 * without it SQLite would read all rows before that place, too.
 */
export function isBehind<
  DB,
  TB extends keyof DB,
  First extends ReferenceExpression<DB, TB>,
  Second extends ReferenceExpression<DB, TB>,
>(
  compare: ExpressionBuilder<DB, TB>,
  operator: '>' | '<',
  [first, atFirst]: Place<DB, TB, First>,
  [second, atSecond]: Place<DB, TB, Second>,
): Expression<SqlBool> {
  return compare.and([
    compare(first, `${operator}=`, atFirst),
    compare.or([compare(first, operator, atFirst), compare(second, operator, atSecond)]),
  ]);
}

/** Rows per page of `pagesOf`, if its caller names no other number. */
const PAGE = 500;

/**
 * All rows, page by page, each in a turn of the event loop of its own: SQLite answers on its thread, and a long list must not
 * keep it from everybody else.
 * @param read up to `limit` rows after `last`
 */
export async function* pagesOf<Row>(
  read: (limit: number, last: Row | undefined) => Promise<Row[]>,
  limit = PAGE,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const page = await read(limit, last);
    yield page;
    if (page.length < limit) {
      return;
    }
    last = page.at(-1);
    await nextTurn();
  }
}
