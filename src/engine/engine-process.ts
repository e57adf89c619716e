/**
 * The engine's process: a pool of threads behind an IPC channel, and no life of its own. Its arguments: the number of threads, the
 * milliseconds that a task may take, then those of a thread.
 */

import { fileURLToPath } from 'node:url';
import { Piscina, queueOptionsSymbol } from 'piscina';
import type { ProcessReply, ProcessRequest, Task, TaskOutcome, TaskRequest } from './task-messages.js';
import { FairTaskQueue, TaskTicket } from './fair-task-queue.js';

/** Time of an item of a chunk, at most, beside that of its task: six times what the largest pictures take that a job may ask for. */
const ITEM_MS = 50;

const [threadCount, taskMs, ...argv] = process.argv.slice(2);
const threads = Number(threadCount);
const queue = new FairTaskQueue(threads);

const pool = new Piscina<object, TaskOutcome>({
  filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
  name: 'runTask',
  argv,
  minThreads: threads,
  maxThreads: threads,
  idleTimeout: Number.POSITIVE_INFINITY,
  taskQueue: queue,
  // A task that finds no free thread keeps its place in the queue.
  stricterFIFO: true,
  recordTiming: false,
});

// Threads that cannot load the engine: the process ends, and the supervisor says so.
pool.on('error', (error: Error) => {
  throw error;
});

/** A thread stays free of long checks, where there are several: callers with little to check wait for that one, and for milliseconds. */
const longChecks = { places: Math.max(1, threads - 1), waiting: [] as (() => void)[] };

/** Tasks without an outcome, by id. */
const tickets = new Map<number, TaskTicket>();

process.on('message', async ({ id, ...task }: ProcessRequest) => {
  const ticket = new TaskTicket(task.name, Number(taskMs) + ITEM_MS * itemsOf(task));
  tickets.set(id, ticket);
  const outcome = await (isLongCheck(task) ? inTurn(() => outcomeOf(task, ticket)) : outcomeOf(task, ticket));
  tickets.delete(id);
  reply({ id, ...outcome });
});
process.on('disconnect', end);
if (!process.connected) {
  end();
}
// A terminal or a service manager signals the whole group; the supervisor still drains, and says when to end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

await pool.run({ name: 'describe', request: undefined });
reply({ ready: true });
setInterval(tellOverdue, Math.min(Number(taskMs) / 2, 1_000));

async function outcomeOf(task: Task, ticket: TaskTicket): Promise<TaskOutcome> {
  const waiting = queue.size;
  try {
    const outcome = pool.run({ ...task, [queueOptionsSymbol]: ticket });
    if (queue.size === waiting && ticket.startedAt === undefined) {
      // A thread was free.
      queue.begin(ticket);
    }
    return await outcome;
  } catch (error) {
    return { error: { code: 'worker', message: `A thread was lost: ${(error as Error).message}` } };
  } finally {
    queue.end(ticket);
  }
}

/** A check of a body that did not come in memory, or of a spreadsheet: free of charge, and as long as its caller makes it. */
function isLongCheck({ name, request }: Task): boolean {
  return name === 'readSpreadsheet' || (name === 'check' && (request as TaskRequest<'check'>).body === undefined);
}

/** Does `work` in one of the places of long checks. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (longChecks.places === 0) {
    await new Promise<void>((resolve) => longChecks.waiting.push(resolve));
  } else {
    longChecks.places -= 1;
  }
  try {
    return await work();
  } finally {
    const next = longChecks.waiting.shift();
    if (next === undefined) {
      longChecks.places += 1;
    } else {
      next();
    }
  }
}

/** A thread cannot be stopped in native code: the supervisor ends the process. */
function tellOverdue(): void {
  const now = performance.now();
  for (const [id, { startedAt = now, mostMs }] of tickets) {
    if (now - startedAt > mostMs) {
      reply({ overdue: id });
      return;
    }
  }
}

/** Items that a task draws. */
function itemsOf({ name, request }: Task): number {
  switch (name) {
    case 'renderChunk':
      return (request as TaskRequest<'renderChunk'>).itemCount;
    case 'renderChunks':
      return (request as TaskRequest<'renderChunks'>).chunks.reduce((sum, { itemCount }) => sum + itemCount, 0);
    default:
      return 0;
  }
}

/** Ends the process at once. An orderly end aborts on Node 20 where a thread is still loading its modules. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function reply(message: ProcessReply): void {
  process.send?.(message);
}
