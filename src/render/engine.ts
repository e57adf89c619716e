/** What the engine can be asked, as plain data that crosses threads and processes: mirrors the exports of `native/`. */

import type { Issue } from '../errors.js';

export type BodyForm = 'json' | 'ndjson';
export type OutputFormat = 'png' | 'svg' | 'both';

/** A style in the engine's words, every member resolved. */
export interface RenderStyle {
  errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H';
  pixelsPerModule: number;
  quietZoneModules: number;
  /** `#rrggbb` or `transparent`. */
  foreground: string;
  /** `#rrggbb` or `transparent`. */
  background: string;
  caption: CaptionStyle;
  logo?: LogoStyle;
}

/** A picture for the centre of every code. */
export interface LogoStyle {
  /** A PNG file in base64. */
  dataUrl: string;
  /** The logo's longer edge as a fraction of the symbol's, in millionths. */
  ratioMillionths: number;
}

/** How captions look, and what they say where an item has none of its own. */
export interface CaptionStyle {
  /** Empty: none. */
  text: string;
  /** `#rrggbb`. */
  colour: string;
  /** Pixels per em, 1 to 256. */
  fontSizePx: number;
}

export interface CheckRequest {
  /** The received body. */
  bodyPath: string;
  form: BodyForm;
  /** Where the spool is written when nothing is wrong. */
  spoolPath: string;
}

/** The small part of a body, resolved. */
export interface JobSettings {
  format: OutputFormat;
  style: RenderStyle;
  sendEmail: boolean;
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
  format: OutputFormat;
  total: number;
  spoolBytes: number;
  /** In order. */
  chunks: ChunkRange[];
}

export type CheckReport = { refusal: CheckRefusal } | CheckedBody;

export interface RenderRequest extends ChunkRange {
  spoolPath: string;
  segmentPath: string;
  directoryPath: string;
}

export interface RenderReport {
  completed: number;
  failed: number;
  /** The first hundred, for the log. */
  failures: { item: number; message: string }[];
  segmentBytes: number;
  directoryBytes: number;
  /** Files in the segment. */
  entries: number;
  /** Of what `writeHeaders` makes of the directory, where the segment ends below 4 GiB − 1 of the archive. */
  headerBytes: number;
}

export interface FinishRequest {
  parts: { directoryPath: string; segmentBytes: number }[];
  tailPath: string;
}

export interface FinishReport {
  entries: number;
  tailBytes: number;
  archiveBytes: number;
}

/** A segment's part of the archive's central directory; `offset` is where the segment begins. */
export interface HeadersRequest {
  directoryPath: string;
  segmentBytes: number;
  offset: number;
  headersPath: string;
}

/** What is behind the headers of all segments. */
export interface EndRequest {
  entries: number;
  segmentBytes: number;
  headerBytes: number;
  endPath: string;
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

/** The engine as the rest of the service calls it. Every call may reject with `FarmCrashError` when its process died under it. */
export interface Engine {
  check(request: CheckRequest): Promise<CheckReport>;
  renderChunk(request: RenderRequest): Promise<RenderReport>;
  /** Writes the whole tail: the headers of all segments, and the end. */
  finishArchive(request: FinishRequest): Promise<FinishReport>;
  /** Writes the headers of one segment, and answers their length in bytes. */
  writeHeaders(request: HeadersRequest): Promise<number>;
  /** Writes the end, and answers its length in bytes. */
  writeEnd(request: EndRequest): Promise<number>;
  describe(): Promise<EngineDescription>;
}
