/** `/account/o/…/studio/lines`: typed lines, changed as a warning about them advises. */

import type { RouterContext } from '@koa/router';
import { invalidInput } from '../../contract/errors.js';
import type { ChangeOfLines } from '../../engine/engine.js';
import { formOf } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';

const CHANGES: readonly ChangeOfLines[] = ['addresses', 'captions', 'marks', 'https', 'mailto', 'tel', 'geo'];

/** Returns the lines of the form as text. @throws ApiError `invalid_input` */
export async function changeLines(ctx: RouterContext, { engine }: Needs<'engine'>): Promise<void> {
  const form = formOf(ctx);
  const change = CHANGES.find((each) => each === form.get('change'));
  if (change === undefined) {
    throw invalidInput({ path: '/change', code: 'invalid_value', message: 'There is no such change' });
  }
  // Forms are sent with the line ends of DOS.
  const lines = form.get('items').replaceAll('\r\n', '\n');
  ctx.body = await engine.changeLines({ lines, change, holder: personOf(ctx).id });
}
