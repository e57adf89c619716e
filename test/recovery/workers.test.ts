/** Workers are replaced one by one while jobs run: each goes with its work done or handed on, and no job waits for a lease to end. */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/cli/verify.js';
import { describeOnDatabases } from '../support/databases.js';
import { endHost, type Host, Hosts } from '../support/hosts.js';
import { describeWithOwnRedis } from '../support/redis.js';

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
    let hosts: Hosts;
    const apis: Host[] = [];
    const workers: Host[] = [];

    beforeAll(async () => {
      hosts = await Hosts.open(kind, { credits: 10_000_000, environment: { QRPRESS_CHUNK_ITEMS: '1000' } });
      apis.push(await hosts.start('api'), await hosts.start('api'));
      workers.push(await hosts.start('worker'), await hosts.start('worker'));
    }, 120_000);
    afterAll(() => hosts.close(), 60_000);

    /** Posts a job at one process and asks another one for its end. @returns the time that took */
    async function job(number: number, items: number): Promise<number> {
      const [one, other] = [0, 1].map((offset) => apis[(number + offset) % apis.length] as Host);
      const began = performance.now();
      const posted = await fetch(`${one?.url}/api/v1/jobs`, {
        method: 'POST',
        headers: hosts.headers,
        body: body(items),
      });
      expect(posted.status).toBe(202);
      const { jobId } = (await posted.json()) as JobCreated;
      for (;;) {
        const answer = await fetch(`${other?.url}/api/v1/jobs/${jobId}`, { headers: hosts.headers });
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
      for (const worker of workers) {
        expect(await endHost(worker, 'SIGTERM')).toBe(0);
        await hosts.start('worker');
      }
      over.abort();
      await Promise.all(clients);
      await many;
      expect(times.length).toBeGreaterThan(CLIENTS);
      expect(Math.max(...times)).toBeLessThan(LATE_MS);
      expect(await verify(hosts.admin)).toEqual([]);
    });
  });
});
