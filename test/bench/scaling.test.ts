/** The simulation of many hosts: right where the answer is known, and told in docs/scaling.md as it comes out. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

interface Load {
  itemsPerSecond: number;
  peakWaitingChunks: number;
  databaseOperationsPerMillion: number;
  redisOperationsPerMillion: number;
}

const { simulate }: { simulate: (times: object, hosts: object) => Load & { load: { name: string; share: number }[] } } =
  await import(new URL('bench/scaling/cluster.js', ROOT).href);
const {
  simulated,
  recordedTimes,
}: {
  simulated: (times: object) => (Load & { name: string; fullest: string })[];
  recordedTimes: (path: string) => object;
} = await import(new URL('bench/scaling.js', ROOT).href);

const RECORD = 'bench/record/2026-11-22-intel-xeon-2-cores/scaling.json';

/** Everything but drawing takes no time. */
const FREE = {
  chunkItems: 10_000,
  checkSeconds: 0,
  bodyBytes: 0,
  chunkSeconds: 0.1,
  spoolBytes: 0,
  segmentBytes: 0,
  databaseOperations: 3,
  databaseSeconds: 0,
  commitSeconds: 0,
  redisOperations: 2,
  redisSeconds: 0,
};
const HOSTS = {
  workers: 1,
  apis: 1,
  cores: 2,
  networkBytes: 1e9,
  storeBytes: 1e9,
  storeSeconds: 0,
  databaseCores: 1,
  jobs: 20,
};

test('where only drawing takes time, items a second are cores by the time of an item', () => {
  for (const workers of [1, 2, 10]) {
    const { itemsPerSecond, load } = simulate(FREE, { ...HOSTS, workers });
    expect(itemsPerSecond).toBeCloseTo((workers * 2 * 10_000) / 0.1, 0);
    expect(load[0]).toMatchObject({ name: 'drawing', share: expect.closeTo(1, 6) });
  }
});

test('a part that cannot be multiplied is where more workers stop to help', () => {
  const times = { ...FREE, redisSeconds: 0.001 };
  const { itemsPerSecond, load } = simulate(times, { ...HOSTS, workers: 100 });
  expect(itemsPerSecond).toBeLessThanOrEqual(10_000 / (2 * 0.001));
  expect(itemsPerSecond).toBeGreaterThan((0.95 * 10_000) / (2 * 0.001));
  expect(load[0]?.name).toBe('Redis');
});

test('operations are counted per million items, whatever the number of workers', () => {
  const { databaseOperationsPerMillion, redisOperationsPerMillion } = simulate(FREE, { ...HOSTS, workers: 7 });
  expect([databaseOperationsPerMillion, redisOperationsPerMillion]).toEqual([300, 200]);
});

test('docs/scaling.md says what comes out for the service times that were measured', () => {
  const page = readFileSync(new URL('docs/scaling.md', ROOT), 'utf8');
  const { serviceTimes } = JSON.parse(readFileSync(new URL(RECORD, ROOT), 'utf8'));
  for (const { name, itemsPerSecond, peakWaitingChunks, fullest } of simulated(serviceTimes)) {
    const workers = /\d+/.exec(name)?.[0];
    const millions = (itemsPerSecond / 1e6).toFixed(1);
    expect(page).toContain(`| ${workers} | ${millions} | ${peakWaitingChunks.toLocaleString('en')} | ${fullest} |`);
  }
});

test('what is no record is refused with a sentence that names it', () => {
  const other = fileURLToPath(new URL('package.json', ROOT));
  expect(() => recordedTimes('missing.json')).toThrow('--from: there is no file missing.json');
  expect(() => recordedTimes(other)).toThrow(`--from: ${other} is no record of this benchmark`);
});
