/** The order of the engine process's tasks, with a clock that the test turns. */

import { queueOptionsSymbol, type TaskQueue } from 'piscina';
import { expect, it } from 'vitest';
import { FairTaskQueue, TaskTicket } from '../../src/engine/fair-task-queue.js';
import type { TaskName } from '../../src/engine/task-messages.js';

type QueuedTask = Parameters<TaskQueue['push']>[0];

const task = (name: TaskName) => ({ [queueOptionsSymbol]: new TaskTicket(name) }) as unknown as QueuedTask;
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

it('gives chunks half of the time, however long checks are', () => {
  const waiting: TaskName[] = [...Array<TaskName>(50).fill('renderChunk'), ...Array<TaskName>(20).fill('check')];
  const ran = lanesRun(waiting, { check: 3_000, chunk: 250 }, 40);
  expect(ran.filter((lane) => lane === 'chunk').length).toBeGreaterThanOrEqual(30);
});

it('keeps one of several threads from checks while chunks wait', () => {
  const queue = new FairTaskQueue(2);
  for (const name of ['renderChunk', 'check', 'check'] as const) queue.push(task(name));
  expect(ticketOf(queue.shift()).lane).toBe('check');
  expect(ticketOf(queue.shift()).lane).toBe('chunk');
  expect(ticketOf(queue.shift()).lane).toBe('check');
});

it('takes back what found no free thread, at the head of its lane', () => {
  const queue = new FairTaskQueue(2);
  for (const name of ['renderChunk', 'check'] as const) queue.push(task(name));
  const taken = queue.shift() as QueuedTask;
  queue.unshift(taken);
  expect([queue.size, queue.shift()]).toEqual([2, taken]);
});

it('lets quick tasks pass everything', () => {
  const queue = new FairTaskQueue(1);
  for (const name of ['renderChunk', 'check', 'writeEnd'] as const) queue.push(task(name));
  expect(ticketOf(queue.shift()).lane).toBe('quick');
});
