/** The composition root: every room is built and wired here, or in `backoffice.ts`, and nowhere else. */

import { join } from 'node:path';
import { AuditStore } from './account/audit-store.js';
import { Credentials } from './account/credentials.js';
import { MembershipStore } from './account/membership-store.js';
import { Registration } from './account/registration.js';
import { SessionStore } from './account/session-store.js';
import { Team } from './account/team.js';
import { Throttle } from './account/throttle.js';
import { type Backoffice, openBackoffice } from './backoffice.js';
import type { Config, ProcessRole, Secret } from './config.js';
import { LedgerReportStore } from './credits/ledger-report-store.js';
import type { Database } from './database/connection.js';
import { migrate } from './database/migrate.js';
import type { Dispatcher, TaskHandler } from './dispatch/dispatcher.js';
import { LocalDispatcher } from './dispatch/local-dispatcher.js';
import { RateLimits } from './http/rate-limits.js';
import { createProbeRouter, createRouter, type Rooms } from './http/routes.js';
import { type ConnectionLimits, HttpServer } from './http/server.js';
import { SignedUrls } from './http/signed-urls.js';
import { IntakeRoom } from './intake/intake-room.js';
import { completionMail } from './jobs/completion-mail.js';
import { JobListStore } from './jobs/job-list-store.js';
import { JobReportStore } from './jobs/job-report-store.js';
import { Jobs, type JobsOptions } from './jobs/jobs.js';
import { createLog, type Log } from './log.js';
import { folderDelivery, smtpDelivery } from './mail/delivery.js';
import { type Mail, MailStore } from './mail/mail-store.js';
import { countEnd, createCollector, createObservers, type Observers } from './instruments.js';
import { Metrics } from './metrics/metrics.js';
import { observeEngine } from './metrics/observed-engine.js';
import { Postman } from './mail/postman.js';
import type { Redis } from './redis/connection.js';
import { createDocument } from './openapi/document.js';
import { renderReferencePage } from './openapi/page/reference-page.js';
import type { PageRooms } from './pages/page-rooms.js';
import { Pages } from './pages/pages.js';
import { readinessChecks } from './readiness.js';
import { Farm } from './render/farm.js';
import { loadSecrets } from './secrets.js';
import { VERSION } from './version.js';
import { openTracing } from './tracing/open-tracing.js';
import { traceDispatcher } from './tracing/traced-dispatcher.js';
import { traceEngine } from './tracing/traced-engine.js';
import { traceRequestsWith } from './tracing/traced-requests.js';

export interface Service {
  /** Resolves with the port once connections are taken. */
  listen: () => Promise<number>;
  /** Drains: refuses what is new, finishes what is under way, leaves the rest for the next start. */
  close: () => Promise<void>;
  backoffice: Backoffice;
}

/** What a caller may set beside the configuration. */
export interface ServiceOptions {
  /** `all` when absent. */
  role?: ProcessRole;
  log?: Log;
  /** How long leases hold, and how often work is looked for that nobody does, in place of the usual times. */
  patience?: Pick<JobsOptions, 'leaseMs' | 'reconcileEveryMs'>;
  /** What a connection may take, in place of the usual limits. */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Called when a job has become `complete` or `failed`. */
  onJobEnded?: (jobId: string) => void;
  /** Called when a mail was handed to the SMTP server or the outbox folder. */
  onMailDelivered?: (mail: Mail) => void;
}

/** Chunks that may be synced and moved while the threads render others; to sync one takes about as long as to render it. */
const CHUNKS_BEING_STORED = 2;

/** Builds the service and takes up the jobs that nobody works on; it takes requests after `listen`. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const { role = 'all' } = options;
  const log = options.log ?? createLog(config.logLevel);
  const secrets = await loadSecrets(config);
  const metrics = new Metrics();
  const observers = createObservers(metrics);
  const tracing = await openTracing(config.traces, log);
  const shared = await loadShared(config);
  const backoffice = await openBackoffice(config, migrate, metrics, tracing);
  const { database, storage, folder } = backoffice;
  const farm = new Farm({
    threads: config.renderThreads,
    chunkItems: config.chunkItems,
    fontDir: config.fontDir,
    onCrash: (error) => {
      observers.farmCrashed(error.tasksLost);
      log.error({ err: error }, 'farm: process died, and is started again');
    },
  });
  const engine = traceEngine(observeEngine(farm, metrics), tracing);
  const urls = new SignedUrls(secrets);
  const links: PageRooms['links'] = {
    download: (job) => urls.sign('download', job.token, job.expiresAt),
    status: (job) => urls.sign('status', job.token, job.expiresAt),
  };
  const postman = role === 'worker' ? undefined : createPostman(config, database, log, options, observers);
  const jobs = new Jobs({
    database,
    storage,
    engine,
    folder,
    isSole: config.redisUrl === undefined,
    createDispatcher: (handle) =>
      traceDispatcher(
        (traced) =>
          createDispatcher(config, role, log, shared, {
            handle: traced,
            onReady: () => jobs.reconcile(),
            lockMs: options.patience?.leaseMs,
          }),
        handle,
        tracing,
      ),
    log,
    trace: tracing && ((step, jobId, work) => tracing.step(step, { 'qrpress.job.id': jobId }, work)),
    retentionDays: config.retentionDays,
    onComplete: completionMail((job) => config.baseUrl + links.download(job)),
    onAccepted: (job) => observers.jobs.accepted(job.total),
    onLeaseLost: observers.jobs.leaseLost,
    onEnded: (jobId) => {
      postman?.wake();
      // A count that the database does not let be made is not made.
      void countEnd(jobId, database, observers).catch(() => undefined);
      options.onJobEnded?.(jobId);
    },
    ...options.patience,
  });
  const redis = shared?.connectRedis(shared.url, log);
  const room = new IntakeRoom(() =>
    storage.check().catch((error: unknown) => {
      log.error({ err: error }, 'storage: no job is taken in');
      throw error;
    }),
  );
  const pages = postman && createPages({ backoffice, config, secrets, log, jobs, room, engine, links, redis, postman });
  const rooms = (): Rooms => ({
    ...backoffice,
    engine,
    jobs,
    room,
    urls,
    limits: new RateLimits(config.rateLimits, redis),
    ...documents(config),
  });
  const server = new HttpServer({
    createRouter: role === 'worker' ? createProbeRouter : (probes) => createRouter(rooms(), probes),
    checks: readinessChecks({ database, storage, engine, redis, dataDir: config.dataDir }),
    metrics: { requests: metrics.requests(), scrape: metrics.scrape },
    tracer: tracing && traceRequestsWith(tracing),
    log,
    config,
    connectionLimits: options.connectionLimits,
    pages: pages && ((app) => pages.middleware(app)),
  });
  const collector = createCollector(metrics, observers, { database, farm, redis, dataDir: config.dataDir, log });
  const close = async () => {
    pages?.close();
    await server.close();
    await collector.close();
    redis?.disconnect();
    await jobs.close();
    await postman?.close();
    await farm.close();
    await backoffice.close();
    await tracing?.close();
  };
  try {
    // Without an engine that has its fonts there is nothing to serve.
    const { rejectedFonts, cpuPath } = await engine.describe();
    metrics.describe({ version: VERSION, cpuPath });
    if (rejectedFonts.length > 0) {
      log.warn({ rejectedFonts }, 'farm: files of QRPRESS_FONT_DIR are not used');
    }
    await jobs.start();
    await collector.start();
    postman?.start();
    pages?.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { listen: () => server.listen(), close, backoffice };
}

/** What is used with a Redis alone; two hundred files to load. */
async function loadShared({ redisUrl: url }: Config) {
  if (url === undefined) {
    return undefined;
  }
  const { SharedDispatcher } = await import('./dispatch/shared-dispatcher.js');
  const { connectQueueRedis, connectRedis } = await import('./redis/connection.js');
  return { url, SharedDispatcher, connectQueueRedis, connectRedis };
}

/** The queue in this process where it is alone, else the one that it shares. */
function createDispatcher(
  { renderThreads }: Config,
  role: ProcessRole,
  log: Log,
  shared: Awaited<ReturnType<typeof loadShared>>,
  { handle, onReady, lockMs }: { handle: TaskHandler; onReady: () => void; lockMs: number | undefined },
): Dispatcher {
  const slots = renderThreads + CHUNKS_BEING_STORED;
  if (shared === undefined) {
    return new LocalDispatcher(slots, handle);
  }
  const queue = {
    redis: shared.connectQueueRedis(shared.url, onReady),
    slots: role === 'api' ? 0 : slots,
    lockMs,
    onFailure: (error: unknown) => log.debug({ reason: (error as Error).message }, 'queue: a step failed'),
  };
  return new shared.SharedDispatcher(queue, handle);
}

function createPostman(
  { mail: { smtpUrl, from }, dataDir }: Config,
  database: Database,
  log: Log,
  { onMailDelivered }: ServiceOptions,
  { mail }: Observers,
): Postman {
  return new Postman({
    store: new MailStore(database),
    delivery: smtpUrl === undefined ? folderDelivery(join(dataDir, 'outbox'), from) : smtpDelivery(smtpUrl, from),
    log,
    onDelivered: (delivered) => {
      mail.sent();
      onMailDelivered?.(delivered);
    },
    onFailed: mail.failed,
  });
}

/** What pages are made of, beside the stores that only they use. */
interface PageParts extends Pick<PageRooms, 'config' | 'log' | 'jobs' | 'room' | 'engine' | 'links'> {
  backoffice: Backoffice;
  secrets: readonly Secret[];
  redis: Redis | undefined;
  postman: Postman;
}

function createPages({ backoffice, secrets, redis, postman, ...rooms }: PageParts): Pages {
  const { database } = backoffice;
  const accounts = { database, baseUrl: rooms.config.baseUrl, wakePostman: () => postman.wake() };
  return new Pages({
    rooms: {
      ...backoffice,
      ...rooms,
      registration: new Registration(accounts),
      credentials: new Credentials(accounts),
      team: new Team(accounts),
      throttle: new Throttle(redis),
      memberships: new MembershipStore(database),
      sessions: new SessionStore(database),
      audit: new AuditStore(database),
      ledgerReports: new LedgerReportStore(database),
      jobLists: new JobListStore(database),
      jobReports: new JobReportStore(database),
      mails: new MailStore(database),
    },
    secrets,
  });
}

/** What tells clients and people about the API. */
function documents(config: Config): Pick<Rooms, 'openApi' | 'docs'> {
  const document = createDocument(config);
  const { html, contentSecurityPolicy } = renderReferencePage(document, config);
  return {
    openApi: { type: 'application/json', text: JSON.stringify(document) },
    docs: { type: 'text/html', text: html, headers: { 'Content-Security-Policy': contentSecurityPolicy } },
  };
}
