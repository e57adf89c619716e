/** Programs from PyPI that the checks and tests use: each in a virtual environment of its own below `.tools/`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { output, ROOT } from '../check/output.js';

/** The folder of programs in the environment of `name`. */
export function toolFolder(name) {
  return join(ROOT, '.tools', name, 'bin');
}

/** Installs what `words` tell pip to; answers what went wrong, or nothing. */
export function installTool(name, words) {
  const made = existsSync(toolFolder(name)) ? '' : output('python3', ['-m', 'venv', join(ROOT, '.tools', name)]);
  return made || output(join(toolFolder(name), 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...words]);
}
