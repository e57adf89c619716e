/** The composition root: every part of the service is built and wired here, or in `admin-context.ts`, and nowhere else. */

import { AuditStore } from './account/audit-store.js';
import { Credentials } from './account/credentials.js';
import { IdentityProvider } from './account/identity-provider.js';
import { IdentityStore } from './account/identity-store.js';
import { MembershipStore } from './account/membership-store.js';
import { Profile } from './account/profile.js';
import { Registration } from './account/registration.js';
import { SecondFactor } from './account/second-factor.js';
import { SessionStore } from './account/session-store.js';
import { Team } from './account/team.js';
import { Throttle } from './account/throttle.js';
import { type AdminContext, openAdminContext } from './admin-context.js';
import { AdmissionControl } from './admission/admission-control.js';
import { machineOf } from './admission/machine.js';
import type { Config, ProcessRole, Secret } from './config.js';
import { LedgerReportStore } from './credits/ledger-report-store.js';
import type { Database } from './database/connection.js';
import { migrate } from './database/migrate.js';
import type { Dispatcher, TaskHandler } from './dispatch/dispatcher.js';
import { LocalDispatcher } from './dispatch/local-dispatcher.js';
import { EngineSupervisor } from './engine/engine-supervisor.js';
import { instrumentEngine } from './engine/instrumented-engine.js';
import { absoluteJobResource } from './http/job-resource.js';
import { RateLimits } from './http/rate-limits.js';
import { type ApiDependencies, createProbeRouter, createRouter } from './http/routes.js';
import { type ConnectionLimits, HttpServer } from './http/server.js';
import { answerStray } from './http/stray-exceptions.js';
import { SignedUrls } from './http/signed-urls.js';
import { countEnd, createCollector, createObservers, type Observers } from './instruments.js';
import { completionMail } from './jobs/completion-mail.js';
import { JobListStore } from './jobs/job-list-store.js';
import { JobReportStore } from './jobs/job-report-store.js';
import { Jobs, type JobsOptions } from './jobs/jobs.js';
import { createLog, type Log } from './log.js';
import { folderDelivery, outboxFolder, smtpDelivery } from './mail/delivery.js';
import { type Mail, MailStore } from './mail/mail-store.js';
import { OutboxWorker } from './mail/outbox-worker.js';
import { Metrics } from './metrics/metrics.js';
import { createDocument } from './openapi/document.js';
import { docsSite } from './openapi/page/docs-site.js';
import type { PageDependencies } from './pages/page-dependencies.js';
import { Pages } from './pages/pages.js';
import { CALLBACK_PATH } from './pages/single-sign-on.js';
import { readinessChecks } from './readiness.js';
import type { Redis } from './redis/connection.js';
import { loadSecrets } from './secrets.js';
import { openTracing } from './tracing/open-tracing.js';
import { VERSION } from './version.js';
import { AddressGuard } from './webhooks/address-guard.js';
import { DeliveryStore } from './webhooks/delivery-store.js';
import { postEvent, postLowCredits } from './webhooks/event-store.js';
import { WebhookWorker } from './webhooks/webhook-worker.js';

export interface Service {
  /** Resolves with the port once connections are taken. */
  listen: () => Promise<number>;
  /** Drains: refuses what is new, finishes what is under way, leaves the rest for the next start. */
  close: () => Promise<void>;
  /** Takes an exception that nobody caught; false where the service should end for it. */
  takeStray: (error: unknown) => boolean;
  admin: AdminContext;
}

/** What a caller may set beside the configuration. */
export interface ServiceOptions {
  /** `all` when absent. */
  role?: ProcessRole;
  log?: Log;
  /** How long leases hold, and how often work is looked for that nobody does, in place of the usual times. */
  patience?: Pick<JobsOptions, 'leaseMs' | 'reconcileEveryMs'> & { webhookRetryDelaysMs?: readonly number[] };
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
  const admin = await openAdminContext(config, migrate, metrics);
  const { database, storage, folder } = admin;
  const supervisor = new EngineSupervisor({
    threads: config.renderThreads,
    chunkItems: config.chunkItems,
    fontDir: config.fontDir,
    onCrash: (crash) => {
      observers.engineCrashed(crash.tasksLost);
      log.error(crash, 'engine: process died, and is started again');
    },
  });
  const engine = instrumentEngine(supervisor, metrics.engine());
  const urls = new SignedUrls(secrets);
  const links: PageDependencies['links'] = {
    download: (job) => urls.sign('download', job.token, job.expiresAt),
    status: (job) => urls.sign('status', job.token, job.expiresAt),
  };
  const outboxWorker = role === 'worker' ? undefined : createOutboxWorker(config, database, log, options, observers);
  const guard = new AddressGuard(config.webhookAllow);
  const deliveries = new DeliveryStore(database);
  const webhookWorker =
    role === 'worker'
      ? undefined
      : new WebhookWorker({
          store: deliveries,
          guard,
          log,
          onAttempt: observers.webhooks.attempted,
          retryDelaysMs: options.patience?.webhookRetryDelaysMs,
        });
  const mailCompletion = completionMail((job) => config.baseUrl + links.download(job));
  const jobs = new Jobs({
    database,
    storage,
    engine,
    folder,
    isSole: config.redisUrl === undefined,
    createDispatcher: (handle) =>
      createDispatcher(config, role, log, shared, {
        handle,
        lookForWork: () => jobs.reconcile(),
        lockMs: options.patience?.leaseMs,
      }),
    log,
    retentionDays: config.retentionDays,
    credits: config.credits,
    onCharge: postLowCredits,
    onEnd: async (transaction, job) => {
      await mailCompletion(transaction, job);
      const event = job.status === 'complete' ? 'job.complete' : 'job.failed';
      await postEvent(transaction, job.organisationId, event, () => absoluteJobResource(job, urls, config.baseUrl));
    },
    onAccepted: (job) => observers.jobs.accepted(job.total),
    onLeaseLost: observers.jobs.leaseLost,
    onEnded: (jobId, ended) => {
      outboxWorker?.wake();
      webhookWorker?.wake();
      // A count that the database does not let be made is not made.
      void countEnd(jobId, ended, database, observers).catch(() => undefined);
      options.onJobEnded?.(jobId);
    },
    ...options.patience,
  });
  const redis = shared?.connectRedis(shared.url, log);
  const admission = new AdmissionControl({
    machine: machineOf(config.dataDir),
    checkStorage: () =>
      storage.check().catch((error: unknown) => {
        log.error({ err: error }, 'storage: no job is taken in');
        throw error;
      }),
  });
  metrics.admission(() => admission.figures);
  const pages =
    outboxWorker &&
    createPages({
      admin,
      config,
      secrets,
      log,
      jobs,
      admission,
      engine,
      links,
      redis,
      outboxWorker,
      deliveries,
      wakeWebhooks: () => webhookWorker?.wake(),
    });
  const dependencies = (): ApiDependencies => ({
    ...admin,
    engine,
    jobs,
    jobLists: new JobListStore(database),
    admission,
    urls,
    limits: new RateLimits(config.rateLimits, redis),
    ...documents(config),
  });
  const server = new HttpServer({
    createRouter: role === 'worker' ? createProbeRouter : (probes) => createRouter(dependencies(), probes),
    checks: readinessChecks({ database, storage, engine, redis, dataDir: config.dataDir }),
    metrics: { requests: metrics.requests(), scrape: metrics.scrape },
    log,
    config,
    connectionLimits: options.connectionLimits,
    pages: pages && ((app) => pages.middleware(app)),
    answerPeople: pages?.answerError,
  });
  const collector = createCollector(metrics, observers, { database, supervisor, redis, dataDir: config.dataDir, log });
  const close = async () => {
    pages?.close();
    await server.close();
    await collector.close();
    redis?.disconnect();
    await jobs.close();
    await outboxWorker?.close();
    await webhookWorker?.close();
    await admin.allowances.close();
    await supervisor.close();
    await admin.close();
    await tracing?.close();
  };
  try {
    // Without an engine that has its fonts there is nothing to serve.
    const { rejectedFonts, cpuPath } = await engine.describe();
    metrics.describe({ version: VERSION, cpuPath });
    if (rejectedFonts.length > 0) {
      log.warn({ rejectedFonts }, 'engine: files of QRPRESS_FONT_DIR are not used');
    }
    await jobs.start();
    await collector.start();
    outboxWorker?.start();
    webhookWorker?.start();
    pages?.start();
    if (role !== 'worker') {
      admin.allowances.start((error) => log.error({ err: error }, 'credits: monthly allowances were not granted'));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    listen: () => server.listen(),
    close,
    takeStray: (error) => {
      const isTaken = answerStray(error, log);
      if (!isTaken) {
        log.fatal({ err: error }, 'nobody caught the exception: the service drains, and ends');
      }
      return isTaken;
    },
    admin,
  };
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
  { handle, ...options }: { handle: TaskHandler; lookForWork: () => void; lockMs: number | undefined },
): Dispatcher {
  const slots = renderThreads + CHUNKS_BEING_STORED;
  if (shared === undefined) {
    return new LocalDispatcher(slots, handle);
  }
  const queue = {
    ...options,
    redis: shared.connectQueueRedis(shared.url),
    slots: role === 'api' ? 0 : slots,
    onFailure: (error: unknown) => log.debug({ reason: (error as Error).message }, 'queue: a step failed'),
  };
  return new shared.SharedDispatcher(queue, handle);
}

function createOutboxWorker(
  { mail: { smtpUrl, from }, dataDir }: Config,
  database: Database,
  log: Log,
  { onMailDelivered }: ServiceOptions,
  { mail }: Observers,
): OutboxWorker {
  return new OutboxWorker({
    store: new MailStore(database),
    delivery: smtpUrl === undefined ? folderDelivery(outboxFolder(dataDir), from) : smtpDelivery(smtpUrl, from),
    log,
    onDelivered: (delivered) => {
      mail.sent();
      onMailDelivered?.(delivered);
    },
    onFailed: mail.failed,
  });
}

/** What pages are made of, beside the stores that only they use. */
interface PageParts
  extends Pick<PageDependencies, 'log' | 'jobs' | 'admission' | 'engine' | 'links' | 'deliveries' | 'wakeWebhooks'> {
  admin: AdminContext;
  config: Config;
  secrets: readonly Secret[];
  redis: Redis | undefined;
  outboxWorker: OutboxWorker;
}

function createPages({ admin, secrets, redis, outboxWorker, ...dependencies }: PageParts): Pages {
  const { database } = admin;
  const accounts = { database, baseUrl: dependencies.config.baseUrl, wakeOutboxWorker: () => outboxWorker.wake() };
  return new Pages({
    dependencies: {
      ...admin,
      ...dependencies,
      registration: new Registration(accounts),
      credentials: new Credentials(accounts),
      profile: new Profile(accounts),
      secondFactor: new SecondFactor(database),
      team: new Team(accounts),
      throttle: new Throttle(redis),
      memberships: new MembershipStore(database),
      sessions: new SessionStore(database),
      audit: new AuditStore(database),
      ledgerReports: new LedgerReportStore(database),
      jobLists: new JobListStore(database),
      jobReports: new JobReportStore(database),
      mails: new MailStore(database),
      singleSignOn: openSingleSignOn(dependencies.config, database, dependencies.log),
    },
    secrets,
  });
}

/** Sign-in by the company's identity provider, where one is configured. */
function openSingleSignOn({ oidc, baseUrl }: Config, database: Database, log: PageDependencies['log']) {
  return (
    oidc && {
      provider: new IdentityProvider({
        ...oidc,
        redirectUri: baseUrl + CALLBACK_PATH,
        onFailure: (error) => log.error({ err: error }, 'pages: a sign-in by the identity provider failed'),
      }),
      identities: new IdentityStore(database, oidc.groups),
    }
  );
}

/** What tells clients and people about the API. */
function documents(config: Config): Pick<ApiDependencies, 'openApi' | 'docs'> {
  const document = createDocument(config);
  return {
    openApi: { type: 'application/json', text: JSON.stringify(document) },
    docs: docsSite(document, config),
  };
}
