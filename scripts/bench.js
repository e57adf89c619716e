/**
 * Runs the set-up and one benchmark: `npm run bench -- engine | labels | million | http | peers | scaling | scan | sweep | tuning
 * [--json FILE] [--items N]`. `million` also takes `--format`, `--captions` and `--verify`.
 */

import './setup.js';
import { parseArgs } from 'node:util';

const BENCHMARKS = ['engine', 'labels', 'million', 'http', 'peers', 'scaling', 'scan', 'sweep', 'tuning'];

const { benchmark, options } = requested();
// Each file of bench/ exports a function of its own name.
const module = await import(`../bench/${benchmark}.js`);
try {
  await module[benchmark](options);
} catch (error) {
  // Answers a wrong option with one sentence.
  if (!error.message.startsWith('--')) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function requested() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'string' },
        items: { type: 'string' },
        against: { type: 'string' },
        format: { type: 'string' },
        captions: { type: 'boolean' },
        verify: { type: 'boolean' },
        seconds: { type: 'string' },
        connections: { type: 'string' },
        sizes: { type: 'string' },
        rate: { type: 'string' },
        only: { type: 'string' },
        database: { type: 'string' },
        apis: { type: 'string' },
        workers: { type: 'string' },
        backlog: { type: 'string' },
      },
    });
    const [name, ...others] = positionals;
    const items = values.items === undefined ? undefined : Number(values.items);
    if (!BENCHMARKS.includes(name) || others.length > 0) throw new Error('Name one benchmark');
    if (items !== undefined && !(Number.isInteger(items) && items > 0)) throw new Error('--items is a whole number');
    return { benchmark: name, options: { ...values, items } };
  } catch (error) {
    console.error(`${error.message}: npm run bench -- ${BENCHMARKS.join(' | ')} [--json FILE] [--items N]`);
    return process.exit(2);
  }
}
