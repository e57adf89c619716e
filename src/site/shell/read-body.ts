/** Bodies of forms without files, and small JSON. Strangers send them too. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { koaBody } from 'koa-body';
import { ApiError, invalidInput } from '../../contract/errors.js';
import { payloadTooLarge } from '../../jobs/intake/request-body.js';
import { keepBody } from './form.js';
import { parseSmallJson } from './small-json.js';
import { BodyAbortedError } from '../../platform/body-aborted-error.js';

/** Maximum bytes. The longest field of a form is a name, that of a preview is a logo. */
const MAX_BYTES = { form: 32_768, json: 1_000_000 };

/** Fields of a form. The parser ignores those behind them. */
const MAX_FIELDS = 1_000;

/** Maximum time for a body, from the headers on. */
const BODY_MS = 10_000;

/** A field's name is the whole text before `=`, and of a repeated field the last value counts. */
const FLAT = { allowDots: false, depth: 0, parseArrays: false, duplicates: 'last', plainObjects: true } as const;

/** Reads JSON as text: `parseSmallJson` counts its parts before it parses them. */
const parse = koaBody({
  formLimit: MAX_BYTES.form,
  queryString: { ...FLAT, parameterLimit: MAX_FIELDS },
  json: false,
  textTypes: ['json'],
  textLimit: MAX_BYTES.json,
});

/** Reads a form into the state: its fields by name. */
export const readForm: RouterMiddleware = async (ctx, next) => {
  keepBody(ctx, ctx.is('urlencoded') ? await receive(ctx, MAX_BYTES.form) : {});
  await next();
};

/** Reads JSON into the state. @throws ApiError `invalid_input` */
export const readJson: RouterMiddleware = async (ctx, next) => {
  try {
    keepBody(ctx, parseSmallJson((ctx.is('json') ? await receive(ctx, MAX_BYTES.json) : '') as string));
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    throw invalidInput({ path: '', code: 'invalid_json', message: 'The body is not a small JSON object' });
  }
  await next();
};

/**
 * The fields of a form, or the text of JSON. Refuses compressed bodies: browsers send none, and a decoder takes up to 16 MB
 * for a few bytes. Closes the connection of a body that takes too long.
 * @throws ApiError `unsupported_media_type`, `payload_too_large`; BodyAbortedError
 */
async function receive(ctx: RouterContext, limitBytes: number): Promise<unknown> {
  if (!['', 'identity'].includes(ctx.get('Content-Encoding').trim().toLowerCase())) {
    throw new ApiError('unsupported_media_type', 'A form must not be compressed.');
  }
  const { req } = ctx;
  const tooSlow = setTimeout(() => req.destroy(), BODY_MS);
  // koa-body may wait for ever for a request that is destroyed.
  const broken = new Promise<never>((_resolve, reject) => {
    req.once('close', () => req.complete || reject(new Error('The connection was closed')));
  });
  try {
    await Promise.race([parse(ctx, async () => undefined), broken]);
    return (ctx.request as { body?: unknown }).body;
  } catch (error) {
    if (req.destroyed && !req.complete) {
      throw new BodyAbortedError('The form did not arrive', { cause: error });
    }
    throw (error as { status?: unknown }).status === 413 ? payloadTooLarge(limitBytes) : error;
  } finally {
    clearTimeout(tooSlow);
  }
}
