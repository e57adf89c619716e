/**
 * Remembers which tests needed a second try, from run to run: a test that needs one again and again is broken, though it passes.
 * `QRPRESS_TEST_HISTORY` names the file; without it the file lies in the clone.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE =
  process.env.QRPRESS_TEST_HISTORY ?? join(fileURLToPath(new URL('..', import.meta.url)), '.cache', 'retries.json');

/** Runs in a row in which a test may need a second try. */
const MAX_RUNS = 2;

/**
 * Counts the runs in a row in which each of `names` needed a second try, and returns those that needed it too often.
 * @param {readonly string[]} names tests of this run that passed at the second try
 */
export function rememberRetries(names) {
  const before = read();
  const now = Object.fromEntries(names.map((name) => [name, (before[name] ?? 0) + 1]));
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(now));
  return names.filter((name) => now[name] > MAX_RUNS);
}

function read() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    // The first run, or a file that a run left half written.
    return {};
  }
}
