/** Lines of CSV (RFC 4180). */

import { BYTE_ORDER_MARK } from '../../contract/encodings.js';

export type Cell = string | number | null;

/**
 * Where a cell begins that a spreadsheet treats as a formula. The full-width forms count in some languages. Where a comma
 * separates decimals, spreadsheets split lines at semicolons, and treat quotes within a line as text: so a line may also end
 * in a quoted cell. `crates/batch/src/manifest/csv.rs` does the same.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;

/** The first line of a file. */
export function csvHead(columns: readonly string[]): string {
  return `${BYTE_ORDER_MARK}${csvLine(columns)}`;
}

/** A line with its line end. An apostrophe precedes text that a spreadsheet would treat as a formula. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: Cell): string {
  if (typeof value !== 'string') {
    return value === null ? '' : String(value);
  }
  const text = value.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
