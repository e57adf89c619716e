/** What a person gave the studio's form: items, a logo, and the style that the form started with. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RouterContext } from '@koa/router';
import type { StyleMeta } from '../../accounts/organisations/style-store.js';
import { ApiError } from '../../contract/errors.js';
import { isLost } from '../../jobs/job-output.js';
import type { Form } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { membershipOf } from '../shell/page-state.js';
import { pageFormats } from '../shell/formats.js';
import { emptyFileOf, LOGO_BYTES, uploadOf } from '../shell/uploads.js';
import type { ItemSource } from './item-source.js';
import { STARTING_STYLES } from './studio-style.js';

/** Undefined when the person gave no items. The form then reports it. */
export function sourceOf(ctx: RouterContext, form: Form): ItemSource | undefined {
  const file = uploadOf(ctx, 'file');
  const lines = form.get('items');
  const hasLines = lines.trim() !== '';
  if (file !== undefined && hasLines) {
    form.refuse('items', 'Choose a file or type lines, not both.');
    return undefined;
  }
  if (file !== undefined || hasLines) {
    return file ?? { lines };
  }
  const empty = emptyFileOf(ctx, 'file');
  form.refuse('file', empty === undefined ? 'Add a file or a few lines to start.' : `The file “${empty}” is empty.`);
  return undefined;
}

/**
 * First bytes of other image formats. With scripts enabled, the page converts such pictures to PNG; without, they
 * arrive unchanged.
 */
const OTHER_PICTURES: readonly [RegExp, string][] = [
  [/^\xff\xd8\xff/, 'a JPEG'],
  [/^RIFF.{4}WEBP/s, 'a WebP picture'],
  [/^GIF8/, 'a GIF'],
  [/^\s*(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|!doctype svg|svg)/i, 'an SVG drawing'],
  [/^%PDF/, 'a PDF'],
];

/**
 * The chosen logo, or that of the style that the form started with, as a data URL. Records an error for another image
 * format.
 */
export async function logoOf(
  ctx: RouterContext,
  form: Form,
  needs: Needs<'jobs' | 'styles'>,
): Promise<string | undefined> {
  const logo = uploadOf(ctx, 'logo');
  if (logo === undefined) return keptLogoOf(ctx, form, needs);
  // Scripts of the page shrink a large logo: this is for people without them.
  if (logo.bytes > LOGO_BYTES) {
    form.refuse('logo', `The logo is larger than ${pageFormats(ctx).bytes(LOGO_BYTES)}. Choose a smaller PNG file.`);
    return undefined;
  }
  const content = await readFile(logo.path);
  const [, kind] = OTHER_PICTURES.find(([start]) => start.test(content.toString('latin1', 0, 1_000))) ?? [];
  if (kind !== undefined) {
    form.refuse('logo', `The logo must be a PNG file; this is ${kind}. Save it as PNG and choose it again.`);
  }
  return `data:image/png;base64,${content.toString('base64')}`;
}

/**
 * The logo of the style that the form started with, unless the person removed it. Records an error where it is no longer the one
 * that the page showed.
 */
export async function keptLogoOf(
  ctx: RouterContext,
  form: Form,
  needs: Needs<'jobs' | 'styles'>,
): Promise<string | undefined> {
  const kept = form.get('keptLogo');
  if (kept === '') return undefined;
  const logo = (await metaOf(ctx, needs, kept))?.style?.logo?.dataUrl;
  if (logo !== undefined && kept.endsWith(`:${hashOf(logo)}`)) return logo;
  const change =
    logo === undefined
      ? 'is no longer there. Choose a picture, or untick its box.'
      : 'is another one now. Choose the style again to see it, or choose a picture, or untick the box.';
  form.refuse('logo', `The logo of “${form.get('keptLogoName')}” ${change}`);
  return undefined;
}

/** The reference by which a form keeps the logo of a style: where it is, and its hash. Empty where the style has none. */
export function keptLogoFor(source: string, { style }: StyleMeta): string {
  return style?.logo === undefined ? '' : `${source}:${hashOf(style.logo.dataUrl)}`;
}

/** SHA-256 of the file in a data URL, hex. By it, the page knows that a chosen logo is that of the style. */
function hashOf(dataUrl: string): string {
  const png = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
  return createHash('sha256').update(png).digest('hex');
}

/**
 * The style of a form's reference: `style:ID` for a saved style, `job:ID` for that of a job, either with the hash of its logo.
 * Undefined when it no longer exists.
 */
export async function metaOf(
  ctx: RouterContext,
  { styles, jobs }: Needs<'styles' | 'jobs'>,
  source: string,
): Promise<StyleMeta | undefined> {
  const { organisationId } = membershipOf(ctx);
  const [kind, id = ''] = source.split(':');
  if (kind === 'style') {
    return (STARTING_STYLES.find((style) => style.id === id) ?? (await styles.find(organisationId, id)))?.meta;
  }
  const job = await jobs.find(organisationId, id);
  try {
    return job && (await jobs.output.settings(job));
  } catch (error) {
    if (isLost(error) || (error instanceof ApiError && error.status < 500)) {
      return undefined;
    }
    throw error;
  }
}
