/**
 * Builds the addon as packages for machines without a Rust compiler: `node scripts/packaging/prebuilt.js [--built | triple …]`.
 * Default: all of `napi.targets` in package.json. Each becomes `npm/<platform>/` and `npm/qrpress-<platform>-<version>.tgz`.
 * `--built` packs the addon that set-up has built, for this machine.
 *
 * The linker is Zig's, which cross-compiles: one machine builds for every processor and C library. Rust's own standard library
 * for a target comes from `rustup target add`.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { noticesIn, writeNotices } from './notices.js';
import { installTool, toolFolder } from '../install/python-tool.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAPI = join(ROOT, 'node_modules', '.bin', 'napi');
/** The C library that Node 20 requires. A binary for it runs with every newer one. */
const GLIBC = '2.28';

const known = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).napi.targets;
const asked = process.argv.slice(2);
const isBuilt = asked.includes('--built');
const targets = targetsOf();
const env = isBuilt ? process.env : withZig();

execute(NAPI, ['create-npm-dirs']);
for (const triple of targets) {
  const platform = platformOf(triple);
  const folder = join('npm', platform);
  if (isBuilt) cpSync(builtFor(triple), join(ROOT, folder, `qrpress.${platform}.node`));
  else build(triple, folder);
  addNotices(join(ROOT, folder), triple);
  execute('npm', ['pack', '--silent', `./${folder}`, '--pack-destination', 'npm']);
}

function targetsOf() {
  if (isBuilt) {
    const built = known.filter((triple) => existsSync(builtFor(triple)));
    return built.length === 1 ? built : fail(`${built.length} addons in native/ instead of one`);
  }
  const unknown = asked.filter((triple) => !known.includes(triple));
  if (unknown.length > 0) fail(`${unknown.join(', ')}: expected some of ${known.join(', ')}`);
  return asked.length > 0 ? asked : known;
}

function builtFor(triple) {
  return join(ROOT, 'native', `qrpress.${platformOf(triple)}.node`);
}

/** The environment with Zig and the command that lets cargo link with it. */
function withZig() {
  const complaint = installTool('zig', ['ziglang==0.17.1', 'cargo-zigbuild==0.24.0']);
  if (complaint !== '') fail(complaint.trimEnd());
  return { ...process.env, PATH: toolFolder('zig') + delimiter + process.env.PATH };
}

function build(triple, folder) {
  const target = triple.endsWith('-gnu') ? `${triple}.${GLIBC}` : triple;
  const place = ['--cwd', 'native', '--package-json-path', '../package.json', '--output-dir', join('..', folder)];
  const types = ['--no-js', '--dts', join('..', '..', '.cache', 'prebuilt.d.ts')];
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  execute(NAPI, ['build', ...place, '--platform', '--release', '--cross-compile', '--target', target, ...types]);
}

/** Adds the addon's licence and the notices of its parts to a package. */
function addNotices(folder, triple) {
  writeNotices(folder, triple);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  manifest.files.push('LICENSE', ...noticesIn(folder));
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The platform's name in Node's words: `linux-x64-gnu`. */
function platformOf(triple) {
  const [cpu, , system, libc] = triple.split('-');
  return [system, { x86_64: 'x64', aarch64: 'arm64' }[cpu], libc].join('-');
}

function execute(command, words) {
  execFileSync(command, words, { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
}

function fail(sentence) {
  console.error(`prebuilt: ${sentence}`);
  process.exit(1);
}
