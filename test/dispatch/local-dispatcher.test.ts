/** Turns, limits and loneliness of the queue in this process. */

import { expect, test } from 'vitest';
import type { Task } from '../../src/dispatch/dispatcher.ts';
import { LocalDispatcher } from '../../src/dispatch/local-dispatcher.ts';

/** A dispatcher whose tasks end when the test says so. */
function controlled(slots: number) {
  const running: { task: Task; end: () => void }[] = [];
  const started: string[] = [];
  const dispatcher = new LocalDispatcher(slots, (task) => {
    started.push(nameOf(task));
    return new Promise<undefined>((resolve) => {
      running.push({ task, end: () => resolve(undefined) });
    });
  });
  /** Ends the oldest task, and lets the dispatcher start the next. */
  const endOne = async () => {
    running.shift()?.end();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { dispatcher, running, started, endOne };
}

function tasks(organisationId: string, jobId: string, count: number): Task[] {
  return Array.from({ length: count }, (_, chunk) => ({ organisationId, jobId, chunk }));
}

const nameOf = ({ jobId, chunk }: Task) => `${jobId}${chunk}`;

test('runs as many tasks at a time as it has slots, and all in the end', async () => {
  const { dispatcher, running, started, endOne } = controlled(3);
  dispatcher.submit(tasks('o', 'a', 7));
  for (let ended = 0; ended < 7; ended += 1) {
    expect(running).toHaveLength(Math.min(3, 7 - ended));
    await endOne();
  }
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
});

test('takes turns between organisations, and between the jobs of each', async () => {
  const { dispatcher, started, endOne } = controlled(1);
  dispatcher.submit([...tasks('o', 'a', 4), ...tasks('o', 'b', 2), ...tasks('p', 'c', 3)]);
  for (let ended = 0; ended < 9; ended += 1) {
    await endOne();
  }
  expect(started).toEqual(['a0', 'c0', 'b0', 'c1', 'a1', 'c2', 'b1', 'a2', 'a3']);
});

test('a small job does not wait for a big one', async () => {
  const { dispatcher, started, endOne } = controlled(2);
  dispatcher.submit(tasks('big', 'a', 1_000));
  await endOne();
  dispatcher.submit(tasks('small', 'z', 1));
  await endOne();
  await endOne();
  expect(started.indexOf('z0')).toBeLessThan(6);
});

test('once closed starts nothing more and waits for what runs', async () => {
  const { dispatcher, running, started, endOne } = controlled(2);
  dispatcher.submit(tasks('o', 'a', 4));
  let closed = false;
  const closing = dispatcher.close().then(() => {
    closed = true;
  });
  dispatcher.submit(tasks('o', 'b', 1));
  await endOne();
  expect(closed).toBe(false);
  expect(running).toHaveLength(1);
  await endOne();
  await closing;
  expect(started).toEqual(['a0', 'a1']);
  await dispatcher.close();
});
