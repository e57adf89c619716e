/** Compiles the host where `src` changed: the tests import `dist`. The addon may take minutes, and is left to `npm run setup`. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup(): void {
  const program = fileURLToPath(new URL('../../scripts/setup.js', import.meta.url));
  execFileSync(process.execPath, [program, '--host'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
