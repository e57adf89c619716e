/**
 * Checks a body: combines the findings of the addon and of the schemas into one report, in the order that the
 * specification requires. Fills in the defaults of its settings, in the engine's terms.
 */

import * as native from '#native';
import { LIMITS } from '../contract/limits.js';
import { type JobMeta, JobMetaSchema, type Style } from '../contract/request-schema.js';
import { checkValue, IssueList } from './check-value.js';
import type {
  BodyForm,
  CheckedBody,
  CheckRefusal,
  CheckReport,
  CheckRequest,
  Findings,
  JobSettings,
  RenderStyle,
  Verify,
} from './engine.js';

const MAX_ITEMS: Record<BodyForm, number> = { json: LIMITS.jsonItems, ndjson: LIMITS.ndjsonItems };

/** More than the largest allowed body takes with the most expensive captions. */
const CHECK_TIMEOUT_MS = 120_000;

interface ChunkedRequest extends CheckRequest {
  /** Items per chunk. */
  chunkItems: number;
}

/**
 * Maximum items per chunk whose codes are read back, at the default scale. Reading them takes about as long as drawing
 * a usual chunk, so that others do not wait longer for their turn.
 */
const VERIFIED_CHUNK_ITEMS: Readonly<Record<Verify, number>> = {
  none: Number.POSITIVE_INFINITY,
  sample: 2_000,
  all: 500,
};

const BLACK = '#000000';

const MM_PER_INCH = 25.4;

const NOTHING: Findings = { issues: [], issueCount: 0 };

type Outline = ReturnType<typeof native.outlineBody>;

/** Reads the body at `bodyPath`, and writes its spool if nothing is wrong. @throws the addon's errors */
export function checkBody(request: ChunkedRequest): CheckReport {
  const outline = native.outlineBody({ bodyPath: request.bodyPath, form: request.form });
  const { settings, findings } = checkSettings(outline, request.form);
  if (settings && outline.items) {
    return checkItems(request, outline.items, settings);
  }
  return {
    refusal: request.form === 'ndjson' ? refusedLine1(outline, findings) : refusedJson(request, outline, findings),
  };
}

/** `settings` is defined only when nothing was found. */
function checkSettings(outline: Outline, form: BodyForm): { settings: JobSettings | undefined; findings: Findings } {
  const report = outline.meta === undefined ? NOTHING : resolveJobSettings(outline.meta, form);
  if (!('settings' in report)) {
    return { settings: undefined, findings: merged(outline, report) };
  }
  const issues = native.checkStyle(report.settings.style);
  const findings = merged(outline, { issues, issueCount: issues.length });
  return { settings: findings.issueCount === 0 ? report.settings : undefined, findings };
}

/**
 * Resolves `metaText`, the JSON text of a body's settings. Pure and synchronous, for threads of the engine: the text may be as
 * large as a body.
 */
export function resolveJobSettings(metaText: string, form: BodyForm): { settings: JobSettings } | Findings {
  const issues = new IssueList();
  let value: unknown;
  try {
    value = JSON.parse(metaText);
  } catch (error) {
    issues.add({ path: '', code: 'invalid_json', message: (error as Error).message });
    return issues.report();
  }
  checkValue(value, JobMetaSchema, '', issues, form === 'json' ? ['items'] : []);
  return issues.count === 0 ? { settings: settingsOf(value as JobMeta) } : issues.report();
}

function settingsOf({ format = 'png', style = {}, sendEmail = false, verify = 'none', name }: JobMeta): JobSettings {
  return { format, style: renderStyleOf(style), sendEmail, verify, name };
}

function renderStyleOf(style: Style): RenderStyle {
  const { ecLevel = 'M', scale = LIMITS.scale.default, margin = LIMITS.margin.default, caption = {}, logo } = style;
  const foreground = (style.foreground ?? BLACK).toLowerCase();
  return {
    errorCorrectionLevel: ecLevel,
    pixelsPerModule: scale,
    quietZoneModules: margin,
    foreground,
    background: (style.background ?? '#ffffff').toLowerCase(),
    ...(style.dpi !== undefined && { dotsPerInch: style.dpi }),
    caption: {
      text: caption.text ?? '',
      colour: caption.colour?.toLowerCase() ?? (foreground === 'transparent' ? BLACK : foreground),
      fontSizePx: fontSizePxOf(caption.fontSize ?? LIMITS.captionFontSize.default, scale),
    },
    ...(logo && {
      logo: {
        dataUrl: logo.dataUrl,
        ratioMillionths: Math.round((logo.sizeRatio ?? LIMITS.logoSizeRatio.default) * 1_000_000),
      },
    }),
  };
}

/** Font sizes scale with the image: they are pixels at the default scale, rounded half up. */
function fontSizePxOf(fontSize: number, scale: number): number {
  return Math.max(1, Math.floor((fontSize * scale) / LIMITS.scale.default + 0.5));
}

/** Line 1 is checked alone, before any other line is read. */
function refusedLine1(outline: Outline, findings: Findings): CheckRefusal {
  return {
    code: 'invalid_meta_line',
    line: 1,
    message: `Line 1 is not a job's meta object: ${summaryOf(findings)}`,
    // Issues point into the value of line 1. Without a value, the message says everything.
    ...(outline.meta === undefined
      ? NOTHING
      : { ...findings, issues: findings.issues.map((issue) => ({ ...issue, line: 1 })) }),
  };
}

/** The settings and the items are checked together, so that one response lists everything that is wrong. */
function refusedJson(request: ChunkedRequest, outline: Outline, findings: Findings): CheckRefusal {
  const all = merged(findings, itemFindings(request, outline));
  return { code: 'invalid_input', message: `The body is not valid: ${summaryOf(all)}`, ...all };
}

/** Findings in the items of a JSON body whose settings are invalid or missing. */
function itemFindings(request: ChunkedRequest, { meta, items }: Outline): Findings {
  if (items) {
    return native.inspectBody({ ...inspection(request), items }).refusal ?? NOTHING;
  }
  return meta?.startsWith('{')
    ? { issues: [{ path: '/items', code: 'required', message: 'is required: an array of items' }], issueCount: 1 }
    : NOTHING;
}

function checkItems(request: ChunkedRequest, items: NonNullable<Outline['items']>, settings: JobSettings): CheckReport {
  const { format, style, sendEmail, name, verify } = settings;
  const { refusal, spool, total, warnings, sides } = native.inspectBody({
    ...inspection({ ...request, chunkItems: chunkItemsFor(request.chunkItems, settings) }),
    items,
    job: { format, style },
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
    warnings,
    verifyItems: verifyItemsOf(verify, total),
    printedWidthMm: printedWidthMm(style, sides),
    spoolBytes: spool.bytes,
    chunks: spool.chunks,
  };
}

/** The time to read a code is proportional to its pixels. */
function chunkItemsFor(usual: number, { verify, style: { pixelsPerModule } }: JobSettings): number {
  const pixels = Math.max(1, pixelsPerModule / LIMITS.scale.default) ** 2;
  return Math.min(usual, Math.ceil(VERIFIED_CHUNK_ITEMS[verify] / pixels));
}

function verifyItemsOf(verify: Verify, total: number): number {
  return { none: 0, sample: Math.min(LIMITS.sampleItems, total), all: total }[verify];
}

function printedWidthMm(
  { dotsPerInch, pixelsPerModule, quietZoneModules }: RenderStyle,
  sides: { least: number; most: number } | undefined,
): CheckedBody['printedWidthMm'] {
  if (dotsPerInch === undefined || sides === undefined) {
    return undefined;
  }
  const width = (modules: number) =>
    Math.round((100 * (modules + 2 * quietZoneModules) * pixelsPerModule * MM_PER_INCH) / dotsPerInch) / 100;
  return { minimum: width(sides.least), maximum: width(sides.most) };
}

function inspection({ bodyPath, form, spoolPath, chunkItems }: ChunkedRequest) {
  return {
    bodyPath,
    form,
    spoolPath,
    chunkItems,
    timeMs: CHECK_TIMEOUT_MS,
    limits: {
      maxItems: MAX_ITEMS[form],
      maxDataCharacters: LIMITS.dataCharacters,
      maxFilenameCharacters: LIMITS.filenameCharacters,
      maxCaptionCharacters: LIMITS.captionCharacters,
      maxReferenceCharacters: LIMITS.referenceCharacters,
      maxArchiveNameCharacters: LIMITS.archiveNameCharacters,
      maxSidePx: LIMITS.sidePx,
      maxIssues: LIMITS.issues,
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
