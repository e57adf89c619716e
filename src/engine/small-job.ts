/**
 * The archive of a job of a few items, drawn while its body is checked: to come back to it later would cost many times what
 * drawing it costs, in files, rows and messages between processes.
 */

import { readFileSync, rmSync } from 'node:fs';
import * as native from '#native';
import type { CheckedBody, DrawnJob } from './engine.js';
import { type MemoryFiles, memoryFiles } from './memory-files.js';

/** The largest job that is drawn at once: what its check waits for longer is milliseconds, and its archive fits in a row. */
const SMALL_JOB = { bodyBytes: 65_536, items: 100, archiveBytes: 131_072 } as const;

/** The archive of a checked body; undefined where it is not small, or an item cannot be drawn. */
export function drawSmallJob({ total, spoolBytes, chunks }: CheckedBody, spoolPath: string): DrawnJob | undefined {
  const [chunk, ...others] = chunks;
  if (chunk === undefined || others.length > 0 || total > SMALL_JOB.items || spoolBytes > SMALL_JOB.bodyBytes) {
    return undefined;
  }
  const inMemory = memoryFiles();
  const { segmentPath, indexPath, headersPath, endPath } = inMemory ?? filesBeside(spoolPath);
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
    // Whatever it is, the job's chunk meets it again, is tried again where that may help, and says so.
    return undefined;
  } finally {
    for (const path of inMemory === null ? [segmentPath, indexPath, headersPath, endPath] : []) {
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

/** In memory of its own: a part of a larger one would cross to another thread with all of that. */
function contentOf(...paths: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.concat(paths.map((path) => readFileSync(path))));
}
