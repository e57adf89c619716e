/** The connection to the Redis that several processes share; what it holds is never the truth, so its absence is no fault of a request. */

import { Redis } from 'ioredis';
import type { Log } from '../log.js';

export type { Redis } from 'ioredis';

/** Time for a command before its caller goes on without it, and for a silent server before it counts as gone. A queue waits for its server for ten seconds at a time. */
const PATIENCE_MS = { command: 500, server: 1_000, connection: 5_000, queue: 20_000 };

/** The longest pause between attempts to connect. */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Connects to `url` (`redis://` or `rediss://user:password@host:port/database`), and again whenever the connection
 * breaks. While there is none, commands are refused at once.
 */
export function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: PATIENCE_MS.command,
    socketTimeout: PATIENCE_MS.server,
    connectTimeout: PATIENCE_MS.connection,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_PAUSE_MS),
  });
  let isAway = false;
  let reason = 'the connection was closed';
  redis.on('ready', () => {
    log.info({}, 'redis: connected');
    isAway = false;
  });
  redis.on('error', ({ message }: Error) => {
    // The message alone: the error may carry the command that failed, and with it the password.
    reason = message;
  });
  redis.on('reconnecting', () => {
    // One line for each absence, not for each attempt to end it.
    if (!isAway) {
      log.warn({ reason }, 'redis: away');
      isAway = true;
    }
  });
  return redis;
}

/**
 * Connects as `connectRedis` does, for a queue: a command waits for the server as long as it takes. The caller sees to it
 * that nothing waits for the command. Its absences are told by the other connection.
 */
export function connectQueueRedis(url: string): Redis {
  const redis = new Redis(url, {
    // As BullMQ asks for.
    maxRetriesPerRequest: null,
    socketTimeout: PATIENCE_MS.queue,
    connectTimeout: PATIENCE_MS.connection,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_PAUSE_MS),
  });
  redis.on('error', () => undefined);
  return redis;
}

/** Resolves with the server's version. @throws Error when it cannot be reached */
export async function askRedis(url: string): Promise<string> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: PATIENCE_MS.connection });
  // The rejection of `connect` says less than what goes before it.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => {
    reason = error;
  });
  try {
    await redis.connect();
    return /^redis_version:(.*)$/m.exec(await redis.info('server'))?.[1]?.trim() ?? 'unknown';
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
