/**
 * Writes package-lock.json anew, complete for every platform: `node scripts/lock.js`. Run it after changing package.json.
 *
 * npm leaves out optional binaries that its registry does not serve, and `npm ci` then refuses the file that npm itself
 * wrote. The packages that ask for such a binary give its name, its exact version and, in the name, its platform.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const LOCK = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = /-(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/;
const PROCESSORS = /[-/](arm64|arm|ia32|loong64|ppc64|riscv64|s390x|wasm32|x64)\b/;

execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
  cwd: new URL('..', import.meta.url),
  stdio: 'inherit',
});

const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    lock.packages[`node_modules/${name}`] ??= absentPackage(name, version, entry);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(byPath));
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);

/** The lock's entry for a package that the registry does not serve. It makes npm skip the package on other platforms. */
function absentPackage(name, version, { dev }) {
  const platform = name.replace('/', '-');
  const cpu = PROCESSORS.exec(name)?.[1];
  if (cpu === undefined || !/^\d/.test(version)) {
    throw new Error(`The registry does not serve ${name}@${version}, and its name says no platform`);
  }
  const os = SYSTEMS.exec(platform)?.[1];
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    optional: true,
    ...(os && { os: [os] }),
  };
}

function byPath([left], [right]) {
  return left.localeCompare(right, 'en');
}
