/** Connections to a Redis. `SharedRedis` knows whether it can be used. */

import { Redis } from 'ioredis';

export type { Redis } from 'ioredis';

/**
 * `command`: how long a command may take before its caller continues without it. `socket`: how long the server may be
 * silent before it counts as gone. `queueSocket`: the same for the queue, which waits for new entries ten seconds at a
 * time.
 */
const TIMEOUT_MS = { command: 250, socket: 1_000, connect: 5_000, queueSocket: 20_000 };

const MAX_RECONNECT_DELAY_MS = 2_000;

/** Settings of every connection that lasts. */
const LASTING = {
  connectTimeout: TIMEOUT_MS.connect,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, MAX_RECONNECT_DELAY_MS),
  // The name of the server may lead to another one, after a failover.
  reconnectOnError: ({ message }: Error) => isReadOnly(message),
};

/** True for the refusal of a server that is a replica. */
export function isReadOnly(message: string): boolean {
  return message.includes('READONLY');
}

/** A connection whose commands fail at once while the server is away, and soon where it does not answer. */
export function connectRedis(url: string): Redis {
  return new Redis(url, {
    ...LASTING,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS.command,
    socketTimeout: TIMEOUT_MS.socket,
  });
}

/** A connection for a queue: a command waits until the server is back. The caller must not wait for a command. */
export function connectQueueRedis(url: string): Redis {
  const redis = new Redis(url, {
    ...LASTING,
    // BullMQ requires this.
    maxRetriesPerRequest: null,
    socketTimeout: TIMEOUT_MS.queueSocket,
  });
  redis.on('error', () => undefined);
  return redis;
}

/** Returns the version of a server that takes writes. @throws Error when it cannot be reached, or refuses them */
export async function probeRedis(url: string): Promise<string> {
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
    await redis.set('qrpress:doctor', '', 'PX', 1);
    return /^redis_version:(.*)$/m.exec(await redis.info('server'))?.[1]?.trim() ?? 'unknown';
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
