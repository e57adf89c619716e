/** Small jobs, which are drawn while they are checked: what they come to, and what they leave on the disk. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CheckedBody, CheckRequest, DrawnJob } from '../../src/engine/engine.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { CHUNK_ITEMS, type EngineFixture, openEngineFixture } from './engine-fixture.js';

let engine: EngineSupervisor;
let fixture: EngineFixture;
beforeAll(() => {
  engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
});
afterAll(() => engine.close());
beforeEach(async () => {
  fixture = await openEngineFixture();
});
afterEach(() => fixture.remove());

const TEN = { format: 'both', items: Array.from({ length: 10 }, (_, item) => ({ data: `item ${item}` })) };

async function check(request: CheckRequest): Promise<CheckedBody> {
  const report = await engine.check({ ...request, drawIfSmall: true });
  if ('refusal' in report) throw new Error(report.refusal.message);
  return report;
}

/** A request whose body is in memory alone. */
function inMemory(body: object): CheckRequest {
  const [bodyPath, spoolPath] = [fixture.path('body'), fixture.path('spool')];
  return { bodyPath, spoolPath, form: 'json', body: Buffer.from(JSON.stringify(body)) };
}

const files = () => readdir(fixture.path('.'));

it('are the same bytes as a job that is drawn later', async () => {
  const { drawn, ...report } = await check(inMemory(TEN));
  expect(await files()).toEqual([]);

  const later = await engine.check(await fixture.json(TEN));
  expect(later).toEqual(report);
  const chunk = fixture.chunk(report.chunks[0]!);
  const rendered = await engine.renderChunk(chunk);
  await engine.finishArchive(fixture.parts([chunk], [rendered]));
  const written = (name: string) => readFile(fixture.path(name));
  const { segmentBytes, indexBytes, headerBytes, entries } = rendered;
  expect({ ...drawn }).toEqual({
    segmentBytes,
    indexBytes,
    headerBytes,
    entries,
    spool: await written('spool'),
    segment: await written('0.segment'),
    index: await written('0.index'),
    archiveEnd: await written('end'),
  });
});

it('leave no file when their body came as one', async () => {
  const { drawn: inOneWay } = await check(inMemory(TEN));
  const { drawn } = await check(await fixture.json(TEN));
  expect(bytesOf(drawn)).toEqual(bytesOf(inOneWay));
  expect(await files()).toEqual([]);
});

it.each([
  ['many items', { items: Array.from({ length: 101 }, (_, item) => ({ data: `${item}` })) }],
  ['pictures to be read back', { ...TEN, verify: 'all' }],
  [
    'large pictures',
    {
      format: 'both',
      style: { scale: 30 },
      items: Array.from({ length: 100 }, (_, item) => ({ data: `${'A'.repeat(300)}${item}` })),
    },
  ],
])('write body and spool once when they are drawn later: %s', async (_, body) => {
  const request = inMemory(body);
  const { drawn, spoolBytes } = await check(request);
  expect(drawn).toBeUndefined();
  expect((await files()).toSorted()).toEqual(['body', 'spool']);
  expect(await readFile(fixture.path('body'))).toEqual(request.body);
  expect((await stat(fixture.path('body'))).mode & 0o777).toBe(0o600);
  const spool = await readFile(fixture.path('spool'));
  expect(spool).toHaveLength(spoolBytes);
  await engine.check(await fixture.json(body));
  expect(await readFile(fixture.path('spool'))).toEqual(spool);
});

it('leave nothing when they are refused', async () => {
  expect(await engine.check({ ...inMemory({ items: [] }), drawIfSmall: true })).toHaveProperty('refusal');
  expect(await files()).toEqual([]);
});

it('give the pictures of samples in their order, and leave nothing', async () => {
  const body = Buffer.from('{"format":"svg"}\n{"data":"a"}\n{"data":"b"}');
  const report = await engine.drawSamples({ body, samples: body });
  const pictures = 'pictures' in report ? report.pictures.map((picture) => Buffer.from(picture).toString()) : [];
  expect(pictures).toHaveLength(2);
  expect(pictures.every((picture) => picture.startsWith('<svg'))).toBe(true);
  expect(pictures[0]).not.toBe(pictures[1]);
  const refused = await engine.drawSamples({ body: Buffer.from('{}\n{}'), samples: body });
  expect(refused).toMatchObject({ refusal: { code: 'invalid_input' } });
});

const bytesOf = (drawn?: DrawnJob) => ({ ...drawn });
