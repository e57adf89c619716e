/** Checks that every clause of the contract has a test with its tag, and that every tag belongs to a clause. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './output.js';

/** Clauses by name; `vitest.config.ts` makes tags of them. */
const CLAUSES = 'test/spec/clauses.json';
/** Tags of a test or a group of tests, and the comment above a test in Rust. */
const TAGS = { ts: /\btags: \[(?<names>[^\]]*)\]/g, rs: /^\s*\/\/ Clauses: (?<names>.+)$/gm };

/** Clauses without a test and tags without a clause, one per line. */
export function clauses() {
  const known = new Set(Object.keys(JSON.parse(readFileSync(join(ROOT, CLAUSES), 'utf8'))));
  const tags = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'test/*.ts', 'crates/*.rs'])
    .stdout.split('\n')
    .filter(Boolean)
    .flatMap((file) => tagsOf(file));
  const tagged = new Set(tags.map(({ name }) => name));
  return [
    ...[...known].filter((name) => !tagged.has(name)).map((name) => `${CLAUSES}: no test is tagged '${name}'`),
    ...tags.filter(({ name }) => !known.has(name)).map(({ file, name }) => `${file}: ${CLAUSES} has no '${name}'`),
  ].join('\n');
}

function tagsOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(file.endsWith('.rs') ? TAGS.rs : TAGS.ts)]
    .flatMap(({ groups }) => groups.names.split(','))
    .map((name) => name.trim().replaceAll("'", ''))
    .filter(Boolean)
    .map((name) => ({ file, name }));
}
