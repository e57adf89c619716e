/** `qrpress render`: the engine without a service, from a file of items to the archive that a job would produce. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachAtOnce } from '../at-once.js';
import type { CheckedBody, Engine, Proofs } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { merged, NOTHING_VERIFIED, type Verification, verifyChunk } from '../engine/verify-chunk.js';
import type { ArchiveSummary } from './figures.js';
import { checkInput, type InputOptions, requireFile } from './input-file.js';
import { outputAt } from './output.js';
import { progressBar } from './progress-bar.js';
import { scratchFolder } from './scratch-folder.js';

interface RenderOptions extends InputOptions {
  out: string;
  threads: number;
  fontDir: string | undefined;
}

/** Small, so that the threads finish a batch together and little waits for its turn. */
const CHUNK_ITEMS = 1_000;

/** Chunks per thread and batch: few enough to keep the bar moving, many enough to make starting a batch cheap. */
const CHUNKS_PER_THREAD = 8;

/**
 * Renders `file` (`-`: standard input) to `options.out`: a ZIP file, a folder of pictures, or `-` for standard output.
 * @throws ApiError as the service would; SpreadsheetRefusal
 */
export async function render(file: string, options: RenderOptions): Promise<ArchiveSummary> {
  await requireFile(file);
  const output = await outputAt(options.out);
  // In the folder of the archive, so that it is renamed into place and never visible in part.
  const scratch = scratchFolder(output.scratchParent);
  const folder = scratch.path;
  const { threads, fontDir } = options;
  // The supervisor needs one thread: the addon starts the others for a batch.
  const engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS, fontDir });
  try {
    const { checked, spoolPath } = await checkInput(engine, file, options, folder);
    const archivePath = join(folder, 'archive');
    const indexPath = join(folder, 'index');
    const paths = { spoolPath, segmentPath: archivePath, indexPath };
    const { total, verifyItems: items } = checked;
    await using readBack = items ? new ReadBack({ items, total, folder, threads, fontDir }) : undefined;
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
      ...readBack?.verification,
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
  {
    paths,
    threads,
    readBack,
  }: {
    paths: { spoolPath: string; segmentPath: string; indexPath: string };
    threads: number;
    readBack: ReadBack | undefined;
  },
): Promise<{ segmentBytes: number; failed: number }> {
  const bar = progressBar('pressing', 'items');
  // Reading takes a hundred times as long as drawing, and needs room for the pictures.
  const batchChunks = threads * (readBack ? 1 : CHUNKS_PER_THREAD);
  bar.start(total, 0);
  let [segmentStart, indexStart, failed, done] = [0, 0, 0, 0];
  try {
    while (done < chunks.length) {
      const batch = chunks.slice(done, done + batchChunks);
      const proofs = readBack && { proofs: readBack.proofs };
      const report = await engine.renderChunks({
        ...paths,
        ...proofs,
        chunks: batch,
        segmentStart,
        indexStart,
        threads,
      });
      await readBack?.read(batch.length);
      segmentStart += report.segmentBytes;
      indexStart += report.indexBytes;
      failed += report.failed;
      done += batch.length;
      bar.increment(report.completed + report.failed);
    }
  } finally {
    bar.stop();
  }
  return { segmentBytes: segmentStart, failed };
}

interface ReadBackOptions {
  /** Number of items to read, and of all items of the job. */
  items: number;
  total: number;
  /** For temporary files. */
  folder: string;
  threads: number;
  fontDir: string | undefined;
}

/** Reads back the pictures of each batch, from the proofs written beside them, on several threads, and adds up the results. */
class ReadBack {
  /** The proofs that the engine writes while it draws. */
  readonly proofs: Proofs;
  verification: Verification = NOTHING_VERIFIED;
  readonly #engine: EngineSupervisor;
  readonly #threads: number;

  constructor({ items, total, folder, threads, fontDir }: ReadBackOptions) {
    this.proofs = { path: join(folder, 'proofs'), items, total };
    this.#engine = new EngineSupervisor({ threads, chunkItems: 1, fontDir });
    this.#threads = threads;
  }

  /** Reads and removes the proofs of the batch drawn last, which has that many chunks. */
  async read(chunks: number): Promise<void> {
    const paths = Array.from({ length: chunks }, (_, place) => `${this.proofs.path}.${place}`);
    await forEachAtOnce(paths, this.#threads, async (path) => {
      const read = await verifyChunk(this.#engine, path);
      this.verification = merged(this.verification, read);
      await rm(path);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }
}
