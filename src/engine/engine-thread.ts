/**
 * One thread of the engine: every task of it. Arguments: items per chunk, then the font folders. A small job is drawn while its
 * body is checked: drawing it later would cost many times more, in files, rows and messages between processes.
 */

import { rmSync, writeFileSync } from 'node:fs';
import { LIMITS } from '../contract/limits.js';
import { native } from './addon.js';
import { checkBody } from './check-body.js';
import type {
  CheckReport,
  CheckRequest,
  EngineErrorCode,
  SamplesReport,
  SamplesRequest,
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

/**
 * The largest job that is drawn during its check: the check takes only milliseconds longer, and the archive fits in a
 * row.
 */
const SMALL_JOB = { maxItems: 100, maxSpoolBytes: 65_536, maxArchiveBytes: 131_072 };

/** For samples, which are not kept: a few pictures of the largest size. */
const SAMPLES = { maxItems: 100, maxSpoolBytes: 8_000_000, maxArchiveBytes: 64_000_000 };

/** Thread time of one call that reads codes back: other tasks wait for the thread. */
const SLICE_MS = 200;

type Run<Name extends TaskName> = (request: TaskRequest<Name>) => TaskValue<Name> | Promise<TaskValue<Name>>;

const run: { [Name in TaskName]: Run<Name> } = {
  readSpreadsheet: ({ isForSeveralJobs = false, maxProblems = LIMITS.issues, ...request }) => {
    const { limits, timeMs } = isForSeveralJobs ? MULTI_JOB_SPREADSHEET : SPREADSHEET;
    const { archiveNameCharacters: maxArchiveNameCharacters } = LIMITS;
    return native.readSpreadsheet({ ...request, timeMs, limits: { ...limits, maxProblems, maxArchiveNameCharacters } });
  },
  check,
  drawSamples,
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
  changeLines: native.changeLines,
  describe: native.describeEngine,
};

/** Checks a body. A body in memory is written to disk only if it becomes a job that is drawn later. */
function check(request: CheckRequest): CheckReport {
  const { body, drawIfSmall = false, bodyPath, spoolPath } = request;
  const draw = drawIfSmall ? SMALL_JOB : undefined;
  const report = checkBody({ ...request, chunkItems: Number(chunkItems), draw });
  if ('refusal' in report) {
    return report;
  }
  if (body === undefined && report.drawn !== undefined) {
    removeAll([bodyPath, spoolPath]);
  } else if (body !== undefined && report.drawn === undefined) {
    writeFileSync(bodyPath, body, { mode: 0o600 });
  }
  return report;
}

function drawSamples({ body, samples }: SamplesRequest): SamplesReport {
  const inMemory = { bodyPath: '', spoolPath: undefined, form: 'ndjson', chunkItems: SAMPLES.maxItems } as const;
  // They are of a person's list.
  const report = checkBody({ ...inMemory, body, distinctNames: true });
  if ('refusal' in report) {
    return report;
  }
  const drawing = checkBody({ ...inMemory, body: samples, draw: SAMPLES });
  const drawn = 'refusal' in drawing ? undefined : drawing.drawn;
  if (drawn === undefined) {
    throw new Error('The samples passed their check and were not drawn');
  }
  const { warnings, cutLogo, actions } = report;
  return { warnings, cutLogo, actions, pictures: native.filesOfSegment(drawn.segment, drawn.index) };
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
