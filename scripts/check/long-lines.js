/** Checks that no line of prose in README.md and docs/ has more than 150 characters. Tables, code and generated pages are exempt. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './output.js';

const MOST = 150;
/** Made from tables whose sentences are lines. */
const GENERATED = new Set(['docs/guides/command-line.md', 'docs/guides/errors.md', 'docs/guides/reference.md']);

/** Lines that are too long, one per line. */
export function longLines() {
  const pages = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'README.md', 'docs/*.md']);
  return pages.stdout
    .split('\n')
    .filter((page) => page !== '' && !GENERATED.has(page))
    .flatMap(longLinesOf)
    .join('\n');
}

function longLinesOf(page) {
  // Code becomes empty lines, so that numbers of lines stay.
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```.*?^```$/gms, (code) =>
    code.replaceAll(/[^\n]/g, ''),
  );
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.length > MOST && !/^(?:\||!\[|<!--)/.test(line))
    .map(({ number, line }) => `${page}:${number}: ${line.length} characters; wrap the paragraph at ${MOST}`);
}
