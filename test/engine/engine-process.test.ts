/** The engine's process, when the process that started it is gone. */

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROCESS_PATH = fileURLToPath(new URL('../../dist/engine/engine-process.js', import.meta.url));

/** Starts the engine's process, asks for more than it answers at once, and is killed meanwhile. */
const KILLED_SERVICE = `
  const engine = require('node:child_process').fork(process.argv[1], ['1', '60000', '1000']);
  engine.once('message', () => {
    for (let id = 0; id < 500; id++) engine.send([{ id, name: 'describe' }]);
    engine.once('message', () => process.kill(process.pid, 'SIGKILL'));
  });
`;

test('ends without a word when answers reach nobody', async () => {
  // The engine's process has the error stream too: the stream ends when both processes have.
  const service = spawn(process.execPath, ['-e', KILLED_SERVICE, PROCESS_PATH], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect(await text(service.stderr)).toBe('');
});
