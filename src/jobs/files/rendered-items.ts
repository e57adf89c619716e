/** Items of a job, read from its chunks: the manifest of all, the picture of one, and the first picture. */

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BYTE_ORDER_MARK } from '../../contract/encodings.js';
import type { PictureFormat } from '../../contract/request-schema.js';
import type {
  Engine,
  ManifestForm,
  RenderedChunk,
  ReplacedItem,
  SeeItemRequest,
  SeenItem,
} from '../../engine/engine.js';
import { MAX_HEADER_BYTES, storedFileAt } from '../../engine/in-process.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { type FileRanges, streamed } from '../../storage/file-range.js';
import { temporaryFolder } from '../../platform/disk.js';
import type { ChunkPlace, RenderedSegment } from '../chunk-store.js';
import type { SourcePlaces } from '../source-places.js';
import { chunkSpool, segmentIndexKey, segmentKey, segmentReadingsKey } from './job-files.js';

/** The first line of a CSV manifest, behind the column of rows if there is one. The engine writes the others. */
const CSV_COLUMNS = 'index,reference,data,caption,status,@image,name,bytes,crc32,unusedErrorCorrection\r\n';

export interface Sources {
  storage: BlobStore;
  engine: Pick<Engine, 'writeManifest' | 'findFile'>;
  /** Folder for temporary files. */
  scratch: string;
  /** Reads the temporary files. */
  ranges: FileRanges;
  /** The organisation whose items they are. Several take turns. */
  holder?: string;
}

export interface Picture {
  bytes: number;
  read: () => Readable;
}

export interface FirstPicture extends Picture {
  /** Name in the archive. Ends in `.png` or `.svg`. */
  name: string;
  /** Its first bytes. */
  head: Buffer;
}

/** Place of a chunk's segment, which is not empty. */
export type SegmentPlace = Pick<RenderedSegment, 'position' | 'attempt' | 'segmentBytes'>;

export interface ManifestOptions {
  form: ManifestForm;
  /**
   * Tells the name that the files of an item would have where it has none, and marks CSV as UTF-8, which Excel asks for. The API's
   * manifest does neither.
   */
  namesMissing: boolean;
  /** The first column of CSV has them. They are the lines of a body. */
  places?: SourcePlaces | null | undefined;
  /** Lines of a body that differ from those of the job. */
  replaced?: readonly ReplacedItem[];
}

/**
 * The manifest of a complete job's chunks, generated while it is read. Removes its temporary files when the stream ends or is
 * destroyed.
 */
export function manifest(
  sources: Sources,
  jobId: string,
  chunks: readonly ChunkPlace[],
  options: ManifestOptions,
): Readable {
  return streamed(manifestLines(sources, jobId, chunks, options));
}

/** An item's picture. Undefined when the item was not drawn, or not in this format. */
export async function picture(
  sources: Sources,
  jobId: string,
  chunk: ChunkPlace,
  item: number,
  format: PictureFormat,
): Promise<Picture | undefined> {
  const { storage, engine } = sources;
  const found = await withChunk(sources, jobId, chunk, (rendered) =>
    engine.findFile({ chunk: rendered, item, extension: `.${format}` }),
  );
  if (found === null) {
    return undefined;
  }
  const { offset, bytes } = found;
  const key = segmentKey(jobId, chunk.position, chunk.attempt);
  return { bytes, read: () => storage.read(key, offset, offset + bytes - 1) };
}

/**
 * An item as its readers see it: its codes are read back, its proofs for `verify` are written, and pictures for people, at paths that
 * begin with `picturePath`. Null when it was not drawn.
 */
export async function seeItem(
  sources: Pick<Sources, 'storage' | 'scratch'> & { engine: Pick<Engine, 'seeItem'> },
  jobId: string,
  chunk: ChunkPlace,
  { item, ...paths }: Pick<SeeItemRequest, 'item' | 'picturePath' | 'proofsPath'>,
): Promise<SeenItem | null> {
  if (chunk.segmentBytes === 0) {
    return null;
  }
  await using folder = await temporaryFolder(sources.scratch);
  const key = segmentKey(jobId, chunk.position, chunk.attempt);
  const segmentPath = await sources.storage.materialise(key, join(folder.path, 'segment'));
  // Must be awaited here: the folder ends with this scope.
  return await withChunk(sources, jobId, chunk, (rendered) =>
    sources.engine.seeItem({ chunk: rendered, segmentPath, item, ...paths }),
  );
}

/** The first picture of a segment: available without the whole archive, and before there is one. */
export async function firstPicture(
  storage: BlobStore,
  jobId: string,
  { position, segmentBytes, attempt }: SegmentPlace,
): Promise<FirstPicture> {
  const key = segmentKey(jobId, position, attempt);
  const head = await buffer(storage.read(key, 0, Math.min(MAX_HEADER_BYTES, segmentBytes) - 1));
  const { name, start, end } = storedFileAt(head);
  return { name, bytes: end - start, head: head.subarray(start, end), read: () => storage.read(key, start, end - 1) };
}

async function* manifestLines(
  sources: Sources,
  jobId: string,
  chunks: readonly ChunkPlace[],
  { form, namesMissing, places = null, replaced = [] }: ManifestOptions,
): AsyncGenerator<Buffer | string> {
  const lines = places?.runs.map(([first, count]) => ({ first, count }));
  for (const chunk of chunks) {
    const endItem = chunk.firstItem + chunk.itemCount;
    await using folder = await temporaryFolder(sources.scratch);
    const manifestPath = join(folder.path, 'manifest');
    const readingsPath = await readingsOf(sources.storage, jobId, chunk, join(folder.path, 'readings'));
    const bytes = await withChunk(sources, jobId, chunk, (rendered) =>
      sources.engine.writeManifest({
        chunk: rendered,
        form,
        namesMissing,
        ...(lines && { lines }),
        replaced: replaced.filter(({ item }) => chunk.firstItem <= item && item < endItem),
        manifestPath,
        ...readingsPath,
        holder: sources.holder,
      }),
    );
    // Behind the first reading: the client of a store that is away gets an error, not half a manifest.
    if (form === 'csv' && chunk === chunks[0]) {
      yield `${namesMissing ? BYTE_ORDER_MARK : ''}${places === null ? '' : `${places.unit},`}${CSV_COLUMNS}`;
    }
    yield* sources.ranges.read(manifestPath, 0, bytes - 1);
  }
}

/** The readings of a chunk as a local file, if its codes were read back. */
async function readingsOf(
  storage: BlobStore,
  jobId: string,
  { position, attempt, readingsBytes }: ChunkPlace,
  path: string,
): Promise<{ readingsPath?: string }> {
  const key = segmentReadingsKey(jobId, position, attempt);
  return readingsBytes > 0 ? { readingsPath: await storage.materialise(key, path) } : {};
}

/** Runs `work` with the chunk's spool and index as local files. */
async function withChunk<T>(
  { storage, scratch }: Pick<Sources, 'storage' | 'scratch'>,
  jobId: string,
  { position, attempt, firstItem, itemCount, segmentBytes, ...place }: ChunkPlace,
  work: (chunk: RenderedChunk) => Promise<T>,
): Promise<T> {
  await using folder = await temporaryFolder(scratch);
  const { key, ranges, spoolOffset } = chunkSpool(jobId, position, { ...place, attempt });
  const spoolPath = await storage.materialise(key, join(folder.path, 'spool'), ranges);
  const indexPath = join(folder.path, 'index');
  // Must be awaited here: the folder ends with this scope.
  return await work({
    range: { firstItem, itemCount, spoolOffset, spoolBytes: place.spoolBytes },
    spoolPath,
    ...(segmentBytes > 0 && {
      indexPath: await storage.materialise(segmentIndexKey(jobId, position, attempt), indexPath),
    }),
  });
}
