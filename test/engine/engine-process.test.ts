/** The engine's process, when the process that started it is gone. */

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const [PROCESS_PATH, FRAMES] = ['engine-process', 'frames'].map((name) =>
  fileURLToPath(new URL(`../../dist/engine/${name}.js`, import.meta.url)),
) as [string, string];

/** Starts the engine's process, asks for more than it answers at once, and is killed meanwhile. */
const KILLED_SERVICE = `
  const { spawn } = await import('node:child_process');
  const { writeFrames } = await import(process.argv[2]);
  const args = [process.argv[1], '1', '60000', '1000'];
  const engine = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], detached: true });
  engine.stdio[3].once('data', () => {
    for (let id = 0; id < 500; id++) writeFrames(engine.stdio[3], [{ id, name: 'describe' }]);
    engine.stdio[3].once('data', () => process.kill(process.pid, 'SIGKILL'));
  });
`;

test('ends without a word when answers reach nobody', async () => {
  // The engine's process has the error stream too: the stream ends when both processes have.
  const service = spawn(process.execPath, ['--input-type=module', '-e', KILLED_SERVICE, PROCESS_PATH, FRAMES], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect(await text(service.stderr)).toBe('');
});
