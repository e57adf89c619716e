/** The reading of a single picture says what reading a job back would say of it. */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { CHUNK_ITEMS, type EngineFixture, openEngineFixture } from './engine-fixture.js';

const PLACES = { pixelsPerModule: 3, quietZoneModules: 4 };
const TEXT = 'https://example.org/scan';

let fixture: EngineFixture;
let engine: EngineSupervisor;
let png: string;

beforeAll(async () => {
  fixture = await openEngineFixture();
  engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
  const checked = await engine.check(await fixture.ndjson({ style: { scale: 3 } }, [{ data: TEXT }]));
  if ('refusal' in checked) throw new Error(checked.refusal.message);
  const { chunk: range, ...files } = fixture.chunk(checked.chunks[0]!);
  await engine.renderChunk({ chunk: range, ...files });
  const found = await engine.findFile({ chunk: { range, ...files }, item: 0, extension: '.png' });
  if (found === null) throw new Error('The item has no picture');
  const segment = await readFile(files.segmentPath);
  png = segment.toString('base64', found.offset, found.offset + found.bytes);
});
afterAll(async () => {
  await engine.close();
  await fixture.remove();
});

it('reads a sound picture', async () => {
  expect(await engine.scan({ png, text: TEXT, ...PLACES })).toEqual({ reads: true, unusedThousandths: 1000 });
});

it.each([
  ['another text', { text: 'https://example.org/other' }],
  // A phone reads it all the same.
  ['modules in other places', { quietZoneModules: 3 }],
])('does not read %s', async (_, other) => {
  expect(await engine.scan({ png, text: TEXT, ...PLACES, ...other })).toEqual({ reads: false });
});
