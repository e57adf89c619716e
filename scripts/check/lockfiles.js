/** Checks that the lockfiles are complete and name no registry: that is the installer's choice. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './output.js';

/** Faults that would break an installation, one per line. */
export function lockfiles() {
  return [npmLockfile(), fuzzLockfile()].filter(Boolean).join('\n');
}

/** Checks the lockfile of the fuzz targets, which are a workspace of their own. Builds with `--locked` check the other one. */
function fuzzLockfile() {
  const words = ['metadata', '--format-version', '1', '--locked', '--quiet', '--manifest-path', 'fuzz/Cargo.toml'];
  const { status, stderr } = run('cargo', words);
  return status === 0 ? '' : `fuzz/Cargo.lock: ${stderr}`;
}

function npmLockfile() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = { ...dependencies, ...devDependencies };
  const root = lock.packages[''];
  const locked = { ...root.dependencies, ...root.devDependencies };
  const complaints = [];
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(locked)])) {
    if (wanted[name] !== locked[name]) complaints.push(`${name}: ${wanted[name]} is wanted, ${locked[name]} is locked`);
  }
  for (const [path, { resolved, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    if (resolved !== undefined) complaints.push(`${path} names the registry that it came from`);
    for (const name of Object.keys(optionalDependencies)) {
      const isLocked = `node_modules/${name}` in lock.packages || `${path}/node_modules/${name}` in lock.packages;
      if (!isLocked) complaints.push(`${name} is missing`);
    }
  }
  return complaints.length > 0 ? `${complaints.join('\n')}\nnode scripts/lock.js writes package-lock.json anew` : '';
}
