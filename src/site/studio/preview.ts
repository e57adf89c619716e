/** `/account/o/…/studio/preview`: how the first codes of a style look, whether they scan, and what to watch out for. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import { tryAgain } from '../../admission/table.js';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { type JobMeta, LEVELS, type Style } from '../../contract/request-schema.js';
import type { Warning } from '../../contract/response-schema.js';
import { type SaidField, saidBy } from '../shell/code-words.js';
import { type DrawnSamples, drawSamples, MOST_SAMPLES, type PlacedItem } from '../shell/draw-samples.js';
import { bodyOf, Form } from '../shell/form.js';
import { millimetres } from '../shell/millimetres.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { curlOf, FIRST_STYLE, jobMetaOf, settingProblem } from './studio-style.js';
import { tableDoubt } from './rows-in-lines.js';
import { byCause, isOfLogo } from './studio-check.js';
import { keptLogoOf } from './studio-form.js';
import { forPeople, pageFormats } from '../shell/formats.js';
import { checkedSides, sampleSides, type Sides, versionOf } from './code-sides.js';
import { mm, orderedSize, type PrintedSize } from './printed-width-words.js';
import { phoneActions } from './phone-actions.js';
import { readingOf } from './reading.js';

/** Maximum scale of the pictures on the screen, which shows no more. */
const MAX_SAMPLE_SCALE = 8;

/** Maximum width of a picture that a page has within it: a logo of many colours makes a wider one too heavy. */
const MOST_WITHIN_PAGE_PX = 480;

const WHITE = '#ffffff';

/** Warnings of which people are asked before such codes are made. */
const ASKED: readonly Warning['code'][] = ['low_contrast', 'light_on_dark', 'small_quiet_zone', 'small_modules'];

/** Warnings that depend on the background. */
const OF_GROUND: ReadonlySet<string> = new Set(['low_contrast', 'light_on_dark', 'low_contrast_in_red_light']);

type Level = (typeof LEVELS)[number];

const FIRST_LEVEL = Reflect.get(FIRST_STYLE, 'ecLevel') as Level;

export interface Preview {
  samples: { picture: string; scans: boolean; unusedThousandths: number }[];
  /** Size of the first code at the requested scale. Absent when none was drawn. */
  size?: { widthPx: number; heightPx: number };
  /** The size in print. Absent when none was drawn. */
  print?: PrintedSize;
  /** The fields of the first code. Absent when none was drawn. */
  says?: SaidField[];
  /** A reader's opinion of the first code. Absent when none was drawn. */
  reading?: string;
  /** Reasons to make no codes of this look: they do not scan, or most scanners or those of print cannot read them. */
  risks: string[];
  /** Warnings about a logo that hides too much. */
  logoRisks: string[];
  /** The lowest error correction that the logo leaves readable, where the level that a person chose is too low. */
  neededLevel?: Level;
  /** Reasons in the look why these items' codes may not scan. */
  warnings: string[];
  /** Warnings about the data of these items. */
  dataWarnings: string[];
  /** The actions of phones on these items. Empty where none was drawn. */
  actions: string;
  /** Other hints. */
  notes: string[];
  /** Reasons why the job would be refused. */
  problems: string[];
  /** The one of them that is about the logo. */
  logoProblem?: string;
  curl: string;
}

const PREVIEW_PATH = /^\/account\/o\/[^/]+\/studio\/preview$/;

/**
 * Admits one preview of a session at a time. Others are refused before anything is looked up or rendered for them. Use it
 * before the session is known.
 */
export function admitSession(cookie: string): Middleware {
  const busy = new Set<string>();
  return async (ctx, next) => {
    const session = PREVIEW_PATH.test(ctx.path) ? ctx.cookies.get(cookie) : undefined;
    if (session === undefined) {
      await next();
      return;
    }
    if (busy.has(session)) {
      throw tryAgain('rate_limited', 'A preview of yours is being drawn', 1);
    }
    busy.add(session);
    try {
      await next();
    } finally {
      busy.delete(session);
    }
  };
}

/** Admits a preview before its body is read: to read the bodies of many at once would hold up everybody else. */
export function admitPreview({ throttle, admission }: Needs<'throttle' | 'admission'>): RouterMiddleware {
  return async (ctx, next) => {
    const { id: personId } = personOf(ctx);
    await throttle.count('preview', personId);
    await admission.admit('preview', { personId }, () => next() as Promise<void>);
  };
}

/** Accepts and returns JSON: the form's fields, and up to four items. */
export async function preview(
  ctx: RouterContext,
  needs: Needs<'config' | 'jobs' | 'styles' | 'engine'>,
): Promise<void> {
  const { fields, items } = requestOf(bodyOf(ctx));
  const form = new Form(fields);
  const chosen = jobMetaOf(form, form.get('logo') || (await keptLogoOf(ctx, form, needs)));
  const logoProblem = form.error('logo');
  const answer: Preview = {
    samples: [],
    warnings: [],
    dataWarnings: [],
    actions: '',
    notes: [],
    risks: [],
    logoRisks: [],
    problems: form.errors.map(({ message }) => message),
    ...(logoProblem !== undefined && { logoProblem }),
    curl: curlOf(needs.config.baseUrl, chosen),
  };
  if (form.isValid) {
    try {
      const holder = personOf(ctx).id;
      const sides = checkedSides(form) ?? (await sampleSides(needs, holder, { meta: chosen, items }));
      const { number } = pageFormats(ctx);
      const isMadeAgain = form.get('isMadeAgain') !== '';
      const { meta, print } = orderedSize(form, chosen, { sides, number, isMadeAgain });
      answer.curl = curlOf(needs.config.baseUrl, meta);
      Object.assign(answer, await samplesOf(needs, holder, { form, meta, items, sides }), { print });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const widthMm = millimetres(form.get('widthMm'));
      // The scale follows the width, which leaves room for any code, not for any caption.
      const isTooHigh = error.code === 'qr_too_large' && widthMm > 0;
      const tooHigh = `With its caption, a code of ${mm(pageFormats(ctx), widthMm)} is too high for one picture. Type a smaller width.`;
      answer.problems.push(...(isTooHigh ? [tooHigh] : refusalsOf(error, items)));
    }
  }
  ctx.body = answer;
}

interface Samples {
  form: Form;
  meta: JobMeta;
  items: readonly PlacedItem[];
  /** Modules across the codes of the whole list. */
  sides?: Sides | undefined;
  /** Maximum scale of the pictures. */
  mostScale?: number;
  /** Nobody can choose another look where this is said. */
  isLookFixed?: boolean;
}

/** Maximum scale of pictures that a page has within it. `modules`: across the widest, with its quiet zone. */
export function scaleWithinPage(modules: number): number {
  return Math.max(1, Math.min(MAX_SAMPLE_SCALE, Math.floor(MOST_WITHIN_PAGE_PX / modules)));
}

/** The first codes of a form that has no errors. @throws ApiError as a job with these items would */
export async function samplesOf(
  { engine }: Needs<'engine'>,
  holder: string,
  { form, meta, items, sides, mostScale = MAX_SAMPLE_SCALE, isLookFixed = false }: Samples,
): Promise<Omit<Preview, 'problems' | 'curl' | 'print'>> {
  const style = styleOf(meta, sides);
  const scale = style.scale ?? LIMITS.scale.default;
  const sampleScale = Math.min(scale, mostScale);
  // Checked at the requested size, which may be too large for a picture or too small in print.
  const drawIn = (look: Style, drawnScale = sampleScale) =>
    drawSamples({ engine, holder }, { ...meta, style: look }, items, {
      format: 'png',
      style: { ...look, scale: drawnScale },
    });
  const { pictures, warnings: found, cutLogo, actions } = await drawIn(style);
  // At another level, codes of the same size have another version, and those of a width another scale.
  const scaleAt = form.get('widthMm').trim() === '' ? scale : sampleScale;
  const drawnAt = (ecLevel: Level) => drawIn({ ...meta.style, ecLevel, scale: scaleAt });
  const neededLevel = await neededLevelOf(style, found, drawnAt);
  const scan = (picture: Buffer, index: number) =>
    engine.scan({
      png: picture.toString('base64'),
      text: items[index]?.data ?? '',
      pixelsPerModule: scale,
      quietZoneModules: style.margin ?? LIMITS.margin.default,
      holder,
    });
  const samples = pictures.map(unscanned);
  const sizes = pictures.map((picture) => sizeOf(picture, sampleScale, scale));
  // As the job draws them: at another scale a logo covers other modules, and a scanner may judge otherwise.
  const drawOn = (background: string | undefined) =>
    background === undefined && scale === sampleScale
      ? { pictures, warnings: [] }
      : drawIn({ ...style, ...(background !== undefined && { background }) }, scale);
  const grounds = groundsOf(form, style);
  const { unread, onPage } = await scanSamples(samples, items, { grounds, drawOn, scan });
  const [size, first] = [sizes[0], samples[0]];
  const unreadOnes = unreadNotes(unread, isLookFixed);
  const { ofLook, ofData } = byCause(found);
  return {
    samples,
    warnings: warningsOf([...ofLook, ...(cutLogo ? [cutLogo] : [])], items),
    dataWarnings: dataWarningsOf(ofData, items, form.get('isTyped') !== ''),
    actions: phoneActions(actions, placesIn(items)),
    logoRisks: warningsOf(found.filter(isOfLogo), items),
    notes: [...unreadOnes, ...bracesIn(meta), ...onPage.map(({ message }) => forPeople(message))],
    risks: risksOf(unreadOnes, [...found, ...onPage]),
    ...(first && items[0] && { says: saidBy(items[0].data) }),
    ...(first && { reading: readingOf(first, style, grounds, [...found, ...onPage]) }),
    ...(neededLevel && { neededLevel }),
    ...(size && { size }),
  };
}

/** A sentence about a caption that was meant to be put together from columns. */
export function bracesIn({ style }: JobMeta): string[] {
  const [braces] = /\{[^{}]+\}/.exec(style?.caption?.text ?? '') ?? [];
  return braces === undefined
    ? []
    : [`The caption says “${braces}” as it stands. To put in a column of your list, use Combine columns.`];
}

type ScannedSamples = Pick<DrawnSamples, 'pictures' | 'warnings'>;

interface Unread {
  place: string;
  caption?: string | undefined;
  background: string;
}

/** Scans the samples on all grounds. The codes that were not read, and the warnings that a ground brings. */
async function scanSamples(
  samples: Preview['samples'],
  items: readonly PlacedItem[],
  {
    grounds,
    drawOn,
    scan,
  }: {
    grounds: readonly (string | undefined)[];
    drawOn: (ground: string | undefined) => Promise<ScannedSamples> | ScannedSamples;
    scan: (picture: Buffer, index: number) => Promise<{ reads: boolean; unusedThousandths?: number | undefined }>;
  },
): Promise<{ unread: Unread[]; onPage: Warning[] }> {
  const unread: Unread[] = [];
  const onPage: Warning[] = [];
  for (const background of grounds) {
    const { pictures, warnings } = await drawOn(background);
    onPage.push(...onPageOnly(background, warnings));
    // One after the other: a preview must not occupy several threads.
    for (const [index, sample] of samples.entries()) {
      const picture = pictures[index];
      const read = picture && (await scan(picture, index));
      if (!read?.reads) {
        const { place = `Code ${index + 1}`, caption } = items[index] ?? {};
        unread.push({ place, caption, background: background ?? '' });
      }
      sample.scans &&= read?.reads ?? false;
      sample.unusedThousandths = Math.min(sample.unusedThousandths, read?.unusedThousandths ?? 0);
    }
  }
  return { unread, onPage };
}

/** Of a file, the check of all its items tells of duplicates. */
function dataWarningsOf(found: readonly Warning[], items: readonly PlacedItem[], isTyped: boolean): string[] {
  if (!isTyped) {
    const others = found.filter(({ code }) => code !== 'duplicate_data');
    return warningsOf(others, items);
  }
  const lines = items.map(({ data }) => data).join('\n');
  return [...tableDoubt(lines), ...warningsOf(found, items)];
}

/** A sentence for each warning. */
function warningsOf(found: readonly Omit<Warning, 'code'>[], items: readonly PlacedItem[]): string[] {
  return found.map((warning) => forPeople(warning.message) + firstPlaceOf(warning, items));
}

function risksOf(unread: readonly string[], found: readonly Warning[]): string[] {
  // The first of each kind: a transparent code is too pale on white or on the page.
  const asked = ASKED.flatMap((kind) => found.find(({ code }) => code === kind) ?? []);
  return [...unread, ...asked.map(({ message }) => forPeople(message))];
}

/** True for a warning of which people are asked by the risks of the preview. */
export function isAsked({ code }: Pick<Warning, 'code'>): boolean {
  return ASKED.includes(code);
}

/** The place of the first item that a warning is about, where it is not about all. */
function firstPlaceOf({ items: count, first }: Omit<Warning, 'code'>, items: readonly PlacedItem[]): string {
  const place = placeWithin(items[first]);
  if (place === undefined || count === items.length) return '';
  return count === 1 ? ` See ${place}.` : ` The first is ${place}.`;
}

/** The places of a few items, for sentences. */
function placesIn(items: readonly PlacedItem[]): Parameters<typeof phoneActions>[1] {
  return { name: (item) => placeWithin(items[item]) ?? `code ${item + 1}`, number: String };
}

/** The place of an item within a sentence. */
function placeWithin({ place }: Partial<PlacedItem> = {}): string | undefined {
  return place?.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

/** A sample before it is scanned. */
function unscanned(picture: Buffer): Preview['samples'][number] {
  return {
    picture: `data:image/png;base64,${picture.toString('base64')}`,
    scans: true,
    unusedThousandths: 1_000,
  };
}

/** The style of the first codes. Where all codes of a list get the same version, that is the one of the widest. */
function styleOf({ style = {} }: JobMeta, sides: Sides | undefined): Style {
  return style.version === 'same' && sides ? { ...style, version: versionOf(sides.most) } : style;
}

/** The backgrounds on which a code has to scan: its own, or for a transparent one white and the page's colour. */
function groundsOf(form: Form, { background }: Style): (string | undefined)[] {
  if (background !== 'transparent') {
    return [undefined];
  }
  const page = form.get('background').toLowerCase();
  return [...new Set([WHITE, /^#[0-9a-f]{6}$/.test(page) ? page : WHITE])];
}

/** Names the codes that could not be read on the first background on which one could not. */
function unreadNotes(unread: readonly Unread[], isLookFixed: boolean): string[] {
  const [first] = unread;
  if (first === undefined) {
    return [];
  }
  const { place, background } = first;
  const where = background === '' ? '' : background === WHITE ? ' on white' : ` on ${background}`;
  const places = unread
    .filter((code) => code.background === background)
    .map((code) => (code.caption ? `${code.place} (${code.caption.replaceAll(/\s+/g, ' ')})` : code.place));
  const which =
    places.length === 1
      ? `${place} does not scan${where}`
      : `Of the codes that were tried, these do not scan${where}: ${places.join(', ')}`;
  if (isLookFixed) return [`${which}.`];
  return [`${which}${places.length === 1 ? ': choose' : '. Choose'} other colours, or a smaller logo.`];
}

/** The warnings about the colour of the page: a transparent style itself is judged as on white. */
function onPageOnly(background: string | undefined, warnings: readonly Warning[]): Warning[] {
  if (background === undefined || background === WHITE) return [];
  return warnings
    .filter(({ code }) => OF_GROUND.has(code))
    .map((warning) => ({ ...warning, message: `On ${background}: ${warning.message}` }));
}

/** The lowest level above that of the style at which the logo is no danger, where it is one: rather one at which its edge is whole. */
async function neededLevelOf(
  { ecLevel = FIRST_LEVEL }: Style,
  found: readonly Warning[],
  drawnAt: (level: Level) => Promise<Pick<DrawnSamples, 'warnings' | 'cutLogo'>>,
): Promise<Level | undefined> {
  if (!found.some(isOfLogo)) return undefined;
  let lowest: Level | undefined;
  try {
    for (const level of LEVELS.slice(LEVELS.indexOf(ecLevel) + 1)) {
      const { warnings, cutLogo } = await drawnAt(level);
      if (warnings.some(isOfLogo)) continue;
      if (cutLogo === undefined) return level;
      lowest ??= level;
    }
  } catch (error) {
    // At that level a text is too long for any code.
    if (!isRefusal(error)) throw error;
  }
  return lowest;
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== 429 && error.status < 500;
}

/** Size of a picture at another scale, from the header of its PNG file. */
function sizeOf(png: Buffer, drawnScale: number, scale: number): NonNullable<Preview['size']> {
  const [widthPx, heightPx] = [16, 20].map((offset) => Math.round((png.readUInt32BE(offset) / drawnScale) * scale));
  return { widthPx: widthPx as number, heightPx: heightPx as number };
}

function requestOf(body: unknown): { fields: Record<string, string>; items: PlacedItem[] } {
  const { fields, items } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const texts = Object.entries(typeof fields === 'object' && fields !== null ? fields : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const samples = (Array.isArray(items) ? (items as unknown[]) : [])
    .filter((item): item is PlacedItem => typeof (item as PlacedItem | null)?.data === 'string')
    .slice(0, MOST_SAMPLES)
    .map(({ data, caption, place }) => ({
      data,
      ...(typeof caption === 'string' && { caption }),
      ...(typeof place === 'string' && { place }),
    }));
  return {
    fields: Object.fromEntries(texts),
    items: samples.length > 0 ? samples : [{ data: 'https://example.org/', place: 'The sample code' }],
  };
}

/** Data that no code holds: its bytes, a version that was asked for, and the bytes that a code holds. */
const TOO_LONG = /^is (\S+) bytes; a QR code( of version \d+)? .* at most (\S+) \(byte mode\)$/;

/** Reasons of a refusal, one sentence each, with the place of the item that they are about. */
function refusalsOf(error: ApiError, items: readonly PlacedItem[]): string[] {
  const issues = (error.members['issues'] ?? []) as Issue[];
  const sentences = issues.map((issue) => {
    const { line = 1, message } = issue;
    // Line 1 is the style.
    if (line === 1) return settingProblem(issue);
    const place = items[line - 2]?.place ?? `Code ${line - 1}`;
    const said = message.replace(TOO_LONG, 'is too long for a QR code$2: $1 of $3 bytes. Shorten it, or use a link');
    return `${place}${/^(?:is|must|has) /.test(said) ? '' : ':'} ${said}.`;
  });
  return sentences.length > 0 ? sentences : [error.message];
}
