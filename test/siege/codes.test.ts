/** Many searches, manifests and files of labels of a large job: they are free of charge, and take seconds of the engine. */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { type Siege, startSiege } from './bystander.js';
import { member } from './member.js';

const ITEMS = 100_000;
const ATTACK_MS = 5_000;
const EVENT_LOOP_P99_MS = 50;
/** Between two pieces that a client reads: without it, this process would read gigabytes, and delay what it measures. */
const PACE_MS = 50;

let siege: Siege;
/** Headers of a session, and of a key. */
let headers: Record<string, string>;
let page: string;
let resource: string;
beforeAll(async () => {
  siege = await startSiege();
  const { organisationId, key } = await siege.createAccount(ITEMS);
  headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const lines = Array.from({ length: ITEMS }, (_, item) => `{"data":"${item} ${'x'.repeat(200)}"}`);
  const body = ['{"format":"svg"}', ...lines].join('\n');
  const posted = await fetch(`${siege.url}/api/v1/jobs`, { method: 'POST', headers, body });
  const { jobId } = (await posted.json()) as JobCreated;
  page = `/account/o/${organisationId}/jobs/${jobId}`;
  resource = `/api/v1/jobs/${jobId}`;
  const status = async () => {
    const answer = await fetch(siege.url + resource, { headers });
    return ((await answer.json()) as JobResource).status;
  };
  await vi.waitUntil(async () => (await status()) === 'complete', { timeout: 60_000, interval: 200 });
  const { cookies } = await member(siege, organisationId, 0);
  headers['cookie'] = [...cookies].map((cookie) => cookie.join('=')).join('; ');
}, 120_000);
afterAll(() => siege.close());

it.each([
  ['searches', 100, (n: number) => `${page}?q=nowhere${n}`],
  ['manifests', 50, () => `${resource}/manifest`],
  ['files of labels', 50, () => `${resource}/labels.pdf?sheet=avery-l7160`],
])('%s of many clients', { timeout: 120_000 }, async (_name, atOnce, path) => {
  const statuses = new Set<number>();
  await siege.withstand(async () => {
    const signal = AbortSignal.timeout(ATTACK_MS);
    const read = async (n: number) => {
      const response = await fetch(siege.url + path(n), { headers, signal });
      statuses.add(response.status);
      for await (const _ of response.body as ReadableStream<Uint8Array>) await delay(PACE_MS);
    };
    await Promise.allSettled(Array.from({ length: atOnce }, (_, n) => read(n)));
  });
  expect([...statuses].filter((status) => status !== 200)).toEqual([]);
  siege.expectFreeEventLoop(EVENT_LOOP_P99_MS);
});
