/**
 * The engine's process: a pool of threads behind a channel. It ends when the channel closes.
 * Arguments: the number of threads, the timeout of a task in milliseconds, then the arguments of each thread.
 */

import { fileURLToPath } from 'node:url';
import { Piscina, queueOptionsSymbol } from 'piscina';
import { Slots } from '../platform/concurrency.js';
import { BEAT_MS, type FreeRequest, type ProcessRequest, type Task, type TaskOutcome } from './engine.js';
import { openChannel } from './engine-channel.js';
import { FairTaskQueue, TaskTicket } from './fair-task-queue.js';

/**
 * Extra timeout per item that a task draws. `many`: six times what the largest allowed pictures take. `few`: for tasks
 * that get a fifth of the usual timeout beside it.
 */
const ITEM_TIMEOUT_MS = { many: 50, few: 250 };

/** Items that the check of a body in memory counts as. */
const ITEMS_IN_MEMORY = 100;

const [threadCount, taskTimeoutMs, ...argv] = process.argv.slice(2);
const threads = Number(threadCount);
const queue = new FairTaskQueue(threads);

const pool = new Piscina<object, TaskOutcome>({
  filename: fileURLToPath(new URL('./engine-thread.js', import.meta.url)),
  name: 'runTask',
  argv,
  // The threads hold little JavaScript. This bounds it to what a semi-space of a megabyte does.
  resourceLimits: { maxYoungGenerationSizeMb: 3 },
  minThreads: threads,
  maxThreads: threads,
  idleTimeout: Number.POSITIVE_INFINITY,
  taskQueue: queue,
  // A task that finds no free thread keeps its place in the queue.
  stricterFIFO: true,
  recordTiming: false,
});

// The threads cannot load the engine: end the process. The supervisor reports it.
pool.on('error', (error: Error) => {
  throw error;
});

/**
 * Slots for long checks. If there are several threads, one stays free of long checks: small checks wait for that thread,
 * and only for milliseconds.
 */
const longChecks = new Slots(Math.max(1, threads - 1));

/** Time that a long check may wait for a slot. */
const LONGEST_WAIT_MS = 30_000;

/** Tasks in flight, by id. */
const tickets = new Map<number, TaskTicket>();

const reply = openChannel((request) => void run(request), end);

async function run({ id, ...task }: ProcessRequest): Promise<void> {
  const holder = (task.request as FreeRequest | undefined)?.holder;
  const ticket = new TaskTicket(task.name, timeoutOf(task), holder);
  tickets.set(id, ticket);
  const outcome = await (isLongCheck(task) ? inSlot(holder, () => outcomeOf(task, ticket)) : outcomeOf(task, ticket));
  tickets.delete(id);
  reply({ id, ...outcome });
}

// A service manager signals the whole process group. The supervisor first drains and then ends this
// process.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

await pool.run({ name: 'describe', request: undefined });
reply({ ready: true });
setInterval(reportOverdue, Math.min(Number(taskTimeoutMs) / 2, 1_000));
setInterval(() => reply({ alive: true }), BEAT_MS);

/** Runs a long check in a slot. Its caller waits on a connection that is open for a limited time. */
function inSlot(holder: string | undefined, work: () => Promise<TaskOutcome>): Promise<TaskOutcome> {
  return longChecks
    .within(work, holder, () => AbortSignal.timeout(LONGEST_WAIT_MS))
    .catch(({ message }: Error) => ({ error: { code: 'busy', message } }));
}

async function outcomeOf(task: Task, ticket: TaskTicket): Promise<TaskOutcome> {
  const waiting = queue.size;
  try {
    const outcome = pool.run({ ...task, [queueOptionsSymbol]: ticket });
    // The queue has not grown: a thread was free and took the task at once.
    if (queue.size === waiting && ticket.startedAt === undefined) {
      queue.begin(ticket);
    }
    return await outcome;
  } catch (error) {
    return { error: { code: 'thread_lost', message: `A thread was lost: ${(error as Error).message}` } };
  } finally {
    queue.end(ticket);
  }
}

/**
 * True for a task that is free of charge and takes long: a spreadsheet, a preview, reading a picture back, or the check of a
 * body that is not in memory.
 */
function isLongCheck({ name, request }: Task): boolean {
  return name === 'check'
    ? request.body === undefined
    : name === 'readSpreadsheet' || name === 'drawSamples' || name === 'scan';
}

/** Reports a task that takes too long. Native code in a thread cannot be stopped, so the supervisor kills the process. */
function reportOverdue(): void {
  const now = performance.now();
  for (const [id, { startedAt = now, timeoutMs }] of tickets) {
    if (now - startedAt > timeoutMs) {
      reply({ overdue: id });
      return;
    }
  }
}

/** Timeout of a task. A task of few items is short: a thread that is stuck in it must not wait as long as for a large one. */
function timeoutOf(task: Task): number {
  const usual = Number(taskTimeoutMs);
  const items = itemsOf(task);
  return items === undefined
    ? usual
    : Math.min(usual + ITEM_TIMEOUT_MS.many * items, usual / 5 + ITEM_TIMEOUT_MS.few * items);
}

/** Number of items that a task draws or reads. Undefined when only the task itself can tell. */
function itemsOf({ name, request }: Task): number | undefined {
  switch (name) {
    case 'renderChunk':
      return request.chunk.itemCount;
    case 'renderChunks':
      return request.chunks.reduce((sum, { itemCount }) => sum + itemCount, 0);
    // Reading back ends itself after a short time, and the item that it began.
    case 'scan':
    case 'readBack':
    case 'verify':
    case 'seeItem':
      return 1;
    case 'check':
      return request.body && ITEMS_IN_MEMORY;
    case 'drawSamples':
      return ITEMS_IN_MEMORY;
    default:
      return undefined;
  }
}

/** Ends the process at once. On Node 20 a regular exit aborts while a thread is still loading its modules. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
