/** The output of every benchmark: a table for people, one JSON document for machines. */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} [itemsPerSecond]
 * @property {number} [bytesPerItem]
 * @property {number} [cpuSeconds]
 * @property {number} [peakRssBytes]
 * @property {Record<string, number>} [ratioTo] times as fast as the named peer, in this run
 */

/** Prints the results and, with `--json FILE`, writes them, with what else belongs to the record. */
export function report(benchmark, results, { json, ...more } = {}) {
  console.table(Object.fromEntries(results.map(({ name, ...result }) => [name, columns(result)])));
  if (json === undefined) return;
  const document = {
    benchmark,
    machine: machine(),
    commit: commit(),
    date: new Date().toISOString(),
    results,
    ...more,
  };
  writeFileSync(json, `${JSON.stringify(document, null, 2)}\n`);
}

function columns({ ratioTo = {}, cpuSeconds, ...figures }) {
  const ratios = Object.entries(ratioTo).map(([peer, ratio]) => `${Math.round(10 * ratio) / 10} × ${peer}`);
  return {
    ...figures,
    ...(cpuSeconds !== undefined && { cpuMicroseconds: Number((1e6 * cpuSeconds).toPrecision(4)) }),
    ...(ratios.length > 0 && { ratios: ratios.join(', ') }),
  };
}

function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
    rustc: said('rustc', ['--version']),
    path: cpuPath(),
  };
}

function cpuPath() {
  // The engine describes its fonts too, and wants them opened.
  const script =
    "import('./dist/engine/addon.js').then(({ native }) => console.log((native.openFonts(['fonts']), native.describeEngine().cpuPath)))";
  return said(process.execPath, ['--input-type=module', '-e', script]);
}

function commit() {
  return said('git', ['rev-parse', '--short', 'HEAD']);
}

function said(program, words) {
  try {
    return execFileSync(program, words, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
