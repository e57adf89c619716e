/**
 * Fuzzes every reader of hostile bytes: `node scripts/fuzz.js [seconds] [target …]`. Default: 30 seconds for each target, from
 * its seeds. Findings are written to fuzz/artifacts/. A mended one becomes a seed, which the tests replay.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FUZZ = fileURLToPath(new URL('../fuzz', import.meta.url));
const CARGO_FUZZ = '0.13.1';
const MEMORY_MB = 1024;
/** Limit for one input. Every body is read or refused within milliseconds. */
const INPUT_SECONDS = 5;

const [seconds = '30', ...named] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(seconds)) {
  console.error('node scripts/fuzz.js [seconds] [target …]');
  process.exit(2);
}
if (spawnSync('cargo', ['fuzz', '--version']).status !== 0) {
  console.error(`Fuzzing needs: cargo install cargo-fuzz --version ${CARGO_FUZZ} --locked, and a nightly toolchain`);
  process.exit(1);
}
const targets = named.length > 0 ? named : readdirSync(join(FUZZ, 'seeds')).toSorted();
const failed = targets.filter((target) => !fuzz(target));
console.log(failed.length === 0 ? `${targets.length} targets fuzzed` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function fuzz(target) {
  const corpus = join(FUZZ, 'corpus', target);
  mkdirSync(corpus, { recursive: true });
  const limits = [`-max_total_time=${seconds}`, `-timeout=${INPUT_SECONDS}`, `-rss_limit_mb=${MEMORY_MB}`];
  // No sanitizer: the crates forbid unsafe code, and a sanitizer would halve the number of inputs.
  const how = ['+nightly', 'fuzz', 'run', '--sanitizer', 'none', '--fuzz-dir', FUZZ];
  const words = [...how, target, corpus, join(FUZZ, 'seeds', target), '--', ...limits, '-print_final_stats=1'];
  return spawnSync('cargo', words, { stdio: 'inherit' }).status === 0;
}
