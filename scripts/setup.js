/**
 * Sets up a clone: installs the packages, and builds the addon and the host. Does only what is missing or stale, and says so on
 * standard error. On failure the process ends with exit code 1 and a sentence that says what to do. Importing this file runs it.
 * `--host`: builds the host alone.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDON_PROFILE } from './cargo-words.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Hashes of the sources of the addon and of the host, as they were last built. */
const STAMPS = join(ROOT, '.cache', 'setup.json');
const COMPILE_SCHEMAS = join('scripts', 'compile-schemas.js');
/** Folders whose files are part of neither the addon nor the host. */
const BESIDE_THE_BUILD = new Set(['tests', 'benches', 'fuzz', 'examples', 'target']);

const started = performance.now();
requireNode();
const parts = process.argv.includes('--host') ? [setUpHost] : [setUpPackages, setUpAddon, setUpHost];
const done = parts.map((setUp) => setUp()).filter(Boolean);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.error(`set-up: ${done.length > 0 ? done.join(', ') : 'nothing to do'} (${seconds} s)`);

function requireNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0) {
    fail(`Node ${wanted} or newer is needed, this is ${process.versions.node}: https://nodejs.org`);
  }
}

function setUpPackages() {
  if (packagesAreInstalled()) return undefined;
  execute('npm', ['ci', '--prefer-offline'], 'The packages could not be installed');
  return 'packages installed';
}

/** Compares the lockfile with npm's record of the installed packages, which npm also writes when it only resolves. */
function packagesAreInstalled() {
  if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) return false;
  const installed = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(
    ([path, { version, optional }]) =>
      path === '' ||
      (installed[path]?.version === version && (optional || existsSync(join(ROOT, path)))) ||
      (optional && !installed[path]),
  );
}

function setUpAddon() {
  const sources = hashOf(['Cargo.toml', 'Cargo.lock', 'crates', 'native/Cargo.toml', 'native/build.rs', 'native/src']);
  const hash = `${sources} ${ADDON_PROFILE}`;
  const isBuilt = readdirSync(join(ROOT, 'native')).some((name) => name.endsWith('.node'));
  if (isBuilt && existsSync(join(ROOT, 'native/index.d.ts')) && stamps().addon === hash) return undefined;
  if (!hasCargo()) {
    if (!isBuilt && prebuiltAddon() !== undefined) return undefined;
    const wanted = /^rust-version = "(.*)"$/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8'))?.[1];
    fail(
      `cargo is missing. The addon is built from Rust, ${wanted} or newer: https://rustup.rs. Or install it prebuilt, see CONTRIBUTING.md`,
    );
  }
  const settings = `--cwd native --package-json-path ../package.json --platform --no-js --profile ${ADDON_PROFILE}`;
  execute(join('node_modules', '.bin', 'napi'), ['build', ...settings.split(' ')], 'The addon could not be built');
  stamp('addon', hash);
  return 'addon built';
}

function hasCargo() {
  return spawnSync('cargo', ['--version']).status === 0;
}

/** The installed package with an addon of this version for this platform. The host finds it by itself. Undefined: none. */
function prebuiltAddon() {
  const { name, version } = readJson('package.json');
  return readdirSync(join(ROOT, 'node_modules'))
    .filter((folder) => folder.startsWith(`${name}-${process.platform}-${process.arch}`))
    .find((folder) => readJson(join('node_modules', folder, 'package.json')).version === version);
}

function setUpHost() {
  const hash = hashOf(['tsconfig.json', 'package-lock.json', 'src', 'native/index.d.ts', COMPILE_SCHEMAS]);
  if (existsSync(join(ROOT, 'dist')) && stamps().host === hash) return undefined;
  // Deletes the output of files that were moved or deleted: it could still be loaded.
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  execute(join('node_modules', '.bin', 'tsc'), [], 'The host does not compile');
  execute(process.execPath, [COMPILE_SCHEMAS], 'The schemas do not compile');
  stamp('host', hash);
  return 'host compiled';
}

/** A hash of the names and contents of all files below `paths`. */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => filesUnder(join(ROOT, path)))) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** `path` itself, or the source files below it, sorted by name. */
function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .filter((name) => !BESIDE_THE_BUILD.has(name) && !name.endsWith('.node'))
    .flatMap((name) => filesUnder(join(path, name)));
}

function stamps() {
  return existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {};
}

function stamp(name, hash) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(STAMPS, JSON.stringify({ ...stamps(), [name]: hash }));
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function execute(command, words, complaint) {
  const { status, error } = spawnSync(command, words, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${complaint}: ${error?.message ?? `${command} ended with ${status}`}`);
}

function fail(sentence) {
  console.error(`set-up: ${sentence}`);
  process.exit(1);
}
