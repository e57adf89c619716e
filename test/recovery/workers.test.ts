/** Workers are replaced one by one while jobs run: each goes with its work done or handed on, and no job waits for a lease to end. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminContext, openAdminContext } from '../../src/admin-context.js';
import { type ProcessRole, readConfig } from '../../src/config.js';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/jobs/verify.js';
import { describeOnDatabases, type EmptyDatabase } from '../support/databases.js';
import { describeWithOwnRedis, OwnRedis } from '../support/redis.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Clients that post a job and wait for its end, again and again. */
const CLIENTS = 3;
/** Of each job: more than are drawn while it is checked. */
const ITEMS = 150;
/** Of a job that is under way all the time. */
const MANY_ITEMS = 60_000;
/** A lease ends after a minute, so that a chunk that is not handed on takes longer. */
const LATE_MS = 10_000;

const body = (items: number) => ['{}', ...Array.from({ length: items }, (_, item) => `{"data":"${item}"}`)].join('\n');

describeWithOwnRedis('replaced workers', () => {
  describeOnDatabases('beside jobs', (kind) => {
    let folder: string;
    let database: EmptyDatabase;
    let redis: OwnRedis;
    let environment: Record<string, string>;
    let admin: AdminContext;
    let headers: Record<string, string>;
    const running: ChildProcess[] = [];
    const apis: string[] = [];
    const workers: ChildProcess[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'qrpress-workers-'));
      database = await kind.create();
      redis = await OwnRedis.start();
      environment = {
        QRPRESS_DATA_DIR: join(folder, 'data'),
        QRPRESS_DATABASE_URL: database.url,
        QRPRESS_REDIS_URL: redis.url,
        QRPRESS_PORT: '0',
        QRPRESS_RENDER_THREADS: '1',
        QRPRESS_CHUNK_ITEMS: '1000',
        QRPRESS_RATE_LIMIT_CREATE: '100000',
        QRPRESS_RATE_LIMIT_READ: '100000',
      };
      admin = await openAdminContext(readConfig(environment));
      const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 10_000_000 };
      const { key } = await admin.keys.create(await admin.organisations.create(owner), 'test');
      headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
      for (const role of ['api', 'api', 'worker', 'worker'] as const) await start(role);
    }, 120_000);
    afterAll(async () => {
      for (const child of running) child.kill('SIGKILL');
      await admin.close();
      await database.drop();
      await redis.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }, 60_000);

    async function start(role: ProcessRole): Promise<void> {
      const child = spawn(process.execPath, ['dist/main.js', 'serve', '--role', role], {
        cwd: ROOT,
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.push(child);
      for await (const line of createInterface(child.stdout)) {
        const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
        if (msg === 'listening') {
          child.stdout.resume();
          if (role === 'api') apis.push(`http://127.0.0.1:${port}`);
          else workers.push(child);
          return;
        }
      }
      throw new Error(`the ${role} ended before it listened`);
    }

    /** Posts a job at one process and asks another one for its end. @returns the time that took */
    async function job(number: number, items: number): Promise<number> {
      const [one, other] = [0, 1].map((offset) => apis[(number + offset) % apis.length] as string);
      const began = performance.now();
      const posted = await fetch(`${one}/api/v1/jobs`, { method: 'POST', headers, body: body(items) });
      expect(posted.status).toBe(202);
      const { jobId } = (await posted.json()) as JobCreated;
      for (;;) {
        const answer = await fetch(`${other}/api/v1/jobs/${jobId}`, { headers });
        const { status, completed } = (await answer.json()) as JobResource;
        if (status === 'complete') {
          expect(completed).toBe(items);
          return performance.now() - began;
        }
        expect(['processing', 'zipping']).toContain(status);
        await delay(10);
      }
    }

    test('none is lost, and none is late', { timeout: 120_000 }, async () => {
      const over = new AbortController();
      const times: number[] = [];
      const many = job(0, MANY_ITEMS);
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let number = client; !over.signal.aborted; number += 1) times.push(await job(number, ITEMS));
      });
      for (const worker of workers.splice(0)) {
        const exit = once(worker, 'exit');
        worker.kill('SIGTERM');
        expect((await exit)[0]).toBe(0);
        await start('worker');
      }
      over.abort();
      await Promise.all(clients);
      await many;
      expect(times.length).toBeGreaterThan(CLIENTS);
      expect(Math.max(...times)).toBeLessThan(LATE_MS);
      expect(await verify(admin)).toEqual([]);
    });
  });
});
