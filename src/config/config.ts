/**
 * Every setting of the service, read once from the environment, with its default, unit and check. Nothing else reads
 * `process.env`.
 */

import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { LIMITS } from '../contract/limits.js';
import { CREDIT_MODES } from '../credits/credit-mode.js';
import { availableThreads } from '../engine/in-process.js';
import type { StorageLocation } from '../storage/storage-location.js';
import { ConfigError, SettingReader } from './setting-reader.js';
import {
  collector,
  databaseUrl,
  existingFolder,
  folder,
  groupRoles,
  headers,
  hostName,
  hostsAndNetworks,
  integer,
  issuerUrl,
  mailAddress,
  networks,
  oneOf,
  origin,
  parseSecrets,
  proxyUrl,
  redisUrl,
  smtpUrl,
  storageUrl,
} from './setting-values.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Role of a process: takes requests (`api`), renders chunks (`worker`), or both (`all`). */
export const PROCESS_ROLES = ['all', 'api', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

/** The settings, with their defaults. */
export type Config = ReturnType<typeof readConfig>;

/** Large enough that two syncs per chunk cost little; small enough that a chunk renders in well under a second. */
const CHUNK_ITEMS = 40_000;

/**
 * Reads `QRPRESS_*` and the standard variables of OpenTelemetry from `environment`. An empty variable counts as absent.
 * @throws ConfigError
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
  const settings = new SettingReader(environment);
  const host = settings.read('HOST', '127.0.0.1', hostName);
  const port = settings.read('PORT', 8080, integer(0, 65_535));
  const dataDir = settings.read('DATA_DIR', resolve('data'), folder);
  const baseUrl = settings.read('BASE_URL', ownOrigin(host, port), origin);
  const config = {
    host,
    /** 0: any free port. */
    port,
    /** Origin under which clients reach the service, without a trailing slash. */
    baseUrl,
    /** Absolute path of the folder with all data of the service. */
    dataDir,
    databaseUrl: settings.read('DATABASE_URL', `sqlite:${join(dataDir, 'qrpress.db')}` as const, databaseUrl),
    /** Maximum connections of this process to a MySQL server. */
    databaseConnections: settings.read('DATABASE_CONNECTIONS', 10, integer(1, 1_000)),
    /** Place of spools and archives. Undefined: the folder `storage` in the data folder. */
    storage: settings.read('STORAGE_URL', undefined, storageUrl),
    /** Undefined: the service is a single process. */
    redisUrl: settings.read('REDIS_URL', undefined, redisUrl),
    /** Sign links and forms: the first signs, all of them verify. Undefined: generated into the data folder. */
    secrets: settings.read('SECRETS', undefined, parseSecrets),
    ...readAccounts(settings),
    mail: {
      /** `smtp://` or `smtps://`; undefined: mails are written to the folder `outbox` in the data folder. */
      smtpUrl: settings.read('SMTP_URL', undefined, smtpUrl),
      /** Sender: an address, with or without a name. */
      from: settings.read('MAIL_FROM', `qrpress <no-reply@${new URL(baseUrl).hostname}>`, mailAddress),
    },
    /** Requests per minute and key. */
    rateLimits: {
      create: settings.read('RATE_LIMIT_CREATE', 10, integer(1, 1_000_000)),
      read: settings.read('RATE_LIMIT_READ', 60, integer(1, 1_000_000)),
    },
    ...readCalls(settings),
    /** Addresses and networks (CIDR) whose forwarding headers are trusted. */
    trustedProxies: settings.read('TRUSTED_PROXIES', [], networks),
    ...readDrawing(settings),
    /** The name on the pages, and a folder with a logo, colours and the text of the front page. */
    brand: {
      name: settings.read('BRAND_NAME', 'qrpress', (text) => text),
      folder: settings.read('BRAND_DIR', undefined, existingFolder),
    },
    /** Strangers may try codes on the front page. */
    samples: settings.read('SAMPLES', 'on', oneOf(['on', 'off'])) === 'on',
    ...readRunning(settings),
    /** Days from a job's creation until its archive and input are deleted. */
    retentionDays: settings.read('RETENTION_DAYS', LIMITS.signedUrlDays, integer(1, 36_500)),
  };
  // The AWS tools read it. It stands in an example file.
  settings.readVariable('AWS_SECRET_ACCESS_KEY', undefined, (text) => text);
  settings.accept(['URL', 'KEY']);
  settings.finish();
  return config;
}

/** The origin of an address that the service listens on. A URL has no zone. */
function ownOrigin(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host.replace(/%.*/, '')}]` : host}:${port}`;
}

/** How a process logs, and ends. */
function readRunning(settings: SettingReader) {
  return {
    /** Time in which a process that is asked to stop has ended. */
    stopSeconds: settings.read('STOP_SECONDS', 30, integer(5, 86_400)),
    logLevel: settings.read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    /** Undefined: no tracing. */
    traces: readTraces(settings),
  };
}

/** How the engine draws. */
function readDrawing(settings: SettingReader) {
  return {
    renderThreads: settings.read('RENDER_THREADS', availableThreads(), integer(1, 1_024)),
    /** Items of a chunk. */
    chunkItems: settings.read('CHUNK_ITEMS', CHUNK_ITEMS, integer(1_000, 100_000)),
    /** Absolute path of a folder with fonts for characters that the bundled ones lack. */
    fontDir: settings.read('FONT_DIR', undefined, existingFolder),
  };
}

/** The settings of accounts: who gets one, how people sign in, and what pays for their jobs. */
function readAccounts(settings: SettingReader) {
  const accounts = {
    /** People who may create an account: anybody, invited people, or nobody. */
    signUp: settings.read('SIGN_UP', 'open', oneOf(['open', 'invite', 'closed'])),
    /** The company's identity provider (OpenID Connect); undefined: people sign in with passwords. */
    oidc: readOidc(settings),
    /** False: people sign in only through the identity provider. */
    passwords: settings.read('PASSWORDS', 'on', oneOf(['on', 'off'])) === 'on',
    /** Treatment of a job that costs more than the balance: refused (`metered`), or paid by a grant (`unlimited`). */
    credits: settings.read('CREDITS', 'metered', oneOf(CREDIT_MODES)),
    /** Granted to each organisation once a month. 0: none. */
    monthlyCredits: settings.read('MONTHLY_CREDITS', 0, integer(0, 999_999_999)),
  };
  if (!accounts.passwords && accounts.oidc === undefined) {
    settings.refuse('PASSWORDS', 'off needs QRPRESS_OIDC_ISSUER, since nobody could sign in otherwise');
  }
  return accounts;
}

/** The variables of the identity provider: the first three are set together or not at all. */
function readOidc(settings: SettingReader) {
  const issuer = settings.read('OIDC_ISSUER', undefined, issuerUrl);
  const clientId = settings.read('OIDC_CLIENT_ID', undefined, (text) => text);
  const clientSecret = settings.read('OIDC_CLIENT_SECRET', undefined, (text) => text);
  /** Groups of the provider that give roles in organisations. */
  const groups = settings.read('OIDC_GROUPS', [], groupRoles);
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret, groups };
  }
  if ([issuer, clientId, clientSecret].some((value) => value !== undefined)) {
    settings.refuse('OIDC_ISSUER', 'QRPRESS_OIDC_ISSUER, _CLIENT_ID and _CLIENT_SECRET are needed together');
  }
  return undefined;
}

/** How webhooks, the identity provider and the collector of traces are called. */
function readCalls(settings: SettingReader) {
  const url = settings.read('PROXY_URL', undefined, proxyUrl);
  const except = settings.read('NO_PROXY', [], hostsAndNetworks);
  return {
    /** Hosts, addresses and networks (CIDR) that webhooks may call although they are not public. */
    webhookAllow: settings.read('WEBHOOK_ALLOW', [], hostsAndNetworks),
    /** Undefined: all are called directly. */
    proxy: url === undefined ? undefined : { url, except },
  };
}

function readTraces(settings: SettingReader) {
  const endpoint = settings.readVariable('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, collector);
  return endpoint === undefined
    ? undefined
    : {
        endpoint,
        serviceName: settings.readVariable('OTEL_SERVICE_NAME', 'qrpress', (text) => text),
        headers: settings.readVariable('OTEL_EXPORTER_OTLP_HEADERS', {}, headers),
      };
}

/** Requires Redis for a role that shares work with other processes. @throws ConfigError */
export function requireShared(config: Config, role: ProcessRole): void {
  if (role !== 'all' && config.redisUrl === undefined) {
    throw new ConfigError([`QRPRESS_REDIS_URL: --role ${role} needs it, to share the chunks with other processes`]);
  }
}

/** The place of spools and archives: a folder in the data folder, unless a setting names another. */
export function locationOfBlobs({ storage, dataDir }: Config): StorageLocation {
  return storage ?? { kind: 'folder', path: join(dataDir, 'storage') };
}
