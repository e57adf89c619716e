/** `/account/o/…/studio/lines`: typed lines, changed as a warning about them advises. */

import type { RouterContext } from '@koa/router';
import { invalidInput } from '../../contract/errors.js';
import type { ChangeOfLines } from '../../engine/engine.js';
import { bodyOf } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';

const CHANGES: readonly unknown[] = [
  'addresses',
  'captions',
  'marks',
  'https',
  'mailto',
  'tel',
  'geo',
] satisfies ChangeOfLines[];

/** Accepts JSON, and returns the lines as text. @throws ApiError `invalid_input` */
export async function changeLines(ctx: RouterContext, { engine }: Needs<'engine'>): Promise<void> {
  const { lines, change } = (bodyOf(ctx) ?? {}) as { lines?: unknown; change?: unknown };
  if (typeof lines !== 'string' || !CHANGES.includes(change)) {
    throw invalidInput({ path: '', code: 'invalid_type', message: 'The body is not lines with a change' });
  }
  ctx.body = await engine.changeLines({ lines, change: change as ChangeOfLines, holder: personOf(ctx).id });
}
