/** `admin explain`: a broken picture is drawn beside what the readers see of it, with the reason why they do not read it. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explainItem, explanationText } from '../../src/cli/explain-item.js';
import { segmentIndexKey, segmentKey } from '../../src/jobs/files/job-files.js';
import { sqlite } from '../support/databases.js';
import { textsOn } from '../support/decode.js';
import { changeSegment } from '../support/segment.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let out: string;
beforeAll(async () => {
  service = await startTestService(sqlite);
  out = await mkdtemp(join(tmpdir(), 'qrpress-explain-'));
});
afterAll(async () => {
  await service.close();
  await rm(out, { recursive: true });
});

const data = (index: number) => `https://example.org/${index}`;
const explain = (jobId: string, item: number) => explainItem(service.config, service.admin, { jobId, item, out });

/** A job whose codes were read back, and its files: PNG and SVG of three items. */
async function job() {
  const items = [0, 1, 2].map((index) => ({ data: data(index) }));
  const { jobId } = await service.submit({ verify: 'all', format: 'both', style: { scale: 3 }, items });
  expect(await service.ended(jobId)).toMatchObject({ verified: 3, unread: 0 });
  const [segmentPath, indexPath] = [segmentKey, segmentIndexKey].map((key) =>
    join(service.config.dataDir, 'storage', key(jobId, 0, 1)),
  ) as [string, string];
  return { jobId, files: { segmentPath, indexPath } };
}

it('of a sound item shows pictures that are read', async () => {
  const { jobId } = await job();
  const seen = await explain(jobId, 2);
  expect(seen).toMatchObject({ data: data(2), isFound: true, files: [{ extension: '.png' }, { extension: '.svg' }] });
  expect(seen.files.map(({ unusedThousandths }) => unusedThousandths)).toEqual([1000, 1000]);
  for (const { picturePath = '' } of seen.files) {
    // The picture and the modules beside it.
    expect(await textsOn(await readFile(picturePath))).toEqual([data(2), data(2)]);
  }
});

it('of broken pictures says what is wrong with each', async () => {
  const { jobId, files } = await job();
  const pictures: Buffer[] = [];
  await changeSegment(files, (file, content) => {
    pictures.push(content);
    // The first item's PNG file becomes that of the second, and its drawing loses its modules.
    return file === 1 ? content.toString().replace(/h7v7h-7z/g, '') : content;
  });
  await changeSegment(files, (file, content) => (file === 0 ? pictures[2]! : content));
  const seen = await explain(jobId, 0);
  expect(seen).toMatchObject({ data: data(0), isFound: false });
  const [png, svg] = seen.files;
  expect(png?.reason).toBe(`the code has other data than the item: "${data(1)}"`);
  expect(svg?.reason).toBe('a corner has no finder pattern');
  const text = explanationText(seen);
  expect(text).toContain(`PNG: not read: ${png?.reason}; drawn in ${join(out, 'item-0-png.png')}`);
  expect(text).toContain('Searched for as a phone would: not found.');
  expect((await readFile(svg?.picturePath ?? '')).subarray(1, 4).toString()).toBe('PNG');
});

it('of a file that is no picture, and of an item that there is not', async () => {
  const { jobId, files } = await job();
  await changeSegment(files, (file, content) => (file === 4 ? 'no picture' : content));
  const { files: seen, isFound } = await explain(jobId, 2);
  expect([seen[0]?.picturePath, isFound]).toEqual([undefined, false]);
  expect(seen[0]?.reason).toContain('no picture');
  await expect(explain(jobId, 3)).rejects.toThrow('with an item 3');
});
