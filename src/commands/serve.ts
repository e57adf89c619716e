/** `qrpress serve`: the service until a signal asks it to stop, which drains it. */

import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { linkLifetime } from '../account/letters.js';
import type { AdminContext } from '../admin-context.js';
import { type Config, type ProcessRole, requireShared } from '../config.js';
import { createService } from '../service.js';
import { operatorUrl } from './admin.js';

/**
 * Bytes from sockets and files are garbage at once, but outside the heap; V8 counts them all the same, and by itself goes through
 * the whole heap, which is code of libraries for the most part, for each 20 MB of them. In per cent of the heap.
 */
const GARBAGE_BEFORE_MARKING = 150;

/** How long a process that is about to end goes on answering 503, so that proxies see it and send their requests elsewhere. */
const FAREWELL_MS = 1_500;

/** Runs the service until it is asked to stop, and ends the process when it has stopped. */
export async function serve(config: Config, role: ProcessRole): Promise<never> {
  await run(config, role);
  // A client of a server that is away would go on trying to reach it.
  process.exit();
}

async function run(config: Config, role: ProcessRole): Promise<void> {
  requireShared(config, role);
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_BEFORE_MARKING}`);
  const service = await createService(config, { role });
  try {
    await service.listen();
    if (role !== 'worker') {
      console.error(await firstSteps(config, service.admin));
    }
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.once(signal, () => resolve());
      }
      // A rejection that nobody handles comes here as well.
      process.on('uncaughtException', (error) => {
        if (!service.takeStray(error)) {
          process.exitCode = 1;
          resolve();
        }
      });
    });
    if (role !== 'worker') {
      service.refuse();
      await delay(FAREWELL_MS);
    }
  } finally {
    // Also where the port is taken: the engine's process would keep this one alive.
    await service.close();
  }
}

/** The address to open; on a service without an operator, with the link that makes one. */
async function firstSteps({ baseUrl, signUp }: Config, { operators, organisations }: AdminContext): Promise<string> {
  const lines = [`The account page is at ${baseUrl}/account`];
  if (!(await operators.any())) {
    lines.push(
      `To run this service, follow this link within ${linkLifetime('operator')}, once: ${await operatorUrl(baseUrl, operators)}`,
    );
  }
  if ((await organisations.count()) === 0) {
    lines.push(
      signUp === 'open'
        ? `There is no organisation yet. Sign up at ${baseUrl}/account/sign-up, or make one with a key here:`
        : 'There is no organisation yet. To make one with a key:',
      '  node dist/main.js admin create-organisation --name NAME --owner EMAIL --credits 10000',
      '  node dist/main.js admin create-key --organisation ID --name NAME',
      `Then post a job to ${baseUrl}/api/v1/jobs, as README.md shows.`,
    );
  }
  return lines.join('\n');
}
