/** The crates of the workspace and all their dependencies, as reported by cargo. */

import { run } from './output.js';

/**
 * @returns {{name: string, version: string, license: string | null, isMember: boolean, uses: string[]}[]} `uses`: names of
 *   the crate's dependencies, without those of its tests alone
 */
export function crates() {
  const { status, stdout, stderr } = run('cargo', ['metadata', '--format-version', '1', '--locked', '--quiet']);
  if (status !== 0) throw new Error(`cargo metadata failed: ${stderr}`);
  const metadata = JSON.parse(stdout);
  const members = new Set(metadata.workspace_members);
  return metadata.packages.map(({ id, name, version, license, dependencies }) => ({
    name,
    version,
    license,
    isMember: members.has(id),
    uses: dependencies.filter(({ kind }) => kind !== 'dev').map((dependency) => dependency.name),
  }));
}
