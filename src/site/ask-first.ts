/** The question before a step that cannot be undone, as a page. With scripts enabled, the browser asks instead. */

import type { RouterMiddleware } from '@koa/router';
import { formOf, pageOfForm } from './form.js';
import { pageState } from './page-state.js';
import type { View } from './view.js';

/** Use it after the form is read. The button's field `ask` has the question; it is empty once a script has asked it. */
export function askFirst(view: View): RouterMiddleware {
  return async (ctx, next) => {
    const question = formOf(ctx).get('ask');
    if (question === '') {
      await next();
      return;
    }
    const fields = Object.entries(pageState(ctx).body as Record<string, string>).filter(([name]) => name !== 'ask');
    const back = pageOfForm(ctx)?.pathname ?? '/account';
    view.show(ctx, 'confirm', { title: 'Are you sure?' }, { question, fields, action: ctx.path, back });
  };
}
