/** The crates of the workspace and all their dependencies, as reported by cargo. */

import { run } from './output.js';

/** @returns {{name: string, version: string, license: string | null}[]} */
export function crates() {
  const { status, stdout, stderr } = run('cargo', ['metadata', '--format-version', '1', '--locked', '--quiet']);
  if (status !== 0) throw new Error(`cargo metadata failed: ${stderr}`);
  return JSON.parse(stdout).packages.map(({ name, version, license }) => ({ name, version, license }));
}
