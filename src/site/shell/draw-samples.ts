/** Draws a few items with the job engine, without storing anything. */

import { join } from 'node:path';
import { storedFileAt } from '../../jobs/archive/stored-file.js';
import type { JobMeta } from '../../contract/request-schema.js';
import type { Warning } from '../../contract/response-schema.js';
import type { Engine } from '../../engine/engine.js';
import { checkDraft } from '../../jobs/intake/check-draft.js';
import { temporaryFolder } from '../../platform/disk.js';

/** Samples shown beside the studio's form. */
export const MOST_SAMPLES = 4;

export interface SampleItem {
  data: string;
  caption?: string | undefined;
}

interface Samples {
  /** In order. */
  pictures: Buffer[];
  warnings: Warning[];
}

/**
 * Checks the items as a job of `meta`, and draws them in the style of `drawnMeta`, in one task of the engine.
 * @param holder id of the person who waits
 * @throws ApiError as a job with these items would
 */
export async function drawSamples(
  { engine, scratch, holder }: { engine: Engine; scratch: string; holder: string },
  meta: JobMeta,
  items: readonly SampleItem[],
  drawnMeta = meta,
): Promise<Samples> {
  // Used where the system has no files in memory.
  await using folder = await temporaryFolder(scratch);
  const paths = { bodyPath: join(folder.path, 'body'), spoolPath: join(folder.path, 'spool') };
  const bodies = { body: bodyOf(meta, items), samples: bodyOf(drawnMeta, items) };
  const { warnings, drawn } = await checkDraft(engine, { ...bodies, ...paths, form: 'ndjson', holder });
  if (drawn === undefined) {
    throw new Error('The samples passed their check and were not drawn');
  }
  return { warnings, pictures: [...storedFiles(Buffer.from(drawn.segment))] };
}

function bodyOf(meta: JobMeta, items: readonly SampleItem[]): Buffer {
  return Buffer.from([meta, ...items].map((line) => JSON.stringify(line)).join('\n'));
}

/** The contents of a segment's files, in order. */
function* storedFiles(segment: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < segment.length; ) {
    const { start, end } = storedFileAt(segment, offset);
    yield segment.subarray(start, end);
    offset = end;
  }
}
