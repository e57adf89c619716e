/** The service's log: JSON lines on standard output, in which no key, secret or query string appears. */

import { type DestinationStream, pino } from 'pino';
import type { Config } from './config.js';

type Write = (details: object, message?: string) => void;

/** The lines that the service writes for its operators. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>;

/** 256 bits in base64url: the token of a mailed link, which opens something to whoever reads it. */
const MAILED_TOKEN = /\/[\w-]{43}(?=\/|$)/g;

/** The path of a request as it may be logged. */
export function loggedPath(path: string): string {
  return path.replace(MAILED_TOKEN, '/…');
}

/** Members whose values are never written, wherever a line has them at its first or second level. */
const SECRET_MEMBERS = ['authorization', 'key', 'secret', 'secrets', 'password', 'databaseUrl', 'redisUrl', 'smtpUrl'];

export function createLog(level: Config['logLevel'], destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
    redact: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`]),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An error's name, message and stack, and those of its causes: a database's error also holds the query with its values. */
function serializeError(error: Error): object {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as { code?: unknown };
  return { type, message, stack, ...(typeof code === 'string' && { code }) };
}
