/** Processes of one service, as on several hosts: they share a data folder, a database and a Redis of their own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { type ProcessRole, readConfig } from '../../src/config/config.js';
import type { EmptyDatabase } from './databases.js';
import { OwnRedis } from './redis.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Host {
  child: ChildProcess;
  url: string;
}

/**
 * Starts a process of the service with these settings alone. Resolves once it listens.
 * @param within words that start the program in another way
 */
export async function startHost(
  environment: Record<string, string>,
  words: readonly string[],
  within: readonly string[] = [],
): Promise<Host> {
  // A store in a bucket signs with the last two.
  const { PATH, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  const [command = '', ...rest] = [...within, process.execPath, ...words];
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: { PATH, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Shown only when the process fails: a first start prints hints.
  let hints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    hints += text;
  });
  child.once('close', (code) => {
    if (code) process.stderr.write(hints);
  });
  for await (const line of createInterface(child.stdout)) {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
    if (msg === 'listening') {
      child.stdout.resume();
      return { child, url: `http://127.0.0.1:${port}` };
    }
  }
  throw new Error(`the process ended before it listened: ${words.join(' ')}`);
}

/** Sends a signal to a process. Resolves with its exit code; null: the signal killed it. */
export async function endHost({ child }: Host, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit)[0] as number | null;
}

export interface HostsOptions {
  /** Credits of the organisation. */
  credits: number;
  /** Settings beside those that all processes have in common. */
  environment: Record<string, string>;
  /** Arguments of Node.js that start a process. Default: `qrpress serve`. */
  program?: (role: ProcessRole) => readonly string[];
}

export class Hosts {
  readonly admin: AdminContext;
  readonly redis: OwnRedis;
  readonly folder: string;
  readonly organisationId: string;
  /** Of a request with an NDJSON body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #database: EmptyDatabase;
  readonly #start: (role: ProcessRole, within?: readonly string[]) => Promise<Host>;
  readonly #started: Host[] = [];

  private constructor(
    {
      admin,
      redis,
      folder,
      database,
    }: { admin: AdminContext; redis: OwnRedis; folder: string; database: EmptyDatabase },
    { organisationId, key }: { organisationId: string; key: string },
    start: (role: ProcessRole, within?: readonly string[]) => Promise<Host>,
  ) {
    this.admin = admin;
    this.redis = redis;
    this.folder = folder;
    this.organisationId = organisationId;
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
    this.#database = database;
    this.#start = start;
  }

  /** An organisation on a new database; no process runs yet. */
  static async open(
    kind: { create: () => Promise<EmptyDatabase> },
    { credits, environment, program = (role) => ['dist/main.js', 'serve', '--role', role] }: HostsOptions,
  ): Promise<Hosts> {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-hosts-'));
    const database = await kind.create();
    const redis = await OwnRedis.start();
    const settings = {
      QRPRESS_DATA_DIR: join(folder, 'data'),
      QRPRESS_DATABASE_URL: database.url,
      QRPRESS_REDIS_URL: redis.url,
      QRPRESS_PORT: '0',
      QRPRESS_RENDER_THREADS: '1',
      QRPRESS_RATE_LIMIT_CREATE: '100000',
      QRPRESS_RATE_LIMIT_READ: '100000',
      ...environment,
    };
    const admin = await openAdminContext(readConfig(settings));
    const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits };
    const organisationId = await admin.organisations.create(owner);
    const { key } = await admin.keys.create(COMMAND_LINE, organisationId, 'test');
    const start = (role: ProcessRole, within?: readonly string[]) => startHost(settings, program(role), within);
    return new Hosts({ admin, redis, folder, database }, { organisationId, key }, start);
  }

  async start(role: ProcessRole, within?: readonly string[]): Promise<Host> {
    const host = await this.#start(role, within);
    this.#started.push(host);
    return host;
  }

  /** Kills the processes that are left, and removes everything. */
  async close(): Promise<void> {
    for (const { child } of this.#started) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await this.admin.close();
    await this.#database.drop();
    await this.redis.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
