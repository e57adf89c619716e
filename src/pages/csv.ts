/** Lines of CSV (RFC 4180), and the ledger as CSV. */

import type { LedgerLine } from '../credits/ledger-report-store.js';

/** First characters of a cell that a spreadsheet treats as a formula. The full-width forms count in some languages. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line with its line end. An apostrophe precedes text that a spreadsheet would treat as a formula. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') {
    return value === null ? '' : String(value);
  }
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

export const ledgerColumns = ['time', 'kind', 'amount', 'balance_after', 'job', 'key', 'person', 'reason'];

export function ledgerRow(line: LedgerLine): (string | number | null)[] {
  const { createdAt, kind, amount, balanceAfter, jobId, keyName, personName, reason } = line;
  return [isoTime(createdAt), kind, amount, balanceAfter, jobId, keyName, personName, reason];
}
