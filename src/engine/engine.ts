/** The engine's tasks and answers, as plain data that crosses threads and processes: mirrors the exports of `native/`. */

import type { checkStyle } from '#native';
import type { Issue } from '../contract/errors.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { Warning } from '../contract/response-schema.js';

export type BodyForm = 'json' | 'ndjson';
/** How many of a job's codes are read back. */
export type Verify = NonNullable<JobMeta['verify']>;
export type OutputFormat = 'png' | 'svg' | 'both';

/** A style in the engine's words, every member resolved: told once, in `native/src/style.rs`. */
export type RenderStyle = Parameters<typeof checkStyle>[0];

export interface CheckRequest {
  /** The received body. */
  bodyPath: string;
  /** The body where it is in memory: then it is written to `bodyPath` first. */
  body?: Uint8Array | undefined;
  form: BodyForm;
  /** Path of the spool, which is written when nothing is wrong. */
  spoolPath: string;
  /** Draws the archive at once where the job is small; body and spool are removed then. */
  drawIfSmall?: boolean;
}

/** The small part of a body, resolved. */
export interface JobSettings {
  format: OutputFormat;
  style: RenderStyle;
  sendEmail: boolean;
  verify: Verify;
  /** The job's name, for people. */
  name: string | undefined;
}

/** A chunk's place in the job and in its spool. */
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

/** A body with nothing wrong: its spool is written, but not synced. */
export interface CheckedBody {
  sendEmail: boolean;
  name?: string | undefined;
  format: OutputFormat;
  total: number;
  /** Warnings of what may not scan or may not be meant; never a reason to refuse. */
  warnings: Warning[];
  /** Items whose codes are to be read back, spread evenly over the job; 0 when absent. */
  verifyItems?: number | undefined;
  /** Of the narrowest and the widest picture in print, where the style has a density. */
  printedWidthMm?: { minimum: number; maximum: number } | undefined;
  spoolBytes: number;
  /** In order. */
  chunks: ChunkRange[];
  /** The archive, where it was drawn at once; then there is no spool on the disk. */
  drawn?: DrawnJob | undefined;
}

/** A small job: its spool, the archive's only segment, the index of that, and all that follows in the archive. */
export interface DrawnJob extends Pick<RenderReport, 'segmentBytes' | 'indexBytes' | 'entries' | 'headerBytes'> {
  spool: Uint8Array;
  segment: Uint8Array;
  index: Uint8Array;
  /** Headers and end. */
  archiveEnd: Uint8Array;
}

export type CheckReport = { refusal: CheckRefusal } | CheckedBody;

/** The member of an item that a column of a spreadsheet fills. */
export type ColumnRole = 'data' | 'filename' | 'caption' | 'reference';

/** The layout of a spreadsheet: with the names of the columns first, all rows as items, or a text file with a code on each line. */
export type SpreadsheetLayout = 'header' | 'rows' | 'lines';

/** The column of a role, by its name or letters, or by its position from 0; neither: no column has the role. */
export interface ChosenColumn {
  role: ColumnRole;
  name?: string;
  position?: number;
}

/** A person's choices for reading a spreadsheet. */
export interface SpreadsheetChoices {
  /** Absent: the first sheet that is not hidden. */
  sheet?: string;
  columns: ChosenColumn[];
  /** Roles that are not in `columns` are found by the names of the columns. */
  recognise: boolean;
  layout: SpreadsheetLayout;
}

export interface SpreadsheetRequest extends SpreadsheetChoices {
  /** A CSV or XLSX file. */
  path: string;
  /** Path of the NDJSON body. */
  bodyPath: string;
  /** JSON text of the body's line 1. */
  meta: string;
  /** Takes more items and bytes than a job may have. */
  isForSeveralJobs?: boolean;
}

export interface SpreadsheetProblem {
  /** As spreadsheet programs number it. */
  row?: number;
  /** From 0. */
  column?: number;
  /** A sentence with the place. */
  message: string;
}

export interface SpreadsheetColumn {
  letters: string;
  name: string;
  role?: ColumnRole;
}

/** The content of a spreadsheet. Its body is complete when there are no problems. */
export interface SpreadsheetReport {
  sheet?: string;
  sheets: string[];
  columns: SpreadsheetColumn[];
  /** The person has to say which column is which. */
  asksForColumns: boolean;
  /** The first row seems to be no header. */
  asksForHeader: boolean;
  firstRows: { row: number; cells: string[] }[];
  /** Items of the body: rows with a problem are not among them. */
  items: number;
  /** The first hundred, in order. */
  problems: SpreadsheetProblem[];
  problemCount: number;
  /** Sentences that do not prevent a job. */
  notices: string[];
  /** A row's number is the line of the body plus this. */
  rowsBeforeLine1: number;
}

export interface RenderRequest extends ChunkRange {
  spoolPath: string;
  segmentPath: string;
  indexPath: string;
  proofs?: ProofRequest;
}

/** Has pictures of so many of the job's items, spread evenly, written to `path` as well, for `verify`. */
export interface ProofRequest {
  path: string;
  items: number;
  total: number;
}

/** Neighbouring chunks, and the files that they go behind; what lies there behind the starts is thrown away. */
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
  /** Of what `writeHeaders` makes of the index, where the segment ends below 4 GiB − 1 of the archive. */
  headerBytes: number;
}

export interface FinishRequest {
  parts: { indexPath: string; segmentBytes: number }[];
  endPath: string;
  /** Bytes of the file that stay before the end; 0 when absent. */
  endStart?: number;
}

export interface FinishReport {
  entries: number;
  endBytes: number;
  archiveBytes: number;
}

/** A segment's part of the archive's central directory; `offset` is where the segment begins. */
export interface HeadersRequest {
  indexPath: string;
  segmentBytes: number;
  offset: number;
  headersPath: string;
}

/** The end of the archive, behind the headers of all segments. */
export interface EndRequest {
  entries: number;
  segmentBytes: number;
  headerBytes: number;
  endPath: string;
}

/** A picture, and what its code should say. */
export interface ScanRequest {
  /** A PNG file in base64. */
  png: string;
  text: string;
}

/** Proofs that `renderChunk` wrote. */
export interface VerifyRequest {
  path: string;
  /** The first byte that was not yet looked at. */
  offset: number;
}

export interface VerifyReport {
  /** Proofs that were looked at. */
  verified: number;
  /** Of these, the items whose codes do not say their data. */
  unread: number[];
  /** Where to go on; absent at the end. */
  next?: number;
}

/** A chunk that was rendered, or given up: then there is no directory. */
export interface RenderedChunk extends ChunkRange {
  spoolPath: string;
  indexPath?: string;
}

export type ManifestForm = 'ndjson' | 'csv';

/** The lines of a manifest that are about a chunk's items. */
export interface ManifestRequest {
  chunk: RenderedChunk;
  form: ManifestForm;
  manifestPath: string;
}

export type PictureExtension = '.png' | '.svg';

export interface FileRequest {
  chunk: RenderedChunk;
  /** Index in the job. */
  item: number;
  extension: PictureExtension;
}

/** A file in its segment. */
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
}

/** The engine as the rest of the service calls it. Every call may reject with `EngineError`; its code is `crash` where the task ends the process that does it. */
export interface Engine {
  /** Writes the body of a job from a spreadsheet. */
  readSpreadsheet(request: SpreadsheetRequest): Promise<SpreadsheetReport>;
  check(request: CheckRequest): Promise<CheckReport>;
  renderChunk(request: RenderRequest): Promise<RenderReport>;
  /** Renders neighbouring chunks into one segment, on several threads of which the engine's is one. */
  renderChunks(request: RenderChunksRequest): Promise<RenderReport>;
  /** Writes the whole central directory and its end: the headers of all segments, and the end. */
  finishArchive(request: FinishRequest): Promise<FinishReport>;
  /** Writes the headers of one segment, and answers their length in bytes. */
  writeHeaders(request: HeadersRequest): Promise<number>;
  /** Writes the end, and answers its length in bytes. */
  writeEnd(request: EndRequest): Promise<number>;
  /** Reads some of a chunk's proofs back: as many as take a moment, so that others have their turn. */
  verify(request: VerifyRequest): Promise<VerifyReport>;
  /** Reads a picture back. */
  scan(request: ScanRequest): Promise<boolean>;
  /** Writes a chunk's lines of the manifest, and answers their length in bytes. */
  writeManifest(request: ManifestRequest): Promise<number>;
  /** Finds an item's picture in its chunk's segment; null where there is none. */
  findFile(request: FileRequest): Promise<FoundFile | null>;
  describe(): Promise<EngineDescription>;
}
