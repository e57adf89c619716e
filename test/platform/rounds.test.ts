/** Rounds: never two at once, none lost, and none after the end. */

import { expect, test } from 'vitest';
import { Rounds } from '../../src/platform/rounds.js';

/** Rounds that last until `end` is called, and only begin when asked to. */
function controlledRounds() {
  const ends: (() => void)[] = [];
  const failures: unknown[] = [];
  let running = 0;
  const rounds = new Rounds({
    work: async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      if (ends.length === 1) {
        throw new Error('the first round fails');
      }
    },
    everyMs: 3_600_000,
    onFailure: (error) => failures.push((error as Error).message),
  });
  const end = async () => {
    ends.at(-1)?.();
    await new Promise(setImmediate);
  };
  return { rounds, failures, end, begun: () => ends.length };
}

test('a round that is asked for while another runs follows it, once', async () => {
  const { rounds, failures, end, begun } = controlledRounds();
  const first = rounds.start();
  rounds.runSoon();
  rounds.runSoon();
  expect(begun()).toBe(1);
  await end();
  await first;
  expect([begun(), failures]).toEqual([2, ['the first round fails']]);
  await end();
  expect(begun()).toBe(2);
  await rounds.close();
});

test('a round follows when the pause is over that is asked for after each', async () => {
  const pausesMs = [1, 1];
  let begun = 0;
  const rounds = new Rounds({
    work: async () => void (begun += 1),
    everyMs: () => pausesMs.shift() ?? 3_600_000,
    onFailure: () => expect.unreachable(),
  });
  await rounds.start();
  await expect.poll(() => begun).toBe(3);
  await rounds.close();
  expect(pausesMs).toEqual([]);
});

test('the end waits for the running round, and no other follows', async () => {
  const { rounds, end, begun } = controlledRounds();
  void rounds.start();
  rounds.runSoon();
  const closed = rounds.close();
  expect(rounds.isClosed).toBe(true);
  await end();
  await closed;
  rounds.runSoon();
  expect(begun()).toBe(1);
});
