/**
 * Checks a body: combines the findings of the addon and of the schemas into one report, in the order that the
 * specification requires.
 */

import { jobMeta } from '../contract/checkers.js';
import { LIMITS } from '../contract/limits.js';
import { JobMetaSchema, type Style } from '../contract/request-schema.js';
import { native } from './addon.js';
import type {
  BodyForm,
  CheckedBody,
  CheckRefusal,
  CheckReport,
  CheckRequest,
  Findings,
  JobSettings,
  Verify,
} from './engine.js';
import { explainValue } from './explain-value.js';

const MAX_ITEMS: Record<BodyForm, number> = { json: LIMITS.jsonItems, ndjson: LIMITS.ndjsonItems };

/** More than the largest allowed body takes with the most expensive captions. */
const CHECK_TIMEOUT_MS = 120_000;

interface ChunkedRequest extends Omit<CheckRequest, 'spoolPath'> {
  /** Path of the spool. Undefined: that of a body in memory is not written. */
  spoolPath: string | undefined;
  /** Items per chunk. */
  chunkItems: number;
  /** The largest job that is drawn. Undefined: none is. */
  draw?: Draw | undefined;
}

type Draw = NonNullable<Parameters<typeof native.inspectBody>[0]['draw']>;

/**
 * Maximum items per chunk whose codes are read back, at the default scale: a quarter of a second's work of usual codes. Pages tell of
 * a job, and a cancelled job is charged, by whole chunks.
 */
const VERIFIED_CHUNK_ITEMS: Readonly<Record<JobSettings['format'], number>> = { png: 2_500, svg: 1_000, both: 1_000 };

const MM_PER_INCH = 25.4;

/** A surrogate without its other half. The envelope has it as a finding; the addon cannot read a style with it. */
const SURROGATE = /\p{Cs}/u;

const NOTHING: Findings = { issues: [], issueCount: 0 };

const DEFAULTS = { format: 'png', style: {}, sendEmail: false, verify: 'none' } as const;

type Envelope = ReturnType<typeof native.readEnvelope>;

/** Reads the body, and writes its spool or draws it if nothing is wrong. @throws the addon's errors */
export function checkBody(request: ChunkedRequest): CheckReport {
  const envelope = native.readEnvelope(bodyOf(request));
  const { settings, findings } = checkSettings(envelope, request.form);
  if (settings && envelope.items) {
    return checkItems(request, envelope.items, settings);
  }
  return {
    refusal: request.form === 'ndjson' ? refusedLine1(envelope, findings) : refusedJson(request, envelope, findings),
  };
}

/** `settings` is defined only when nothing was found. */
function checkSettings(envelope: Envelope, form: BodyForm): { settings: JobSettings | undefined; findings: Findings } {
  const report = envelope.meta === undefined ? NOTHING : resolveJobSettings(envelope.meta, form);
  if (!('settings' in report)) {
    return { settings: undefined, findings: merged(envelope, report) };
  }
  const { caption, logo } = report.settings.style;
  const isText = ![caption?.text, logo?.dataUrl].some((text) => text !== undefined && SURROGATE.test(text));
  const issues = isText ? native.checkStyle(drawingSettings(report.settings)) : [];
  const findings = merged(envelope, { issues, issueCount: issues.length });
  return { settings: findings.issueCount === 0 ? report.settings : undefined, findings };
}

/**
 * Resolves `metaText`, the JSON text of a body's settings. Pure and synchronous, for threads of the engine: the text may be as
 * large as a body.
 */
export function resolveJobSettings(metaText: string, form: BodyForm): { settings: JobSettings } | Findings {
  let value: unknown;
  try {
    value = JSON.parse(metaText);
  } catch (error) {
    return { issues: [{ path: '', code: 'invalid_json', message: (error as Error).message }], issueCount: 1 };
  }
  if (jobMeta.Check(value)) {
    return { settings: { ...DEFAULTS, ...value } };
  }
  const findings = explainValue(value, JobMetaSchema, form === 'json' ? ['items'] : []);
  if (findings.issueCount === 0) {
    throw new Error('The checker refused settings that follow their schema');
  }
  return findings;
}

/** The settings by which the addon draws. It keeps them in the header of the spool, and knows the defaults of the style. */
function drawingSettings({ format, style }: JobSettings): string {
  return JSON.stringify({ format, style });
}

/** Line 1 is checked alone, before any other line is read. */
function refusedLine1(envelope: Envelope, findings: Findings): CheckRefusal {
  return {
    code: 'invalid_meta_line',
    line: 1,
    message: `Line 1 is not a job's meta object: ${summaryOf(findings)}`,
    // Issues point into the value of line 1. Without a value, the message says everything.
    ...(envelope.meta === undefined
      ? NOTHING
      : { ...findings, issues: findings.issues.map((issue) => ({ ...issue, line: 1 })) }),
  };
}

/** The settings and the items are checked together, so that one response lists everything that is wrong. */
function refusedJson(request: ChunkedRequest, envelope: Envelope, findings: Findings): CheckRefusal {
  const all = merged(findings, itemFindings(request, envelope));
  return { code: 'invalid_input', message: `The body is not valid: ${summaryOf(all)}`, ...all };
}

/** Findings in the items of a JSON body whose settings are invalid or missing. */
function itemFindings(request: ChunkedRequest, { meta, items }: Envelope): Findings {
  if (items) {
    return native.inspectBody({ ...inspection(request), items }).refusal ?? NOTHING;
  }
  return meta?.startsWith('{')
    ? { issues: [{ path: '/items', code: 'required', message: 'is required: an array of items' }], issueCount: 1 }
    : NOTHING;
}

function checkItems(
  request: ChunkedRequest,
  items: NonNullable<Envelope['items']>,
  settings: JobSettings,
): CheckReport {
  const { format, style, sendEmail, name, verify } = settings;
  const { refusal, spool, drawn, total, skipped, faults, faultCount, lines, warnings, cutLogo, actions, sides } =
    native.inspectBody({
      ...inspection({ ...request, chunkItems: chunkItemsFor(request.chunkItems, settings) }),
      items,
      settings: drawingSettings(settings),
      // Reading back takes much longer than drawing, so it is done in a chunk: the caller should not wait for it.
      ...(verify === 'none' && request.draw && { draw: request.draw }),
    });
  if (refusal) {
    return { refusal };
  }
  if (!spool) {
    throw new Error('The addon found nothing wrong with a body but wrote no spool');
  }
  return {
    sendEmail,
    name,
    format,
    total,
    skipped: skipped === 0 ? undefined : { items: skipped, issues: faults, issueCount: faultCount },
    lines,
    warnings,
    cutLogo,
    actions,
    verifyItems: verifyItemsOf(verify, total),
    printedWidthMm: printedWidthMm(style, sides),
    sides,
    spoolBytes: spool.bytes,
    chunks: spool.chunks,
    ...(drawn && { drawn }),
  };
}

/** The time to read a code is proportional to its pixels. */
function chunkItemsFor(
  usual: number,
  { verify, format, style: { scale = LIMITS.scale.default } }: JobSettings,
): number {
  const pixels = Math.max(1, scale / LIMITS.scale.default) ** 2;
  return verify === 'none' ? usual : Math.min(usual, Math.ceil(VERIFIED_CHUNK_ITEMS[format] / pixels));
}

function verifyItemsOf(verify: Verify, total: number): number {
  return { none: 0, sample: Math.min(LIMITS.sampleItems, total), all: total }[verify];
}

function printedWidthMm(
  { dpi, scale = LIMITS.scale.default, margin = LIMITS.margin.default }: Style,
  sides: { least: number; most: number } | undefined,
): CheckedBody['printedWidthMm'] {
  if (dpi === undefined || sides === undefined) {
    return undefined;
  }
  const width = (modules: number) => Math.round((100 * (modules + 2 * margin) * scale * MM_PER_INCH) / dpi) / 100;
  return { minimum: width(sides.least), maximum: width(sides.most) };
}

function bodyOf({ bodyPath, body, form }: ChunkedRequest) {
  return { bodyPath, form, ...(body && { body }) };
}

function inspection(request: ChunkedRequest) {
  const { spoolPath, chunkItems } = request;
  const { skipFaulty = false, distinctNames = false, maxIssues = LIMITS.issues } = request;
  return {
    ...bodyOf(request),
    ...(spoolPath !== undefined && { spoolPath }),
    chunkItems,
    skipFaulty,
    distinctNames,
    timeMs: CHECK_TIMEOUT_MS,
    limits: {
      maxItems: MAX_ITEMS[request.form],
      maxDataCharacters: LIMITS.dataCharacters,
      maxFilenameCharacters: LIMITS.filenameCharacters,
      maxCaptionCharacters: LIMITS.captionCharacters,
      maxReferenceCharacters: LIMITS.referenceCharacters,
      maxArchiveNameCharacters: LIMITS.archiveNameCharacters,
      maxSidePx: LIMITS.sidePx,
      maxIssues,
    },
  };
}

function merged(first: Findings, second: Findings): Findings {
  return {
    issues: [...first.issues, ...second.issues].slice(0, LIMITS.issues),
    issueCount: first.issueCount + second.issueCount,
  };
}

/** The first finding as text, for people who only read the message. */
function summaryOf({ issues, issueCount }: Findings): string {
  const [first] = issues;
  const place = first?.path ? `${first.path}: ` : '';
  const rest = issueCount > 1 ? ` (and ${issueCount - 1} more)` : '';
  return `${place}${first?.message ?? 'nothing was found'}${rest}`;
}
