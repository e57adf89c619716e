/** Part of the composition root: which figures are read from which room, and when. */

import { statfs } from 'node:fs/promises';
import { LedgerSampleStore } from './credits/ledger-sample-store.js';
import type { Database } from './database/connection.js';
import { JobFiguresStore } from './jobs/job-figures-store.js';
import type { Log } from './log.js';
import { MailStore } from './mail/mail-store.js';
import { Collector } from './metrics/collector.js';
import type { Metrics } from './metrics/metrics.js';
import type { Redis } from './redis/connection.js';
import { FALLBACK } from './redis/shared-limiter.js';
import type { Farm } from './render/farm.js';

export interface InstrumentedRooms {
  database: Database;
  farm: Farm;
  redis: Redis | undefined;
  dataDir: string;
  log: Log;
}

/** What the rooms call when something has happened. */
export type Observers = ReturnType<typeof createObservers>;

export function createObservers(metrics: Metrics) {
  return { mail: metrics.mail(), jobs: metrics.jobs(), farmCrashed: metrics.farm() };
}

/** Reads what nobody tells: every 15 seconds from database and disk, at every scrape from memory. To be started, and closed before the database. */
export function createCollector(
  metrics: Metrics,
  { mail }: Observers,
  { database, farm, redis, dataDir, log }: InstrumentedRooms,
): Collector {
  const [jobs, mails, ledger] = [
    new JobFiguresStore(database),
    new MailStore(database),
    new LedgerSampleStore(database),
  ];
  const [tellQueue, tellLedger, tellDisk, tellCollected] = [
    metrics.queue(),
    metrics.ledger(),
    metrics.disk(),
    metrics.collected(),
  ];
  metrics.read({ farm: () => farm.load, redis: redis && (() => redis.status === 'ready') });
  const countFallback = metrics.redisFallback();
  redis?.on(FALLBACK, countFallback);
  return new Collector(
    [
      async () => {
        const { bavail, blocks, bsize } = await statfs(dataDir);
        tellDisk(bavail * bsize, blocks * bsize);
      },
      async () => tellQueue(await jobs.queue()),
      async () => mail.figures(await mails.figures()),
      async () => {
        const looked = await ledger.look();
        tellLedger(ledger.anomalies, looked);
      },
    ],
    tellCollected,
    (error) => log.warn({ err: error }, 'metrics: figures could not be read'),
  );
}

/** Counts a job's end, from its row: whoever ended it knows no more than its id. */
export async function countEnd(jobId: string, database: Database, { jobs }: Observers): Promise<void> {
  const ended = await new JobFiguresStore(database).ended(jobId);
  if (ended !== undefined) {
    jobs.ended(ended);
  }
}
