/**
 * Writes a folder that runs on a machine with Node.js and without a network: `node scripts/bundle.js [FOLDER] [--no-archive]`.
 *
 * FOLDER (default: `bundle/`) gets `qrpress-<version>-<platform>/`, the same as a .tar.gz, and its SHA-256. Prints the path of
 * the archive, or of the folder. The platform is this machine's, because the addon and some packages are built for it.
 */

import './setup.js';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticesIn, writeNotices } from './packaging/notices.js';
import { writeProgram } from './packaging/program.js';
import { SBOM, writeSbom } from './packaging/sbom.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { version } = readJson('package.json');
const addon = addonPath();
const platform = /^qrpress\.(.+)\.node$/.exec(basename(addon))[1];
const name = `qrpress-${version}-${platform}`;
const words = process.argv.slice(2);
const outFolder = resolve(words.find((word) => !word.startsWith('-')) ?? join(ROOT, 'bundle'));
const folder = join(outFolder, name);

rmSync(folder, { recursive: true, force: true });
await writeProgram(folder, { private: true });
cpSync(addon, join(folder, 'native', basename(addon)));
addNotices();
copyPackages();
console.log(words.includes('--no-archive') ? folder : pack());

/** The addon that the loader would load: the one built here, or else one from a package. */
function addonPath() {
  const built = readdirSync(join(ROOT, 'native')).find((file) => file.endsWith('.node'));
  if (built !== undefined) return join(ROOT, 'native', built);
  const installed = readdirSync(join(ROOT, 'node_modules')).find((file) => file.startsWith('qrpress-'));
  return join(ROOT, 'node_modules', installed, readJson(join('node_modules', installed, 'package.json')).main);
}

/** Copies the notices of an addon that came as a package. Other packages have their licences in their folders. */
function addNotices() {
  const target = join(folder, 'native');
  if (dirname(addon) === join(ROOT, 'native')) writeNotices(target);
  else for (const file of noticesIn(dirname(addon))) cpSync(join(dirname(addon), file), join(target, file));
}

/** The packages that run, and not those that build and test; they are all installed, at the versions of the lockfile. */
function copyPackages() {
  const packages = Object.entries(readJson('package-lock.json').packages);
  const parts = [];
  for (const [path, { dev, optional, ...part }] of packages) {
    if (path === '' || dev || (optional && !existsSync(join(ROOT, path)))) continue;
    parts.push({ ...part, name: path.replace(/^.*node_modules\//, '') });
    // Packages inside of it have entries of their own.
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => source === join(ROOT, path) || basename(source) !== 'node_modules',
    });
  }
  writeSbom(join(folder, SBOM), 'npm', parts);
}

/** One archive with neither names nor times of this machine in it. */
function pack() {
  const archive = `${folder}.tar.gz`;
  const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const anonymous = [
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
  ];
  execFileSync('tar', ['-C', dirname(folder), '-I', 'gzip -n', ...anonymous, '-cf', archive, basename(folder)]);
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(`${archive}.sha256`, `${sum}  ${basename(archive)}\n`);
  return archive;
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
