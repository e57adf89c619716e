/** `/account/o/…/studio/preview`: how the first codes of a style look, whether they scan, and what to watch out for. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import { tryAgain } from '../../admission/table.js';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { type JobMeta, LEVELS, type Style } from '../../contract/request-schema.js';
import type { Warning } from '../../contract/response-schema.js';
import { drawSamples, MOST_SAMPLES, type SampleItem } from '../shell/draw-samples.js';
import { bodyOf, Form } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { curlOf, FIRST_STYLE, jobMetaOf } from './studio-style.js';
import { keptLogoOf } from './studio-form.js';
import { forPeople } from '../shell/formats.js';

/** Maximum scale of samples: a screen shows no more, and decoding stays fast. */
const MAX_SAMPLE_SCALE = 8;

type Level = (typeof LEVELS)[number];

const FIRST_LEVEL = Reflect.get(FIRST_STYLE, 'ecLevel') as Level;

export interface Preview {
  samples: { picture: string; scans: boolean | null; unusedThousandths?: number }[];
  /** Size of the first code at the requested scale. Absent when none was drawn. */
  size?: { widthPx: number; heightPx: number };
  /** The lowest error correction that the logo leaves readable, where the chosen one is too low. */
  neededLevel?: Level;
  /** Reasons why these items' codes may not scan. */
  warnings: string[];
  /** Other hints. */
  notes: string[];
  /** Reasons why the job would be refused. */
  problems: string[];
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
  const meta = jobMetaOf(form, form.get('logo') || (await keptLogoOf(ctx, form, needs)));
  const answer: Preview = {
    samples: [],
    warnings: [],
    notes: [],
    problems: form.errors.map(({ message }) => message),
    curl: curlOf(needs.config.baseUrl, meta),
  };
  if (form.isValid) {
    try {
      Object.assign(answer, await samplesOf(needs, personOf(ctx).id, meta, items));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) {
        throw error;
      }
      answer.problems.push(...refusalsOf(error));
    }
  }
  if (answer.samples.some((sample) => sample.scans === false)) {
    answer.notes.push('Test scan failed: this code could not be read.');
  }
  if (form.isValid && isTransparent(meta)) {
    answer.notes.push('A transparent background takes the colour of what lies below. Test a code there.');
  }
  ctx.body = answer;
}

async function samplesOf(
  { engine }: Needs<'engine'>,
  holder: string,
  meta: JobMeta,
  items: readonly SampleItem[],
): Promise<Pick<Preview, 'samples' | 'size' | 'warnings' | 'neededLevel'>> {
  const { style = {} } = meta;
  const scale = style.scale ?? LIMITS.scale.default;
  const sampleScale = Math.min(scale, MAX_SAMPLE_SCALE);
  // Checked at the requested size, which may be too large for a picture or too small in print.
  const drawIn = (look: Style) =>
    drawSamples({ engine, holder }, { ...meta, style: look }, items, {
      format: 'png',
      style: { ...look, scale: sampleScale },
    });
  const { pictures, warnings: found } = await drawIn(style);
  const warningsAt = async (ecLevel: Level) => (await drawIn({ ...style, ecLevel })).warnings;
  const neededLevel = await levelFor(found, style.ecLevel, warningsAt);
  // Duplicates are only reported for all items of a job.
  const warnings = found.filter(({ code }) => code !== 'duplicate_data').map(({ message }) => forPeople(message));
  const samples: Preview['samples'] = [];
  // One after the other: a preview must not occupy several threads.
  for (const [index, picture] of pictures.entries()) {
    const png = picture.toString('base64');
    const text = items[index]?.data ?? '';
    const places = { pixelsPerModule: sampleScale, quietZoneModules: style.margin ?? LIMITS.margin.default };
    const { reads, unusedThousandths } = await engine.scan({ png, text, ...places, holder });
    samples.push({
      picture: `data:image/png;base64,${png}`,
      scans: isTransparent(meta) ? null : reads,
      ...(unusedThousandths !== undefined && { unusedThousandths }),
    });
  }
  const [first] = pictures;
  return {
    samples,
    warnings,
    ...(neededLevel && { neededLevel }),
    ...(first && { size: sizeOf(first, sampleScale, scale) }),
  };
}

/** The lowest level above `chosen` at which the logo is no danger. Undefined where it is none, or one at every level. */
async function levelFor(
  warnings: readonly Warning[],
  chosen: Level = FIRST_LEVEL,
  warningsAt: (level: Level) => Promise<readonly Warning[]>,
): Promise<Level | undefined> {
  const isInDanger = (found: readonly Warning[]) => found.some(({ code }) => code === 'logo_covers_too_much');
  if (!isInDanger(warnings)) {
    return undefined;
  }
  for (const level of LEVELS.slice(LEVELS.indexOf(chosen) + 1)) {
    if (!isInDanger(await warningsAt(level))) {
      return level;
    }
  }
  return undefined;
}

function isTransparent({ style = {} }: JobMeta): boolean {
  return style.background === 'transparent' || style.foreground === 'transparent';
}

/** Size of a picture at another scale, from the header of its PNG file. */
function sizeOf(png: Buffer, drawnScale: number, scale: number): NonNullable<Preview['size']> {
  const [widthPx, heightPx] = [16, 20].map((offset) => Math.round((png.readUInt32BE(offset) / drawnScale) * scale));
  return { widthPx: widthPx as number, heightPx: heightPx as number };
}

function requestOf(body: unknown): { fields: Record<string, string>; items: SampleItem[] } {
  const { fields, items } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const texts = Object.entries(typeof fields === 'object' && fields !== null ? fields : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const samples = (Array.isArray(items) ? (items as unknown[]) : [])
    .filter((item): item is SampleItem => typeof (item as SampleItem | null)?.data === 'string')
    .slice(0, MOST_SAMPLES)
    .map(({ data, caption }) => ({ data, ...(typeof caption === 'string' && { caption }) }));
  return {
    fields: Object.fromEntries(texts),
    items: samples.length > 0 ? samples : [{ data: 'https://example.org/' }],
  };
}

/** Reasons of a refusal, one sentence each, with the number of the code that they are about. */
function refusalsOf(error: ApiError): string[] {
  const issues = (error.members['issues'] ?? []) as Issue[];
  // Line 1 is the style, whose messages are sentences.
  const sentences = issues.map(({ line = 1, message }) => {
    const subject = /^(?:is|must|has) /.test(message) ? `Code ${line - 1}` : `Code ${line - 1}:`;
    return line > 1 ? `${subject} ${message}.` : message;
  });
  return sentences.length > 0 ? sentences : [error.message];
}
