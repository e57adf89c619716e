/**
 * Connections to the Redis shared by several processes. Redis never holds the only copy of anything, so its absence
 * fails no request.
 */

import { Redis } from 'ioredis';
import type { Log } from '../log.js';

export type { Redis } from 'ioredis';

/**
 * `command`: how long a command may take before its caller continues without it. `socket`: how long the server may be
 * silent before it counts as gone. `queueSocket`: the same for the queue, which waits for new entries ten seconds at a
 * time.
 */
const TIMEOUT_MS = { command: 500, socket: 1_000, connect: 5_000, queueSocket: 20_000 };

const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * Connects to `url` (`redis://` or `rediss://user:password@host:port/database`) and reconnects whenever the connection
 * breaks. While disconnected, commands fail at once.
 */
export function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS.command,
    socketTimeout: TIMEOUT_MS.socket,
    connectTimeout: TIMEOUT_MS.connect,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, MAX_RECONNECT_DELAY_MS),
  });
  let isUnavailable = false;
  let reason = 'the connection was closed';
  redis.on('ready', () => {
    log.info({}, 'redis: connected');
    isUnavailable = false;
  });
  redis.on('error', ({ message }: Error) => {
    // Only the message: the error may carry the failed command, which may contain the password.
    reason = message;
  });
  redis.on('reconnecting', () => {
    // One line per outage, not per attempt to reconnect.
    if (!isUnavailable) {
      log.warn({ reason }, 'redis: unavailable');
      isUnavailable = true;
    }
  });
  return redis;
}

/**
 * Connects as `connectRedis` does, but for a queue: a command waits until the server is back. The caller must not wait
 * for a command. Logs nothing: `connectRedis` logs the outages.
 */
export function connectQueueRedis(url: string): Redis {
  const redis = new Redis(url, {
    // BullMQ requires this.
    maxRetriesPerRequest: null,
    socketTimeout: TIMEOUT_MS.queueSocket,
    connectTimeout: TIMEOUT_MS.connect,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, MAX_RECONNECT_DELAY_MS),
  });
  redis.on('error', () => undefined);
  return redis;
}

/** Returns the server's version. @throws Error when the server cannot be reached */
export async function readRedisVersion(url: string): Promise<string> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    connectTimeout: TIMEOUT_MS.connect,
    socketTimeout: TIMEOUT_MS.connect,
  });
  // The `error` event says more than the rejection of `connect`.
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
