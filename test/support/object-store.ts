/**
 * An S3 service for the tests, if moto is installed: a process with an empty bucket, and a proxy in front of it that fails on
 * demand.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BucketLocation } from '../../src/storage/storage-location.js';
import { describeUnless } from './describe-unless.js';
import { FaultyProxy } from './faulty-proxy.js';

const PROGRAM = fileURLToPath(new URL('../../.tools/moto/bin/moto_server', import.meta.url));

/** The key that signs requests to the service. The service accepts any key. */
export const SECRET_KEY = 'secret-of-the-tests';

/** Runs a suite that needs an object store. */
export function describeWithObjectStore(name: string, suite: () => void): void {
  describeUnless(existsSync(PROGRAM) ? undefined : 'moto is missing: see CONTRIBUTING.md', name, suite);
}

export class ObjectStore {
  /** The proxy of the stores under test. */
  readonly proxy: FaultyProxy;
  readonly #process: ChildProcess;
  readonly #origin: string;

  private constructor(process: ChildProcess, origin: string, proxy: FaultyProxy) {
    this.#process = process;
    this.#origin = origin;
    this.proxy = proxy;
  }

  static async start(): Promise<ObjectStore> {
    process.env['AWS_ACCESS_KEY_ID'] = 'tests';
    process.env['AWS_SECRET_ACCESS_KEY'] = SECRET_KEY;
    const server = spawn(PROGRAM, ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    process.once('exit', () => server.kill());
    const origin = await new Promise<string>((resolve, reject) => {
      const lines: string[] = [];
      createInterface(server.stderr).on('line', (line) => {
        lines.push(line);
        const [, address] = /Running on (http:\S+)/.exec(line) ?? [];
        if (address !== undefined) {
          resolve(address);
        }
      });
      server.once('error', reject);
      server.once('exit', () => reject(new Error(`moto ended: ${lines.join('\n')}`)));
    });
    return new ObjectStore(server, origin, await FaultyProxy.open(origin));
  }

  /** Creates a bucket. */
  async createBucket(): Promise<BucketLocation> {
    const bucket = `bucket-${randomBytes(6).toString('hex')}`;
    const answer = await this.ask('PUT', `/${bucket}`);
    if (!answer.startsWith('200')) {
      throw new Error(`no bucket was made: ${answer}`);
    }
    return { kind: 'bucket', bucket, prefix: '', endpoint: this.proxy.origin, region: 'us-east-1' };
  }

  /** Sends a request to the service itself, without the proxy. @returns the status and the body */
  async ask(method: string, path: string): Promise<string> {
    const question = request(new URL(path, this.#origin), { method }).end();
    const [answer] = (await once(question, 'response')) as [import('node:http').IncomingMessage];
    answer.setEncoding('utf8');
    let body = '';
    for await (const text of answer as AsyncIterable<string>) {
      body += text;
    }
    return `${answer.statusCode} ${body}`;
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}
