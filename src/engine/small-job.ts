/**
 * Draws the archive of a small job while its body is checked. Drawing it later would cost many times more, in files,
 * rows and messages between processes.
 */

import { readFileSync, rmSync } from 'node:fs';
import * as native from '#native';
import type { CheckedBody, DrawnJob } from './engine.js';
import { type MemoryFiles, memoryFiles } from './memory-files.js';

/**
 * The largest job that is drawn during its check: the check takes only milliseconds longer, and the archive fits in a
 * row.
 */
const SMALL_JOB = { bodyBytes: 65_536, items: 100, archiveBytes: 131_072 } as const;

/** Draws the archive of a checked body. Undefined when the job is not small, or an item cannot be drawn. */
export function drawSmallJob({ total, spoolBytes, chunks }: CheckedBody, spoolPath: string): DrawnJob | undefined {
  const [chunk, ...others] = chunks;
  if (chunk === undefined || others.length > 0 || total > SMALL_JOB.items || spoolBytes > SMALL_JOB.bodyBytes) {
    return undefined;
  }
  const memory = memoryFiles();
  const { segmentPath, indexPath, headersPath, endPath } = memory ?? filesBeside(spoolPath);
  try {
    const {
      failed,
      failures: _,
      completed: _completed,
      ...size
    } = native.renderChunk({
      ...chunk,
      spoolPath,
      segmentPath,
      indexPath,
    });
    const { segmentBytes, headerBytes, entries } = size;
    if (failed > 0 || segmentBytes + headerBytes > SMALL_JOB.archiveBytes) {
      return undefined;
    }
    native.writeHeaders({ indexPath, segmentBytes, offset: 0, headersPath });
    native.writeEnd({ entries, segmentBytes, headerBytes, endPath });
    return {
      ...size,
      spool: contentOf(spoolPath),
      segment: contentOf(segmentPath),
      index: contentOf(indexPath),
      archiveEnd: contentOf(headersPath, endPath),
    };
  } catch {
    // The job's chunk will meet the same error, be retried where that helps, and report it.
    return undefined;
  } finally {
    for (const path of memory === null ? [segmentPath, indexPath, headersPath, endPath] : []) {
      rmSync(path, { force: true });
    }
  }
}

function filesBeside(spoolPath: string): Omit<MemoryFiles, 'bodyPath' | 'spoolPath'> {
  const path = (name: string) => `${spoolPath}-${name}`;
  return {
    segmentPath: path('segment'),
    indexPath: path('index'),
    headersPath: path('headers'),
    endPath: path('end'),
  };
}

/** Copies into a buffer of its own: a slice would be sent to another thread with the whole underlying buffer. */
function contentOf(...paths: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.concat(paths.map((path) => readFileSync(path))));
}
