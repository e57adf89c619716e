/** One thread of the engine, the only door to the addon. Its arguments: the items of a chunk, then the font folders. */

import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import * as native from '#native';
import { LIMITS } from '../contract/limits.js';
import { checkBody } from './check-body.js';
import type { CheckReport, CheckRequest } from './engine.js';
import type { Task, TaskName, TaskOutcome, TaskRequest, TaskValue } from './task-messages.js';
import { memoryFiles } from './memory-files.js';
import { drawSmallJob } from './small-job.js';

const [chunkItems, ...fontFolders] = process.argv.slice(2);
native.openFonts(fontFolders);

/** A spreadsheet becomes an NDJSON body. */
const SPREADSHEET_LIMITS = {
  maxItems: LIMITS.ndjsonItems,
  maxBytes: LIMITS.ndjsonBodyBytes,
  maxProblems: LIMITS.issues,
};

/** Whoever splits it into jobs has room for the body. */
const WIDE_LIMITS = {
  ...SPREADSHEET_LIMITS,
  maxItems: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
};

type Run<Name extends TaskName> = (request: TaskRequest<Name>) => TaskValue<Name> | Promise<TaskValue<Name>>;

const run: { [Name in TaskName]: Run<Name> } = {
  readSpreadsheet: ({ isForSeveralJobs = false, ...request }) =>
    native.readSpreadsheet({ ...request, limits: isForSeveralJobs ? WIDE_LIMITS : SPREADSHEET_LIMITS }),
  check,
  renderChunk: native.renderChunk,
  renderChunks: ({ chunks, ...request }) => native.renderChunks({ ...request, chunks: [...chunks] }),
  finishArchive: native.finishArchive,
  writeHeaders: native.writeHeaders,
  writeEnd: native.writeEnd,
  verify: async (request) => (await import('./verify-proofs.js')).verifyProofs(request),
  scan: async (request) => (await import('./scan.js')).scan(request),
  writeManifest: native.writeManifest,
  findFile: native.findFile,
  describe: native.describeEngine,
};

/** A body that came in memory stays there, unless it becomes a job that is drawn later. */
function check({ body, drawIfSmall = false, ...request }: CheckRequest): CheckReport {
  const places = body === undefined ? request : { ...request, ...memoryFiles() };
  if (body !== undefined) {
    writeFileSync(places.bodyPath, body, { mode: 0o600 });
  }
  const report = checkBody({ ...places, chunkItems: Number(chunkItems) });
  if ('refusal' in report) {
    return report;
  }
  // Reading takes much longer than drawing: whoever wants it waits for a chunk, and not the caller for an answer.
  const drawn = drawIfSmall && !report.verifyItems ? drawSmallJob(report, places.spoolPath) : undefined;
  if (drawn !== undefined) {
    rmSync(request.bodyPath, { force: true });
    rmSync(request.spoolPath, { force: true });
    return { ...report, drawn };
  }
  if (places.spoolPath !== request.spoolPath) {
    copyFileSync(places.bodyPath, request.bodyPath);
    copyFileSync(places.spoolPath, request.spoolPath);
  }
  return report;
}

/** Runs `task` to its end; the thread does nothing else meanwhile. */
export async function runTask<Name extends TaskName>({ name, request }: Task<Name>): Promise<TaskOutcome<Name>> {
  try {
    return { value: await run[name](request) };
  } catch (error) {
    const { code = 'defect', message } = error as Error & { code?: string };
    return { error: { code, message } };
  }
}
