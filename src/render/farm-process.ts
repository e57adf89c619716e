/** The farm's process: a pool of threads behind an IPC channel, and no life of its own. Its arguments: the number of threads, then those of a thread. */

import { fileURLToPath } from 'node:url';
import { Piscina, queueOptionsSymbol } from 'piscina';
import type { FarmReply, FarmRequest, Task, TaskOutcome } from './farm-messages.js';
import { FAST_LANE, TwoLaneQueue } from './two-lane-queue.js';

const [threadCount, ...argv] = process.argv.slice(2);
const threads = Number(threadCount);

const pool = new Piscina<object, TaskOutcome>({
  filename: fileURLToPath(new URL('./worker.js', import.meta.url)),
  name: 'runTask',
  argv,
  minThreads: threads,
  maxThreads: threads,
  idleTimeout: Number.POSITIVE_INFINITY,
  taskQueue: new TwoLaneQueue(),
  // A task that finds no free thread keeps its place in the queue.
  stricterFIFO: true,
  recordTiming: false,
});

// Threads that cannot load the engine: the process ends, and the supervisor says so.
pool.on('error', (error: Error) => {
  throw error;
});

process.on('message', async ({ id, ...task }: FarmRequest) => {
  reply({ id, ...(await outcomeOf(task)) });
});
process.on('disconnect', () => process.exit());
if (!process.connected) {
  process.exit();
}
// A terminal or a service manager signals the whole group; the supervisor still drains, and says when to end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

await pool.run({ name: 'describe', request: undefined });
reply({ ready: true });

async function outcomeOf(task: Task): Promise<TaskOutcome> {
  try {
    return await pool.run(task.name === 'renderChunk' ? task : { ...task, [queueOptionsSymbol]: FAST_LANE });
  } catch (error) {
    return { error: { code: 'worker', message: `A thread was lost: ${(error as Error).message}` } };
  }
}

function reply(message: FarmReply): void {
  process.send?.(message);
}
