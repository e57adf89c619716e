/**
 * The composition root. All parts of the service are created and connected here or in `admin-context.ts`. Parts that
 * only pages use are created in `site/page-dependencies.ts`.
 */

import { mkdir } from 'node:fs/promises';
import { logEntries } from './accounts/audit-store.js';
import { KeyRequests } from './accounts/key-request-store.js';
import { lowBalanceMail, webhookPausedMail } from './accounts/notice-store.js';
import { Throttle } from './accounts/throttle.js';
import { type AdminContext, locationOfBlobs, openAdminContext } from './cli/admin-context.js';
import { AdmissionControl } from './admission/admission-control.js';
import { machineOf } from './admission/machine.js';
import type { Config, ProcessRole } from './config/config.js';
import { proxyAdvice } from './config/proxy-advice.js';
import { migrate } from './database/migrate.js';
import type { Dispatcher } from './jobs/work/queue/dispatcher.js';
import { LocalDispatcher } from './jobs/work/queue/local-dispatcher.js';
import { CONFINEMENTS, type EngineFolders } from './engine/confinement.js';
import { EngineSupervisor, type EngineSupervisorOptions } from './engine/engine-supervisor.js';
import type { Engine } from './engine/engine.js';
import { instrumentEngine } from './engine/instrumented-engine.js';
import { answerStray } from './api/answer-errors.js';
import { RateLimits } from './api/authenticate.js';
import { absoluteJobResource } from './api/job-resource.js';
import { type ApiDependencies, createProbeRouter, createRouter } from './api/routes.js';
import { type ConnectionLimits, HttpServer } from './api/server.js';
import { SignedUrls } from './api/signed-urls.js';
import { collectFigures, countEnd, createObservers } from './observability/instruments.js';
import { completionMail } from './jobs/completion-mail.js';
import { LoadHourStore } from './observability/load-hour-store.js';
import { BodyReceiver } from './jobs/intake/receive-body.js';
import { JobListStore } from './jobs/job-list-store.js';
import { Jobs, type JobsOptions } from './jobs/jobs.js';
import { createLog, type Log } from './platform/log.js';
import { folderDelivery, outboxFolder, smtpDelivery } from './outbox/delivery.js';
import { mailKind } from './outbox/mail-kind.js';
import { type Mail, MailStore } from './outbox/mail-store.js';
import { Outbox } from './outbox/outbox.js';
import { Metrics } from './observability/metrics.js';
import { createDocument } from './api/docs/document.js';
import { docsSite } from './api/docs/page/docs-site.js';
import { Pages } from './site/pages.js';
import { readinessChecks } from './observability/readiness.js';
import { loadSecrets } from './config/secrets.js';
import { VERSION } from './platform/version.js';
import { AddressGuard } from './outbox/address-guard.js';
import { DeliveryStore } from './outbox/delivery-store.js';
import { postEvents, postLowCredits } from './outbox/event-store.js';
import { webhookKind } from './outbox/webhook-kind.js';

export interface Service {
  /** Resolves with the port once the server accepts connections. */
  listen: () => Promise<number>;
  /** Refuses new requests from now on; `/readyz` reports it. */
  refuse: () => void;
  /** Drains: refuses new requests, finishes those in flight, and leaves the rest for the next start. */
  close: () => Promise<void>;
  /** Handles an uncaught exception. False when the service must end because of it. */
  takeStray: (error: unknown) => boolean;
  admin: AdminContext;
}

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

/** Builds the service and resumes unfinished jobs. It accepts requests after `listen`. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const base = await openBase(config, options);
  const { admin, log } = base;
  const dispatcher = createDispatcher(base);
  const { engine, supervisor } = await createEngine(base, dispatcher);
  const urls = new SignedUrls(base.secrets);
  const outbox = createOutbox(base);
  const admission = createAdmission(base, dispatcher);
  const jobs = createJobs(base, { engine, urls, outbox, dispatcher, admission });
  const pages = outbox && createPages(base, { engine, urls, outbox, jobs, admission });
  const server = createServer(base, { engine, urls, jobs, admission, pages });
  const figures = collectFigures({ ...base, admission }, supervisor);
  const close = async () => {
    server.refuse();
    await pages?.close();
    await server.close();
    await figures.close();
    base.redis?.disconnect();
    await jobs.close();
    await outbox?.close();
    await base.keyRequests.close();
    await admin.allowances.close();
    await admin.organisationLimits.close();
    await supervisor.close();
    await admin.close();
    await base.tracing?.close();
  };
  try {
    // Without an engine with fonts the service cannot work.
    await describeEngine(base, engine);
    adviseOnProxies(base);
    await jobs.start();
    await figures.start();
    outbox?.start();
    pages?.start();
    if (base.role !== 'worker') {
      base.keyRequests.start((error) => log.error({ err: error }, 'keys: their last requests were not written'));
      admin.allowances.start((error) => log.error({ err: error }, 'credits: monthly allowances were not granted'));
      await admin.organisationLimits.start((error) => log.warn({ err: error }, 'account: limits were not read'));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    listen: () => server.listen(),
    refuse: () => server.refuse(),
    close,
    takeStray: (error) => {
      const isTaken = answerStray(error, log);
      if (!isTaken) {
        log.fatal({ err: error }, 'uncaught exception: the service drains and ends');
      }
      return isTaken;
    },
    admin,
  };
}

/** The parts that most others depend on. They depend only on the configuration and the options. */
type Base = Awaited<ReturnType<typeof openBase>>;

async function openBase(config: Config, options: ServiceOptions) {
  const { role = 'all' } = options;
  const log = options.log ?? createLog(config.logLevel);
  const metrics = new Metrics();
  const secrets = await loadSecrets(config);
  // OpenTelemetry's SDK is loaded only where it is used.
  const tracing = config.traces && (await import('./platform/tracing/export.js')).openTracing(config.traces, log);
  const shared = await loadShared(config);
  const admin = await openAdminContext(config, migrate, metrics);
  logEntries(admin.database, log);
  return {
    config,
    options,
    role,
    log,
    metrics,
    observers: createObservers(metrics),
    load: role === 'worker' ? undefined : new LoadHourStore(admin.database, admin.folder.name),
    secrets,
    tracing,
    shared,
    redis: shared?.connectRedis(shared.url, log),
    admin,
    keyRequests: new KeyRequests(admin.database),
  };
}

/** Modules needed only with Redis. Loaded on demand: they are two hundred files. */
async function loadShared({ redisUrl: url }: Config) {
  if (url === undefined) {
    return undefined;
  }
  const { SharedDispatcher } = await import('./jobs/work/queue/shared-dispatcher.js');
  const { connectQueueRedis, connectRedis } = await import('./platform/redis/connection.js');
  return { url, SharedDispatcher, connectQueueRedis, connectRedis };
}

async function createEngine(
  base: Base,
  dispatcher: Dispatcher,
): Promise<{ engine: Engine; supervisor: EngineSupervisor }> {
  const { config, options, metrics, observers, log } = base;
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
    onDown: (death) => {
      log.error({ death }, 'engine: process does not start, this process takes no jobs to draw until it does');
      dispatcher.pause();
    },
    onUp: () => {
      log.info({}, 'engine: process runs again, this process takes jobs to draw again');
      dispatcher.resume();
    },
  });
  return { engine: instrumentEngine(supervisor, metrics.engine()), supervisor };
}

/** The folders that the engine's process may use: this process's own, and, for reading, the blobs on this host. */
async function engineFolders({ config, admin: { folder } }: Base): Promise<EngineFolders> {
  const location = locationOfBlobs(config);
  const blobs = location.kind === 'folder' ? [location.path] : [];
  await folder.create();
  // A folder that cannot be made is the storage's to report.
  await Promise.all(blobs.map((path) => mkdir(path, { recursive: true }).catch(() => undefined)));
  return { readable: blobs, writable: [folder.path] };
}

async function describeEngine({ metrics, log }: Base, engine: Engine): Promise<void> {
  const { rejectedFonts, confinement, cpuPath } = await engine.describe();
  metrics.describe({ version: VERSION, cpuPath });
  if (rejectedFonts.length > 0) {
    log.warn({ rejectedFonts }, 'engine: files of QRPRESS_FONT_DIR are not used');
  }
  if (confinement.length < CONFINEMENTS.length) {
    log.warn({ confinement }, 'engine: this system does not confine the process, see `qrpress doctor`');
  }
}

function adviseOnProxies({ config, role, log }: Base): void {
  const advice = proxyAdvice(config);
  if (advice !== undefined && role !== 'worker') {
    log.warn({ advice }, 'proxies: check QRPRESS_TRUSTED_PROXIES');
  }
}

/** Delivers mails and calls webhooks. Undefined in a process that only renders. */
type Sending = ReturnType<typeof createOutbox>;

function createOutbox({ config, options, role, admin: { database }, log, observers: { mail, webhooks } }: Base) {
  if (role === 'worker') {
    return undefined;
  }
  const { smtpUrl, from } = config.mail;
  const delivery =
    smtpUrl === undefined ? folderDelivery(outboxFolder(config.dataDir), from) : smtpDelivery(smtpUrl, from);
  const mails = new Outbox({
    kind: mailKind(new MailStore(database), delivery),
    log,
    onAttempt: (outcome, sent) => {
      if (outcome === 'delivered') {
        mail.sent();
        options.onMailDelivered?.(sent);
      } else {
        mail.failed();
      }
    },
  });
  const guard = new AddressGuard(config.webhookAllow);
  const calls = new Outbox({
    kind: webhookKind(
      new DeliveryStore(database, webhookPausedMail(config)),
      guard,
      options.patience?.webhookRetryDelaysMs,
    ),
    log,
    onAttempt: webhooks.attempted,
  });
  const both = [mails, calls];
  return {
    start: () => both.forEach((outbox) => outbox.start()),
    /** Sends what is due now. */
    wake: () => both.forEach((outbox) => outbox.wake()),
    close: async () => {
      await Promise.all(both.map((outbox) => outbox.close()));
      delivery.close();
    },
  };
}

/** The parts that others are built from. */
interface Parts {
  engine: Engine;
  urls: SignedUrls;
  outbox: Sending;
  dispatcher: Dispatcher;
  admission: AdmissionControl;
  jobs: Jobs;
  pages: Pages | undefined;
}

/** A local queue for a single process; otherwise the queue shared by all processes. */
function createDispatcher({ config, options, role, shared, log }: Base): Dispatcher {
  const slots = config.renderThreads + CONCURRENT_STORES;
  if (shared === undefined) {
    return new LocalDispatcher(slots);
  }
  return new shared.SharedDispatcher({
    redis: shared.connectQueueRedis(shared.url),
    slots: role === 'api' ? 0 : slots,
    lockMs: options.patience?.leaseMs,
    onFailure: (error: unknown) => log.debug({ reason: (error as Error).message }, 'queue: command failed'),
  });
}

function createAdmission({ config, metrics, admin, log }: Base, dispatcher: Dispatcher): AdmissionControl {
  const admission = new AdmissionControl({
    machine: machineOf(config.dataDir),
    queueFigures: (organisationId) => dispatcher.figures(organisationId),
    checkStorage: () =>
      admin.storage.check().catch((error: unknown) => {
        log.error({ err: error }, 'storage: new jobs are refused');
        throw error;
      }),
    atOnceOf: (organisationId) => admin.organisationLimits.of(organisationId).atOnce,
  });
  metrics.admission(() => admission.figures);
  return admission;
}

function createJobs(base: Base, { engine, urls, outbox, dispatcher, admission }: Omit<Parts, 'jobs' | 'pages'>): Jobs {
  const { config, options, observers, load, log } = base;
  const { database, storage, folder } = base.admin;
  const mailLowBalance = lowBalanceMail(config);
  const mailCompletion = completionMail((job) => config.baseUrl + urls.download(job));
  return new Jobs({
    database,
    storage,
    engine,
    folder,
    isSole: config.redisUrl === undefined,
    dispatcher,
    log,
    retentionDays: config.retentionDays,
    credits: config.credits,
    onCharge: (transaction, charges) => postLowCredits(transaction, charges, mailLowBalance),
    onEnd: async (transaction, ended) => {
      let hasMailed = false;
      for (const job of ended) {
        hasMailed = (await mailCompletion(transaction, job)) || hasMailed;
      }
      const events = ended.map((job) => ({
        organisationId: job.organisationId,
        type: job.status === 'complete' ? ('job.complete' as const) : ('job.failed' as const),
        data: () => absoluteJobResource(job, urls, config.baseUrl),
      }));
      return (await postEvents(transaction, events)) || hasMailed;
    },
    onPosted: () => outbox?.wake(),
    enterQueue: (organisationId, store) => admission.enterQueue(organisationId, store),
    onAccepted: (job) => {
      observers.jobs.accepted(job.total);
      load?.accepted(job.total);
    },
    onLeaseLost: observers.jobs.leaseLost,
    onEnded: (jobId, ended) => {
      // If the database cannot provide the figures, the end is not counted.
      void countEnd(jobId, ended, database, observers).catch(() => undefined);
      options.onJobEnded?.(jobId);
    },
    ...options.patience,
  });
}

function createPages(
  { config, secrets, redis, admin, keyRequests, log }: Base,
  { outbox, ...parts }: Pick<Parts, 'engine' | 'urls' | 'jobs' | 'admission'> & { outbox: NonNullable<Sending> },
): Pages {
  const { wake } = outbox;
  return new Pages({ ...admin, ...parts, keyRequests, config, log, wake, throttle: new Throttle(redis) }, secrets);
}

function createServer(base: Base, { pages, ...parts }: Omit<Parts, 'outbox' | 'dispatcher'>): HttpServer {
  const { config, options, role, metrics, admin, keyRequests, redis, log } = base;
  const { database, storage } = admin;
  const dependencies = (): ApiDependencies => ({
    ...admin,
    ...parts,
    keyRequests,
    jobList: new JobListStore(database),
    receiver: new BodyReceiver(parts.admission.transfers.job),
    limits: new RateLimits(config.rateLimits, admin.organisationLimits, redis),
    docs: docsSite(createDocument(config), config),
  });
  return new HttpServer({
    createRouter: role === 'worker' ? createProbeRouter : (probes) => createRouter(dependencies(), probes),
    checks: readinessChecks({ database, storage, engine: parts.engine, redis, dataDir: config.dataDir }),
    metrics: { requests: metrics.requests(), scrape: metrics.scrape },
    log,
    config,
    connectionLimits: options.connectionLimits,
    pages: pages && ((app) => pages.middleware(app)),
    answerPeople: pages?.answerError,
  });
}
