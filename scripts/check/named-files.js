/** Holds that every file and folder of the repository that a page for readers names in backticks exists. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const NAMED = /`(?<path>(?:bench|crates|deploy|docs|fuzz|native|scripts|src|test|web)\/[\w./@-]*)`/g;

/** Names of what is not there, a line each. */
export function namedFiles() {
  return ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'].flatMap(absentIn).join('\n');
}

function absentIn(page) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const paths = new Set([...text.matchAll(NAMED)].map(({ groups }) => groups.path));
  return [...paths].filter((path) => !existsSync(join(ROOT, path))).map((path) => `${page}: there is no ${path}`);
}
