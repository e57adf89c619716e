/** Set-up on a machine without a compiler: the addon comes from a package. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from './tool.js';

/** Files that set-up reads, and files that the built service needs. */
const PARTS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'Cargo.toml',
  'Cargo.lock',
  'scripts',
  'src',
  'crates',
  'native',
  'fonts',
  'web',
];
const ADDON = readdirSync(join(ROOT, 'native')).find((name) => name.endsWith('.node')) as string;
const PACKAGE = ADDON.replace(/^qrpress\.(.*)\.node$/, 'qrpress-$1');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** Set-up compiles the host. */
const PATIENCE_MS = 120_000;

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'qrpress-prebuilt-'));
  for (const part of PARTS) {
    cpSync(join(ROOT, part), join(clone, part), { recursive: true, filter: (source) => !source.endsWith('.node') });
  }
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    symlinkSync(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name));
  }
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Runs a program of the clone with Node, and with nothing else on the path. */
function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: join(clone, 'bin'), QRPRESS_DATA_DIR: join(clone, 'data') },
  });
  return { status, said: `${stdout}${stderr}` };
}

/** Installs the addon of this machine as the package that `scripts/packaging/prebuilt.js` makes. */
function installPackage(packageVersion: string): void {
  const folder = join(clone, 'node_modules', PACKAGE);
  mkdirSync(folder);
  cpSync(join(ROOT, 'native', ADDON), join(folder, ADDON));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: PACKAGE, version: packageVersion, main: ADDON }));
  mkdirSync(join(clone, 'bin'));
  symlinkSync(process.execPath, join(clone, 'bin', 'node'));
}

it(
  'takes the addon of an installed package',
  () => {
    installPackage(version);
    const setUp = run('scripts/setup.js');
    expect(setUp.status, setUp.said).toBe(0);
    const doctor = run('dist/main.js', 'doctor');
    expect(doctor.status, doctor.said).toBe(0);
    expect(doctor.said).toMatch(/^ok {4}engine: /m);
  },
  PATIENCE_MS,
);

it('takes none of another version, and says what is missing', () => {
  installPackage('0.0.1');
  const { status, said } = run('scripts/setup.js');
  expect(status).toBe(1);
  expect(said).toContain('cargo is missing');
  expect(said).toContain('CONTRIBUTING.md');
});
