/** Draws a few items as a job would, by the same engine, and keeps nothing. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedFileAt } from '../archive/stored-file.js';
import { checkDraft } from '../intake/check-draft.js';
import type { JobMeta } from '../intake/request-schema.js';
import type { Engine } from '../render/engine.js';

export interface SampleItem {
  data: string;
  caption?: string | undefined;
}

/** The items' pictures in order. @throws ApiError as for a job of them */
export async function drawSamples(engine: Engine, meta: JobMeta, items: readonly SampleItem[]): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-sample-'));
  const file = (name: string) => join(folder, name);
  try {
    await writeFile(file('body'), [meta, ...items].map((line) => JSON.stringify(line)).join('\n'));
    const request = { bodyPath: file('body'), form: 'ndjson' as const, spoolPath: file('spool') };
    const { chunks } = await checkDraft(engine, request);
    const pictures: Buffer[] = [];
    for (const chunk of chunks) {
      const paths = { spoolPath: file('spool'), segmentPath: file('segment'), directoryPath: file('directory') };
      await engine.renderChunk({ ...chunk, ...paths });
      pictures.push(...storedFiles(await readFile(file('segment'))));
    }
    return pictures;
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
