/** `qrpress render`: the engine without a service, from a file of items to the archive that a job would give out. */

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { SingleBar } from 'cli-progress';

import { ApiError } from '../errors.js';
import type { CheckReport, Engine } from '../render/engine.js';
import { Farm } from '../render/farm.js';
import { type BodyOverrides, requireFile, writeBody } from './input-file.js';

export interface RenderOptions extends BodyOverrides {
  out: string;
  threads: number;
  chunkItems: number;
  fontDir: string | undefined;
}

export interface RenderSummary {
  total: number;
  completed: number;
  failed: number;
  archive: string;
  archiveBytes: number;
}

interface Part {
  segmentPath: string;
  directoryPath: string;
  segmentBytes: number;
  failed: number;
}

type Accepted = Exclude<CheckReport, { refusal: unknown }>;

/**
 * Renders `file` (`-` is standard input) to `options.out`.
 *
 * @throws ApiError as the service would answer it
 */
export async function render(file: string, options: RenderOptions): Promise<RenderSummary> {
  await requireFile(file);
  // Beside the result, so that the finished archive is renamed into place and never half there.
  const folder = await mkdtemp(join(dirname(options.out), '.qrpress-'));
  const { threads, chunkItems, fontDir } = options;
  const engine = new Farm({ threads, chunkItems, fontDir });
  try {
    const bodyPath = join(folder, 'body');
    const spoolPath = join(folder, 'spool');
    const form = await writeBody(file, options, bodyPath);
    const report = await engine.check({ bodyPath, form, spoolPath });
    if ('refusal' in report) {
      const { code, message, ...members } = report.refusal;
      throw new ApiError(code, message, members);
    }
    const parts = await renderParts(engine, report, folder, spoolPath, threads);
    const tailPath = join(folder, 'tail');
    const { archiveBytes } = await engine.finishArchive({ parts, tailPath });
    const archivePath = join(folder, 'archive');
    for (const path of [...parts.map((part) => part.segmentPath), tailPath]) {
      await pipeline(
        createReadStream(path, { highWaterMark: 1 << 20 }),
        createWriteStream(archivePath, { flags: 'a' }),
      );
      await rm(path);
    }
    await rename(archivePath, options.out);
    const failed = parts.reduce((sum, part) => sum + part.failed, 0);
    return {
      total: report.total,
      completed: report.total - failed,
      failed,
      archive: options.out,
      archiveBytes,
    };
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Renders every chunk, as many at a time as there are threads. */
async function renderParts(
  engine: Engine,
  { chunks, total }: Accepted,
  folder: string,
  spoolPath: string,
  threads: number,
): Promise<Part[]> {
  const bar = new SingleBar({
    format: 'pressing [{bar}] {percentage} %  {value} of {total} items',
    stream: process.stderr,
  });
  bar.start(total, 0);
  const parts: Part[] = [];
  const waiting = chunks.entries();
  const lane = async () => {
    for (const [position, chunk] of waiting) {
      const segmentPath = join(folder, `segment-${position}`);
      const directoryPath = `${segmentPath}.directory`;
      const { segmentBytes, failed } = await engine.renderChunk({
        ...chunk,
        spoolPath,
        segmentPath,
        directoryPath,
      });
      parts[position] = { segmentPath, directoryPath, segmentBytes, failed };
      bar.increment(chunk.itemCount);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, lane));
  } finally {
    bar.stop();
  }
  return parts;
}
