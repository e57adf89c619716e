/**
 * The engine's tasks and results as plain data that crosses threads and processes. Types that the addon defines come
 * from `native/index.d.ts`.
 */

import type {
  ActionCount,
  BodyForm,
  BodyRefusal,
  ChangedLines,
  ChangeLinesRequest,
  ChunkRange,
  DrawLabelsRequest,
  DrawnJob,
  EngineDescription,
  FindFileRequest,
  FinishArchiveReport,
  FinishArchiveRequest,
  FoundFile,
  ItemRange,
  LabelFit,
  LabelLayout,
  LineRun,
  MeasureLabelsRequest,
  ReadBackRequest,
  ReadingsSummary,
  ReadSpreadsheetReport,
  ReadSpreadsheetRequest,
  RenderChunkReport,
  RenderChunkRequest,
  RenderChunksRequest,
  SeeItemRequest,
  SeenItem,
  SumUpReadingsRequest,
  Warning,
  WriteEndRequest,
  WriteHeadersRequest,
  WriteManifestRequest,
} from '#native';
import type { CONTENT_CODES } from '../contract/errors.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Shortage } from '../platform/shortage.js';

export type * from '#native';

/** The codes of a job that are read back. */
export type Verify = NonNullable<JobMeta['verify']>;

/** A task that is free of charge, and as long as its caller makes it. */
export interface FreeRequest {
  /** The person or organisation whose task it is. Those of several take turns. */
  holder?: string | undefined;
}

export interface CheckRequest extends FreeRequest {
  /** The file of the received body. When `body` is set, it is written only for a job that is drawn later, as is the spool. */
  bodyPath: string;
  /** The body, when it is in memory. */
  body?: Uint8Array | undefined;
  form: BodyForm;
  /** Path of the spool, which is written if nothing is wrong. */
  spoolPath: string;
  /** Leaves out items with a fault. Without it they refuse the body. */
  skipFaulty?: boolean;
  /** Adds a suffix only to a name that is in use, whatever the form. */
  distinctNames?: boolean;
  /** Faults that a report lists, instead of a hundred. */
  maxIssues?: number;
  /** Draws the archive during the check if the job is small. Body and spool are removed then. */
  drawIfSmall?: boolean;
}

/** A few items to be looked at, of which nothing is kept. */
export interface SamplesRequest extends FreeRequest {
  /** The NDJSON body that is checked. */
  body: Uint8Array;
  /** The NDJSON body that is drawn: the same items at the size of a screen. One thread does both, so that a logo is decoded once. */
  samples: Uint8Array;
}

/** The settings of a body. Members of the style that are absent have their defaults. */
export type JobSettings = JobMeta & Required<Omit<JobMeta, 'name'>>;

/** The first hundred issues. `issueCount` counts all. */
export type Findings = Pick<BodyRefusal, 'issues' | 'issueCount'>;

/** The first kind of fault, in the order of checks, that a body is refused for. */
export interface CheckRefusal extends Omit<BodyRefusal, 'code'> {
  code: (typeof CONTENT_CODES)[number];
}

/** The result for a valid body. Its spool is written but not synced. */
export interface CheckedBody {
  sendEmail: boolean;
  name?: string | undefined;
  format: JobSettings['format'];
  total: number;
  /** Items that were left out, with their faults. Undefined when there are none. */
  skipped?: (Findings & { items: number }) | undefined;
  /** Lines of the body that are items, in order: the first runs, of an NDJSON body with distinct names. */
  lines: LineRun[];
  /** Warnings about codes that may not scan or may be a mistake. Never a reason to refuse. */
  warnings: Warning[];
  /** The codes of a person's list in which the logo does not look whole, and that the warnings do not name. */
  cutLogo?: Omit<Warning, 'code'> | undefined;
  /** The actions of phones on the codes of a person's list. */
  actions: ActionCount[];
  /** Number of items to read back, spread evenly over the job. Default: 0. */
  verifyItems?: number | undefined;
  /** Printed width of the narrowest and the widest picture, when the style has a resolution. */
  printedWidthMm?: { minimum: number; maximum: number } | undefined;
  /** Modules across the smallest and the largest symbol, without quiet zones. */
  sides?: { least: number; most: number } | undefined;
  spoolBytes: number;
  /** In order. */
  chunks: ChunkRange[];
  /** The archive, if it was drawn during the check. There is no spool on disk then. */
  drawn?: DrawnJob | undefined;
}

export type CheckReport = { refusal: CheckRefusal } | CheckedBody;

/** `pictures`: in the order of the items. */
export type SamplesReport =
  | { refusal: CheckRefusal }
  | (Pick<CheckedBody, 'warnings' | 'cutLogo' | 'actions'> & { pictures: Uint8Array[] });

/**
 * A person's choices for reading a spreadsheet. `layout`: `header` when the first row names the columns, `rows` when
 * every row is an item, `lines` for a text file with one code per line.
 */
export type SpreadsheetChoices = Pick<
  ReadSpreadsheetRequest,
  | 'sheet'
  | 'findsSheet'
  | 'findsHeader'
  | 'links'
  | 'dates'
  | 'callingCode'
  | 'encoding'
  | 'leavesPlaceholders'
  | 'mendsCheckDigits'
  | 'columns'
  | 'composed'
  | 'recognise'
  | 'layout'
>;

export type SpreadsheetRequest = Omit<ReadSpreadsheetRequest, 'limits' | 'timeMs'> &
  FreeRequest & {
    /** Accepts more items and bytes than one job may have. */
    isForSeveralJobs?: boolean;
    /** Problems that a report lists, instead of a hundred. */
    maxProblems?: number;
  };

/** A picture, and the text that its code should contain. */
export interface ScanRequest extends FreeRequest {
  /** A PNG file in base64. */
  png: string;
  text: string;
  pixelsPerModule: number;
  quietZoneModules: number;
}

export interface ScanReport {
  /** True when the text was read module by module, and found as a phone would find it. */
  reads: boolean;
  /** Share of error correction that is left. Undefined when the code was not read module by module. */
  unusedThousandths?: number;
}

/** Reads proofs that `readBack` wrote, as a phone would. */
export interface VerifyRequest {
  path: string;
  /** Offset of the first unread byte. */
  offset: number;
  /** Limit of proofs. 0: the first one counts as unread, and nothing is read. Default: as many as fit a short time. */
  most?: number | undefined;
}

export interface VerifyReport {
  /** Items with a proof whose code was not read. */
  unread: number[];
  /** Offset to continue at. Absent at the end. */
  next?: number;
}

/**
 * The engine as the service calls it. Every call may reject with `EngineError`; its code is `crash` when the task
 * crashes its process.
 */
export interface Engine {
  /** Converts a spreadsheet to the NDJSON body of a job. Its file is empty first; the engine gives up when it is deleted. */
  readSpreadsheet(request: SpreadsheetRequest): Promise<ReadSpreadsheetReport>;
  check(request: CheckRequest): Promise<CheckReport>;
  drawSamples(request: SamplesRequest): Promise<SamplesReport>;
  renderChunk(request: RenderChunkRequest): Promise<RenderChunkReport>;
  /** Renders neighbouring chunks into one segment, on several threads including the engine's own. */
  renderChunks(request: RenderChunksRequest): Promise<RenderChunkReport[]>;
  /** Writes the whole central directory and the end. */
  finishArchive(request: FinishArchiveRequest): Promise<FinishArchiveReport>;
  /** Writes the headers of one segment and returns their length in bytes. */
  writeHeaders(request: WriteHeadersRequest): Promise<number>;
  /** Writes the end and returns its length in bytes. */
  writeEnd(request: WriteEndRequest): Promise<number>;
  /**
   * Reads a chunk's codes back from the bytes of its segment, module by module. Returns false after a short time, so that
   * other tasks get their turn: then it is repeated with the same files, as after a crash. An item that crashed it twice is
   * unread.
   */
  readBack(request: Omit<ReadBackRequest, 'timeMs'>): Promise<boolean>;
  /** Adds up a chunk's readings, with the items that `verify` did not read. */
  sumUpReadings(request: SumUpReadingsRequest): Promise<ReadingsSummary>;
  /** Reads some of a chunk's proofs. Returns after a short time, so that other tasks get their turn. */
  verify(request: VerifyRequest): Promise<VerifyReport>;
  /** Reads one item of a chunk back, draws it for people, and writes its proofs. Null when it was not drawn. */
  seeItem(request: SeeItemRequest): Promise<SeenItem | null>;
  /** Reads a picture back: as a phone, and module by module. */
  scan(request: ScanRequest): Promise<ScanReport>;
  /** Writes a chunk's manifest lines and returns their length in bytes. */
  writeManifest(request: WriteManifestRequest & FreeRequest): Promise<number>;
  /** Finds an item's picture in its chunk's segment. Null when there is none. */
  findFile(request: FindFileRequest): Promise<FoundFile | null>;
  /** The items of each part of a file of labels. */
  planLabels(request: LabelLayout): Promise<ItemRange[][]>;
  /** Measures items on their labels. */
  measureLabels(request: MeasureLabelsRequest & FreeRequest): Promise<LabelFit>;
  /** Writes a part of a file of labels and returns its length in bytes. */
  drawLabels(request: DrawLabelsRequest & FreeRequest): Promise<number>;
  /** Changes typed lines as a warning about them advises. */
  changeLines(request: ChangeLinesRequest & FreeRequest): Promise<ChangedLines>;
  describe(): Promise<EngineDescription>;
}

// Messages between the engine, its process and its threads: plain data, the same over the channel and between threads.

export type TaskName = keyof Engine;
export type TaskRequest<Name extends TaskName> = Parameters<Engine[Name]>[0];
export type TaskValue<Name extends TaskName> = Awaited<ReturnType<Engine[Name]>>;

export type Task<Name extends TaskName = TaskName> = {
  [Each in Name]: { name: Each; request: TaskRequest<Each> };
}[Name];

/** Result of a task. Errors are values, because neither threads nor the channel transmit an error's `code`. */
export type TaskOutcome<Name extends TaskName = TaskName> =
  | { value: TaskValue<Name> }
  | { error: { code: EngineErrorCode; message: string } };

/** From the supervisor to the process. */
export type ProcessRequest = Task & { id: number };

/** Interval of the process's signs of life. */
export const BEAT_MS = 1_000;

/**
 * From the process to the supervisor: `ready` once when the engine is loaded, then one outcome per request, in any
 * order. `overdue`: the id of a request that takes too long. `alive`: sent every `BEAT_MS`.
 */
export type ProcessReply = { ready: true } | { alive: true } | { overdue: number } | ({ id: number } & TaskOutcome);

/**
 * Stable codes: those of the addon (`BatchError::code` and others), and of the processes around it. `thread_lost`: a
 * thread of the pool ended. `crash`: the task crashes its process or takes too long, even when it runs alone. `busy`: no thread was free for the
 * task in time. `down`: the process does not start. Neither was tried. `stopped`: the service ends in the middle of the task. `defect`: an error without a code.
 */
export type EngineErrorCode =
  | 'body_changed'
  | 'busy'
  | 'cancelled'
  | 'corrupt_index'
  | 'corrupt_spool'
  | 'crash'
  | 'damaged_file'
  | 'defect'
  | 'down'
  | 'stopped'
  | 'field_too_long'
  | 'fonts'
  | 'invalid_argument'
  | 'io'
  | 'out_of_time'
  | 'panic'
  | 'thread_lost';

/** A failure of the engine that is not the caller's fault: a disk, a damaged spool, a bug. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Errors of the engine that may pass: it has no thread free, its process does not start, or it cannot read or write a file. */
export function engineShortage(error: unknown): Shortage | undefined {
  return error instanceof EngineError && ['busy', 'down', 'io'].includes(error.code) ? 'server' : undefined;
}
