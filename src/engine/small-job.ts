/**
 * Draws the archive of a small job while its body is checked, in files in memory. Drawing it later would cost many times
 * more, in files, rows and messages between processes.
 */

import { randomUUID } from 'node:crypto';
import { openSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as native from '#native';
import { checkBody } from './check-body.js';
import type { CheckedBody, CheckRequest, DrawnJob } from './engine.js';

/**
 * The largest job that is drawn during its check: the check takes only milliseconds longer, and the archive fits in a
 * row.
 */
const SMALL_JOB = { spoolBytes: 65_536, items: 100, archiveBytes: 131_072 } as const;

const ANY_SIZE = {
  spoolBytes: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
  archiveBytes: Number.POSITIVE_INFINITY,
};

/** The usual mount point of a file system in memory. */
const MEMORY = '/dev/shm';

const NAMES = ['bodyPath', 'spoolPath', 'segmentPath', 'indexPath', 'headersPath', 'endPath'] as const;

/** Paths that only this process can open. The files disappear with the process. */
type MemoryFiles = Readonly<Record<(typeof NAMES)[number], string>>;

/** Draws the archive of a body of a few items, which is checked first. Undefined when they cannot be drawn. */
export function drawSamples(samples: Uint8Array, request: CheckRequest): DrawnJob | undefined {
  writeFileSync(request.bodyPath, samples);
  const report = checkBody({ ...request, chunkItems: SMALL_JOB.items });
  return 'refusal' in report ? undefined : drawSmallJob(report, request.spoolPath, ANY_SIZE);
}

/** Draws the archive of a checked body. Undefined when the job is not small, or an item cannot be drawn. */
export function drawSmallJob(
  { total, spoolBytes, chunks }: CheckedBody,
  spoolPath: string,
  most: { spoolBytes: number; items: number; archiveBytes: number } = SMALL_JOB,
): DrawnJob | undefined {
  const [chunk, ...others] = chunks;
  if (chunk === undefined || others.length > 0 || total > most.items || spoolBytes > most.spoolBytes) {
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
      chunk,
      spoolPath,
      segmentPath,
      indexPath,
    });
    const { segmentBytes, headerBytes, entries } = size;
    if (failed > 0 || segmentBytes + headerBytes > most.archiveBytes) {
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

let files: MemoryFiles | null | undefined;

/**
 * The files in memory of this thread, reused for one job after another: creating files on a disk takes longer than drawing
 * a few items into them. Null when the system has no such file system.
 */
export function memoryFiles(): MemoryFiles | null {
  if (files === undefined) {
    files = openFiles();
  }
  return files;
}

function openFiles(): MemoryFiles | null {
  try {
    return Object.fromEntries(NAMES.map((name) => [name, openFile()])) as MemoryFiles;
  } catch {
    return null;
  }
}

function openFile(): string {
  const name = join(MEMORY, `qrpress-${randomUUID()}`);
  const path = `/proc/self/fd/${openSync(name, 'wx+', 0o600)}`;
  unlinkSync(name);
  writeFileSync(path, '');
  return path;
}
