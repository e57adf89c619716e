/** Keyset pagination: a page continues where the last one ended, whatever rows were added or removed meanwhile. */

import type { Expression, ExpressionBuilder, OperandValueExpression, ReferenceExpression, SqlBool } from 'kysely';

/** A sort column, and its value in the last row of the previous page. */
type Place<DB, TB extends keyof DB, Column> = readonly [Column, OperandValueExpression<DB, TB, Column>];

/**
 * True for rows after that place, sorted by two columns: `>` when both ascend, `<` when both descend. A row comparison,
 * `(a, b) > (x, y)`, would be shorter, but MySQL does not use an index for it.
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
  return compare.or([
    compare(first, operator, atFirst),
    compare.and([compare(first, '=', atFirst), compare(second, operator, atSecond)]),
  ]);
}
