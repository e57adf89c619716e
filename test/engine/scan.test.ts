/** The reading of a single picture says what reading a job back would say of it. */

import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { verifyProofs } from '../../src/engine/scan.js';
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

it('loads its decoder from no other machine, also behind a picture that is none', async () => {
  const download = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not allowed'));
  const proof = (item: number, picture: Buffer) => {
    const prefix = Buffer.alloc(16);
    prefix.writeBigUInt64LE(BigInt(item));
    prefix.writeUInt32LE(TEXT.length, 8);
    prefix.writeUInt32LE(1, 12);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(picture.length);
    return Buffer.concat([prefix, Buffer.from(TEXT), length, picture]);
  };
  const [none, sound] = [proof(0, Buffer.from('no picture')), proof(1, Buffer.from(png, 'base64'))];
  await writeFile(fixture.path('proofs'), Buffer.concat([none, sound]));
  const report = await verifyProofs({ path: fixture.path('proofs'), offset: 0 }, 60_000);
  expect(report).toEqual({ unread: [0] });
  expect(download).not.toHaveBeenCalled();
  download.mockRestore();
});
