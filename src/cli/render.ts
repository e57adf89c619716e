/** `qrpress render`: the engine without a service, from a file of items to the archive that a job would produce. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabelParameters } from '../contract/label-request.js';
import { forEachAtOnce } from '../platform/concurrency.js';
import { refuse } from './arguments.js';
import type { CheckedBody, ChunkRange, Engine, RenderChunkReport } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { merged, NOTHING_VERIFIED, phoneItemsOf, toldOf, verifyChunk } from '../engine/verify-chunk.js';
import type { ArchiveSummary } from './figures.js';
import { progressBar } from './progress-bar.js';
import { checkInput, filesRead, type InputOptions, requireFile } from './input-file.js';
import { checkLabels, writeLabels } from './labels.js';
import { outputAt } from './output.js';
import { scratchFolder } from './scratch-folder.js';

interface RenderOptions extends InputOptions {
  out: string;
  /** Draws labels instead of an archive. */
  labels?: LabelParameters | undefined;
  threads: number;
  fontDir: string | undefined;
}

/** Small, so that the threads finish a batch together and little waits for its turn. */
const CHUNK_ITEMS = 1_000;

/** Chunks per thread and batch: few enough to keep the bar moving, many enough to make starting a batch cheap. */
const CHUNKS_PER_THREAD = 8;

const NOT_READ_BACK =
  'Labels are not read back: leave out --verify, or render the file without --labels to have its codes read back.';

/**
 * Renders `file` (`-`: standard input) to `options.out`: a ZIP file, a folder of pictures, a PDF of labels, or `-` for standard
 * output.
 * @throws ApiError as the service would; SpreadsheetRefusal
 */
export async function render(file: string, options: RenderOptions): Promise<ArchiveSummary> {
  if (options.labels !== undefined && (options.verify ?? 'none') !== 'none') refuse(NOT_READ_BACK);
  await requireFile(file);
  const output = await outputAt(options.out, {
    filesRead: filesRead(file, options),
    mustBeFile: options.labels !== undefined,
  });
  // In the folder of the archive, so that it is renamed into place and never visible in part.
  const scratch = scratchFolder(output.scratchParent);
  const folder = scratch.path;
  const { threads, fontDir } = options;
  // The supervisor needs one thread: the addon starts the others for a batch.
  const folders = { readable: [file], writable: [folder] };
  const engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS, fontDir, folders });
  try {
    const { checked, spoolPath } = await checkInput(engine, file, options, folder);
    const { labels, onNotice, out } = options;
    const skipped = checked.skippedRows ? { skippedRows: checked.skippedRows } : {};
    if (labels !== undefined) {
      if (checked.verifyItems) onNotice?.(NOT_READ_BACK);
      const labelled = await checkLabels({ engine, checked, spoolPath, folder, onNotice }, labels);
      const { path, bytes: archiveBytes } = await writeLabels(labelled);
      await output.write({ path, segmentBytes: 0 });
      return { total: checked.total, completed: checked.total, failed: 0, ...skipped, archive: out, archiveBytes };
    }
    const archivePath = join(folder, 'archive');
    const indexPath = join(folder, 'index');
    const paths = { spoolPath, segmentPath: archivePath, indexPath };
    const { total, verifyItems: items } = checked;
    await using readBack = items ? new ReadBack({ items, total, folder, paths, threads, fontDir }) : undefined;
    const { segmentBytes, failed } = await renderAll(engine, checked, { paths, threads, readBack });
    const { archiveBytes } = await engine.finishArchive({
      parts: [{ indexPath, segmentBytes }],
      endPath: archivePath,
      endStart: segmentBytes,
    });
    await output.write({ path: archivePath, segmentBytes });
    return {
      total: checked.total,
      completed: checked.total - failed,
      failed,
      ...skipped,
      ...(readBack && toldOf(readBack.verification)),
      archive: options.out,
      archiveBytes,
    };
  } finally {
    await engine.close();
    scratch.remove();
  }
}

/** Appends every chunk to the previous one, so that nothing is written twice. */
async function renderAll(
  engine: Engine,
  { chunks, total }: CheckedBody,
  { paths, threads, readBack }: { paths: ArchivePaths; threads: number; readBack: ReadBack | undefined },
): Promise<{ segmentBytes: number; failed: number }> {
  const bar = progressBar('pressing', 'items');
  // Reading takes longer than drawing: the bar keeps moving.
  const batchChunks = threads * (readBack ? 1 : CHUNKS_PER_THREAD);
  bar.start(total, 0);
  let [segmentStart, indexStart, failed, done] = [0, 0, 0, 0];
  try {
    while (done < chunks.length) {
      const batch = chunks.slice(done, done + batchChunks);
      const reports = await engine.renderChunks({ ...paths, chunks: batch, segmentStart, indexStart, threads });
      const drawn: DrawnChunk[] = [];
      for (const [place, chunk] of batch.entries()) {
        const report = reports[place];
        if (report === undefined) {
          throw new Error('The engine reported fewer chunks than it drew');
        }
        drawn.push({ chunk, segmentOffset: segmentStart, indexOffset: indexStart, indexBytes: report.indexBytes });
        segmentStart += report.segmentBytes;
        indexStart += report.indexBytes;
        failed += report.failed;
      }
      await readBack?.read(drawn);
      done += batch.length;
      bar.increment(batch.reduce((items, { itemCount }) => items + itemCount, 0));
    }
  } finally {
    bar.stop();
  }
  return { segmentBytes: segmentStart, failed };
}

/** The files of a job: of its chunks, each lies behind the one before. */
interface ArchivePaths {
  spoolPath: string;
  segmentPath: string;
  indexPath: string;
}

/** A chunk's place in the files. */
interface DrawnChunk extends Pick<RenderChunkReport, 'indexBytes'> {
  chunk: ChunkRange;
  segmentOffset: number;
  indexOffset: number;
}

interface ReadBackOptions {
  /** Number of items to read, and of all items of the job. */
  items: number;
  total: number;
  paths: ArchivePaths;
  /** For temporary files. */
  folder: string;
  threads: number;
  fontDir: string | undefined;
}

/** Reads back each batch on several threads, and adds up the results. */
class ReadBack {
  verification = NOTHING_VERIFIED;
  readonly #options: ReadBackOptions;
  readonly #engine: EngineSupervisor;

  constructor(options: ReadBackOptions) {
    this.#options = options;
    const { threads, fontDir, folder } = options;
    const folders = { readable: [], writable: [folder] };
    this.#engine = new EngineSupervisor({ threads, chunkItems: 1, fontDir, folders });
  }

  async read(chunks: readonly DrawnChunk[]): Promise<void> {
    const { items, total, paths, folder, threads } = this.#options;
    await forEachAtOnce(chunks, threads, async (drawn) => {
      const name = join(folder, String(drawn.chunk.firstItem));
      const [readingsPath, proofsPath] = [`${name}.readings`, `${name}.proofs`];
      const phoneItems = phoneItemsOf(items);
      const read = await verifyChunk(this.#engine, {
        ...drawn,
        ...paths,
        readingsPath,
        proofsPath,
        items,
        phoneItems,
        total,
      });
      this.verification = merged(this.verification, read);
      await Promise.all([rm(readingsPath), rm(proofsPath)]);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }
}
