/** Bodies of forms without files: read whole, within limits. Strangers send forms too. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { ApiError, invalidInput } from '../contract/errors.js';
import { withinLimit } from '../intake/body-form.js';
import { BodyAbortedError } from '../intake/received-bytes.js';
import { pageState } from './page-state.js';

/** Maximum bytes. The longest field of a form is a name, that of a preview is a logo. */
const MAX_BYTES = { form: 32_768, json: 1_000_000 };

/** Maximum time for a body, from the headers on. */
const BODY_MS = 10_000;

/** Brackets and commas, those in texts too. The parser takes a quarter of a second for a million of them. */
const MAX_JSON_PARTS = 20_000;

/** Code units. */
const [COMMA, BRACKET, BRACE] = [0x2c, 0x5b, 0x7b];

/** Reads a form into the state: its fields by name, of a repeated name the last. */
export const readForm: RouterMiddleware = async (ctx, next) => {
  const isForm = ctx.is('application/x-www-form-urlencoded') !== false;
  pageState(ctx).body = isForm ? Object.fromEntries(new URLSearchParams(await textOf(ctx, MAX_BYTES.form))) : {};
  await next();
};

/** Reads JSON into the state. @throws ApiError `invalid_input` */
export const readJson: RouterMiddleware = async (ctx, next) => {
  const text = await textOf(ctx, MAX_BYTES.json);
  try {
    pageState(ctx).body = parseSmallJson(text);
  } catch {
    throw invalidInput({ path: '', code: 'invalid_json', message: 'The body is not a small JSON object' });
  }
  await next();
};

/**
 * The body as text. Browsers compress none, and a decoder takes up to 16 MB for a few bytes. Closes the connection of a
 * body that takes too long.
 * @throws ApiError `unsupported_media_type`, `payload_too_large`; BodyAbortedError
 */
async function textOf(ctx: RouterContext, limitBytes: number): Promise<string> {
  if (!['', 'identity'].includes(ctx.get('Content-Encoding').trim().toLowerCase())) {
    throw new ApiError('unsupported_media_type', 'A form must not be compressed.');
  }
  const { req } = ctx;
  const tooSlow = setTimeout(() => req.destroy(), BODY_MS);
  const chunks: Buffer[] = [];
  try {
    // Ending the iteration early must not close the connection: the refusal is sent on it.
    for await (const chunk of withinLimit(req.iterator({ destroyOnReturn: false }), limitBytes)) {
      chunks.push(chunk);
    }
  } catch (error) {
    throw req.destroyed && !(error instanceof ApiError) ? new BodyAbortedError('The form did not arrive') : error;
  } finally {
    clearTimeout(tooSlow);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * The value of a stranger's text of up to some megabytes, which is parsed on the thread of the event loop. @throws
 * SyntaxError also for one of too many parts
 */
export function parseSmallJson(text: string): unknown {
  let parts = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    parts += unit === COMMA || unit === BRACKET || unit === BRACE ? 1 : 0;
  }
  if (parts > MAX_JSON_PARTS) {
    throw new SyntaxError(`The JSON has more than ${MAX_JSON_PARTS} parts`);
  }
  return JSON.parse(text) as unknown;
}
