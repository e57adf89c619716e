/** Installs programs from PyPI for checks and tests, each in its own virtual environment below `.tools/`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { output, ROOT } from '../check/output.js';

/** The folder of programs in the environment of `name`. */
export function toolFolder(name) {
  return join(ROOT, '.tools', name, 'bin');
}

/** Runs `pip install` with `words`. Returns pip's complaint, or an empty text. */
export function installTool(name, words) {
  const made = existsSync(toolFolder(name)) ? '' : output('python3', ['-m', 'venv', join(ROOT, '.tools', name)]);
  return made || output(join(toolFolder(name), 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...words]);
}
