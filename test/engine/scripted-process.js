/**
 * Stands in for the engine's process: a task does what its path asks for. `kill` ends the process, `killed N PATH` does so N
 * times (a byte of the file for each), `overflow` as the guard page of a stack does, `slow` takes a while.
 */

import { appendFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { standIn } from './stand-in.js';

standIn(run);

async function run(name, request) {
  const words = String(request?.bodyPath ?? request?.spoolPath ?? name);
  if (words.startsWith('killed ')) {
    const [, times, path] = words.split(' ');
    appendFileSync(path, '.');
    if (statSync(path).size <= Number(times)) {
      process.kill(process.pid, 'SIGKILL');
      return undefined;
    }
  } else if (words.includes('kill')) {
    await delay(20);
    process.kill(process.pid, 'SIGKILL');
    return undefined;
  }
  if (words.includes('overflow')) {
    await delay(20);
    process.kill(process.pid, 'SIGSEGV');
    return undefined;
  }
  await delay(words.includes('slow') ? 200 : 1);
  return words;
}
