/** The looks at jobs: one for all who follow the same. */

import { expect, test } from 'vitest';
import type { Job } from '../../src/jobs/job.js';
import { JobWatch } from '../../src/site/jobs/job-progress.js';

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
