/** The studio's request as a line for a shell. */

import type { JobMeta } from '../intake/request-schema.js';

/** Posts `items.ndjson`, one item a line, with the style of the studio. */
export function curlOf(baseUrl: string, meta: JobMeta): string {
  return [
    `(echo ${quoted(JSON.stringify(meta))}; cat items.ndjson) |`,
    `  curl ${baseUrl}/api/v1/jobs --data-binary @- \\`,
    '    -H "Authorization: Bearer $QRPRESS_KEY" \\',
    "    -H 'Content-Type: application/x-ndjson'",
  ].join('\n');
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
