/** The URL of a MySQL or MariaDB server, and how a connection to it is encrypted. */

import { readFileSync } from 'node:fs';
import type { SslOptions } from 'mysql2';
import { isLoopback } from '../platform/network.js';

/** Values of the parameter `tls`. `required` takes any certificate, `verify` one for the host by an authority that is trusted. */
const TLS = ['off', 'required', 'verify'] as const;

const EXPECTED = `expected only tls=${TLS.join(', ')} behind the database, and ca=FILE with tls=verify`;

/**
 * The parts of `mysql://user:password@host:port/database?tls=…&ca=…` for the client: its own reading of a URL takes every
 * parameter for an option. @throws Error for other parameters; the message has nothing of the URL but the name of the file
 */
export function serverOptions(text: string): { uri: string; ssl?: SslOptions } {
  const url = new URL(text);
  const { tls = 'off', ca, ...others } = Object.fromEntries(url.searchParams);
  if (!TLS.some((value) => value === tls) || (ca !== undefined && tls !== 'verify') || Object.keys(others).length > 0) {
    throw new Error(EXPECTED);
  }
  url.search = '';
  const isVerified = tls === 'verify';
  return {
    uri: url.href,
    ...(tls !== 'off' && {
      ssl: {
        rejectUnauthorized: isVerified,
        verifyIdentity: isVerified,
        ...(ca !== undefined && { ca: certificates(ca) }),
      },
    }),
  };
}

function certificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`expected a file of certificates in ca, cannot read ${path}`, { cause });
  }
}

/** A sentence for who runs the service, where a database on another host may be asked in plain text. Undefined otherwise. */
export function encryptionAdvice(text: string): string | undefined {
  if (!text.startsWith('mysql:')) {
    return undefined;
  }
  const { hostname, searchParams } = new URL(text);
  return isLoopback(hostname) || searchParams.has('tls')
    ? undefined
    : 'the connection to the database on another host is not encrypted: add ?tls=verify or ?tls=required to QRPRESS_DATABASE_URL, or ?tls=off to keep it so';
}
