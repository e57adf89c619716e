/** The commands on pages, for the tests that run them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Snippet {
  language: string;
  /** Name of the test that runs it, as the fence says. */
  test: string | undefined;
  text: string;
}

/** Blocks of code of a page, in order. @param page path from the root */
export function snippetsIn(page: string): Snippet[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^```(?<language>\w+)(?: test=(?<test>\w+))?\n(?<text>[^]*?)^```$/gm);
  return Array.from(blocks, ({ groups }) => groups as unknown as Snippet);
}

/** The texts of those that `test` runs. */
export function snippetsOf(page: string, test: string, language = 'sh'): string[] {
  return snippetsIn(page)
    .filter((snippet) => snippet.test === test && snippet.language === language)
    .map(({ text }) => text);
}

/** Paths of all pages below `docs`, from the root. */
export function pages(): string[] {
  return readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted();
}
