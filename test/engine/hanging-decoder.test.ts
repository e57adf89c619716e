/** A decoder that does not come to an end costs the picture that it reads, and neither the chunk nor the pictures beside it. */

import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { verifyChunk } from '../../src/engine/verify-chunk.js';
import { noisePng } from '../support/png.js';
import { changeSegment } from '../support/segment.js';
import { CHUNK_ITEMS, type EngineFixture, openEngineFixture } from './engine-fixture.js';

/** Reading back gets a fifth of it. */
const TASK_TIMEOUT_MS = 10_000;
/** Lines that cross each other: resvg takes a minute and more for them. */
const CROSSING_LINES = 40_000;
/** Pixels on a side of a picture of noise, for which zxing takes ten seconds and more. */
const NOISE_PX = 14_000;

let fixture: EngineFixture;
let engine: EngineSupervisor;
let deaths: string[];

beforeEach(async () => {
  fixture = await openEngineFixture();
  deaths = [];
  const onCrash = ({ death }: { death: string }) => deaths.push(death);
  engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS, taskTimeoutMs: TASK_TIMEOUT_MS, onCrash });
});
afterEach(async () => {
  await engine.close();
  await fixture.remove();
});

it('of the module reader: one code is unread', { timeout: 120_000 }, async () => {
  const { read, readings } = await chunkWith((item, svg) => (item === 2 ? tangled(svg) : svg));
  expect(await verifyChunk(engine, read)).toMatchObject({ verified: 5, unread: 1, unreadItems: [2] });
  expect(deaths).toEqual(['a task took too long', 'a task took too long']);
  expect(await readings()).toEqual([1000, 1000, 0xffff, 1000, 1000]);
});

it('of the reader that searches pictures: one code is unread', { timeout: 180_000 }, async () => {
  const { read, readings } = await chunkWith((_, svg) => svg);
  await writeFile(
    read.proofsPath,
    Buffer.concat([proof(1, 'one', noisePng(21)), proof(3, 'three', noisePng(NOISE_PX))]),
  );
  expect(await verifyChunk(engine, read)).toMatchObject({ verified: 5, unread: 2, unreadItems: [1, 3] });
  expect(new Set(deaths)).toEqual(new Set(['a task took too long']));
  expect(await readings()).toEqual([1000, 0xffff, 1000, 0xffff, 1000]);
});

/** A chunk of five drawings, changed one by one, with checksums that are right. */
async function chunkWith(change: (item: number, svg: string) => string) {
  const items = Array.from({ length: 5 }, (_, index) => ({ data: `https://example.org/${index}` }));
  const report = await engine.check(await fixture.ndjson({ format: 'svg', style: { scale: 1 } }, items));
  if ('refusal' in report) throw new Error(report.refusal.message);
  const files = fixture.chunk(report.chunks[0]!);
  await engine.renderChunk(files);
  const indexBytes = await changeSegment(files, (item, svg) => change(item, svg.toString()));
  const read = {
    ...files,
    segmentOffset: 0,
    indexOffset: 0,
    indexBytes,
    readingsPath: fixture.path('readings'),
    proofsPath: fixture.path('proofs'),
    items: 5,
    phoneItems: 0,
    total: 5,
  };
  const readings = async () => {
    const bytes = await readFile(read.readingsPath);
    return Array.from({ length: bytes.length / 2 }, (_, place) => bytes.readUInt16LE(2 * place));
  };
  return { read, readings };
}

function tangled(svg: string): string {
  const place = (line: number) => (20 * line) / CROSSING_LINES;
  const lines = Array.from({ length: CROSSING_LINES }, (_, line) => `M${place(line)} 0L${20 - place(line)} 20z`);
  return svg.replace('</svg>', `<path d="${lines.join('')}"/></svg>`);
}

/** A proof of one picture, in the format of `readBack`. */
function proof(item: number, data: string, picture: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeBigUInt64LE(BigInt(item));
  head.writeUInt32LE(data.length, 8);
  head.writeUInt32LE(1, 12);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(picture.length);
  return Buffer.concat([head, Buffer.from(data), length, picture]);
}
