/** The engine's process: a pool of threads behind an IPC channel, and no life of its own. Its arguments: the number of threads, then those of a thread. */

import { fileURLToPath } from 'node:url';
import { Piscina, queueOptionsSymbol } from 'piscina';
import type { ProcessReply, ProcessRequest, Task, TaskOutcome } from './task-messages.js';
import { FairTaskQueue, TaskTicket } from './fair-task-queue.js';

const [threadCount, ...argv] = process.argv.slice(2);
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

process.on('message', async ({ id, ...task }: ProcessRequest) => {
  reply({ id, ...(await outcomeOf(task)) });
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

async function outcomeOf(task: Task): Promise<TaskOutcome> {
  const ticket = new TaskTicket(task.name);
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

/** Ends the process at once. An orderly end aborts on Node 20 where a thread is still loading its modules. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function reply(message: ProcessReply): void {
  process.send?.(message);
}
