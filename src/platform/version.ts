/** The program's version, and the addresses of its project, from package.json. */

import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  homepage: string;
  bugs: string;
};

export const VERSION = manifest.version;

/** Undefined while package.json has a placeholder for the owner of the repository. */
const known = (address: string) => (/\/OWNER\b/.test(address) ? undefined : address);

/** The repository on its code host. */
export const HOMEPAGE = known(manifest.homepage);

/** The address for reports of mistakes. */
export const BUGS = known(manifest.bugs);
