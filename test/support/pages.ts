/** The commands that a page shows, for the tests that run them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The shell blocks of `page` of which the line above says that `test` runs them, in order. */
export function commandsOf(page: string, test: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^<!-- tested: (?<tests>.+) -->\n```sh\n(?<commands>[^]*?)^```$/gm);
  return [...blocks]
    .filter(({ groups }) => groups?.['tests']?.includes(test))
    .map(({ groups }) => groups?.['commands'] as string);
}
