/**
 * Lists the slowest test files of the host's last `npm test`, with the slowest cases of each: `node scripts/slowest.js [number
 * of files]`. Default: every file.
 */

import { readFileSync } from 'node:fs';

const PROJECTS = ['host', 'timed'];
const CASES_OF_A_FILE = 3;

const longestFirst = (left, right) => right.ms - left.ms;
const files = PROJECTS.flatMap(
  (project) => JSON.parse(readFileSync(new URL(`../.cache/vitest-${project}.json`, import.meta.url), 'utf8')).files,
)
  .map(({ cases, ...file }) => ({ ...file, cases: cases.toSorted(longestFirst).slice(0, CASES_OF_A_FILE) }))
  .toSorted(longestFirst);

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);
console.log(`${seconds(files.reduce((sum, { ms }) => sum + ms, 0))}  all ${files.length} files, one after the other`);
for (const { name, ms, cases } of files.slice(0, Number(process.argv[2] ?? files.length))) {
  console.log(`${seconds(ms)}  ${name}`);
  for (const each of cases) console.log(`${' '.repeat(10)}${seconds(each.ms)}  ${each.name}`);
}
