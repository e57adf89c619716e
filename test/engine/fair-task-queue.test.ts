/** The order of the engine process's tasks, with a clock that the test turns. */

import { queueOptionsSymbol, type TaskQueue } from 'piscina';
import { expect, it } from 'vitest';
import { FairTaskQueue, TaskTicket } from '../../src/engine/fair-task-queue.js';
import type { TaskName } from '../../src/engine/engine.js';

type QueuedTask = Parameters<TaskQueue['push']>[0];

const task = (name: TaskName, holder?: string) =>
  ({ [queueOptionsSymbol]: new TaskTicket(name, undefined, holder) }) as unknown as QueuedTask;
const ticketOf = (queued: QueuedTask | null) => queued?.[queueOptionsSymbol] as unknown as TaskTicket;

/** Runs `count` tasks one after the other, each for so long, and returns their lanes. */
function lanesRun(waiting: TaskName[], ms: Record<string, number>, count: number): string[] {
  let now = 0;
  const queue = new FairTaskQueue(1, () => now);
  for (const name of waiting) queue.push(task(name));
  return Array.from({ length: count }, () => {
    const ticket = ticketOf(queue.shift());
    now += ms[ticket.lane] ?? 0;
    queue.end(ticket);
    return ticket.lane;
  });
}

it('takes checks before chunks while they are short', () => {
  const waiting: TaskName[] = [...Array<TaskName>(3).fill('renderChunk'), ...Array<TaskName>(20).fill('check')];
  expect(lanesRun(waiting, { check: 5, chunk: 300 }, 20)).toEqual(Array(20).fill('check'));
});

it.each(['check', 'scan', 'readSpreadsheet', 'writeManifest', 'measureLabels', 'drawLabels', 'changeLines'] as const)(
  'gives chunks half of the time, however long %s takes',
  (name) => {
    const waiting: TaskName[] = [...Array<TaskName>(50).fill('renderChunk'), ...Array<TaskName>(20).fill(name)];
    const ran = lanesRun(waiting, { quick: 3_000, check: 3_000, chunk: 250 }, 40);
    expect(ran.filter((lane) => lane === 'chunk').length).toBeGreaterThanOrEqual(30);
  },
);

it('keeps one of several threads from checks while chunks wait', () => {
  const queue = new FairTaskQueue(2);
  for (const name of ['renderChunk', 'check', 'check'] as const) queue.push(task(name));
  expect(ticketOf(queue.shift()).lane).toBe('check');
  expect(ticketOf(queue.shift()).lane).toBe('chunk');
  expect(ticketOf(queue.shift()).lane).toBe('check');
});

it('lets the checks of several holders take turns, however many one has', () => {
  const queue = new FairTaskQueue(1);
  for (const holder of ['many', 'many', 'many', 'few', 'other', 'few']) queue.push(task('check', holder));
  const order = Array.from({ length: 6 }, () => ticketOf(queue.shift()).holder);
  expect(order).toEqual(['many', 'few', 'other', 'many', 'few', 'many']);
  expect([queue.size, queue.shift()]).toEqual([0, null]);
});

it('lets only the holder of a long check wait until chunks had as much time', () => {
  let now = 0;
  const queue = new FairTaskQueue(2, () => now);
  for (let chunk = 0; chunk < 20; chunk += 1) queue.push(task('renderChunk'));
  const run = (ms: number) => {
    const ticket = ticketOf(queue.shift());
    now += ms;
    queue.end(ticket);
    return ticket.holder || ticket.lane;
  };
  queue.push(task('check', 'long'));
  expect(run(3_000)).toBe('long');
  for (const holder of ['long', 'short', 'short', 'long']) queue.push(task('check', holder));
  expect([run(5), run(5)]).toEqual(['short', 'short']);
  expect(Array.from({ length: 8 }, () => run(300))).toEqual([...Array<string>(7).fill('chunk'), 'long']);
});

it('forgets a task that is taken out of its line', () => {
  const queue = new FairTaskQueue(1);
  const [first, second] = [task('check', 'ada'), task('check', 'ada')];
  for (const each of [first, second]) queue.push(each);
  queue.remove(first);
  expect([queue.size, queue.shift(), queue.shift()]).toEqual([1, second, null]);
});

it('takes back what found no free thread, at the head of its lane', () => {
  const queue = new FairTaskQueue(2);
  for (const name of ['renderChunk', 'check'] as const) queue.push(task(name));
  const taken = queue.shift() as QueuedTask;
  queue.unshift(taken);
  expect([queue.size, queue.shift()]).toEqual([2, taken]);
});

it('takes back a holder’s task without changing the turns', () => {
  const queue = new FairTaskQueue(1);
  for (const holder of ['many', 'many', 'few']) queue.push(task('check', holder));
  queue.unshift(queue.shift() as QueuedTask);
  expect(Array.from({ length: 3 }, () => ticketOf(queue.shift()).holder)).toEqual(['many', 'few', 'many']);
});

it('lets quick tasks pass everything', () => {
  const queue = new FairTaskQueue(1);
  for (const name of ['renderChunk', 'check', 'writeEnd'] as const) queue.push(task(name));
  expect(ticketOf(queue.shift()).lane).toBe('quick');
});
