/** The commands on a page, for the tests that run them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The blocks of a guide in a language, in order. */
export function snippetsOf(guide: string, language: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', 'guides', `${guide}.md`), 'utf8');
  const blocks = text.matchAll(/^```(?<language>\w+)\n(?<snippet>[^]*?)^```$/gm);
  return [...blocks]
    .filter(({ groups }) => groups?.['language'] === language)
    .map(({ groups }) => groups?.['snippet'] as string);
}

/** The shell commands of `page` whose mark names `test`, in order. */
export function commandsOf(page: string, test: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^<!-- tested: (?<tests>.+) -->\n```sh\n(?<commands>[^]*?)^```$/gm);
  return [...blocks]
    .filter(({ groups }) => groups?.['tests']?.includes(test))
    .map(({ groups }) => groups?.['commands'] as string);
}
