/** Runs a program for a check. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `program` at the root. Returns its output when it failed, and otherwise an empty text. */
export function output(program, words) {
  const { status, stdout, stderr, error } = run(program, words);
  return status === 0 ? '' : `${stdout ?? ''}${stderr ?? ''}` || `${program}: ${error?.message ?? `exit ${status}`}`;
}

/** Does what `output` does, asynchronously. */
export async function outputLater(program, words) {
  const child = spawn(program, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return status === 0 ? '' : `${stdout}${stderr}` || `${program}: exit ${status}`;
  } catch (error) {
    return `${program}: ${error.message}`;
  }
}

/** Runs `program` at the root. `stdout` and `stderr` of the result are text. */
export function run(program, words) {
  return spawnSync(program, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
}
