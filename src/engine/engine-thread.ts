/** One thread of the engine; only it calls the addon. Arguments: items per chunk, then the font folders. */

import { copyFileSync, rmSync } from 'node:fs';
import * as native from '#native';
import { LIMITS } from '../contract/limits.js';
import { checkBody } from './check-body.js';
import type {
  CheckReport,
  CheckRequest,
  EngineErrorCode,
  Task,
  TaskName,
  TaskOutcome,
  TaskRequest,
  TaskValue,
} from './engine.js';
import { drawSamples, drawSmallJob, memoryFiles, writeWhole } from './small-job.js';

const [chunkItems, ...fontFolders] = process.argv.slice(2);
native.openFonts(fontFolders);

/** Limits of a spreadsheet that becomes one NDJSON body. The time is several times what the largest takes. */
const SPREADSHEET = {
  limits: { maxItems: LIMITS.ndjsonItems, maxBytes: LIMITS.ndjsonBodyBytes, maxProblems: LIMITS.issues },
  timeMs: 30_000,
};

/** Limits of a body that the caller splits into several jobs. */
const MULTI_JOB_SPREADSHEET = {
  limits: { ...SPREADSHEET.limits, maxItems: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER },
  timeMs: Number.MAX_SAFE_INTEGER,
};

/** Thread time of one call that reads codes back: other tasks wait for the thread. */
const SLICE_MS = 200;

type Run<Name extends TaskName> = (request: TaskRequest<Name>) => TaskValue<Name> | Promise<TaskValue<Name>>;

const run: { [Name in TaskName]: Run<Name> } = {
  readSpreadsheet: ({ isForSeveralJobs = false, ...request }) =>
    native.readSpreadsheet({ ...request, ...(isForSeveralJobs ? MULTI_JOB_SPREADSHEET : SPREADSHEET) }),
  check,
  renderChunk: native.renderChunk,
  renderChunks: native.renderChunks,
  finishArchive: native.finishArchive,
  writeHeaders: native.writeHeaders,
  writeEnd: native.writeEnd,
  readBack: (request) => native.readBack({ ...request, timeMs: SLICE_MS }),
  sumUpReadings: native.sumUpReadings,
  verify: async (request) => (await import('./scan.js')).verifyProofs(request, SLICE_MS),
  scan: async (request) => (await import('./scan.js')).scan(request),
  writeManifest: native.writeManifest,
  findFile: native.findFile,
  planLabels: native.planLabels,
  measureLabels: native.measureLabels,
  drawLabels: native.drawLabels,
  describe: native.describeEngine,
};

/** Checks a body. A body in memory is written to disk only if it becomes a job that is drawn later. */
function check({ body, samples, drawIfSmall = false, ...request }: CheckRequest): CheckReport {
  // Without files in memory, the paths stay those of the request.
  const places = body === undefined ? request : { ...request, ...memoryFiles() };
  if (body !== undefined) {
    writeWhole(places.bodyPath, body);
  }
  const report = checkBody({ ...places, chunkItems: Number(chunkItems) });
  if ('refusal' in report) {
    return report;
  }
  // Reading back takes much longer than drawing, so it is done in a chunk: the caller should not wait for it.
  const drawn =
    samples !== undefined
      ? drawSamples(samples, places)
      : drawIfSmall && !report.verifyItems
        ? drawSmallJob(report, places.spoolPath)
        : undefined;
  if (drawn !== undefined) {
    for (const path of places.spoolPath === request.spoolPath ? [request.bodyPath, request.spoolPath] : []) {
      rmSync(path, { force: true });
    }
    return { ...report, drawn };
  }
  if (places.spoolPath !== request.spoolPath) {
    copyFileSync(places.bodyPath, request.bodyPath);
    copyFileSync(places.spoolPath, request.spoolPath);
  }
  return report;
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
