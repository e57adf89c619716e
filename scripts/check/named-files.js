/** Checks that every file and folder named in backticks on a page for readers exists. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './output.js';

const NAMED = /`(?<path>(?:bench|crates|deploy|docs|fuzz|native|scripts|src|test|web)\/[\w./@-]*)`/g;

/** Name of a Rust file on the engine's page: its path or, in a section about its crate, the end of its path. */
const NAMED_SOURCE = /`(?<path>[\w./-]+\.rs)`/g;
const ENGINE_PAGE = 'docs/internals/engine.md';
const INTERNALS = [ENGINE_PAGE, 'docs/internals/changes.md', 'docs/internals/parts.md'];

/** The last cell of a row of the ASVS: files, folders, or tests without `test/` before them and `.test.ts` behind them. */
const EVIDENCE = /^\| [\d*].* \| (?<names>[^|]+) \|$/gm;
const ASVS_PAGE = 'docs/internals/asvs.md';

/** Names of missing files, one per line. */
export function namedFiles() {
  const absent = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', ...INTERNALS].flatMap(absentIn);
  return [...absent, ...absentSources(), ...absentEvidence()].join('\n');
}

function absentEvidence() {
  const page = readFileSync(join(ROOT, ASVS_PAGE), 'utf8');
  return Array.from(page.matchAll(EVIDENCE), ({ groups }) => groups.names.split(', '))
    .flat()
    .filter((path) => ![path, `test/${path}.test.ts`].some((file) => existsSync(join(ROOT, file))))
    .map((path) => `${ASVS_PAGE}: there is no ${path}`);
}

function absentSources() {
  const { stdout } = run('git', ['ls-files', 'crates', 'native', 'bench']);
  const sources = stdout.split('\n').map((path) => `/${path}`);
  const page = readFileSync(join(ROOT, ENGINE_PAGE), 'utf8');
  const names = new Set([...page.matchAll(NAMED_SOURCE)].map(({ groups }) => groups.path.replace(/^(\.\.\/)+/, '')));
  return [...names]
    .filter((name) => !sources.some((path) => path.endsWith(`/${name}`)))
    .map((name) => `${ENGINE_PAGE}: there is no ${name}`);
}

function absentIn(page) {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const paths = new Set([...text.matchAll(NAMED)].map(({ groups }) => groups.path));
  return [...paths].filter((path) => !existsSync(join(ROOT, path))).map((path) => `${page}: there is no ${path}`);
}
