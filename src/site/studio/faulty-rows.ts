/** `/account/o/…/studio/faulty-rows`: the list of what is wrong with a spreadsheet's rows, or with typed lines, as CSV. */

import type { RouterContext } from '@koa/router';
import type { ReadSpreadsheetReport, SpreadsheetProblem } from '../../engine/engine.js';
import { SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { formOf } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { spreadsheetChoicesOf } from './spreadsheet-choices.js';
import { checkItems, problemsOf } from './studio-body.js';
import { jobMetaOf } from './studio-style.js';
import { csvLine } from '../shell/csv.js';
import { logoOf, sourceOf } from './studio-form.js';
import { showStudio, type StudioPage } from './studio-page.js';

/** Problems of the list. The last line of a longer one counts the others. */
const LISTED = 10_000;

/** Sends the list of what is wrong with the rows of a file, or with typed lines. */
export async function downloadFaultyRows(
  ctx: RouterContext,
  needs: Needs<'folder' | 'engine' | 'jobs'> & StudioPage,
): Promise<void> {
  const { folder, engine } = needs;
  const form = formOf(ctx);
  const source = sourceOf(ctx, form);
  const meta = jobMetaOf(form, await logoOf(ctx, form, needs));
  if (source === undefined || !form.isValid) {
    await showStudio(ctx, needs, form, 422);
    return;
  }
  await using draft = folder.drafts.create();
  const items = { holder: personOf(ctx).id, source, choices: spreadsheetChoicesOf(form), meta, maxProblems: LISTED };
  let list = listOf([], 0);
  try {
    await checkItems(engine, ctx.res, items, draft);
  } catch (error) {
    if (error instanceof SpreadsheetRefusal) {
      list = listOf(error.places, error.problemCount, error.report.columns);
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

function listOf(
  problems: readonly SpreadsheetProblem[],
  count: number,
  columns: ReadSpreadsheetReport['columns'] = [],
): string {
  const listed = problems.slice(0, LISTED);
  const lines = listed.map(({ row = null, column, what }) => {
    const { letters = '', name = '' } = column === undefined ? {} : (columns[column] ?? {});
    return csvLine([row, name === '' ? letters : `${letters} (${name})`, what]);
  });
  const rest = count - listed.length;
  return [
    csvLine(['row', 'column', 'problem']),
    ...lines,
    ...(rest > 0 ? [csvLine([null, null, `And ${rest} more.`])] : []),
  ].join('');
}
