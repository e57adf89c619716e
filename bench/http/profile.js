/** Where a job's processor time goes: sampled stacks of the service's processes, by process and part. */

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Memory: a disk would take time of its own. */
const PARENT = '/dev/shm';

/** Time in which every thread has seen that sampling begins, or has written its profile. */
const SETTLE_MS = { begin: 500, end: 3_000 };

/**
 * The parts, by the file and function of a frame. The innermost frame that is one of a part decides; what lies below, such as the
 * runtime's own code, belongs to whoever called it.
 */
const PARTS = [
  ['spans', /\/dist\/platform\/tracing\/|@opentelemetry/],
  ['metrics', /\/dist\/observability\/|\/dist\/api\/request-observer|prom-client/],
  ['logs', /\/dist\/platform\/log|\/pino\/|sonic-boom/],
  ['database', /\/dist\/database\/|\/(?:kysely|libsql|@libsql|mysql2)\//],
  [
    'authentication and limits',
    /\/dist\/(?:api\/authenticate|accounts|admission|platform\/redis)|rate-limiter-flexible/,
  ],
  ['receiving', /\/dist\/jobs\/intake\//],
  // A small job is drawn while it is checked.
  ['check and drawing', /\/dist\/engine\/(?:check-body|explain-value|engine-thread)|\/dist\/contract\//],
  ['hand-over to the engine and back', /\/dist\/engine\/|\/piscina\/|node:internal\/child_process/],
  ['completion', /\/dist\/(?:jobs|credits|outbox|service)/],
  ['HTTP and headers', /\/dist\/|\/node_modules\//],
];

/** The runtime's frames that are HTTP where nobody else called them. */
const HTTP = /node:(?:_http|http|net|internal\/stream_base|internal\/streams)/;

/** Frames of a thread that waits. */
const WAITING = new Set(['(idle)', 'atomicsWaitLoop']);

/** What the samples name that no part called. */
const OTHERS = { '(garbage collector)': 'garbage collection' };

/** @returns what `startServices` takes to be sampled, and `sampled`, which runs `work` and tells the shares of the parts */
export function profiler() {
  const folder = mkdtempSync(join(PARENT, 'qrpress-profile-'));
  const sampler = join(folder, 'sampler.mjs');
  copyFileSync(fileURLToPath(new URL('sampler.js', import.meta.url)), sampler);
  return {
    environment: { NODE_OPTIONS: `--import ${sampler}` },
    async sampled(work) {
      writeFileSync(join(folder, 'on'), '');
      await delay(SETTLE_MS.begin);
      await work();
      rmSync(join(folder, 'on'));
      await delay(SETTLE_MS.end);
      return sharesOf(folder);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Of each process, the share of each part in the time that its threads were busy. */
function sharesOf(folder) {
  const microseconds = { api: {}, engine: {} };
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    rmSync(join(folder, name));
    addTo(microseconds[name.split('-')[0]], profile);
  }
  return Object.fromEntries(
    Object.entries(microseconds).map(([process, parts]) => {
      const sum = Object.values(parts).reduce((total, each) => total + each, 0);
      return [process, Object.fromEntries(Object.entries(parts).map(([part, each]) => [part, each / sum]))];
    }),
  );
}

function addTo(parts, { nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  samples.forEach((id, index) => {
    const part = partOf(byId.get(id));
    if (part !== undefined) parts[part] = (parts[part] ?? 0) + timeDeltas[index];
  });
}

/** Undefined for a thread that waits. */
function partOf(leaf) {
  if (WAITING.has(leaf.callFrame.functionName)) return undefined;
  let isHttp = false;
  for (let node = leaf; node !== undefined; node = node.parent) {
    const { url, functionName } = node.callFrame;
    const part = url === '' ? undefined : PARTS.find(([, frames]) => frames.test(`${url}#${functionName}`))?.[0];
    if (part !== undefined) return part;
    isHttp ||= HTTP.test(url);
  }
  if (isHttp) return 'HTTP and headers';
  return OTHERS[leaf.callFrame.functionName] ?? 'runtime';
}
