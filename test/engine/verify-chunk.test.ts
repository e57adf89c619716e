/** The reading of a chunk goes on after a crash of the engine, and is given up when it never ends. */

import { expect, it } from 'vitest';
import { type Engine, EngineError } from '../../src/engine/engine.js';
import { merged, NOTHING_VERIFIED, verifyChunk } from '../../src/engine/verify-chunk.js';

const REQUEST = {
  chunk: { firstItem: 10, itemCount: 5, spoolOffset: 0, spoolBytes: 1 },
  spoolPath: 'spool',
  segmentPath: 'segment',
  segmentOffset: 0,
  indexPath: 'index',
  indexOffset: 0,
  indexBytes: 1,
  readingsPath: 'readings',
  proofsPath: 'proofs',
  items: 5,
  phoneItems: 5,
  total: 5,
};

const SUMMARY = { ...NOTHING_VERIFIED, verified: 5, unread: 1, unreadItems: [12], readingsBytes: 10 };

/** An engine that answers in this order, and sums up what it is told. */
function engineThat(...outcomes: (boolean | Error)[]) {
  const asked: unknown[] = [];
  const engine: Pick<Engine, 'readBack' | 'verify' | 'sumUpReadings'> = {
    readBack: () => {
      const outcome = outcomes.shift() ?? new EngineError('crash', 'again');
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
    verify: ({ offset }) => Promise.resolve(offset === 0 ? { unread: [12], next: 7 } : { unread: [] }),
    sumUpReadings: (request) => {
      asked.push(request);
      return Promise.resolve(SUMMARY);
    },
  };
  return { engine, asked };
}

it.each(['crash', 'thread_lost'] as const)('reads on until all is read, also after a `%s`', async (code) => {
  const { engine, asked } = engineThat(false, new EngineError(code, 'stack overflow'), false, true);
  expect(await verifyChunk(engine, REQUEST)).toEqual(SUMMARY);
  expect(asked).toEqual([{ readingsPath: 'readings', firstItem: 10, unread: [12] }]);
});

it('gives up an engine that crashes for ever, and passes other errors on', async () => {
  await expect(verifyChunk(engineThat().engine, REQUEST)).rejects.toThrow('again');
  const full = new EngineError('io', 'no space left');
  await expect(verifyChunk(engineThat(full, true).engine, REQUEST)).rejects.toBe(full);
});

it('leaves out the proof that crashes the engine', async () => {
  const { engine, asked } = engineThat(true);
  const crash = new EngineError('crash', 'out of memory');
  // Proofs at 0, 7 and 9, of which the second is to blame.
  const outcomes = [crash, { unread: [10], next: 7 }, crash, { unread: [11], next: 9 }, { unread: [] }];
  const requests: unknown[] = [];
  engine.verify = ({ offset, most }) => {
    requests.push([offset, most]);
    const outcome = outcomes.shift()!;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  expect(await verifyChunk(engine, REQUEST)).toEqual(SUMMARY);
  expect(requests).toEqual([
    [0, undefined],
    [0, 1],
    [7, 1],
    [7, 0],
    [9, 1],
  ]);
  expect(asked).toEqual([{ readingsPath: 'readings', firstItem: 10, unread: [10, 11] }]);
});

it('adds up chunks in any order', () => {
  const one = {
    verified: 3,
    unread: 1,
    unreadItems: [9],
    least: { thousandths: 500, item: 8 },
    distribution: [0, 0, 2, 0, 0],
  };
  const other = {
    verified: 2,
    unread: 0,
    unreadItems: [],
    least: { thousandths: 500, item: 1 },
    distribution: [0, 0, 1, 0, 1],
  };
  const both = {
    verified: 5,
    unread: 1,
    unreadItems: [9],
    least: { thousandths: 500, item: 1 },
    distribution: [0, 0, 3, 0, 1],
  };
  expect([merged(one, other), merged(other, one)]).toEqual([both, both]);
  expect(merged(NOTHING_VERIFIED, NOTHING_VERIFIED)).toEqual(NOTHING_VERIFIED);
});
