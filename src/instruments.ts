/** Part of the composition root: connects the sources of figures to the metrics. */

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

/** Callbacks that count events. */
export type Observers = ReturnType<typeof createObservers>;

export function createObservers(metrics: Metrics) {
  return {
    mail: metrics.mail(),
    webhooks: metrics.webhooks(),
    jobs: metrics.jobs(),
    engineCrashed: metrics.engineCrashes(),
  };
}

/**
 * Collects figures that are not counted by events: from database and disk every 15 seconds, from memory at every
 * scrape. Start it, and close it before the database.
 */
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
  const [setQueue, setLedger, setDisk, setCollected] = [
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
        setDisk(bavail * bsize, blocks * bsize);
      },
      async () => setQueue(await jobs.queue()),
      async () => mail.figures(await mails.figures()),
      async () => webhooks.figures(await deliveries.figures()),
      async () => {
        const checked = await ledger.look();
        setLedger(ledger.anomalies, checked);
      },
    ],
    setCollected,
    (error) => log.warn({ err: error }, 'metrics: figures could not be read'),
  );
}

/** Counts a job's end. Reads the job's row when only its id is known. */
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
