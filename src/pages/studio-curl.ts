/** The studio's request as a shell command. */

import type { JobMeta } from '../contract/request-schema.js';
import { shellWord } from '../quoting.js';

/**
 * Placeholder for the logo, which the shell reads from its file. A caption cannot contain it, because JSON escapes its
 * quotes.
 */
const LOGO = '"dataUrl":"data:image/png;base64,"';

/** Posts `items.ndjson`, one item per line, with the style of the studio. */
export function curlOf(baseUrl: string, meta: JobMeta): string {
  return [
    `(echo ${metaWord(meta)}; cat items.ndjson) |`,
    `  curl ${baseUrl}/api/v1/jobs --data-binary @- \\`,
    '    -H "Authorization: Bearer $QRPRESS_KEY" \\',
    "    -H 'Content-Type: application/x-ndjson'",
  ].join('\n');
}

/** The first line of the body as a shell word. A logo is read from `logo.png`. */
function metaWord(meta: JobMeta): string {
  const text = JSON.stringify(meta, (name, value: unknown) => (name === 'dataUrl' ? 'data:image/png;base64,' : value));
  return shellWord(text).replace(LOGO, `${LOGO.slice(0, -1)}'"$(base64 -w0 logo.png)"'"`);
}
