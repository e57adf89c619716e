/** The Redis of the tests, if one answers. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { probeRedis } from '../../src/platform/redis/connection.js';
import { describeUnless } from './describe-unless.js';
import { freePort } from './free-port.js';

/** Server of the tests. They leave keys in it that expire. */
export const REDIS_URL = process.env['QRPRESS_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const absent = await probeRedis(REDIS_URL).then(
  () => undefined,
  (error: Error) => `no server answers at ${new URL(REDIS_URL).host} (${error.message})`,
);

/** Reason why a test cannot start its own Redis. */
export const absentProgram =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'redis-server is not installed';

/** Runs a suite that needs Redis. */
export function describeWithRedis(name: string, suite: () => void): void {
  describeUnless(absent, name, suite);
}

/** Runs a suite that starts its own servers. */
export function describeWithOwnRedis(name: string, suite: () => void): void {
  describeUnless(absentProgram, name, suite);
}

/** A Redis of one test, which may flush, kill and restart it. */
export class OwnRedis {
  readonly url: string;
  readonly #port: number;
  readonly folder: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<OwnRedis> {
    const own = new OwnRedis(await freePort(), await mkdtemp(join(tmpdir(), 'qrpress-redis-')));
    await own.restart();
    return own;
  }

  async restart(): Promise<void> {
    const settings = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder];
    const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = server;
    await once(server, 'spawn');
    for await (const line of createInterface(server.stdout)) {
      if (line.includes('Ready to accept connections')) {
        server.stdout.resume();
        return;
      }
    }
    throw new Error('redis-server ended before it was ready');
  }

  flush(): Promise<void> {
    return this.command('flushall');
  }

  async command(name: string, ...words: string[]): Promise<void> {
    const redis = new Redis(this.url);
    try {
      await redis.call(name, ...words);
    } finally {
      redis.disconnect();
    }
  }

  /** Ends the server and deletes its data. */
  async kill(): Promise<void> {
    const exit = once(this.#process!, 'exit');
    this.#process!.kill('SIGKILL');
    await exit;
    this.#process = undefined;
  }

  async stop(): Promise<void> {
    if (this.#process !== undefined) {
      await this.kill();
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
