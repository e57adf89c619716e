/** The service's log: JSON lines on standard output. It contains no keys, secrets or query strings. */

import { type DestinationStream, type LevelWithSilent, pino } from 'pino';

type Write = (details: object, message?: string) => void;

/** Log functions by level. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error' | 'fatal', Write>;

/**
 * Paths with a secret, as links of mails and signed links are opened: with what a mail client or a person added behind them.
 * The first group is not secret.
 */
const SECRET_PATHS = [
  /^((?:[\\/]+account)[\\/]+(?:sign-up|reset|address|invitation|operator(?![\\/]+(?:operators|organisations)\b))[\\/]+).+/is,
  /^([\\/]+d[\\/]+[\w-]{1,42})(?![\w-]|\/status$).+/is,
];

/** Keys of the API, secrets of webhooks, and any other text as long as the token of a link (256 bits in base64url). */
const SECRETS = /qrp_\w+|whsec_[\w+/=-]+|[\w-]{43,}/gi;

/** An encoded character, however often it was encoded. */
const ENCODED = /%(?:25)*([\da-f]{2})/gi;

/** The path of a request, safe to log: without what looks like a secret, also where it is percent-encoded. */
export function loggedPath(path: string): string {
  const decoded = path.replaceAll(ENCODED, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  const safe = SECRET_PATHS.reduce((text, secret) => text.replace(secret, '$1…'), decoded).replaceAll(SECRETS, '…');
  return safe === decoded ? path : safe;
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
