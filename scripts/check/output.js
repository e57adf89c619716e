/** Runs a program for a check. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The output of `program`, run at the root, when it failed; empty when it did not. */
export function output(program, words) {
  const { status, stdout, stderr, error } = run(program, words);
  return status === 0 ? '' : `${stdout ?? ''}${stderr ?? ''}` || `${program}: ${error?.message ?? `exit ${status}`}`;
}

/** Runs `program` at the root. `stdout` and `stderr` of the result are text. */
export function run(program, words) {
  return spawnSync(program, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
}
