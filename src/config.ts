/** Every setting of the service, read from the environment once: its default, its unit and its check. Nothing else reads `process.env`. */

import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { GroupRole } from './account/identity-store.js';
import { LIMITS } from './contract/limits.js';
import { CREDIT_MODES, type CreditMode } from './credits/ledger.js';
import type { DatabaseUrl } from './database/connection.js';
import { parseStorageUrl, type StorageLocation } from './storage/storage-location.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** A signing secret: the first of a list signs, all of them verify. */
export interface Secret {
  /** Tells secrets apart in the setting; appears nowhere else. */
  id: string;
  value: string;
}

/** What a process does: requests and what they ask for, chunks, or both. */
export const PROCESS_ROLES = ['all', 'api', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const;

export interface Config {
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Origin under which clients reach the service, without a trailing slash. */
  baseUrl: string;
  /** Absolute path of the folder that holds all that the service keeps. */
  dataDir: string;
  databaseUrl: DatabaseUrl;
  /** Of this process to a MySQL server, at most. */
  databaseConnections: number;
  /** Where spools and archives live; undefined: in the folder `storage` of the data folder. */
  storage: StorageLocation | undefined;
  /** Shared by several processes; undefined: there is one process. */
  redisUrl: string | undefined;
  /** Undefined: generated into the data folder. */
  secrets: readonly Secret[] | undefined;
  /** Who makes an account: anybody, who was invited, or nobody. */
  signUp: (typeof SIGN_UP_MODES)[number];
  /** The company's identity provider (OpenID Connect); undefined: people sign in with passwords. */
  oidc: OidcConfig | undefined;
  /** False: people sign in by the identity provider alone. */
  passwords: boolean;
  /** Whether a job that costs more than the balance is refused, or paid by a grant. */
  credits: CreditMode;
  /** Granted to each organisation once a month; 0: nothing. */
  monthlyCredits: number;
  mail: {
    /** `smtp://` or `smtps://`; undefined: mails are written to the folder `outbox` in the data folder. */
    smtpUrl: string | undefined;
    /** Sender: an address, with or without a name. */
    from: string;
  };
  /** Requests per minute and key. */
  rateLimits: { create: number; read: number };
  /** Hosts, addresses and networks (CIDR) that webhooks may call although they are not public. */
  webhookAllow: readonly string[];
  /** Addresses and networks (CIDR) whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  renderThreads: number;
  /** Items that are rendered at once, as one task. */
  chunkItems: number;
  /** Absolute path of a folder of fonts for what the bundled ones lack. */
  fontDir: string | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Where traces go (`endpoint` takes them), as whose, and with which headers; undefined: nothing is traced. */
  traces: { endpoint: string; serviceName: string; headers: Readonly<Record<string, string>> } | undefined;
  /** Days from a job's creation until its archive and input are deleted. */
  retentionDays: number;
}

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Groups of the provider that open organisations here. */
  groups: readonly GroupRole[];
}

/** Settings that are not as they should be; the message lists them all, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems].join('\n  '));
  }
}

/** Shortest value of a signing secret, in characters: guards against a slip, not against a guessable choice. */
const SHORTEST_SECRET = 8;

/** Enough that two syncs of a chunk's files weigh little, few enough that it is done in well under a second. */
const CHUNK_ITEMS = 40_000;

const PREFIX = 'QRPRESS_';

/** Reads `QRPRESS_*`, and the usual variables of OpenTelemetry, from `environment`; an empty variable counts as absent. @throws ConfigError */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const settings = new SettingReader(environment);
  const host = settings.read('HOST', '127.0.0.1', hostName);
  const port = settings.read('PORT', 8080, integer(0, 65_535));
  const dataDir = settings.read('DATA_DIR', resolve('data'), folder);
  const baseUrl = settings.read('BASE_URL', `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, origin);
  const tracesEndpoint = settings.readVariable('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, collector);
  const config: Config = {
    host,
    port,
    baseUrl,
    dataDir,
    databaseUrl: settings.read('DATABASE_URL', `sqlite:${join(dataDir, 'qrpress.db')}` as const, databaseUrl),
    databaseConnections: settings.read('DATABASE_CONNECTIONS', 10, integer(1, 1_000)),
    storage: settings.read('STORAGE_URL', undefined, storageUrl),
    redisUrl: settings.read('REDIS_URL', undefined, redisUrl),
    secrets: settings.read('SECRETS', undefined, parseSecrets),
    signUp: settings.read('SIGN_UP', 'open', oneOf(SIGN_UP_MODES)),
    oidc: readOidc(settings),
    passwords: settings.read('PASSWORDS', 'on', oneOf(['on', 'off'])) === 'on',
    credits: settings.read('CREDITS', 'metered', oneOf(CREDIT_MODES)),
    monthlyCredits: settings.read('MONTHLY_CREDITS', 0, integer(0, 999_999_999)),
    mail: {
      smtpUrl: settings.read('SMTP_URL', undefined, smtpUrl),
      from: settings.read('MAIL_FROM', `qrpress <no-reply@${new URL(baseUrl).hostname}>`, mailAddress),
    },
    rateLimits: {
      create: settings.read('RATE_LIMIT_CREATE', 10, integer(1, 1_000_000)),
      read: settings.read('RATE_LIMIT_READ', 60, integer(1, 1_000_000)),
    },
    webhookAllow: settings.read('WEBHOOK_ALLOW', [], hostsAndNetworks),
    trustedProxies: settings.read('TRUSTED_PROXIES', [], networks),
    renderThreads: settings.read('RENDER_THREADS', availableParallelism(), integer(1, 1_024)),
    chunkItems: settings.read('CHUNK_ITEMS', CHUNK_ITEMS, integer(1_000, 100_000)),
    fontDir: settings.read('FONT_DIR', undefined, existingFolder),
    logLevel: settings.read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    traces:
      tracesEndpoint === undefined
        ? undefined
        : {
            endpoint: tracesEndpoint,
            serviceName: settings.readVariable('OTEL_SERVICE_NAME', 'qrpress', (text) => text),
            headers: settings.readVariable('OTEL_EXPORTER_OTLP_HEADERS', {}, headers),
          },
    retentionDays: settings.read('RETENTION_DAYS', LIMITS.signedUrlDays, integer(1, 36_500)),
  };
  if (!config.passwords && config.oidc === undefined) {
    settings.refuse('PASSWORDS', 'off needs QRPRESS_OIDC_ISSUER, since nobody could sign in otherwise');
  }
  settings.leaveToOthers(['URL', 'KEY']);
  settings.finish();
  return config;
}

/** The variables of the identity provider belong together: all of the first three, or none. */
function readOidc(settings: SettingReader): OidcConfig | undefined {
  const issuer = settings.read('OIDC_ISSUER', undefined, issuerUrl);
  const clientId = settings.read('OIDC_CLIENT_ID', undefined, (text) => text);
  const clientSecret = settings.read('OIDC_CLIENT_SECRET', undefined, (text) => text);
  const groups = settings.read('OIDC_GROUPS', [], groupRoles);
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret, groups };
  }
  if ([issuer, clientId, clientSecret].some((value) => value !== undefined)) {
    settings.refuse('OIDC_ISSUER', 'QRPRESS_OIDC_ISSUER, _CLIENT_ID and _CLIENT_SECRET are needed together');
  }
  return undefined;
}

/** Sees to it that a process of this role can find the others. @throws ConfigError */
export function requireShared(config: Config, role: ProcessRole): void {
  if (role !== 'all' && config.redisUrl === undefined) {
    throw new ConfigError([`${PREFIX}REDIS_URL: --role ${role} needs it, to share the chunks with other processes`]);
  }
}

/** The list of `QRPRESS_SECRETS`: `id:value,…`. Throws what was expected. */
export function parseSecrets(text: string): Secret[] {
  const secrets = text.split(',').map((entry) => {
    const [, id, value] = /^\s*([\w-]+):(\S+)\s*$/.exec(entry) ?? [];
    if (id === undefined || value === undefined || value.length < SHORTEST_SECRET) {
      throw new Error(`expected id:value,… with values of at least ${SHORTEST_SECRET} characters`);
    }
    return { id, value };
  });
  if (new Set(secrets.map(({ id }) => id)).size < secrets.length) {
    throw new Error('expected every id once');
  }
  return secrets;
}

/** Turns a variable's text into its value, or throws what was expected. */
type Parse<T> = (text: string) => T;

class SettingReader {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #known = new Set<string>();
  readonly #problems: string[] = [];

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  read<T, Fallback>(name: string, fallback: Fallback, parse: Parse<T>): T | Fallback {
    this.#known.add(PREFIX + name);
    return this.readVariable(PREFIX + name, fallback, parse);
  }

  /** A variable that is not this service's alone. */
  readVariable<T, Fallback>(variable: string, fallback: Fallback, parse: Parse<T>): T | Fallback {
    const text = this.#environment[variable]?.trim();
    if (text === undefined || text === '') {
      return fallback;
    }
    try {
      return parse(text);
    } catch (error) {
      // The text itself may hold a password.
      this.#problems.push(`${variable}: ${(error as Error).message}`);
      return fallback;
    }
  }

  /** Knows variables that something else reads: the command line's `submit`. */
  leaveToOthers(names: readonly string[]): void {
    for (const name of names) {
      this.#known.add(PREFIX + name);
    }
  }

  /** Notes what is wrong with a variable beside others. */
  refuse(name: string, problem: string): void {
    this.#problems.push(`${PREFIX}${name}: ${problem}`);
  }

  /** @throws ConfigError when a variable was malformed, or there is one that nothing has read. */
  finish(): void {
    const unknown = Object.keys(this.#environment)
      .filter((variable) => variable.startsWith(PREFIX) && !this.#known.has(variable))
      .map((variable) => `${variable}: there is no such setting`);
    const problems = [...this.#problems, ...unknown];
    if (problems.length > 0) {
      throw new ConfigError(problems);
    }
  }
}

function integer(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      throw new Error(`expected a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };
}

function oneOf<const T extends string>(values: readonly T[]): Parse<T> {
  return (text) => {
    const value = values.find((each) => each === text);
    if (value === undefined) {
      throw new Error(`expected one of ${values.join(', ')}`);
    }
    return value;
  };
}

function hostName(text: string): string {
  if (isIP(text) === 0 && !/^[\w.-]+$/.test(text)) {
    throw new Error('expected an address or a host name');
  }
  return text;
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || text.replace(/\/$/, '') !== url.origin) {
    throw new Error('expected an origin such as https://qr.example.com');
  }
  return url.origin;
}

/** A folder that is made where it is missing. Below /proc nobody can make one, and Node 20 would try for ever. */
function folder(text: string): string {
  const path = resolve(text);
  if (/^\/proc(?:\/|$)/.test(path)) {
    throw new Error('expected a folder that files can be kept in, which none below /proc is');
  }
  return path;
}

function storageUrl(text: string): StorageLocation {
  const location = parseStorageUrl(text);
  if (location.kind === 'folder') {
    folder(location.path);
  }
  return location;
}

function databaseUrl(text: string): DatabaseUrl {
  if (/^sqlite:./.test(text)) {
    folder(text.slice('sqlite:'.length));
    return text as DatabaseUrl;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'mysql:' || url.hostname === '' || url.pathname.length < 2) {
    throw new Error('expected mysql://user:password@host:port/database, or sqlite:path');
  }
  return text as DatabaseUrl;
}

function smtpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error('expected smtp://user:password@host:port, or smtps:// for a connection that begins with TLS');
  }
  return text;
}

function mailAddress(text: string): string {
  if (!/^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text)) {
    throw new Error('expected an address such as qr@example.com, or QR codes <qr@example.com>');
  }
  return text;
}

function redisUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || !/^\/?\d*$/.test(url.pathname)) {
    throw new Error('expected redis://user:password@host:port/number, or rediss:// for TLS');
  }
  return text;
}

/** An issuer identifier; plain HTTP is for a provider on this machine. */
function issuerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url === undefined || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) || url.search !== '') {
    throw new Error('expected the issuer of an OpenID Connect provider, such as https://login.example.com/realms/acme');
  }
  return text;
}

/** The list of `QRPRESS_OIDC_GROUPS`: `group=organisation:role,…`. */
function groupRoles(text: string): GroupRole[] {
  return text.split(',').map((entry) => {
    const [, group, organisationId, role] = /^\s*(\S.*?)\s*=\s*(\w+):(owner|admin|member)\s*$/.exec(entry) ?? [];
    if (group === undefined || organisationId === undefined) {
      throw new Error('expected group=organisation:role,… with the id of an organisation, and owner, admin or member');
    }
    return { group, organisationId, role: role as GroupRole['role'] };
  });
}

/** Where a collector takes traces (OpenTelemetry protocol, OTLP/HTTP request). */
function collector(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '') {
    throw new Error('expected the address of an OTLP/HTTP collector such as http://localhost:4318');
  }
  return `${url.href.replace(/\/$/, '')}/v1/traces`;
}

function headers(text: string): Record<string, string> {
  const entries = text.split(',').map((entry) => {
    const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(\S+)\s*$/.exec(entry) ?? [];
    const value = decodeURIComponent(encoded ?? '');
    if (name === undefined || !/^[\x20-\x7e]+$/.test(value)) {
      throw new Error('expected name=value,… with values that are percent-encoded');
    }
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function networks(text: string): string[] {
  return text.split(',').map((entry) => {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (bits < 0 || rest.length > 0 || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= bits))) {
      throw new Error('expected addresses and networks such as 10.0.0.0/8, separated by commas');
    }
    return entry.trim();
  });
}

/** Entries that are addresses or networks, and host names. */
function hostsAndNetworks(text: string): string[] {
  return text.split(',').map((entry) => {
    const name = entry.trim().replace(/^\[|\]$/g, '');
    if (/^[\w.-]+$/.test(name) && isIP(name) === 0) {
      return name;
    }
    try {
      return networks(name)[0] ?? name;
    } catch {
      throw new Error(
        'expected hosts, addresses and networks such as hooks.internal or 10.0.0.0/8, separated by commas',
      );
    }
  });
}

function existingFolder(text: string): string {
  const path = resolve(text);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error('expected a folder that exists');
  }
  return path;
}
