/** A sync that callers share. */

import { expect, test } from 'vitest';
import { sharedSync } from '../../src/platform/concurrency.js';

test('a shared sync serves everyone who asked before it began, and nobody who asked after', async () => {
  const runs: (() => void)[] = [];
  const sync = sharedSync(() => new Promise<void>((resolve) => runs.push(resolve)));
  const done: string[] = [];
  const ask = (name: string) => sync().then(() => done.push(name));
  const asked = [ask('first'), ask('second'), ask('third')];
  expect(runs).toHaveLength(1);
  runs[0]!();
  await asked[0];
  expect(done).toEqual(['first']);
  await new Promise(setImmediate);
  expect(runs).toHaveLength(2);
  asked.push(ask('fourth'));
  runs[1]!();
  await Promise.all(asked.slice(0, 3));
  await new Promise(setImmediate);
  expect(runs).toHaveLength(3);
  runs[2]!();
  await Promise.all(asked);
  expect(done).toEqual(['first', 'second', 'third', 'fourth']);
});

test('a shared sync that fails tells those it served, and the next may succeed', async () => {
  let attempts = 0;
  const sync = sharedSync(async () => {
    attempts += 1;
    if (attempts === 1) {
      throw new Error('EIO');
    }
  });
  const outcomes = await Promise.allSettled([sync(), sync()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
