/** What a person gave the studio's form: items, a logo, and the style that the form started with. */

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

/** The logo of the style that the form started with, unless the person removed it. */
export async function keptLogoOf(
  ctx: RouterContext,
  form: Form,
  needs: Needs<'jobs' | 'styles'>,
): Promise<string | undefined> {
  const source = form.get('keptLogo');
  return source === '' ? undefined : (await metaOf(ctx, needs, source))?.style?.logo?.dataUrl;
}

/**
 * The style of a form's reference: `style:ID` for a saved style, `job:ID` for that of a job. Undefined when it no longer
 * exists.
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
