/** The composition root: every room is built and wired here, and nowhere else. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeyStore } from './account/api-key-store.js';
import { AuditStore } from './account/audit-store.js';
import { Credentials } from './account/credentials.js';
import { MembershipStore } from './account/membership-store.js';
import { Operators } from './account/operators.js';
import { OrganisationStore } from './account/organisation-store.js';
import { Registration } from './account/registration.js';
import { SessionStore } from './account/session-store.js';
import { Team } from './account/team.js';
import { Throttle } from './account/throttle.js';
import type { Config } from './config.js';
import { Ledger } from './credits/ledger.js';
import { LedgerReportStore } from './credits/ledger-report-store.js';
import { type Database, openDatabase } from './database/connection.js';
import { migrate } from './database/migrate.js';
import { LocalDispatcher } from './dispatch/local-dispatcher.js';
import { RateLimits } from './http/rate-limits.js';
import type { Rooms } from './http/routes.js';
import { type ConnectionLimits, HttpServer } from './http/server.js';
import { SignedUrls } from './http/signed-urls.js';
import { IntakeRoom } from './intake/intake-room.js';
import { completionMail } from './jobs/completion-mail.js';
import type { DraftFolder } from './jobs/job-files.js';
import { JobListStore } from './jobs/job-list-store.js';
import { JobReportStore } from './jobs/job-report-store.js';
import { Jobs } from './jobs/jobs.js';
import { ProcessFolder } from './jobs/process-folder.js';
import { createLog, type Log } from './log.js';
import { folderDelivery, smtpDelivery } from './mail/delivery.js';
import { type Mail, MailStore } from './mail/mail-store.js';
import { Postman } from './mail/postman.js';
import { connectRedis } from './redis/connection.js';
import { createDocument } from './openapi/document.js';
import { renderReferencePage } from './openapi/page/reference-page.js';
import { Pages } from './pages/pages.js';
import { readinessChecks } from './readiness.js';
import { Farm } from './render/farm.js';
import { loadSecrets } from './secrets.js';
import type { BlobStore } from './storage/blob-store.js';
import { openStorage } from './storage/open-storage.js';

/** The rooms that need no running service: what the administration commands work with. */
export interface Backoffice {
  database: Database;
  operators: Operators;
  organisations: OrganisationStore;
  keys: ApiKeyStore;
  ledger: Ledger;
  storage: BlobStore;
  /** Of this process. */
  folder: ProcessFolder;
  drafts: DraftFolder;
  close: () => Promise<void>;
}

export interface Service {
  /** Resolves with the port once connections are taken. */
  listen: () => Promise<number>;
  /** Drains: refuses what is new, finishes what is under way, leaves the rest for the next start. */
  close: () => Promise<void>;
  backoffice: Backoffice;
}

/** What a caller may set beside the configuration. */
export interface ServiceOptions {
  log?: Log;
  /** What a connection may take, in place of the usual limits. */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Called when a job has become `complete` or `failed`. */
  onJobEnded?: (jobId: string) => void;
  /** Called when a mail was handed to the SMTP server or the outbox folder. */
  onMailDelivered?: (mail: Mail) => void;
}

/** Opens the database, brings its tables up to date unless `prepare` does something else, and builds the rooms around it. */
export async function openBackoffice(
  config: Config,
  prepare: (database: Database) => Promise<unknown> = migrate,
): Promise<Backoffice> {
  await mkdir(config.dataDir, { recursive: true });
  const database = openDatabase(config.databaseUrl);
  try {
    await prepare(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const storage = await openStorage(config.storage ?? { kind: 'folder', path: join(config.dataDir, 'storage') });
  const folder = new ProcessFolder(join(config.dataDir, 'work'));
  return {
    database,
    operators: new Operators(database),
    organisations: new OrganisationStore(database),
    keys: new ApiKeyStore(database),
    ledger: new Ledger(database),
    storage,
    folder,
    drafts: folder.drafts,
    close: async () => {
      await storage.close();
      await database.destroy();
    },
  };
}

/** Chunks that may be synced and moved while the threads render others; to sync one takes about as long as to render it. */
const CHUNKS_BEING_STORED = 2;

/** Builds the service and takes up the jobs that the last one left; it takes requests after `listen`. */
export async function createService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? createLog(config.logLevel);
  const secrets = await loadSecrets(config);
  const backoffice = await openBackoffice(config);
  const { database, storage, folder } = backoffice;
  const engine = new Farm({
    threads: config.renderThreads,
    fontDir: config.fontDir,
    onCrash: (error) => log.error({ err: error }, 'farm: process died, and is started again'),
  });
  const urls = new SignedUrls(secrets);
  const { smtpUrl, from } = config.mail;
  const postman = new Postman({
    store: new MailStore(database),
    delivery:
      smtpUrl === undefined ? folderDelivery(join(config.dataDir, 'outbox'), from) : smtpDelivery(smtpUrl, from),
    log,
    ...(options.onMailDelivered && { onDelivered: options.onMailDelivered }),
  });
  const jobs = new Jobs({
    database,
    storage,
    engine,
    folder,
    isSole: true,
    createDispatcher: (handle) => new LocalDispatcher(config.renderThreads + CHUNKS_BEING_STORED, handle),
    log,
    retentionDays: config.retentionDays,
    onComplete: completionMail((job) => config.baseUrl + urls.sign('download', job.token, job.expiresAt)),
    onEnded: (jobId) => {
      postman.wake();
      options.onJobEnded?.(jobId);
    },
  });
  const redis = config.redisUrl === undefined ? undefined : connectRedis(config.redisUrl, log);
  const mails = new MailStore(database);
  const room = new IntakeRoom(() =>
    storage.check().catch((error: unknown) => {
      log.error({ err: error }, 'storage: no job is taken in');
      throw error;
    }),
  );
  const accounts = { database, baseUrl: config.baseUrl, wakePostman: () => postman.wake() };
  const pages = new Pages({
    rooms: {
      ...backoffice,
      log,
      config,
      registration: new Registration(accounts),
      credentials: new Credentials(accounts),
      team: new Team(accounts),
      throttle: new Throttle(redis),
      memberships: new MembershipStore(database),
      sessions: new SessionStore(database),
      audit: new AuditStore(database),
      ledgerReports: new LedgerReportStore(database),
      jobs,
      jobLists: new JobListStore(database),
      jobReports: new JobReportStore(database),
      room,
      engine,
      mails,
      links: {
        download: (job) => urls.sign('download', job.token, job.expiresAt),
        status: (job) => urls.sign('status', job.token, job.expiresAt),
      },
    },
    secrets,
  });
  const server = new HttpServer({
    rooms: {
      ...backoffice,
      engine,
      jobs,
      room,
      urls,
      limits: new RateLimits(config.rateLimits, redis),
      ...documents(config),
    },
    checks: readinessChecks({ database, storage, engine, redis, dataDir: config.dataDir }),
    log,
    config,
    connectionLimits: options.connectionLimits,
    pages: (app) => pages.middleware(app),
  });
  const close = async () => {
    pages.close();
    await server.close();
    redis?.disconnect();
    await jobs.close();
    await postman.close();
    await engine.close();
    await backoffice.close();
  };
  try {
    // Without an engine that has its fonts there is nothing to serve.
    const { rejectedFonts } = await engine.describe();
    if (rejectedFonts.length > 0) {
      log.warn({ rejectedFonts }, 'farm: files of QRPRESS_FONT_DIR are not used');
    }
    await jobs.start();
    postman.start();
    pages.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { listen: () => server.listen(), close, backoffice };
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
