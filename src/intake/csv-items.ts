/** CSV files as items: a header that names the columns, then a row for each code. */

import { parse } from 'csv-parse';

/** More than any row that says an item; a quote that nobody closes would be the rest of the file in memory. */
const ROW_BYTES = 100_000;

const COLUMNS = ['data', 'filename', 'caption'];

/** A parser whose rows are items; spreadsheets write commas, semicolons or tabs. It fails with a sentence for people. */
export function csvRows() {
  return parse({
    columns: columnsOf,
    bom: true,
    delimiter: [',', ';', '\t'],
    skip_empty_lines: true,
    trim: true,
    max_record_size: ROW_BYTES,
  });
}

/** A row as a line of an NDJSON body. An empty cell is an absent member: CSV cannot tell them apart. */
export function itemLine(row: Record<string, string>): string {
  return `${JSON.stringify(row, (name, value: unknown) => (value === '' && name !== 'data' ? undefined : value))}\n`;
}

function columnsOf(header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0 || !names.includes('data')) {
    throw new Error(`the first line of a CSV file names the columns ${COLUMNS.join(', ')}; found ${header.join(', ')}`);
  }
  return names;
}
