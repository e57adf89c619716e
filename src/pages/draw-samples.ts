/** Draws a few items as a job would, by the same engine, and keeps nothing. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedFileAt } from '../archive/stored-file.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Warning } from '../contract/response-schema.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { checkDraft } from '../intake/check-draft.js';

/** The engine, and a folder for what it reads and writes meanwhile. */
export interface SampleRoom {
  engine: Engine;
  scratch: string;
}

export interface SampleItem {
  data: string;
  caption?: string | undefined;
}

/** Judges the items as a job of them would be, without drawing one. @returns what it is warned of @throws ApiError as for a job of them */
export async function checkSamples(room: SampleRoom, meta: JobMeta, items: readonly SampleItem[]): Promise<Warning[]> {
  return withSpool(room, meta, items, ({ warnings }) => Promise.resolve(warnings));
}

/** The items' pictures in order. @throws ApiError as for a job of them */
export async function drawSamples(room: SampleRoom, meta: JobMeta, items: readonly SampleItem[]): Promise<Buffer[]> {
  return withSpool(room, meta, items, async ({ chunks }, file) => {
    const pictures: Buffer[] = [];
    for (const chunk of chunks) {
      const paths = { spoolPath: file('spool'), segmentPath: file('segment'), indexPath: file('index') };
      await room.engine.renderChunk({ ...chunk, ...paths });
      pictures.push(...storedFiles(await readFile(file('segment'))));
    }
    return pictures;
  });
}

async function withSpool<T>(
  { engine, scratch }: SampleRoom,
  meta: JobMeta,
  items: readonly SampleItem[],
  work: (checked: CheckedBody, file: (name: string) => string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(scratch, 'sample-'));
  const file = (name: string) => join(folder, name);
  try {
    await writeFile(file('body'), [meta, ...items].map((line) => JSON.stringify(line)).join('\n'));
    const request = { bodyPath: file('body'), form: 'ndjson' as const, spoolPath: file('spool') };
    return await work(await checkDraft(engine, request), file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The contents of a segment's files, in order. */
function* storedFiles(segment: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < segment.length; ) {
    const { start, end } = storedFileAt(segment, offset);
    yield segment.subarray(start, end);
    offset = end;
  }
}
