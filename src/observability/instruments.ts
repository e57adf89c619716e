/** Part of the composition root: connects the sources of figures to the metrics. */

import { lastAct } from '../accounts/audit-store.js';
import { LedgerSampleStore } from '../credits/ledger-sample-store.js';
import type { Database } from '../database/connection.js';
import { diskOf } from '../platform/disk.js';
import type { EngineSupervisor } from '../engine/engine-supervisor.js';
import { type EndedJob, JobReportStore } from '../jobs/job-report-store.js';
import type { Log } from '../platform/log.js';
import { MailStore } from '../outbox/mail-store.js';
import type { LoadHourStore } from './load-hour-store.js';
import type { Metrics } from './metrics.js';
import type { SharedRedis } from '../platform/redis/shared-redis.js';
import { Rounds } from '../platform/rounds.js';
import { DeliveryStore } from '../outbox/delivery-store.js';

interface InstrumentDependencies {
  load: LoadHourStore;
  config: { dataDir: string };
  metrics: Metrics;
  observers: Observers;
  admin: { database: Database };
  redis: SharedRedis | undefined;
  log: Log;
}

type Observers = ReturnType<typeof createObservers>;

export function createObservers(metrics: Metrics) {
  return {
    mail: metrics.mail(),
    webhooks: metrics.webhooks(),
    jobs: metrics.jobs(),
    engineCrashed: metrics.engineCrashes(),
  };
}

/** Interval of the figures that are too expensive to read at every scrape. */
const COLLECT_EVERY_MS = 15_000;

/**
 * Collects figures that are not counted by events: from database and disk in rounds, from memory at every scrape. Start
 * the rounds, and close them before the database.
 */
export function collectFigures(
  { load, config, metrics, observers, admin: { database }, redis, log }: InstrumentDependencies,
  supervisor: EngineSupervisor,
): Rounds {
  const jobs = new JobReportStore(database);
  const mails = new MailStore(database);
  const deliveries = new DeliveryStore(database);
  const ledger = new LedgerSampleStore(database);
  const setQueue = metrics.queue();
  const setLedger = metrics.ledger();
  const setDisk = metrics.disk();
  const setBackup = metrics.backup();
  const setCollected = metrics.collected();
  metrics.read(
    () => supervisor.load,
    () => redis === undefined || redis.isAvailable,
  );
  const countFallback = metrics.redisFallback();
  redis?.on('fallback', countFallback);
  // One figure after the other, so that they take one connection of the database.
  const collect = async () => {
    const { bytes, freeBytes } = await diskOf(config.dataDir);
    setDisk(freeBytes, bytes);
    const queue = await jobs.queue();
    setQueue(queue);
    await load.record({ freeDiskBytes: freeBytes, queuedItems: queue.items });
    observers.mail.figures(await mails.figures());
    observers.webhooks.figures(await deliveries.figures(), await deliveries.paused());
    setBackup(await lastAct(database, 'backup-made'));
    const checked = await ledger.checkNext();
    setLedger(ledger.anomalies, checked);
    setCollected();
  };
  return new Rounds({
    work: collect,
    everyMs: COLLECT_EVERY_MS,
    onFailure: (error) => log.warn({ err: error }, 'metrics: figures could not be read'),
  });
}

/** Counts a job's end. Reads the job's row when only its id is known. */
export async function countEnd(
  jobId: string,
  known: EndedJob | undefined,
  database: Database,
  { jobs }: Observers,
): Promise<void> {
  const ended = known ?? (await new JobReportStore(database).ended(jobId));
  if (ended !== undefined) {
    jobs.ended(ended);
  }
}
