/** Draws a few items with the job engine, without storing anything. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedFileAt } from '../archive/stored-file.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Warning } from '../contract/response-schema.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { checkDraft } from '../intake/check-draft.js';

/** The engine, and a folder for temporary files. */
export interface SampleRoom {
  engine: Engine;
  scratch: string;
}

export interface SampleItem {
  data: string;
  caption?: string | undefined;
}

/**
 * Checks the items as a job would, without drawing them. @returns the warnings @throws ApiError as a job with these
 * items would
 */
export async function checkSamples(room: SampleRoom, meta: JobMeta, items: readonly SampleItem[]): Promise<Warning[]> {
  return withSpool(room, meta, items, ({ warnings }) => Promise.resolve(warnings));
}

/** Returns the items' pictures, in order. @throws ApiError as a job with these items would */
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
