/** Checks that the licences of all dependencies allow an MIT-licensed product. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crates } from './crates.js';
import { ROOT } from './output.js';

const SHIPPED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);
/** Licences for tools that never leave the developer's machine. They may require that changes to the tool be published. */
const DEVELOPMENT = new Set([...SHIPPED, 'MPL-2.0', 'Python-2.0']);

/** Packages and crates with another licence, one per line. */
export function licences() {
  return [...packageLicences(), ...crateLicences()].join('\n');
}

function packageLicences() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { license, optional }]) => path !== '' && !(optional && license === undefined))
    .map(([path, { version, license, dev }]) => ({ path, version, dev, license: license ?? oldLicence(path) }))
    .filter(({ license, dev }) => !isAllowed(license, dev ? DEVELOPMENT : SHIPPED))
    .map(({ path, version, license }) => `${path} ${version}: ${license}`);
}

/** The licences of a package that lists them in the old form of npm, which the lockfile leaves out. Any one of them applies. */
function oldLicence(path) {
  const { licenses } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
  return licenses?.map(({ type }) => type).join(' OR ');
}

function crateLicences() {
  return crates()
    .filter(({ license }) => !isAllowed(license, SHIPPED))
    .map(({ name, version, license }) => `crate ${name} ${version}: ${license}`);
}

/** Evaluates an SPDX expression: every part of an `AND` must have an allowed alternative. */
function isAllowed(expression, allowed) {
  return (expression ?? 'none')
    .replaceAll(/[()]/g, '')
    .replaceAll(/ WITH [\w-]+/g, '')
    .split(' AND ')
    .every((part) => part.split(/ OR |\//).some((licence) => allowed.has(licence)));
}
