/**
 * The engine's tasks and results as plain data that crosses threads and processes. Mirrors the exports of `native/`.
 */

import type { checkStyle } from '#native';
import type { Issue } from '../contract/errors.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Warning } from '../contract/response-schema.js';

export type BodyForm = 'json' | 'ndjson';
/** The codes of a job that are read back. */
export type Verify = NonNullable<JobMeta['verify']>;
export type OutputFormat = 'png' | 'svg' | 'both';

/** A style with every default filled in, in the engine's terms. `native/src/style.rs` describes its members. */
export type RenderStyle = Parameters<typeof checkStyle>[0];

export interface CheckRequest {
  /** The received body. Absent when `body` is set: the file is then written only for a job that is drawn later. */
  bodyPath: string;
  /** The body, when it is in memory. */
  body?: Uint8Array | undefined;
  form: BodyForm;
  /** Path of the spool, which is written if nothing is wrong. */
  spoolPath: string;
  /** Draws the archive during the check if the job is small. Body and spool are removed then. */
  drawIfSmall?: boolean;
  /**
   * A body of few items that is drawn instead, whatever its size: the same items at the size of a screen. One thread does
   * both, so that a logo is decoded once.
   */
  samples?: Uint8Array | undefined;
}

/** The settings of a body, with every default filled in. */
export interface JobSettings {
  format: OutputFormat;
  style: RenderStyle;
  sendEmail: boolean;
  verify: Verify;
  /** The job's name, for people. */
  name: string | undefined;
}

/** A chunk's range in the job and in its spool. */
export interface ChunkRange {
  firstItem: number;
  itemCount: number;
  spoolOffset: number;
  spoolBytes: number;
}

export type CheckRefusalCode =
  | 'invalid_meta_line'
  | 'invalid_json_line'
  | 'too_many_items'
  | 'invalid_input'
  | 'data_too_long'
  | 'qr_too_large';

export interface CheckRefusal {
  code: CheckRefusalCode;
  message: string;
  line?: number;
  issues: Issue[];
  issueCount: number;
}

/** The result for a valid body. Its spool is written but not synced. */
export interface CheckedBody {
  sendEmail: boolean;
  name?: string | undefined;
  format: OutputFormat;
  total: number;
  /** Warnings about codes that may not scan or may be a mistake. Never a reason to refuse. */
  warnings: Warning[];
  /** Number of items to read back, spread evenly over the job. Default: 0. */
  verifyItems?: number | undefined;
  /** Printed width of the narrowest and the widest picture, when the style has a resolution. */
  printedWidthMm?: { minimum: number; maximum: number } | undefined;
  spoolBytes: number;
  /** In order. */
  chunks: ChunkRange[];
  /** The archive, if it was drawn during the check. There is no spool on disk then. */
  drawn?: DrawnJob | undefined;
}

/** A small job's spool and archive: its only segment, that segment's index, and everything after the segment. */
export interface DrawnJob extends Pick<RenderReport, 'segmentBytes' | 'indexBytes' | 'entries' | 'headerBytes'> {
  spool: Uint8Array;
  segment: Uint8Array;
  index: Uint8Array;
  /** Headers and end. */
  archiveEnd: Uint8Array;
}

export type CheckReport = { refusal: CheckRefusal } | CheckedBody;

/** The member of an item that a spreadsheet column fills. */
export type ColumnRole = 'data' | 'filename' | 'caption' | 'reference';

/**
 * `header`: the first row names the columns. `rows`: every row is an item. `lines`: a text file with one code per line.
 */
export type SpreadsheetLayout = 'header' | 'rows' | 'lines';

/** The column of a role: by its name or letters, or by its position from 0. Neither: no column has the role. */
export interface ChosenColumn {
  role: ColumnRole;
  name?: string;
  position?: number;
}

/** A person's choices for reading a spreadsheet. */
export interface SpreadsheetChoices {
  /** Default: the first visible sheet. */
  sheet?: string;
  columns: ChosenColumn[];
  /** Finds roles that are not in `columns` by the names of the columns. */
  recognise: boolean;
  layout: SpreadsheetLayout;
}

export interface SpreadsheetRequest extends SpreadsheetChoices {
  /** A CSV or XLSX file. */
  path: string;
  /** Path of the NDJSON body to write. */
  bodyPath: string;
  /** JSON text for line 1 of the body. */
  meta: string;
  /** Accepts more items and bytes than one job may have. */
  isForSeveralJobs?: boolean;
}

export interface SpreadsheetProblem {
  /** Row number as spreadsheet programs show it. */
  row?: number;
  /** From 0. */
  column?: number;
  /** A sentence that includes the place. */
  message: string;
}

export interface SpreadsheetColumn {
  letters: string;
  name: string;
  role?: ColumnRole;
}

/** Contents of a spreadsheet. The body is complete if there are no problems. */
export interface SpreadsheetReport {
  sheet?: string;
  sheets: string[];
  columns: SpreadsheetColumn[];
  /** True when the person must say which column is which. */
  asksForColumns: boolean;
  /** True when the first row does not look like a header. */
  asksForHeader: boolean;
  firstRows: { row: number; cells: string[] }[];
  /** Items in the body. Rows with a problem are left out. */
  items: number;
  /** The first hundred, in order. */
  problems: SpreadsheetProblem[];
  problemCount: number;
  /** Hints as sentences. They do not prevent a job. */
  notices: string[];
  /** Row number = line of the body + this. */
  rowsBeforeLine1: number;
}

export interface RenderRequest extends ChunkRange {
  spoolPath: string;
  segmentPath: string;
  indexPath: string;
  proofs?: ProofRequest;
}

/** The file to which `renderChunk` also writes the pictures of `items` items for `verify`, spread evenly over the job. */
export interface ProofRequest {
  path: string;
  items: number;
  total: number;
}

/** Neighbouring chunks, and the files to append them to. Anything in the files beyond the starts is discarded. */
export interface RenderChunksRequest {
  spoolPath: string;
  chunks: readonly ChunkRange[];
  segmentPath: string;
  segmentStart: number;
  indexPath: string;
  indexStart: number;
  /** Those of the first chunk go to `path` with `.0` behind it, those of the second to `.1`, and so on. */
  proofs?: ProofRequest;
  threads: number;
}

export interface RenderReport {
  completed: number;
  failed: number;
  /** The first hundred, for the log. */
  failures: { item: number; message: string }[];
  segmentBytes: number;
  indexBytes: number;
  /** Files in the segment. */
  entries: number;
  /**
   * Bytes of the headers that `writeHeaders` makes from the index, if the segment ends below 4 GiB − 1 of the archive.
   */
  headerBytes: number;
}

export interface FinishRequest {
  parts: { indexPath: string; segmentBytes: number }[];
  endPath: string;
  /** Bytes of the file to keep before the end. Default: 0. */
  endStart?: number;
}

export interface FinishReport {
  entries: number;
  endBytes: number;
  archiveBytes: number;
}

/** Makes a segment's part of the archive's central directory. `offset`: of the segment in the archive. */
export interface HeadersRequest {
  indexPath: string;
  segmentBytes: number;
  offset: number;
  headersPath: string;
}

/** Makes the end of the archive, which follows the headers of all segments. */
export interface EndRequest {
  entries: number;
  segmentBytes: number;
  headerBytes: number;
  endPath: string;
}

/** A picture, and the text that its code should contain. */
export interface ScanRequest {
  /** A PNG file in base64. */
  png: string;
  text: string;
}

/** Reads back proofs that `renderChunk` wrote. */
export interface VerifyRequest {
  path: string;
  /** Offset of the first unread byte. */
  offset: number;
}

export interface VerifyReport {
  /** Number of proofs read in this call. */
  verified: number;
  /** Items among them whose codes do not contain their data. */
  unread: number[];
  /** Offset to continue at. Absent at the end. */
  next?: number;
}

/** A chunk that was rendered or given up. Without `indexPath` it was given up. */
export interface RenderedChunk extends ChunkRange {
  spoolPath: string;
  indexPath?: string;
}

export type ManifestForm = 'ndjson' | 'csv';

/** Makes the manifest lines of one chunk's items. */
export interface ManifestRequest {
  chunk: RenderedChunk;
  form: ManifestForm;
  manifestPath: string;
}

export type PictureExtension = '.png' | '.svg';

export interface FileRequest {
  chunk: RenderedChunk;
  /** Index of the item in the job. */
  item: number;
  extension: PictureExtension;
}

/** Place of a file in its segment. */
export interface FoundFile {
  name: string;
  offset: number;
  bytes: number;
}

export interface EngineDescription {
  version: string;
  cpuPath: string;
  availableCpuPaths: string[];
  /** Fonts in use. */
  fonts: number;
  /** Files of the font folders that are not used, each with the reason. */
  rejectedFonts: string[];
  /** Resources that the process cannot reach: some of `network` and `files`. */
  confinement: string[];
}

/**
 * The engine as the service calls it. Every call may reject with `EngineError`; its code is `crash` when the task
 * crashes its process.
 */
export interface Engine {
  /** Converts a spreadsheet to the NDJSON body of a job. */
  readSpreadsheet(request: SpreadsheetRequest): Promise<SpreadsheetReport>;
  check(request: CheckRequest): Promise<CheckReport>;
  renderChunk(request: RenderRequest): Promise<RenderReport>;
  /** Renders neighbouring chunks into one segment, on several threads including the engine's own. */
  renderChunks(request: RenderChunksRequest): Promise<RenderReport>;
  /** Writes the whole central directory and the end. */
  finishArchive(request: FinishRequest): Promise<FinishReport>;
  /** Writes the headers of one segment and returns their length in bytes. */
  writeHeaders(request: HeadersRequest): Promise<number>;
  /** Writes the end and returns its length in bytes. */
  writeEnd(request: EndRequest): Promise<number>;
  /** Reads back some of a chunk's proofs. Returns after a short time, so that other tasks get their turn. */
  verify(request: VerifyRequest): Promise<VerifyReport>;
  /** Reads a picture back. True when its code contains `text`. */
  scan(request: ScanRequest): Promise<boolean>;
  /** Writes a chunk's manifest lines and returns their length in bytes. */
  writeManifest(request: ManifestRequest): Promise<number>;
  /** Finds an item's picture in its chunk's segment. Null when there is none. */
  findFile(request: FileRequest): Promise<FoundFile | null>;
  describe(): Promise<EngineDescription>;
}
