/** The commands on a page, for the tests that run them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The blocks of `page` in a language (default: shell) whose mark names `test`, in order. */
export function commandsOf(page: string, test: string, language = 'sh'): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^<!-- tested: (?<tests>.+) -->\n```(?<language>\w+)\n(?<commands>[^]*?)^```$/gm);
  return [...blocks]
    .filter(({ groups }) => groups?.['tests']?.includes(test) && groups['language'] === language)
    .map(({ groups }) => groups?.['commands'] as string);
}
