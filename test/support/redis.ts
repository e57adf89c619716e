/** The Redis that the tests use, where one answers, and a line to it that a test can cut. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { describe, test } from 'vitest';
import { askRedis } from '../../src/redis/connection.js';

/** Server in which the tests leave keys that expire. */
const REDIS_URL = process.env['QRPRESS_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const absent = await askRedis(REDIS_URL).then(
  () => undefined,
  (error: Error) => `no server answers at ${new URL(REDIS_URL).host} (${error.message})`,
);

/** Runs a suite with a Redis. Where there is none it counts as skipped, or fails when `QRPRESS_REQUIRE_ALL=1`. */
export function describeWithRedis(name: string, suite: () => void): void {
  if (absent === undefined) {
    describe(name, suite);
  } else if (process.env['QRPRESS_REQUIRE_ALL'] === '1') {
    test(name, () => Promise.reject(new Error(absent)));
  } else {
    test.skip(`${name}: ${absent}`, () => undefined);
  }
}

/** A line to the Redis under an address of its own. */
export class RedisLine {
  readonly url: string;
  /** Connections that were asked for since the line was cut. */
  attempts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #state: 'whole' | 'silent' | 'cut' = 'whole';

  private constructor(server: Server) {
    this.#server = server;
    const url = new URL(REDIS_URL);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = url.href;
  }

  static async open(): Promise<RedisLine> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new RedisLine(server);
    server.on('connection', (socket) => line.#connect(socket));
    return line;
  }

  /** From now on nothing comes back, and nothing says so. */
  fallSilent(): void {
    this.#state = 'silent';
  }

  /** Breaks every connection, and each new one as soon as it is there. */
  cut(): void {
    this.#state = 'cut';
    this.attempts = 0;
    this.#breakAll();
  }

  mend(): void {
    this.#state = 'whole';
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#breakAll();
    await closed;
  }

  #breakAll(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  #connect(near: Socket): void {
    if (this.#state === 'cut') {
      this.attempts += 1;
      near.destroy();
      return;
    }
    const { hostname, port } = new URL(REDIS_URL);
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (this.#state !== 'silent') {
          to.write(bytes);
        }
      });
    }
  }
}
