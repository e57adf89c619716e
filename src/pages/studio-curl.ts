/** The studio's request as a line for a shell. */

import type { JobMeta } from '../contract/request-schema.js';
import { shellWord } from '../quoting.js';

/** Stands for the logo until the shell reads it from its file. As a member of JSON it cannot come of what a caption says. */
const LOGO = '"dataUrl":"data:image/png;base64,"';

/** Posts `items.ndjson`, one item a line, with the style of the studio. */
export function curlOf(baseUrl: string, meta: JobMeta): string {
  return [
    `(echo ${metaWord(meta)}; cat items.ndjson) |`,
    `  curl ${baseUrl}/api/v1/jobs --data-binary @- \\`,
    '    -H "Authorization: Bearer $QRPRESS_KEY" \\',
    "    -H 'Content-Type: application/x-ndjson'",
  ].join('\n');
}

/** The first line of the body as a word of the shell, in which a logo is that of `logo.png`. */
function metaWord(meta: JobMeta): string {
  const text = JSON.stringify(meta, (name, value: unknown) => (name === 'dataUrl' ? 'data:image/png;base64,' : value));
  return shellWord(text).replace(LOGO, `${LOGO.slice(0, -1)}'"$(base64 -w0 logo.png)"'"`);
}
