/** The workloads of the benchmarks, made the same way every time. */

import { closeSync, openSync, writeSync } from 'node:fs';

/** Distinct URLs of exactly 60 bytes: version 4 at level M. */
export function url60(index) {
  return `https://qrpress.example/p/${String(index).padStart(12, '0')}?from=poster-autumn-26`;
}

/** An item with a caption of 14 characters: a million of them are just below the 100 MB that a body may have. */
export function captioned(index) {
  return { data: url60(index), caption: `No. ${String(index).padStart(10, '0')}` };
}

/** Writes an NDJSON job body of `items` lines; `item` makes one line's value from its index. */
export function writeBody(path, items, meta, item = (index) => ({ data: url60(index) })) {
  const file = openSync(path, 'w');
  let lines = `${JSON.stringify(meta)}\n`;
  for (let index = 0; index < items; index++) {
    lines += `${JSON.stringify(item(index))}\n`;
    if (lines.length > 1 << 20) {
      writeSync(file, lines);
      lines = '';
    }
  }
  writeSync(file, lines);
  closeSync(file);
}
