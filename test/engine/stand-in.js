/** What the programs share that stand in for the engine's process: the channel, and values of tasks that carry a text. */

import { openChannel } from '../../dist/engine/engine-channel.js';

/**
 * Says that the process is ready, and runs tasks.
 * @param run gets the name, the request and the id of a task; returns the text that a task's value is to carry, or nothing where there is to be no value
 */
export function standIn(run) {
  const reply = openChannel(
    async ({ id, name, request }) => {
      const text = await run(name, request, id);
      if (text !== undefined) reply({ id, value: valueOf(name, text) });
    },
    () => process.exit(),
  );
  reply({ ready: true });
  setInterval(() => reply({ alive: true }), 1_000);
}

function valueOf(name, text) {
  switch (name) {
    case 'check':
      return { refusal: { code: 'invalid_input', message: text, issues: [], issueCount: 0 } };
    case 'renderChunk':
      return { ...NOTHING_DRAWN, failures: [{ item: 0, message: text }] };
    default:
      return { version: text, cpuPath: '', availableCpuPaths: [], fonts: 0, rejectedFonts: [], confinement: [] };
  }
}

const NOTHING_DRAWN = { completed: 0, failed: 1, segmentBytes: 0, indexBytes: 0, entries: 0, headerBytes: 0 };
