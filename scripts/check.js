/**
 * Runs the set-up, and all checks that do not run the product. Prints one line for each check, with its complaints below it.
 * The exit code is 1 when there are complaints.
 */

import { CARGO_WORDS } from './cargo-words.js';
import { clauses } from './check/clauses.js';
import { compiledOnce } from './check/compiled-once.js';
import { licences } from './check/licences.js';
import { links } from './check/links.js';
import { lockfiles } from './check/lockfiles.js';
import { moduleCycles } from './check/module-cycles.js';
import { namedFiles } from './check/named-files.js';
import { output, outputLater } from './check/output.js';
import { rooms } from './check/rooms.js';
import { typos } from './check/typos.js';
import { workflows } from './check/workflows.js';

const CLIPPY = 'clippy --workspace --all-targets --locked --quiet'.split(' ');
// Started first: it takes longest, and one processor is idle while the addon is linked.
const clippy = outputLater('cargo', [...CLIPPY, ...CARGO_WORDS, '--', '-D', 'warnings']);
await import('./setup.js');

const npm = (name, ...words) => output(`node_modules/.bin/${name}`, words);
const cargo = (...words) => output('cargo', words);

/** The checks. Each returns its complaints, or an empty text. */
const CHECKS = {
  format: () => npm('biome', 'format', '--colors=off', '.'),
  'rust format': () => cargo('fmt', '--all', '--check'),
  'lint and rooms': () => npm('oxlint', '-c', 'oxlint.config.js', '--deny-warnings', '--format=unix'),
  types: () => npm('tsc', '-p', 'test') || npm('tsc', '-p', 'web'),
  'unused code': () => npm('knip', '--no-progress'),
  typos,
  'picture of the rooms': rooms,
  'files named on pages': namedFiles,
  'links of pages': links,
  'module cycles': moduleCycles,
  'clauses of the contract': clauses,
  licences,
  lockfiles,
  'crates compiled once': compiledOnce,
  // Set-up has just built them from the sources.
  'generated files': () => {
    const changed = output('git', ['diff', '--exit-code', '--stat', '--', 'native/index.d.ts']);
    return changed && `${changed}They differ from what is staged: stage them if the change is meant.`;
  },
  workflows,
  clippy: () => clippy,
};

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  const started = performance.now();
  const complaint = await complaintOf(check);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${complaint ? 'FAILED' : 'ok    '} ${name} (${seconds} s)`);
  if (complaint) {
    console.log(complaint.trimEnd().replaceAll(/^/gm, '    '));
    failed += 1;
  }
}
console.log(`${Object.keys(CHECKS).length - failed} checks passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function complaintOf(check) {
  try {
    return await check();
  } catch (error) {
    return error.message;
  }
}
