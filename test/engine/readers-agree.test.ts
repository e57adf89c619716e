/**
 * What is read as a phone reads is also read module by module: the first may fail where the second does not, never the other
 * way round. `QRPRESS_TEST_CITIES` says with how many texts; `npm run nightly` takes more.
 */

import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Style } from '../../src/contract/request-schema.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { decodePng, rasterise } from '../support/decode.js';
import { dataUrl, paintedPng } from '../support/png.js';
import { CHUNK_ITEMS, type EngineFixture, openEngineFixture } from './engine-fixture.js';

const CITIES = Number(process.env['QRPRESS_TEST_CITIES'] ?? 60);
const UNREAD = 0xffff;
const READING_BYTES = 2;

let fixture: EngineFixture;
let engine: EngineSupervisor;
let items: { data: string }[];

beforeAll(async () => {
  fixture = await openEngineFixture();
  engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
  const text = await readFile(join(import.meta.dirname, '../../examples/cities.ndjson'), 'utf8');
  const cities = text.trim().split('\n').slice(1);
  items = Array.from({ length: CITIES }, (_, index) => {
    const { data } = JSON.parse(cities[index % cities.length] as string) as { data: string };
    return { data: `${data}?label=${Math.floor(index / cities.length) + 1}` };
  });
});
afterAll(async () => {
  await engine.close();
  await fixture.remove();
});

const disc = dataUrl(paintedPng(64, '<circle cx="32" cy="32" r="32" fill="#c03010"/>'));
const grey = dataUrl(paintedPng(64, '<rect width="64" height="64" fill="#808080"/>'));

const LOOKS: [name: string, style: Style][] = [
  ['plain codes', { scale: 4 }],
  ['coloured codes', { scale: 3, foreground: '#1b3a5c', background: '#f2e6c8' }],
  ['light codes on dark', { scale: 4, foreground: '#ffffff', background: '#202020' }],
  ['transparent codes with captions', { scale: 4, background: 'transparent', caption: { text: 'Hall 1' } }],
  ['a round logo of 0.3', { scale: 4, logo: { dataUrl: disc, sizeRatio: 0.3 } }],
  ['a grey logo of 0.25', { scale: 5, foreground: '#404040', logo: { dataUrl: grey, sizeRatio: 0.25 } }],
];

it.each(LOOKS)('%s', { timeout: 60_000 + 40 * CITIES }, async (name, look) => {
  for (const ecLevel of ['L', 'M', 'Q', 'H'] as const) {
    const checked = await engine.check(await fixture.ndjson({ format: 'both', style: { ...look, ecLevel } }, items));
    if ('refusal' in checked) throw new Error(checked.refusal.message);
    for (const range of checked.chunks) {
      const files = fixture.chunk(range);
      const { indexBytes } = await engine.renderChunk(files);
      // Not those of another look: a chunk whose readings exist was read.
      const [readingsPath, proofsPath] = ['readings', 'proofs'].map(
        (kind) => `${files.indexPath}-${name}-${ecLevel}.${kind}`,
      ) as [string, string];
      const place = { segmentOffset: 0, indexOffset: 0, indexBytes, readingsPath, proofsPath };
      const all = { items: checked.total, phoneItems: 0, total: checked.total };
      while (!(await engine.readBack({ ...files, ...place, ...all }))) {
        // The next call goes on.
      }
      const readings = await readFile(readingsPath);
      expect(readings.length).toBe(READING_BYTES * range.itemCount);
      for (let number = 0; number < range.itemCount; number += 1) {
        if (readings.readUInt16LE(READING_BYTES * number) === UNREAD) {
          const item = range.firstItem + number;
          expect(await isReadByPhone(files, item), `item ${item}, level ${ecLevel}`).toBe(false);
        }
      }
    }
  }
});

/** Of an item that is not read module by module, at least one file is not read by zxing. */
async function isReadByPhone(chunk: ReturnType<EngineFixture['chunk']>, item: number): Promise<boolean> {
  const pictures = await Promise.all([pictureOf(chunk, item, '.png'), pictureOf(chunk, item, '.svg').then(rasterise)]);
  const texts = await Promise.all(
    pictures.map((picture) =>
      decodePng(picture).then(
        ({ text }) => text,
        () => undefined,
      ),
    ),
  );
  return texts.every((text) => text === items[item]?.data);
}

async function pictureOf(
  chunk: ReturnType<EngineFixture['chunk']>,
  item: number,
  extension: '.png' | '.svg',
): Promise<Buffer> {
  const { chunk: range, spoolPath, indexPath } = chunk;
  const found = await engine.findFile({ chunk: { range, spoolPath, indexPath }, item, extension });
  if (found === null) throw new Error(`Item ${item} has no picture`);
  await using segment = await open(chunk.segmentPath);
  const { buffer } = await segment.read(Buffer.alloc(found.bytes), 0, found.bytes, found.offset);
  return buffer;
}
