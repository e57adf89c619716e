/** Part of the composition root: which figures are read, from where and when. */

import { statfs } from 'node:fs/promises';
import { LedgerSampleStore } from './credits/ledger-sample-store.js';
import type { Database } from './database/connection.js';
import type { EngineSupervisor } from './engine/engine-supervisor.js';
import { type EndedJob, JobFiguresStore } from './jobs/job-figures-store.js';
import type { Log } from './log.js';
import { MailStore } from './mail/mail-store.js';
import { Collector } from './metrics/collector.js';
import type { Metrics } from './metrics/metrics.js';
import type { Redis } from './redis/connection.js';
import { FALLBACK } from './redis/shared-limiter.js';
import { DeliveryStore } from './webhooks/delivery-store.js';

export interface InstrumentDependencies {
  config: { dataDir: string };
  metrics: Metrics;
  observers: Observers;
  admin: { database: Database };
  redis: Redis | undefined;
  log: Log;
}

/** Called when something has happened. */
export type Observers = ReturnType<typeof createObservers>;

export function createObservers(metrics: Metrics) {
  return {
    mail: metrics.mail(),
    webhooks: metrics.webhooks(),
    jobs: metrics.jobs(),
    engineCrashed: metrics.engineCrashes(),
  };
}

/** Reads what nobody tells: every 15 seconds from database and disk, at every scrape from memory. To be started, and closed before the database. */
export function createCollector(
  {
    config: { dataDir },
    metrics,
    observers: { mail, webhooks },
    admin: { database },
    redis,
    log,
  }: InstrumentDependencies,
  supervisor: EngineSupervisor,
): Collector {
  const [jobs, mails, deliveries, ledger] = [
    new JobFiguresStore(database),
    new MailStore(database),
    new DeliveryStore(database),
    new LedgerSampleStore(database),
  ];
  const [tellQueue, tellLedger, tellDisk, tellCollected] = [
    metrics.queue(),
    metrics.ledger(),
    metrics.disk(),
    metrics.collected(),
  ];
  metrics.read({ engine: () => supervisor.load, redis: redis && (() => redis.status === 'ready') });
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
      async () => webhooks.figures(await deliveries.figures()),
      async () => {
        const looked = await ledger.look();
        tellLedger(ledger.anomalies, looked);
      },
    ],
    tellCollected,
    (error) => log.warn({ err: error }, 'metrics: figures could not be read'),
  );
}

/** Counts a job's end, from its row where who ended it knows no more than its id. */
export async function countEnd(
  jobId: string,
  known: EndedJob | undefined,
  database: Database,
  { jobs }: Observers,
): Promise<void> {
  const ended = known ?? (await new JobFiguresStore(database).ended(jobId));
  if (ended !== undefined) {
    jobs.ended(ended);
  }
}
