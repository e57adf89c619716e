/** `qrpress admin explain`: one item of a job, drawn beside what its readers see. */

import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AdminContext } from './administer.js';
import { type Config, locationOfBlobs } from '../config/config.js';
import type { SeenItem } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { seeItem } from '../jobs/files/rendered-items.js';
import { ChunkStore } from '../jobs/chunk-store.js';
import { makeFolder } from '../platform/disk.js';
import { scratchFolder } from './scratch-folder.js';

export interface ExplainedItem extends SeenItem {
  /** True when a reader that searches pictures as a phone does found the code in each file. */
  isFound: boolean;
}

/** Reads an item back, and draws it into the folder `out`. @throws Error when the job has no picture of it */
export async function explainItem(
  config: Config,
  { database, storage }: Pick<AdminContext, 'database' | 'storage'>,
  { jobId, item, out }: { jobId: string; item: number; out: string },
): Promise<ExplainedItem> {
  const [chunk] = await new ChunkStore(database).places(jobId, item);
  if (chunk === undefined) {
    throw new Error(`there is no job ${jobId} with an item ${item}; the first item is 0`);
  }
  await makeFolder(out);
  const scratch = scratchFolder(tmpdir());
  const { chunkItems, fontDir } = config;
  const blobs = locationOfBlobs(config);
  const folders = { readable: blobs.kind === 'folder' ? [blobs.path] : [], writable: [scratch.path, resolve(out)] };
  const engine = new EngineSupervisor({ threads: 1, chunkItems, fontDir, folders });
  try {
    const proofsPath = join(scratch.path, 'proofs');
    const picturePath = join(resolve(out), `item-${item}-`);
    const sources = { storage, engine, scratch: scratch.path };
    const seen = await seeItem(sources, jobId, chunk, { item, proofsPath, picturePath });
    if (seen === null) {
      throw new Error(`item ${item} of the job ${jobId} was not drawn`);
    }
    const arePictures = seen.files.every((file) => file.picturePath !== undefined);
    const { unread } = await engine.verify({ path: proofsPath, offset: 0 });
    return { ...seen, isFound: arePictures && unread.length === 0 };
  } finally {
    await engine.close();
    scratch.remove();
  }
}

export function explanationText({ data, files, isFound }: ExplainedItem): string {
  const lines = files.map(({ extension, unusedThousandths, reason, picturePath }) => {
    const outcome =
      unusedThousandths === undefined
        ? `not read: ${reason}`
        : `read, ${unusedThousandths / 10} % of its error correction is unused`;
    return `${extension.slice(1).toUpperCase()}: ${outcome}${picturePath === undefined ? '' : `; drawn in ${picturePath}`}`;
  });
  const found = `Searched for as a phone would: ${isFound ? 'found' : 'not found'}.`;
  return [`Data: ${data}`, ...lines, found].join('\n');
}
