/**
 * Part of the composition root: what the rest of a service is built on, which is what the configuration and the options alone
 * make, the engine, and the queue.
 */

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { logEntries } from '../accounts/audit-store.js';
import { KeyRequests } from '../accounts/keys/key-request-store.js';
import { openAdminContext } from './admin-context.js';
import type { AdminContext } from '../cli/administer.js';
import { type Config, locationOfBlobs, type ProcessRole } from '../config/config.js';
import { proxyAdvice } from '../config/proxy-advice.js';
import { lockPathOf } from '../database/connection.js';
import { migrate } from '../database/migrate.js';
import { ServerLock } from '../database/server-lock.js';
import { encryptionAdvice } from '../database/server-url.js';
import type { Dispatcher } from '../jobs/work/queue/dispatcher.js';
import { LocalDispatcher } from '../jobs/work/queue/local-dispatcher.js';
import { CONFINEMENTS, type EngineFolders } from '../engine/confinement.js';
import { availableThreads } from '../engine/in-process.js';
import { EngineSupervisor, type EngineSupervisorOptions } from '../engine/engine-supervisor.js';
import type { Engine } from '../engine/engine.js';
import { FileLock } from '../engine/file-lock.js';
import { instrumentEngine } from '../engine/instrumented-engine.js';
import { createObservers } from '../observability/instruments.js';
import { LoadHourStore } from '../observability/load-hour-store.js';
import type { JobsOptions } from '../jobs/jobs.js';
import { bindStorage, OtherStorageError } from '../jobs/storage-id-store.js';
import { createLog, type Log } from '../platform/log.js';
import type { Mail } from '../outbox/mail-store.js';
import { Metrics } from '../observability/metrics.js';
import { loadSecrets } from '../config/secrets.js';
import { VERSION } from '../platform/version.js';
import type { ConnectionLimits } from '../api/listener.js';

/** Options besides the configuration. */
export interface ServiceOptions {
  /** Default: `all`. */
  role?: ProcessRole;
  log?: Log;
  /** Replace the default times of leases, of looks for abandoned work, of the engine's tasks and of webhook retries. */
  patience?: Pick<JobsOptions, 'leaseMs' | 'reconcileEveryMs'> &
    Pick<EngineSupervisorOptions, 'taskTimeoutMs'> & { webhookRetryDelaysMs?: readonly number[] };
  /** Replace the default limits of a connection. */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Called when a job has become `complete` or `failed`. */
  onJobEnded?: (jobId: string) => void;
  /** Called when a mail was passed to the SMTP server or the outbox folder. */
  onMailDelivered?: (mail: Mail) => void;
}

/** Chunks that may be stored while the threads render others. Syncing a chunk takes about as long as rendering it. */
const CONCURRENT_STORES = 2;

/** A bound on what the engine's process may write into one file: several times the largest body, spool or segment. */
const LARGEST_FILE_BYTES = 2 ** 36;

/** The parts that most others depend on. They depend only on the configuration and the options. */
export type Base = Awaited<ReturnType<typeof openBase>>;

export async function openBase(config: Config, options: ServiceOptions) {
  const lock = await lockDataFolder(config);
  let databaseLock: DatabaseLock | undefined;
  try {
    databaseLock = await lockDatabase(config);
    return { lock, databaseLock, ...(await openParts(config, options)) };
  } catch (error) {
    await databaseLock?.close();
    lock.release();
    throw error;
  }
}

/** Held as long as the service runs. Without Redis it is the only one on its data folder. @throws Error when another one runs */
async function lockDataFolder({ dataDir, redisUrl }: Config): Promise<FileLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await FileLock.take(join(dataDir, 'lock'), { isShared: redisUrl !== undefined });
  if (lock === undefined) {
    throw new Error(
      redisUrl === undefined
        ? `Another \`qrpress serve\` uses the data folder ${dataDir}. Stop it, choose another QRPRESS_DATA_DIR, or set QRPRESS_REDIS_URL for all that share the folder.`
        : `A \`qrpress serve\` without QRPRESS_REDIS_URL uses the data folder ${dataDir}. Stop it, or set QRPRESS_REDIS_URL for it too.`,
    );
  }
  return lock;
}

type DatabaseLock = Pick<ServerLock, 'isUndisturbed' | 'watch' | 'close'>;

/** Likewise for the database, which others may use with data folders of their own. @throws Error likewise */
async function lockDatabase({ databaseUrl, redisUrl }: Config): Promise<DatabaseLock> {
  const path = lockPathOf(databaseUrl);
  const lock = await (path === undefined
    ? ServerLock.take(databaseUrl, redisUrl === undefined ? 'alone' : 'shared')
    : lockFile(path, redisUrl !== undefined));
  if (lock === undefined) {
    throw new Error(
      redisUrl === undefined
        ? 'Another `qrpress serve` uses the database. Stop it, choose another QRPRESS_DATABASE_URL, or set QRPRESS_REDIS_URL for all that share the database.'
        : 'A `qrpress serve` without QRPRESS_REDIS_URL uses the database. Stop it, or set QRPRESS_REDIS_URL for it too.',
    );
  }
  return lock;
}

/** Locks the file beside an SQLite database. The system keeps the lock. */
async function lockFile(path: string, isShared: boolean): Promise<DatabaseLock | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await FileLock.take(path, { isShared });
  return lock && { isUndisturbed: true, watch: () => undefined, close: async () => lock.release() };
}

async function openParts(config: Config, options: ServiceOptions) {
  const { role = 'all' } = options;
  const log = options.log ?? createLog(config.logLevel);
  const metrics = new Metrics();
  const secrets = await loadSecrets(config);
  // OpenTelemetry's SDK is loaded only where it is used.
  const tracing =
    config.traces && (await import('../platform/tracing/export.js')).openTracing(config.traces, log, config.proxy);
  const shared = await loadShared(config);
  const admin = await openAdminContext(config, migrate, metrics, (error, isMadeGood) =>
    isMadeGood
      ? log.warn({}, 'database: everything is durable again')
      : log.error({ err: error }, 'database: a sync failed, nothing is accepted until everything is durable again'),
  );
  // Before anything looks for work, which it would fail without the files.
  await requireFiles(admin, config, log).catch(async (error: unknown) => {
    await admin.close();
    throw error;
  });
  logEntries(admin.database, log);
  return {
    config,
    options,
    role,
    log,
    metrics,
    observers: createObservers(metrics),
    load: new LoadHourStore(admin.database, admin.folder.name),
    secrets,
    tracing,
    shared,
    redis: shared && new shared.SharedRedis(shared.url, log),
    admin,
    keyRequests: new KeyRequests(admin.database),
  };
}

/**
 * A storage that is away keeps no process from its start: what needs it is refused until it is back. Nor does an empty one where no
 * other process can have the files: they may be lost for good, and then their jobs fail. @throws Error of `bindStorage`
 */
async function requireFiles({ database, storage }: AdminContext, config: Config, log: Log): Promise<void> {
  try {
    await storage.check();
  } catch (error) {
    log.warn(
      { err: error },
      'storage: cannot be written to, and was not asked whether it has the files of the database',
    );
    return;
  }
  try {
    await bindStorage({ database, storage }, locationOfBlobs(config), join(config.dataDir, 'work'));
  } catch (error) {
    if (!(error instanceof OtherStorageError && error.isEmpty && config.redisUrl === undefined)) {
      throw error;
    }
    log.error({ err: error }, 'storage: has no files of the database, jobs that need them will fail');
  }
}

/** Modules needed only with Redis. Loaded on demand: they are two hundred files. */
async function loadShared({ redisUrl: url }: Config) {
  if (url === undefined) {
    return undefined;
  }
  const { SharedDispatcher } = await import('../jobs/work/queue/shared-dispatcher.js');
  const { connectQueueRedis } = await import('../platform/redis/connection.js');
  const { SharedRedis } = await import('../platform/redis/shared-redis.js');
  return { url, SharedDispatcher, SharedRedis, connectQueueRedis };
}

export async function createEngine(
  base: Base,
  dispatcher: Dispatcher,
): Promise<{ engine: Engine; supervisor: EngineSupervisor }> {
  const { config, options, metrics, observers, load, log } = base;
  const supervisor = new EngineSupervisor({
    threads: config.renderThreads,
    chunkItems: config.chunkItems,
    fontDir: config.fontDir,
    folders: await engineFolders(base),
    taskTimeoutMs: options.patience?.taskTimeoutMs,
    onCrash: (crash) => {
      observers.engineCrashed(crash.tasksLost);
      log.error(crash, 'engine: process died and will be restarted');
    },
    onErrorLine: (line) => log.warn({ line }, 'engine: process wrote to its standard error'),
    onDown: (death) => {
      log.error({ death }, 'engine: process does not start, this process takes no jobs to draw until it does');
      dispatcher.pause();
    },
    onUp: () => {
      log.info({}, 'engine: process runs again, this process takes jobs to draw again');
      dispatcher.resume();
    },
  });
  base.admin.folder.watch(
    () => {
      log.error({}, 'jobs: somebody deleted the work folder, it was made again');
      supervisor.restart();
    },
    (error) => log.error({ err: error }, 'jobs: the work folder cannot be made'),
  );
  return {
    engine: instrumentEngine(
      supervisor,
      metrics.engine((items) => load.drew(items)),
    ),
    supervisor,
  };
}

/** The folders that the engine's process may use: this process's own, and, for reading, the blobs on this host. */
async function engineFolders({ config, admin: { folder } }: Base): Promise<EngineFolders> {
  const location = locationOfBlobs(config);
  const blobs = location.kind === 'folder' ? [location.path] : [];
  await folder.create();
  // A folder that cannot be made is the storage's to report.
  await Promise.all(blobs.map((path) => mkdir(path, { recursive: true }).catch(() => undefined)));
  return { readable: blobs, writable: [folder.path], fileBytes: LARGEST_FILE_BYTES };
}

export async function describeEngine({ config, metrics, log }: Base, engine: Engine): Promise<void> {
  const { rejectedFonts, confinement, cpuPath } = await engine.describe();
  log.info({ threads: config.renderThreads, processors: availableThreads() }, 'engine: ready');
  metrics.describe({ version: VERSION, cpuPath });
  if (rejectedFonts.length > 0) {
    log.warn({ rejectedFonts }, 'engine: files of QRPRESS_FONT_DIR are not used');
  }
  if (confinement.length < CONFINEMENTS.length) {
    log.warn({ confinement }, 'engine: this system does not confine the process, see `qrpress doctor`');
  }
}

export function advise({ config, role, log }: Base): void {
  const encryption = encryptionAdvice(config.databaseUrl);
  if (encryption !== undefined) {
    log.warn({ advice: encryption }, 'database: check QRPRESS_DATABASE_URL');
  }
  const advice = proxyAdvice(config);
  if (advice !== undefined && role !== 'worker') {
    log.warn({ advice }, 'proxies: check QRPRESS_TRUSTED_PROXIES');
  }
}

/** A local queue for a single process; otherwise the queue shared by all processes. */
export function createDispatcher({ config, options, role, shared, redis, log }: Base): Dispatcher {
  const slots = config.renderThreads + CONCURRENT_STORES;
  if (shared === undefined || redis === undefined) {
    return new LocalDispatcher(slots);
  }
  return new shared.SharedDispatcher({
    shared: redis,
    redis: shared.connectQueueRedis(shared.url),
    slots: role === 'api' ? 0 : slots,
    lockMs: options.patience?.leaseMs,
    onFailure: (error: unknown) => log.debug({ reason: (error as Error).message }, 'queue: command failed'),
  });
}
