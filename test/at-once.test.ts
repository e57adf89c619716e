import { expect, it } from 'vitest';
import { EventLoopTurns } from '../src/at-once.js';

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
