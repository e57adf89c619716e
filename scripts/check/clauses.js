/** Checks that every test that test/spec/README.md names for a clause of the contract exists. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const TABLE = 'test/spec/README.md';
/** A row of a table that is neither its head nor the line below it. */
const ROW = /^\| (?!Clause \|)(?<clause>[^|]+?) *\|(?<tests>[^|]*)\|$/;
const NAMED = /^`(?<file>[^`]+)` › (?<title>.+)$/;
/** The title of a test or a group of them: text in front of a function. */
const TITLE = /\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>,\s*(?:\(|async\b|\w+ =>)/g;
const RUST_TEST = /^\s*fn (?<title>\w+)\(/gm;

const titles = new Map();

/** Clauses without a test, and tests that there are not, a line each. */
export function clauses() {
  const rows = readFileSync(join(ROOT, TABLE), 'utf8')
    .split('\n')
    .map((line) => ROW.exec(line)?.groups)
    .filter(Boolean);
  if (rows.length === 0) return `${TABLE} has no clauses`;
  return rows
    .flatMap(({ clause, tests }) =>
      tests.split('<br>').map((test) => complaintOf(clause, NAMED.exec(test.trim())?.groups)),
    )
    .filter(Boolean)
    .map((complaint) => `${TABLE}: ${complaint}`)
    .join('\n');
}

function complaintOf(clause, test) {
  if (test === undefined) return `no test is named for "${clause}"`;
  const isTitle = titlesOf(test.file)?.has(test.title) ?? false;
  return isTitle ? undefined : `there is no test "${test.title}" in ${test.file} for "${clause}"`;
}

/** The titles in a file; undefined where there is no such file. */
function titlesOf(file) {
  if (!titles.has(file)) titles.set(file, readTitles(file));
  return titles.get(file);
}

function readTitles(file) {
  const path = join(ROOT, file.endsWith('.rs') ? file : `test/${file}.test.ts`);
  if (!existsSync(path)) return undefined;
  const found = readFileSync(path, 'utf8').matchAll(file.endsWith('.rs') ? RUST_TEST : TITLE);
  return new Set([...found].map(({ groups }) => groups.title.replaceAll(/\\(['"`])/g, '$1')));
}
