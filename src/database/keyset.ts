/** Pages of rows that go on where the one before ended, whatever was added or removed meanwhile. */

import type { Expression, ExpressionBuilder, OperandValueExpression, ReferenceExpression, SqlBool } from 'kysely';

/** A column of an order, and its value in the last row of the page before. */
type Place<DB, TB extends keyof DB, Column> = readonly [Column, OperandValueExpression<DB, TB, Column>];

/**
 * True where a row comes after that place in the order of two columns: `>` where they ascend, `<` where they descend. A
 * comparison of rows, `(a, b) > (x, y)`, says the same in fewer words, but MySQL doesn't use an index for it.
 */
export function isBehind<
  DB,
  TB extends keyof DB,
  First extends ReferenceExpression<DB, TB>,
  Second extends ReferenceExpression<DB, TB>,
>(
  compare: ExpressionBuilder<DB, TB>,
  behind: '>' | '<',
  [first, atFirst]: Place<DB, TB, First>,
  [second, atSecond]: Place<DB, TB, Second>,
): Expression<SqlBool> {
  return compare.or([
    compare(first, behind, atFirst),
    compare.and([compare(first, '=', atFirst), compare(second, behind, atSecond)]),
  ]);
}
