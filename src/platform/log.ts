/** The service's log: JSON lines on standard output. It contains no keys, secrets or query strings. */

import { type DestinationStream, type LevelWithSilent, pino } from 'pino';

type Write = (details: object, message?: string) => void;

/** Log functions by level. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>;

/** A mailed link's token (256 bits in base64url), which grants access to whoever reads it. */
const MAILED_TOKEN = /\/[\w-]{43}(?=\/|$)/g;

/** The path of a request, safe to log. */
export function loggedPath(path: string): string {
  return path.replace(MAILED_TOKEN, '/…');
}

/** Members whose values are redacted, at the first and second level of a line. */
const SECRET_MEMBERS = ['authorization', 'key', 'secret', 'secrets', 'password', 'databaseUrl', 'redisUrl', 'smtpUrl'];

export function createLog(level: LevelWithSilent, destination?: DestinationStream): Log {
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

/**
 * Name, message and stack of an error and its causes. Leaves out the rest: a database error also contains the query
 * with its values.
 */
function serializeError(error: Error): object {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as { code?: unknown };
  return { type, message, stack, ...(typeof code === 'string' && { code }) };
}
