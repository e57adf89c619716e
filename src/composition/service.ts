/**
 * The whole service: its parts, from top to bottom, on the base that `service-base.ts` opens.
 */

import { webhookPausedMail } from '../accounts/organisations/notice-store.js';
import { Throttle } from '../accounts/people/throttle.js';
import type { AdminContext } from '../cli/administer.js';
import { AdmissionControl } from '../admission/admission-control.js';
import { machineOf } from '../admission/machine.js';
import { readBrand, senderOf } from '../config/brand.js';
import type { Config } from '../config/config.js';
import type { Dispatcher } from '../jobs/work/queue/dispatcher.js';
import type { EngineSupervisor } from '../engine/engine-supervisor.js';
import type { Engine } from '../engine/engine.js';
import { RateLimits } from '../api/authenticate.js';
import { absoluteJobResource } from '../api/job-resource.js';
import { type ApiDependencies, createProbeRouter, createRouter } from '../api/routes.js';
import { HttpServer } from '../api/server.js';
import { SignedUrls } from '../api/signed-urls.js';
import { collectFigures, countEnd } from '../observability/instruments.js';
import { completionMail } from '../jobs/completion-mail.js';
import { BodyReceiver } from '../jobs/intake/receive-body.js';
import { JobListStore } from '../jobs/job-list-store.js';
import { Jobs } from '../jobs/jobs.js';
import { folderDelivery, framedDelivery, outboxFolder, smtpDelivery } from '../outbox/delivery.js';
import { mailKind } from '../outbox/mail-kind.js';
import { MailStore } from '../outbox/mail-store.js';
import { Outbox } from '../outbox/outbox.js';
import { createDocument } from '../api/docs/document.js';
import { docsSite } from '../api/docs/page/docs-site.js';
import { Pages } from '../site/pages.js';
import { type Examine, readiness } from '../observability/readiness.js';
import { AddressGuard } from '../outbox/address-guard.js';
import type { Log } from '../platform/log.js';
import { DeliveryStore } from '../outbox/delivery-store.js';
import { postEvents } from '../outbox/event-store.js';
import { onDue } from '../outbox/wake.js';
import { webhookKind } from '../outbox/webhook-kind.js';
import { onLessCredits } from './admin-context.js';
import { pageParts } from './page-parts.js';
import {
  advise,
  type Base,
  createDispatcher,
  createEngine,
  describeEngine,
  openBase,
  type ServiceOptions,
} from './service-base.js';

export type { ServiceOptions } from './service-base.js';

export interface Service {
  /** Resolves with the port once the server accepts connections. */
  listen: () => Promise<number>;
  /** Refuses new requests from now on; `/readyz` reports it. */
  refuse: () => void;
  /**
   * Drains: refuses new requests, finishes those in flight, and leaves the rest for the next start.
   * @param hurry once aborted, the chunks that are being drawn are part of the rest
   */
  close: (hurry?: AbortSignal) => Promise<void>;
  log: Log;
  admin: AdminContext;
}

/** Builds the service and resumes unfinished jobs. It accepts requests after `listen`. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const base = await openBase(config, options);
  const { admin, log } = base;
  const dispatcher = createDispatcher(base);
  const { engine, supervisor } = await createEngine(base, dispatcher);
  const urls = new SignedUrls(base.secrets);
  const outbox = createOutbox(base);
  const admission = createAdmission(base, dispatcher);
  const jobs = createJobs(base, { engine, urls, dispatcher, admission });
  const examine = createExamination(base, engine);
  const pages = outbox && (await createPages(base, { engine, urls, jobs, admission, examine }));
  const server = createServer(base, { engine, urls, jobs, admission, examine, pages });
  const figures = collectFigures(base, supervisor);
  const close = async (hurry?: AbortSignal) => {
    hurry?.addEventListener('abort', () => abandonTasks(supervisor, log));
    server.refuse();
    await pages?.close();
    await server.close();
    await figures.close();
    base.redis?.close();
    await jobs.close();
    await outbox?.close();
    await base.keyRequests.close();
    await admin.allowances.close();
    await supervisor.close();
    await admin.close();
    await base.tracing?.close();
    await base.databaseLock.close();
    base.lock.release();
  };
  try {
    // Without an engine with fonts the service cannot work.
    await describeEngine(base, engine);
    advise(base);
    base.databaseLock.watch((isUndisturbed) =>
      isUndisturbed
        ? log.warn({}, 'database: no other process disturbs this one any more')
        : log.error({}, 'database: a `qrpress serve` that does not share the queue uses it too, stop one of the two'),
    );
    await jobs.start();
    await figures.start();
    outbox?.start();
    pages?.start();
    if (base.role !== 'worker') {
      base.keyRequests.start((error) => log.error({ err: error }, 'keys: their last requests were not written'));
      admin.allowances.start((error) => log.error({ err: error }, 'credits: monthly allowances were not granted'));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    listen: () => server.listen(),
    refuse: () => server.refuse(),
    close,
    log,
    admin,
  };
}

function abandonTasks(supervisor: EngineSupervisor, log: Log): void {
  log.warn(
    { tasks: supervisor.load.tasks },
    'jobs: chunks take longer than the process may; the next start draws them',
  );
  void supervisor.abandon();
}

/** Delivers mails and calls webhooks. Undefined in a process that only renders. */
function createOutbox({ config, options, role, admin: { database }, log, observers: { mail, webhooks } }: Base) {
  if (role === 'worker') {
    return undefined;
  }
  const { smtpUrl, from } = config.mail;
  const delivery = framedDelivery(
    smtpUrl === undefined ? folderDelivery(outboxFolder(config.dataDir), from) : smtpDelivery(smtpUrl, from),
    senderOf(readBrand(config), config.baseUrl),
  );
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
  const guard = new AddressGuard(config.webhookAllow, config.proxy);
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
  onDue(database, () => both.forEach((outbox) => outbox.wake()));
  return {
    start: () => both.forEach((outbox) => outbox.start()),
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
  dispatcher: Dispatcher;
  admission: AdmissionControl;
  jobs: Jobs;
  examine: Examine;
  pages: Pages | undefined;
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
  });
  metrics.admission(() => admission.figures);
  return admission;
}

function createJobs(
  base: Base,
  { engine, urls, dispatcher, admission }: Omit<Parts, 'jobs' | 'examine' | 'pages'>,
): Jobs {
  const { config, options, observers, load, log } = base;
  const { database, storage, folder } = base.admin;
  const mailCompletion = completionMail((job) => config.baseUrl + urls.download(job));
  return new Jobs({
    database,
    storage,
    engine,
    folder,
    isOnlyProcess: config.redisUrl === undefined,
    dispatcher,
    log,
    retentionDays: config.retentionDays,
    credits: config.credits,
    onCharge: onLessCredits(config),
    onEnd: async (transaction, ended) => {
      for (const job of ended) {
        await mailCompletion(transaction, job);
      }
      const events = ended.map((job) => ({
        organisationId: job.organisationId,
        type: job.status === 'complete' ? ('job.complete' as const) : ('job.failed' as const),
        data: () => absoluteJobResource(job, urls, config.baseUrl),
      }));
      await postEvents(transaction, events);
    },
    enterQueue: (organisationId, store) => admission.enterQueue(organisationId, store),
    onAccepted: (job) => {
      observers.jobs.accepted(job.total);
      load.accepted();
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

function createExamination({ config, admin, databaseLock, redis, log }: Base, engine: Engine): Examine {
  const { database, storage } = admin;
  return readiness({ database, databaseLock, storage, engine, redis, dataDir: config.dataDir }, (name, reason) =>
    log.warn({ check: name, err: reason }, 'not ready'),
  );
}

async function createPages(
  { config, secrets, redis, admin, keyRequests, log }: Base,
  parts: Pick<Parts, 'engine' | 'urls' | 'jobs' | 'admission' | 'examine'>,
): Promise<Pages> {
  const own = await pageParts(config, admin.database, log);
  return new Pages({ ...admin, ...parts, ...own, keyRequests, config, log, throttle: new Throttle(redis) }, secrets);
}

function createServer(base: Base, { pages, ...parts }: Omit<Parts, 'dispatcher'>): HttpServer {
  const { config, options, role, metrics, load, admin, keyRequests, redis, log } = base;
  const brand = readBrand(config);
  const dependencies = (): ApiDependencies => ({
    ...admin,
    ...parts,
    keyRequests,
    jobList: new JobListStore(admin.database),
    receiver: new BodyReceiver(parts.admission.transfers.job),
    limits: new RateLimits(config.rateLimits, redis),
    docs: () => docsSite(createDocument(config), config, brand),
  });
  return new HttpServer({
    createRouter: role === 'worker' ? createProbeRouter : (probes) => createRouter(dependencies(), probes),
    examine: parts.examine,
    metrics: { requests: metrics.requests(() => load.refused()), scrape: metrics.scrape },
    log,
    config,
    connectionLimits: options.connectionLimits,
    pages: pages && ((app) => pages.middleware(app)),
    answerPeople: pages?.answerError,
  });
}
