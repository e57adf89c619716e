/**
 * Makes a release in `release/`, with its checksums, and tries each part from there in a clean folder: `npm run release -- --dry-run`.
 * With `--publish` it publishes the parts then, and checks first that it may. Prints each file with its size.
 *
 * A dry run takes the addon that set-up has built. With `--all-targets`, and to publish, it builds those of all `napi.targets` in
 * package.json, which are linked by Zig.
 */

import './setup.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeClientPackage } from './packaging/client-package.js';
import { writeProgram } from './packaging/program.js';
import { CRATES, fail, publish, refuseUnfit, REVISION, revision } from './packaging/publish.js';
import { tryRelease } from './packaging/try-release.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'release');

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, publish: { type: 'boolean' }, 'all-targets': { type: 'boolean' } },
});
const isDryRun = values['dry-run'] === true;
// npm keeps the words of `npm run release --dry-run` to itself: without any, nothing is published.
if (isDryRun === (values.publish === true)) fail('Say either --dry-run or --publish: npm run release -- --dry-run');
if (!isDryRun) refuseUnfit();

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'qrpress-release-'));
try {
  for (const folder of [OUT, join(ROOT, 'npm')]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(OUT);
  writeFileSync(join(OUT, REVISION), `${revision()}\n`);
  makeCrates();
  await makePackages();
  makeBundle();
  makeImage();
  writeChecksums();
  await tryRelease(OUT, scratch);
  publish({ isDryRun });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function makeCrates() {
  const names = CRATES.flatMap((name) => ['--package', name]);
  const dirty = isDryRun ? ['--allow-dirty'] : [];
  // Compiles each of them from its package, with those that it needs.
  run('cargo', 'package', '--locked', ...dirty, ...names);
  for (const name of CRATES) take(join('target', 'package'), `${name}-${version}.crate`);
}

/** The addons' packages, and the two that people install. */
async function makePackages() {
  run(process.execPath, 'scripts/packaging/prebuilt.js', ...(isDryRun && !values['all-targets'] ? ['--built'] : []));
  for (const name of readdirSync(join(ROOT, 'npm')).filter((file) => file.endsWith('.tgz'))) take('npm', name);
  const [client, program] = ['client', 'qrpress'].map((name) => join(scratch, 'packages', name));
  await writeClientPackage(client);
  const addons = readdirSync(join(ROOT, 'npm'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  await writeProgram(program, {
    optionalDependencies: Object.fromEntries(addons.map(({ name }) => [`qrpress-${name}`, version])),
  });
  run('npm', 'pack', '--silent', client, program, '--pack-destination', OUT);
}

function makeBundle() {
  const folder = join(scratch, 'bundle');
  run(process.execPath, 'scripts/bundle.js', folder);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.tar.gz'))) take(folder, name);
}

/** Builds the image, runs it and saves it. */
function makeImage() {
  const program = ['docker', 'podman'].find((name) => spawnSync(name, ['info']).status === 0);
  if (program === undefined) {
    console.log('skipped: the container image needs docker or podman, and none works here');
    return;
  }
  const env = { ...process.env, QRPRESS_TEST_CONTAINERS: program };
  execFileSync(process.execPath, ['scripts/packaging/test-packages.js'], { cwd: ROOT, env, stdio: 'inherit' });
  run(program, 'save', '--output', join(OUT, `qrpress-${version}-image-${process.arch}.tar`), `qrpress:${version}`);
}

function writeChecksums() {
  const files = readdirSync(OUT).toSorted();
  const sums = files.map((name) =>
    createHash('sha256')
      .update(readFileSync(join(OUT, name)))
      .digest('hex'),
  );
  writeFileSync(join(OUT, 'SHA256SUMS'), files.map((name, index) => `${sums[index]}  ${name}\n`).join(''));
  for (const [index, name] of files.entries()) {
    console.log(`${String(statSync(join(OUT, name)).size).padStart(12)}  ${sums[index].slice(0, 12)}…  ${name}`);
  }
}

/** Copies a file into the release. */
function take(folder, name) {
  copyFileSync(join(folder.startsWith('/') ? folder : join(ROOT, folder), name), join(OUT, name));
}

function run(command, ...words) {
  execFileSync(command, words, { cwd: ROOT, stdio: ['ignore', 2, 2] });
}
