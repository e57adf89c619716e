/** `qrpress serve`: the service until a signal asks it to stop, which drains it. */

import type { Config } from '../config.js';
import { createService } from '../service.js';

/** Resolves when the service has been asked to stop and has stopped. */
export async function serve(config: Config): Promise<void> {
  const service = await createService(config);
  await service.listen();
  const organisations = await service.backoffice.organisations.list();
  if (organisations.length === 0) {
    console.error(firstSteps(config));
  }
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => resolve());
    }
  });
  await service.close();
}

function firstSteps({ baseUrl }: Config): string {
  return [
    `qrpress is ready at ${baseUrl}, and has no organisation yet. To make one with credits, and a key for it:`,
    '',
    '  node dist/main.js admin create-organisation --name NAME --owner EMAIL --credits 1000',
    '  node dist/main.js admin create-key --organisation ID --name NAME',
    '',
    `Then post a job to ${baseUrl}/api/v1/jobs, as README.md shows.`,
  ].join('\n');
}
