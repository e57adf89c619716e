/** The engine on one thread: each workload against peer crates and npm packages in the same run. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { npmPeers } from './engine-peers.js';
import { report } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OWN = 'qrpress';
/** Peers of npm run after the crates. A shared machine has slow minutes, so that all run again, and the faster run of each counts. */
const RUNS = 2;

/** @param {{ items?: number, json?: string }} options `items`: inspected ones, few enough that one thread does it */
export async function engine({ json, items = 100_000 }) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push([...crates(), ...(await npmPeers()), ...inspection(items)]);
  const [first, ...others] = runs;
  const lines = first.map((line, index) => fastest([line, ...others.map((run) => run[index])]));
  report('engine', results(lines), { json });
}

function fastest(lines) {
  return lines.reduce((least, line) => (line.nanoseconds < least.nanoseconds ? line : least));
}

/** One line for each contestant: `{ workload, name, nanoseconds, bytes }`. */
function crates() {
  return jsonLines(cargo('run', '--release', '-p', 'qrpress-bench'));
}

/** The cost of checking a body, for each item, in memory where there is some. */
function inspection(items) {
  const output = cargo(
    'run',
    '--release',
    '-p',
    'qrpress-bench',
    '--',
    'inspection',
    '--items',
    String(items),
    '/dev/shm',
  );
  const [stages] = jsonLines(output);
  const own = Object.entries(stages).filter(([name]) => name.startsWith('inspect'));
  return own.map(([name, { cpu }]) => ({ workload: 'W1', name, nanoseconds: cpu }));
}

/** Every contestant as a result; ours carry their ratios to all others of the workload. */
function results(lines) {
  return lines.map(({ workload, name, nanoseconds, bytes }) => {
    const peers = lines.filter((line) => line.workload === workload && !line.name.startsWith(OWN));
    const ratios = peers.map((peer) => [peer.name, peer.nanoseconds / nanoseconds]);
    return {
      name: `${workload}: ${name}`,
      itemsPerSecond: Math.round(1e9 / nanoseconds),
      cpuSeconds: nanoseconds / 1e9,
      ...(bytes && { bytesPerItem: bytes }),
      ...(name.startsWith(OWN) && { ratioTo: Object.fromEntries(ratios) }),
    };
  });
}

function cargo(command, ...words) {
  return execFileSync('cargo', [command, '--locked', '--quiet', ...words], { cwd: ROOT, encoding: 'utf8' });
}

function jsonLines(output) {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
