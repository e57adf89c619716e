/**
 * Lists the slowest test files of the host's last `npm test`, with the slowest cases of each: `node scripts/slowest.js [number
 * of files]`. Default: every file.
 */

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORT = new URL('../.cache/vitest.json', import.meta.url);
const CASES_OF_A_FILE = 3;

const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'));
const files = testResults
  .map(({ name, assertionResults }) => ({ name, cases: assertionResults.filter(({ duration }) => duration > 0) }))
  .map(({ name, cases }) => ({ name, cases, ms: cases.reduce((sum, { duration }) => sum + duration, 0) }))
  .toSorted((left, right) => right.ms - left.ms);
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);

console.log(`${seconds(files.reduce((sum, { ms }) => sum + ms, 0))}  all ${files.length} files, one after the other`);
for (const { name, cases, ms } of files.slice(0, Number(process.argv[2] ?? files.length))) {
  console.log(`${seconds(ms)}  ${relative(ROOT, name)}`);
  for (const each of cases.toSorted((left, right) => right.duration - left.duration).slice(0, CASES_OF_A_FILE)) {
    console.log(`${' '.repeat(10)}${seconds(each.duration)}  ${each.fullName}`);
  }
}
