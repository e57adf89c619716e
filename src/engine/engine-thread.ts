/**
 * One thread of the engine: every task of it. Arguments: items per chunk, then the font folders. A small job is drawn while its
 * body is checked, in files in memory: drawing it later would cost many times more, in files, rows and messages between
 * processes.
 */

import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as native from '#native';
import { LIMITS } from '../contract/limits.js';
import { checkBody } from './check-body.js';
import type {
  CheckedBody,
  CheckReport,
  CheckRequest,
  DrawnJob,
  EngineErrorCode,
  Task,
  TaskName,
  TaskOutcome,
  TaskRequest,
  TaskValue,
} from './engine.js';

const [chunkItems, ...fontFolders] = process.argv.slice(2);
native.openFonts(fontFolders);

/** Limits of a spreadsheet that becomes one NDJSON body. The time is several times what the largest takes. */
const SPREADSHEET = {
  limits: { maxItems: LIMITS.ndjsonItems, maxBytes: LIMITS.ndjsonBodyBytes },
  timeMs: 30_000,
};

/** Limits of a body that the caller splits into several jobs. */
const MULTI_JOB_SPREADSHEET = {
  limits: { maxItems: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER },
  timeMs: Number.MAX_SAFE_INTEGER,
};

/** Thread time of one call that reads codes back: other tasks wait for the thread. */
const SLICE_MS = 200;

type Run<Name extends TaskName> = (request: TaskRequest<Name>) => TaskValue<Name> | Promise<TaskValue<Name>>;

const run: { [Name in TaskName]: Run<Name> } = {
  readSpreadsheet: ({ isForSeveralJobs = false, maxProblems = LIMITS.issues, ...request }) => {
    const { limits, timeMs } = isForSeveralJobs ? MULTI_JOB_SPREADSHEET : SPREADSHEET;
    return native.readSpreadsheet({ ...request, timeMs, limits: { ...limits, maxProblems } });
  },
  check,
  renderChunk: native.renderChunk,
  renderChunks: native.renderChunks,
  finishArchive: native.finishArchive,
  writeHeaders: native.writeHeaders,
  writeEnd: native.writeEnd,
  readBack: (request) => native.readBack({ ...request, timeMs: SLICE_MS }),
  sumUpReadings: native.sumUpReadings,
  verify: async (request) => (await import('./scan.js')).verifyProofs(request, SLICE_MS),
  seeItem: native.seeItem,
  scan: async (request) => (await import('./scan.js')).scan(request),
  writeManifest: native.writeManifest,
  findFile: native.findFile,
  planLabels: native.planLabels,
  measureLabels: native.measureLabels,
  drawLabels: native.drawLabels,
  describe: native.describeEngine,
};

/**
 * Checks a body. A body in memory is written to disk only if it becomes a job that is drawn later, or has no room in the files
 * in memory: containers usually have 64 MB for those of all threads.
 */
function check(request: CheckRequest): CheckReport {
  // Without files in memory, the paths stay those of the request.
  const memory = request.body === undefined ? null : memoryFiles();
  try {
    return checkAt({ ...request, ...memory }, request);
  } catch (error) {
    const { code } = error as { code?: string };
    // An error of the addon's files, or of those that this thread writes.
    if (memory === null || (code !== 'io' && code !== 'ENOSPC')) {
      throw error;
    }
  }
  return checkAt(request, request);
}

/** @param places the request, with the files in memory where they are used */
function checkAt(places: CheckRequest, request: CheckRequest): CheckReport {
  const { body, samples, drawIfSmall = false } = request;
  if (body !== undefined) {
    writeWhole(places.bodyPath, body);
  }
  const report = checkBody({ ...places, chunkItems: Number(chunkItems) });
  if ('refusal' in report) {
    return report;
  }
  let drawn: DrawnJob | undefined;
  if (samples !== undefined) {
    drawn = drawSamples(samples, places);
  } else if (drawIfSmall && !report.verifyItems) {
    // Reading back takes much longer than drawing, so it is done in a chunk: the caller should not wait for it.
    drawn = drawSmallJob(report, places.spoolPath);
  }
  const isInMemory = places.spoolPath !== request.spoolPath;
  if (drawn !== undefined && !isInMemory) {
    removeAll([request.bodyPath, request.spoolPath]);
  } else if (drawn === undefined && isInMemory) {
    copyFileSync(places.bodyPath, request.bodyPath);
    copyFileSync(places.spoolPath, request.spoolPath);
  }
  return { ...report, drawn };
}

function removeAll(paths: readonly string[]): void {
  for (const path of paths) {
    rmSync(path, { force: true });
  }
}

/** Runs one task to its end. The thread does nothing else meanwhile. */
export async function runTask<Name extends TaskName>({ name, request }: Task<Name>): Promise<TaskOutcome<Name>> {
  try {
    return { value: await run[name](request) };
  } catch (error) {
    const { code = 'defect', message } = error as Error & { code?: EngineErrorCode };
    return { error: { code, message } };
  }
}

/**
 * The largest job that is drawn during its check: the check takes only milliseconds longer, and the archive fits in a
 * row.
 */
const SMALL_JOB = { spoolBytes: 65_536, items: 100, archiveBytes: 131_072 } as const;

/** For samples, which are not kept. */
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
function drawSamples(samples: Uint8Array, request: CheckRequest): DrawnJob | undefined {
  writeWhole(request.bodyPath, samples);
  const report = checkBody({ ...request, chunkItems: SMALL_JOB.items });
  return 'refusal' in report ? undefined : drawSmallJob(report, request.spoolPath, ANY_SIZE);
}

/** Draws the archive of a checked body. Undefined when the job is not small, or an item cannot be drawn. */
function drawSmallJob(
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
    const report = native.renderChunk({ chunk, spoolPath, segmentPath, indexPath });
    const { failed, segmentBytes, indexBytes, headerBytes, entries } = report;
    if (failed > 0 || segmentBytes + headerBytes > most.archiveBytes) {
      return undefined;
    }
    native.writeHeaders({ indexPath, segmentBytes, offset: 0, headersPath });
    native.writeEnd({ entries, segmentBytes, headerBytes, endPath });
    const [spool, segment, index, archiveEnd] = contentsOf([
      [spoolPath],
      [segmentPath],
      [indexPath],
      [headersPath, endPath],
    ]);
    return { segmentBytes, indexBytes, headerBytes, entries, spool, segment, index, archiveEnd };
  } catch {
    // The job's chunk will meet the same error, be retried where that helps, and report it.
    return undefined;
  } finally {
    if (memory === null) {
      removeAll([segmentPath, indexPath, headersPath, endPath]);
    } else {
      emptyLarge(segmentPath);
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

/** The contents of files, joined in each group. All lie in one buffer of just that length, which is sent to another thread once. */
function contentsOf<const Groups extends readonly (readonly string[])[]>(groups: Groups) {
  const parts = groups.map((paths) => paths.map(readWhole));
  const bytes = new Uint8Array(parts.flat().reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const contents = parts.map((files) => {
    const start = end;
    for (const file of files) {
      bytes.set(file, end);
      end += file.length;
    }
    return bytes.subarray(start, end);
  });
  return contents as unknown as { [Index in keyof Groups]: Uint8Array };
}

/** Descriptors of the files in memory, by their paths: to open one again takes longer than to read it. */
const descriptors = new Map<string, number>();

function readWhole(path: string): Buffer {
  const file = descriptors.get(path);
  if (file === undefined) {
    return readFileSync(path);
  }
  const content = Buffer.allocUnsafe(fstatSync(file).size);
  return content.subarray(0, readSync(file, content, 0, content.length, 0));
}

/** Writes a file that only this process may read. */
function writeWhole(path: string, content: Uint8Array): void {
  const file = descriptors.get(path);
  if (file === undefined) {
    writeFileSync(path, content, { mode: 0o600 });
    return;
  }
  ftruncateSync(file);
  for (let start = 0; start < content.length; ) {
    start += writeSync(file, content, start, content.length - start, start);
  }
}

/** Empties a file in memory that is larger than those of small jobs: the thread may not write to it again for long. */
function emptyLarge(path: string): void {
  const file = descriptors.get(path);
  if (file !== undefined && fstatSync(file).size > SMALL_JOB.archiveBytes) {
    ftruncateSync(file);
  }
}

let files: MemoryFiles | null | undefined;

/**
 * The files in memory of this thread, reused for one job after another: creating files on a disk takes longer than drawing
 * a few items into them. Null when the system has no such file system.
 */
function memoryFiles(): MemoryFiles | null {
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
  const file = openSync(name, 'wx+', 0o600);
  const path = `/proc/self/fd/${file}`;
  unlinkSync(name);
  writeFileSync(path, '');
  descriptors.set(path, file);
  return path;
}
