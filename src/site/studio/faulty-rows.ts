/** `/account/o/…/studio/faulty-rows`: the list of what is wrong with a spreadsheet's rows, or with typed lines, as CSV. */

import type { RouterContext } from '@koa/router';
import { columnTitle, SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { formOf } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { beforeSizes } from './printed-width.js';
import { chosenOn } from './shown-choices.js';
import { SkipChoice } from './spreadsheet-choices.js';
import { checkItems, MOST_KNOWN, patternsNamed, problemsOf } from './studio-body.js';
import { jobMetaOf } from './studio-style.js';
import { csvHead, csvLine } from '../shell/csv.js';
import { sourceOf } from './studio-form.js';
import { showStudio, type StudioPage } from './studio-page.js';

/** Sends the list of what is wrong with the rows of a file, or with typed lines. */
export async function downloadFaultyRows(
  ctx: RouterContext,
  needs: Needs<'folder' | 'engine'> & StudioPage,
): Promise<void> {
  const { folder, engine } = needs;
  const form = chosenOn(ctx, formOf(ctx));
  const source = sourceOf(ctx, form);
  const meta = beforeSizes(form, jobMetaOf(form));
  if (source === undefined || !form.isValid) {
    await showStudio(ctx, needs, form, 422);
    return;
  }
  await using draft = folder.drafts.create();
  const items = { holder: personOf(ctx).id, source, choices: new SkipChoice(ctx, form).choices, meta };
  let list = listOf();
  try {
    await checkItems(engine, ctx.res, items, draft);
  } catch (error) {
    if (error instanceof SpreadsheetRefusal) {
      list = listOf(error);
    } else {
      const problems = problemsOf(error, pageFormats(ctx));
      form.refuse('lines' in source ? 'items' : 'file', problems[0] ?? '');
      await showStudio(ctx, needs, form, 422, { problems });
      return;
    }
  }
  ctx.attachment('faulty-rows.csv');
  ctx.body = list;
}

/** The last line of a longer list counts the others. */
function listOf(refusal?: SpreadsheetRefusal): string {
  const listed = refusal?.places.slice(0, MOST_KNOWN) ?? [];
  const lines = listed.map(({ row = null, column, value = null, what }) =>
    csvLine([row, refusal ? columnTitle(refusal.report, column) : null, value, patternsNamed(what)]),
  );
  const rest = (refusal?.problemCount ?? 0) - listed.length;
  return [
    csvHead(['row', 'column', 'value', 'problem']),
    ...lines,
    ...(rest > 0 ? [csvLine([null, null, null, `And ${rest} more.`])] : []),
  ].join('');
}
