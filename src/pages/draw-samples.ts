/** Draws a few items with the job engine, without storing anything. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedFileAt } from '../archive/stored-file.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Warning } from '../contract/response-schema.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { checkDraft } from '../intake/check-draft.js';
import { temporaryFolder } from '../temporary-folder.js';

/** The engine, and a folder for temporary files. */
export interface SampleTools {
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
export async function checkSamples(
  tools: SampleTools,
  meta: JobMeta,
  items: readonly SampleItem[],
): Promise<Warning[]> {
  return withSpool(tools, meta, items, ({ warnings }) => Promise.resolve(warnings));
}

/** Returns the items' pictures, in order. @throws ApiError as a job with these items would */
export async function drawSamples(tools: SampleTools, meta: JobMeta, items: readonly SampleItem[]): Promise<Buffer[]> {
  return withSpool(tools, meta, items, async ({ chunks }, file) => {
    const pictures: Buffer[] = [];
    for (const chunk of chunks) {
      const paths = { spoolPath: file('spool'), segmentPath: file('segment'), indexPath: file('index') };
      await tools.engine.renderChunk({ ...chunk, ...paths });
      pictures.push(...storedFiles(await readFile(file('segment'))));
    }
    return pictures;
  });
}

async function withSpool<T>(
  { engine, scratch }: SampleTools,
  meta: JobMeta,
  items: readonly SampleItem[],
  work: (checked: CheckedBody, file: (name: string) => string) => Promise<T>,
): Promise<T> {
  await using folder = await temporaryFolder(scratch);
  const file = (name: string) => join(folder.path, name);
  await writeFile(file('body'), [meta, ...items].map((line) => JSON.stringify(line)).join('\n'));
  const request = { bodyPath: file('body'), form: 'ndjson' as const, spoolPath: file('spool') };
  // Must be awaited here: the folder ends with this scope.
  return await work(await checkDraft(engine, request), file);
}

/** The contents of a segment's files, in order. */
function* storedFiles(segment: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < segment.length; ) {
    const { start, end } = storedFileAt(segment, offset);
    yield segment.subarray(start, end);
    offset = end;
  }
}
