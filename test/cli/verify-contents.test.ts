/** Pictures whose bytes have changed since they were stored are found, whether they lie in a file or in a row. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verify } from '../../src/cli/verify.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

const items = (count: number) => ({ items: Array.from({ length: count }, (_, index) => ({ data: `${index}` })) });

it('finds a picture with another byte, and an index with another name', async () => {
  const [large, small] = [await service.submit(items(101)), await service.submit(items(2))];
  await Promise.all([service.ended(large.jobId), service.ended(small.jobId)]);
  expect(await verify(service.admin, { contents: true })).toEqual([]);

  const key = `jobs/${large.jobId}/segment-000000-1`;
  const path = join(service.config.dataDir, 'storage', `${key}.zip`);
  const segment = await readFile(path);
  const middle = Math.floor(segment.length / 2);
  segment.writeUInt8(segment.readUInt8(middle) ^ 1, middle);
  await writeFile(path, segment);
  const { database } = service.admin;
  const index = await database
    .selectFrom('small_blobs')
    .select(['name', 'content'])
    .where('job_id', '=', small.jobId)
    .where('name', 'like', '%index%')
    .executeTakeFirstOrThrow();
  const content = Buffer.from(index.content);
  content.write('z', 10);
  await database
    .updateTable('small_blobs')
    .set({ content })
    .where('job_id', '=', small.jobId)
    .where('name', '=', index.name)
    .execute();
  expect(await verify(service.admin)).toEqual([]);
  const found = await verify(service.admin, { contents: true });
  const problems = Object.fromEntries(found.map(({ subject, problem }) => [subject, problem]));
  expect(problems).toEqual({
    [`job ${large.jobId}`]: expect.stringMatching(/^jobs\/.*\/segment-000000-1\.zip: \d+\.png is damaged$/),
    [`job ${small.jobId}`]: expect.stringContaining('is damaged'),
  });
});
