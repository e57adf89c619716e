/** `qrpress render`: the engine without a service, from a file of items to the archive that a job would give out. */

import { mkdtempSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { SingleBar } from 'cli-progress';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import type { CheckedBody, Engine } from '../engine/engine.js';
import { type InputOptions, checkInput, requireFile } from './input-file.js';
import { outputAt } from './output.js';

export interface RenderOptions extends InputOptions {
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
  indexPath: string;
  segmentBytes: number;
  failed: number;
}

/**
 * Renders `file` (`-` is standard input) to `options.out`: a ZIP file, a folder of pictures, or `-` for standard output.
 *
 * @throws ApiError as the service would answer it; SpreadsheetRefusal
 */
export async function render(file: string, options: RenderOptions): Promise<RenderSummary> {
  await requireFile(file);
  const output = await outputAt(options.out);
  // Beside an archive, so that it is renamed into place and never half there.
  const scratch = scratchFolder(output.scratchParent);
  const folder = scratch.path;
  const { threads, chunkItems, fontDir } = options;
  const engine = new EngineSupervisor({ threads, chunkItems, fontDir });
  try {
    const { checked, spoolPath } = await checkInput(engine, file, options, folder);
    const parts = await renderParts(engine, checked, folder, spoolPath, threads);
    const endPath = join(folder, 'end');
    const { archiveBytes } = await engine.finishArchive({ parts, endPath });
    await output.write({ segmentPaths: parts.map((part) => part.segmentPath), endPath });
    const failed = parts.reduce((sum, part) => sum + part.failed, 0);
    return {
      total: checked.total,
      completed: checked.total - failed,
      failed,
      archive: options.out,
      archiveBytes,
    };
  } finally {
    await engine.close();
    scratch.remove();
  }
}

/** Renders every chunk, as many at a time as there are threads. */
async function renderParts(
  engine: Engine,
  { chunks, total }: CheckedBody,
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
      const indexPath = `${segmentPath}.index`;
      const { segmentBytes, failed } = await engine.renderChunk({
        ...chunk,
        spoolPath,
        segmentPath,
        indexPath,
      });
      parts[position] = { segmentPath, indexPath, segmentBytes, failed };
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface ScratchFolder {
  path: string;
  remove: () => void;
}

/** A folder for the time of a command: removed at the end, and when the command is interrupted. @param parent folder that it is made in */
function scratchFolder(parent: string): ScratchFolder {
  // In one step with the handlers below: no signal is heard between them.
  const path = mkdtempSync(join(parent, '.qrpress-'));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    remove();
    // Exit code of a program that a signal ended, as shells give it.
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) {
    process.once(signal, onSignal);
  }
  return {
    path,
    remove: () => {
      for (const signal of SIGNALS) {
        process.off(signal, onSignal);
      }
      remove();
    },
  };
}
