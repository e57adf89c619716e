/** `qrpress serve`: runs the service until a signal stops it, which drains it. */

import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { linkLifetime } from '../accounts/letters.js';
import type { AdminContext } from '../cli/administer.js';
import { type Config, type ProcessRole, requireShared } from '../config/config.js';
import { createService, type Service } from './service.js';
import { operatorUrl } from '../cli/people.js';
import { EXIT } from '../cli/arguments.js';
import { explain } from '../cli/explain.js';
import type { Log } from '../platform/log.js';

/**
 * Garbage outside the heap that triggers a collection, in per cent of the heap. Bytes from sockets and files become
 * garbage at once, outside the heap, but V8 counts them. By default it scans the whole heap, mostly code of libraries,
 * for every 20 MB of them.
 */
const GARBAGE_BEFORE_MARKING = 150;

/** Time that a stopping process keeps answering 503, so that proxies notice and send requests elsewhere. */
const REFUSE_BEFORE_CLOSE_MS = 1_500;

/** Time that a process still has when it gives up its chunks: to release them, and to close what is open. */
const RELEASE_MS = 2_000;

/** Runs the service until it is stopped, then ends the process. Prints why it could not start. */
export async function serve(config: Config, role: ProcessRole): Promise<never> {
  try {
    await run(config, role);
  } catch (error) {
    console.error(explain(error));
    process.exitCode = EXIT.failed;
  }
  // Otherwise what a failed start had begun would go on, and a client of an unavailable server would try to reconnect.
  process.exit();
}

async function run(config: Config, role: ProcessRole): Promise<void> {
  requireShared(config, role);
  const service = await createService(config, { role });
  // Not earlier: once a flag is changed, V8 compiles modules of Node.js anew that it would otherwise take from their snapshot.
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_BEFORE_MARKING}`);
  // Before it listens: whoever saw that it does may stop it at once.
  const stopped = untilStopped(service.log);
  try {
    await service.listen();
    if (role !== 'worker') {
      console.error(await firstSteps(config, service.admin));
    }
    await stopped;
    if (role !== 'worker') {
      service.refuse();
      await delay(REFUSE_BEFORE_CLOSE_MS);
    }
  } finally {
    // Needed also when the port is in use: the engine's process would keep this one alive.
    await close(service, config);
  }
}

/** Drains the service, for a limited time: a service manager kills a process that takes longer. */
async function close(service: Service, { stopSeconds }: Config): Promise<void> {
  const limitMs = stopSeconds * 1_000 - REFUSE_BEFORE_CLOSE_MS;
  const isLate = delay(limitMs, true, { ref: false });
  if (await Promise.race([service.close(AbortSignal.timeout(limitMs - RELEASE_MS)), isLate])) {
    console.error(
      `The service did not end within ${stopSeconds} seconds (QRPRESS_STOP_SECONDS). The next start goes on with its jobs.`,
    );
  }
}

/**
 * Resolves when a signal stops the process, or an exception that nobody caught: the state of the process is then unknown, so it
 * drains, ends with exit code 1, and is started again by whoever watches over it.
 */
export function untilStopped(log: Log): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => resolve());
    }
    // Unhandled rejections arrive here too.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'uncaught exception: the service drains and ends');
      process.exitCode = EXIT.failed;
      resolve();
    });
  });
}

/** The address to open. On a service without an operator, also the link that makes one. */
async function firstSteps(
  { baseUrl, signUp, mail }: Config,
  { operators, organisations }: AdminContext,
): Promise<string> {
  const lines = [`The account page is at ${baseUrl}/account`];
  if (!(await operators.any())) {
    lines.push(
      `To become this server's operator, open this one-time link within ${linkLifetime('operator')}: ${await operatorUrl(baseUrl, operators)}`,
    );
  }
  if ((await organisations.count()) === 0) {
    lines.push(
      signUp !== 'open'
        ? 'There is no organisation yet. To make one with a key:'
        : mail.smtpUrl === undefined
          ? `There is no organisation yet. As operator, create one at ${baseUrl}/account/you (\`qrpress admin operator-link\` prints a new link), or make one with a key here:`
          : `There is no organisation yet. Sign up at ${baseUrl}/account/sign-up, or make one with a key here:`,
      '  qrpress admin create-organisation --name NAME --owner EMAIL --credits 10000',
      '  qrpress admin create-key --organisation ID --name NAME',
      'Then make codes of a spreadsheet or a list:',
      `  qrpress submit FILE --url ${baseUrl} --key KEY --out codes.zip`,
      `In a clone, qrpress is \`node dist/main.js\`; elsewhere, ${baseUrl}/docs/install says what it is.`,
    );
  }
  return lines.join('\n');
}
