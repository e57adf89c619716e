/** The words for how far a job is. */

import { expect, test } from 'vitest';
import type { Job } from '../../src/jobs/job.js';
import { formatsFor } from '../../src/site/shell/formats.js';
import { progressOf } from '../../src/site/shell/job-progress.js';

const START = 1_000_000;

test.each([
  ['one small chunk at first', { completed: 10, total: 2_000, seconds: 1 }, ''],
  ['a tenth', { completed: 200, total: 2_000, seconds: 2 }, '100 codes per second, about 18 sec left'],
  ['few codes after a while', { completed: 10, total: 2_000, seconds: 10 }, '1 code per second, about 33 min left'],
])('says how long a job takes from %s, without the time in which it waited', (_, { seconds, ...counts }, pace) => {
  const job = { status: 'processing', failed: 0, createdAt: 0, startedAt: START, ...counts };
  const { pace: words } = progressOf(job as unknown as Job, formatsFor('en'), START + 1_000 * seconds);
  expect(words.replaceAll('\u00A0', ' ')).toBe(pace);
});
