/** The looks at jobs: one for all who follow the same. */

import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Job } from '../../src/jobs/job.js';
import { JobWatch, streamProgress } from '../../src/site/jobs/job-progress.js';
import { keptBySignal } from '../support/kept-by-signal.js';

const JOB = { id: 'a', organisationId: 'o', completed: 0 } as Job;
const OTHER = { ...JOB, id: 'b' };

test('many who follow a job cost one look at a time, and see the same', async () => {
  const looks: string[] = [];
  const watch = new JobWatch({
    find: async (organisationId, id) => {
      looks.push(id);
      return { ...JOB, organisationId, id, completed: looks.length };
    },
  });
  const followed = await Promise.all([...Array.from({ length: 50 }, () => watch.next(JOB)), watch.next(OTHER)]);
  expect(looks).toEqual(['a', 'b']);
  expect(new Set(followed).size).toBe(2);
  expect((await watch.next(JOB))?.completed).toBe(3);
});

test('a look that failed is the failure of that one alone', async () => {
  let fails = true;
  const watch = new JobWatch({
    find: async () => {
      if (fails) throw new Error('the database is away');
      return JOB;
    },
  });
  const both = await Promise.allSettled([watch.next(JOB), watch.next(JOB)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await watch.next(JOB)).toBe(JOB);
});

test('pages that followed a job leave nothing on the signal of the process', async () => {
  const { signal } = new AbortController();
  const job = { ...JOB, status: 'complete', failed: 0, total: 1, createdAt: 0, endedAt: 1 } as Job;
  const needs = { jobs: { find: async () => job }, admission: { take: () => () => undefined } };
  const follow = streamProgress(needs as never, signal);
  for (let page = 0; page < 20; page += 1) {
    const state = { person: { id: 'p' }, membership: { organisationId: 'o' } };
    const headers = new Map<string, string>();
    const set = (name: string, value: string) => headers.set(name, value);
    const ctx = { state, params: { jobId: 'a' }, session: {}, get: () => '', set, body: '' as unknown };
    await follow(ctx as never, async () => undefined);
    expect(headers.get('Cache-Control')).toBe('no-store, no-transform');
    expect(await text(ctx.body as AsyncIterable<Uint8Array>)).toContain('"ended":true');
  }
  expect(keptBySignal(signal)).toBe(0);
});
