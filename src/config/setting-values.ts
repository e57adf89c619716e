/** Parsers of settings. Each throws an error that says what it expected. */

import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { GroupRole } from '../accounts/people/identity-store.js';
import type { DatabaseUrl } from '../database/connection.js';
import { serverOptions } from '../database/server-url.js';
import { smtpOptions } from '../outbox/smtp-url.js';
import { isLoopback } from '../platform/network.js';
import type { Parse } from './setting-reader.js';
import { parseStorageUrl, type StorageLocation } from '../storage/storage-location.js';

/** Minimum length of a secret: 128 random bits as hexadecimal digits. Guards against words, not against guessable secrets. */
const MIN_SECRET_CHARACTERS = 32;

/**
 * The values of `QRPRESS_SECRETS`: `id:value,…`. The first signs; all of them verify. An id is for people who replace a
 * secret.
 */
export function parseSecrets(text: string): string[] {
  const secrets = text.split(',').map((entry) => {
    const [, id, value] = /^\s*([\w-]+):(\S+)\s*$/.exec(entry) ?? [];
    if (id === undefined || value === undefined || value.length < MIN_SECRET_CHARACTERS) {
      throw new Error(`expected id:value,… with random values of at least ${MIN_SECRET_CHARACTERS} characters`);
    }
    return [id, value] as const;
  });
  if (new Map(secrets).size < secrets.length) {
    throw new Error('expected every id once');
  }
  return secrets.map(([, value]) => value);
}

export function integer(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      throw new Error(`expected a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Parse<T> {
  return (text) => {
    const value = values.find((each) => each === text);
    if (value === undefined) {
      throw new Error(`expected one of ${values.join(', ')}`);
    }
    return value;
  };
}

export function hostName(text: string): string {
  // A URL takes 256.1.1.1 for an address that is wrong, not for a name.
  if (isIP(text) === 0 && !(/^[\w.-]+$/.test(text) && URL.canParse(`http://${text}`))) {
    throw new Error('expected an address or a host name');
  }
  return text;
}

/** Decodes percent-encoded characters. Clients of servers do so with names and passwords, and fail without naming the setting. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('expected % only in percent-encoded characters; % itself is %25');
  }
}

/**
 * The URL of a server, if `isRight`. A character of its password that ends the part with the host would make another host of
 * the password's rest, which messages name.
 */
function serverUrlOf(text: string, isRight: (url: URL) => boolean, expected: string): URL {
  if (/^\w+:\/\/[^/?#]*[/?#].*@/s.test(text)) {
    throw new Error(
      `expected ${expected}, with name and password percent-encoded: / is %2F, ? is %3F, # is %23, @ is %40, : is %3A`,
    );
  }
  return urlOf(text, (url) => isRight(url) && url.hash === '', expected);
}

/** The URL that a text is, if `isRight`. */
function urlOf(text: string, isRight: (url: URL) => boolean, expected: string): URL {
  decoded(text);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isRight(url)) {
    throw new Error(`expected ${expected}`);
  }
  return url;
}

export function origin(text: string): string {
  const isOrigin = (url: URL) => /^https?:$/.test(url.protocol) && text.replace(/\/$/, '') === url.origin;
  return urlOf(text, isOrigin, 'an origin such as https://qr.example.com').origin;
}

/**
 * A folder that is created if missing. Refuses paths below /proc: nothing can be created there, and Node 20 would retry
 * for ever.
 */
export function folder(text: string): string {
  const path = resolve(text);
  if (/^\/proc(?:\/|$)/.test(path)) {
    throw new Error('expected a folder for files, which cannot be below /proc');
  }
  return path;
}

export function storageUrl(text: string): StorageLocation {
  decoded(text);
  const location = parseStorageUrl(text);
  if (location.kind === 'folder') {
    folder(location.path);
  }
  return location;
}

export function databaseUrl(text: string): DatabaseUrl {
  if (/^sqlite:./.test(text)) {
    folder(text.slice('sqlite:'.length));
  } else {
    const isServer = ({ protocol, hostname, pathname }: URL) =>
      protocol === 'mysql:' && hostname !== '' && /^\/[^/]+$/.test(pathname);
    serverUrlOf(text, isServer, 'mysql://user:password@host:port/database, or sqlite:path');
    serverOptions(text);
  }
  return text as DatabaseUrl;
}

export function smtpUrl(text: string): string {
  const isServer = ({ protocol, hostname, pathname }: URL) =>
    /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname);
  serverUrlOf(text, isServer, 'smtp://user:password@host:port, or smtps:// for TLS from the start');
  smtpOptions(text);
  return text;
}

export function mailAddress(text: string): string {
  if (!/^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text)) {
    throw new Error('expected an address such as qr@example.com, or QR codes <qr@example.com>');
  }
  return text;
}

export function redisUrl(text: string): string {
  const isServer = ({ protocol, hostname, pathname }: URL) =>
    /^rediss?:$/.test(protocol) && hostname !== '' && /^\/?\d*$/.test(pathname);
  serverUrlOf(text, isServer, 'redis://user:password@host:port/number, or rediss:// for TLS');
  return text;
}

/** A proxy that takes CONNECT. */
export function proxyUrl(text: string): string {
  const isProxy = ({ protocol, hostname, pathname, search }: URL) =>
    protocol === 'http:' && hostname !== '' && pathname === '/' && search === '';
  serverUrlOf(text, isProxy, 'http://host:port, or http://user:password@host:port');
  return text;
}

/** An issuer identifier. Plain HTTP is only allowed for a provider on this machine. */
export function issuerUrl(text: string): string {
  const isIssuer = ({ protocol, hostname, search }: URL) => {
    return (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && search === '';
  };
  urlOf(text, isIssuer, 'the issuer of an OpenID Connect provider, such as https://login.example.com/realms/acme');
  return text;
}

/** The list of `QRPRESS_OIDC_GROUPS`: `group=organisation:role,…`. */
export function groupRoles(text: string): GroupRole[] {
  return text.split(',').map((entry) => {
    const [, group, organisationId, role] = /^\s*(\S.*?)\s*=\s*(\w+):(owner|admin|member)\s*$/.exec(entry) ?? [];
    if (group === undefined || organisationId === undefined) {
      throw new Error('expected group=organisation:role,… with the id of an organisation, and owner, admin or member');
    }
    return { group, organisationId, role: role as GroupRole['role'] };
  });
}

/** The address of a collector for traces (OpenTelemetry protocol, OTLP/HTTP). */
export function collector(text: string): string {
  const isBare = ({ protocol, search, hash, username }: URL) =>
    /^https?:$/.test(protocol) && search + hash + username === '';
  const url = urlOf(text, isBare, 'the address of an OTLP/HTTP collector such as http://localhost:4318');
  return `${url.href.replace(/\/$/, '')}/v1/traces`;
}

export function headers(text: string): Record<string, string> {
  const entries = text.split(',').map((entry) => {
    const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(\S+)\s*$/.exec(entry) ?? [];
    const value = decoded(encoded ?? '');
    if (name === undefined || !/^[\x20-\x7e]+$/.test(value)) {
      throw new Error('expected name=value,… with values that are percent-encoded');
    }
    return [name, value];
  });
  return Object.fromEntries(entries);
}

export function networks(text: string): string[] {
  return text.split(',').map((entry) => {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (bits < 0 || rest.length > 0 || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= bits))) {
      throw new Error('expected addresses and networks such as 10.0.0.0/8, separated by commas');
    }
    return entry.trim();
  });
}

/** Entries are addresses, networks or host names. */
export function hostsAndNetworks(text: string): string[] {
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

export function existingFolder(text: string): string {
  const path = resolve(text);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error('expected a folder that exists');
  }
  return path;
}
