/** The program as it is installed, without sources: what the bundle and the npm package have in common. */

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClient } from './client-package.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The program, and the pages that explain how to run it. */
const PARTS = [
  'dist',
  'web',
  'fonts',
  'deploy',
  'docs',
  'examples',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
];

/** Members of package.json that apply without sources. There is nothing to build. */
const MEMBERS = [
  'name',
  'version',
  'description',
  'license',
  'repository',
  'homepage',
  'bugs',
  'type',
  'engines',
  'bin',
  'exports',
  'dependencies',
];

/** Writes the program into `folder`, without an addon and without packages. `members`: further members of its package.json. */
export async function writeProgram(folder, members) {
  mkdirSync(join(folder, 'native'), { recursive: true });
  // Debuggers and compilers read maps and declarations together with sources.
  const isRead = (path) => !/\.(?:map|d\.ts)$/.test(path);
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: isRead });
  await writeClient(join(folder, 'dist', 'client'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const kept = Object.fromEntries(MEMBERS.map((member) => [member, manifest[member]]));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...kept, ...members }, null, 2)}\n`);
}
