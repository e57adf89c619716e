/** The program's version, and the addresses of its project, from package.json. */

import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  homepage: string;
  bugs: string;
};

export const VERSION = manifest.version;

/** The repository on its code host. */
export const HOMEPAGE = manifest.homepage;

/** The address for reports of mistakes. */
export const BUGS = manifest.bugs;
