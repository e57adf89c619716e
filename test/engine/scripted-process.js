/**
 * Stands in for the engine's process: a task does what its path asks for. `kill` ends the process, `killed N PATH` does so N
 * times (a byte of the file for each), `overflow` as the guard page of a stack does, `slow` takes a while.
 */

import { appendFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

process.on('message', (requests) => requests.forEach(run));

async function run({ id, name, request }) {
  const words = String(request?.bodyPath ?? request?.spoolPath ?? name);
  if (words.startsWith('killed ')) {
    const [, times, path] = words.split(' ');
    appendFileSync(path, '.');
    if (statSync(path).size <= Number(times)) {
      process.kill(process.pid, 'SIGKILL');
      return;
    }
  } else if (words.includes('kill')) {
    await delay(20);
    process.kill(process.pid, 'SIGKILL');
    return;
  }
  if (words.includes('overflow')) {
    await delay(20);
    process.kill(process.pid, 'SIGSEGV');
    return;
  }
  await delay(words.includes('slow') ? 200 : 1);
  process.send([{ id, value: words }]);
}

process.on('disconnect', () => process.exit());
process.send([{ ready: true }]);
setInterval(() => process.send([{ alive: true }]), 1_000);
