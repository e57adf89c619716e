/** A dispatcher whose tasks carry the trace that they belong to, and are handled in a span of it, by whichever process. */

import type { Dispatcher, TaskHandler } from '../dispatch/dispatcher.js';
import type { Tracing } from './tracing.js';

export function traceDispatcher(
  create: (handle: TaskHandler) => Dispatcher,
  handle: TaskHandler,
  tracing: Tracing | undefined,
): Dispatcher {
  if (tracing === undefined) {
    return create(handle);
  }
  const dispatcher = create((task) => {
    const { jobId, chunk, traceparent } = task;
    const [name, notes] = chunk === undefined ? ['finish', {}] : ['chunk', { 'qrpress.chunk': chunk }];
    return tracing.task(name, { 'qrpress.job.id': jobId, ...notes }, traceparent, async (note) => {
      const comeAgainAt = await handle(task);
      note({ 'qrpress.postponed': comeAgainAt !== undefined });
      return comeAgainAt;
    });
  });
  return {
    submit: (tasks) => {
      const { traceparent } = tracing;
      // What a task of the job leads to belongs beside it.
      dispatcher.submit(tasks.map((task) => ({ ...task, traceparent: task.traceparent ?? traceparent })));
    },
    sent: () => dispatcher.sent(),
    close: () => dispatcher.close(),
  };
}
