/** `qrpress admin`: one piece of work on organisations, keys and credits; it works beside a running service. */

import type { Config } from '../config.js';
import { type Violation, verify } from '../jobs/verify.js';
import { type Backoffice, openBackoffice } from '../service.js';

/** Opens the rooms that need no running service, for as long as the work takes. */
export async function administer<T>(config: Config, work: (rooms: Backoffice) => Promise<T>): Promise<T> {
  const rooms = await openBackoffice(config);
  try {
    return await work(rooms);
  } finally {
    await rooms.close();
  }
}

export function verifyInvariants(config: Config): Promise<Violation[]> {
  return administer(config, verify);
}
