/** Checks that tracked files carry no traces of the machine that they were written on. */

import { homedir } from 'node:os';
import { ROOT, run } from './output.js';

/** The lines that name this clone's folder, the home folder or a package registry's host. */
export function traces() {
  const registry = new URL(run('npm', ['config', 'get', 'registry']).stdout.trim()).host;
  const names = [ROOT, `${homedir()}/`, registry, ['registry', 'npmjs.org'].join('.')];
  const words = names.flatMap((name) => ['-e', name]);
  return run('git', ['grep', '-n', '-I', '-F', ...words, '--', '.']).stdout;
}
