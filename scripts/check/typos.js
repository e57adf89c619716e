/** The spelling check: a program from PyPI, installed into `.tools/` if it is missing. */

import { join } from 'node:path';
import { installTool, toolFolder } from '../install/python-tool.js';
import { output, run } from './output.js';

const VERSION = '1.52.0';
const INSTALLED = join(toolFolder('typos'), 'typos');

/** Misspelled words, one per line. When the program cannot be installed, only CI fails. */
export function typos() {
  const program = ['typos', INSTALLED].find((name) => run(name, ['--version']).stdout?.trim().endsWith(VERSION));
  const complaint = program === undefined ? installTool('typos', [`typos==${VERSION}`]) : '';
  if (complaint === '') return output(program ?? INSTALLED, ['--format', 'brief']);
  if (process.env['QRPRESS_REQUIRE_TOOLS'] === '1') return complaint;
  console.log(`       typos is skipped: ${complaint.trim().split('\n').at(-1)}`);
  return '';
}
