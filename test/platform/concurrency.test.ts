import { expect, it } from 'vitest';
import { EventLoopTurns, Slots } from '../../src/platform/concurrency.js';

it('lets one caller go on in each turn of the event loop, in their order, and others in between', async () => {
  const turns = new EventLoopTurns();
  const order: string[] = [];
  const callers = ['first', 'second', 'third'].map(async (name) => {
    await turns.take();
    order.push(name);
  });
  const other = new Promise<void>((resolve) => {
    setImmediate(() => {
      order.push('other');
      resolve();
    });
  });
  await Promise.all([...callers, other]);
  expect(order).toEqual(['first', 'second', 'other', 'third']);
  await turns.take();
  await turns.take();
});

it('leaves turns to new clients, but not for ever', async () => {
  const turns = new EventLoopTurns();
  await turns.take();
  let left = 0;
  let isOver = false;
  // As if another client connected in each turn.
  const connect = () => {
    EventLoopTurns.leaveToClient();
    left += 1;
    if (!isOver) setImmediate(connect);
  };
  connect();
  await turns.take();
  expect(left).toBeGreaterThanOrEqual(50);
  isOver = true;
  await turns.take();
});

it('takes no slot for a caller that gave up waiting', async () => {
  const slots = new Slots(1);
  const release = await slots.take();
  const gaveUp = new AbortController();
  const waiting = slots.take('', () => gaveUp.signal);
  gaveUp.abort(new Error('gave up'));
  await expect(waiting).rejects.toThrow('gave up');
  await expect(slots.take('', () => gaveUp.signal)).rejects.toThrow('gave up');
  release();
  expect(await slots.within(async () => 'in')).toBe('in');
});

it('gives a free slot to the holders in turn, and to the callers of each in their order', async () => {
  const slots = new Slots(1);
  const order: string[] = [];
  const callers = ['many 1', 'many 2', 'many 3', 'few 1'].map((caller) =>
    slots.within(async () => void order.push(caller), caller.split(' ')[0]),
  );
  await Promise.all(callers);
  expect(order).toEqual(['many 1', 'many 2', 'few 1', 'many 3']);
});
