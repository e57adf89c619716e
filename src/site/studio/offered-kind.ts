/** The kind of codes that a list looks like, for a page without scripts: where nobody chose one, it offers that, or asks. */

import type { RouterContext } from '@koa/router';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { columnTitle, SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { Form } from '../shell/form.js';
import { kindWords } from '../shell/kind-words.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { smallUploadOf } from '../shell/uploads.js';
import { hasAccount, PATTERNS, spreadsheetChoicesOf } from './spreadsheet-choices.js';
import { checkItems, type StudioItems } from './studio-body.js';
import { FIRST_STYLE, jobMetaOf } from './studio-style.js';

/** An offer, which one press takes. */
export interface OfferedKind {
  kind: string;
  /** A sentence: the kind that the list looks like, and the links that its codes are now. */
  text: string;
  /** Its codes in words. */
  codes: string;
}

/** Undefined where a kind or a pattern is chosen, and for a list that looks like no other. */
export function offeredKind(form: Form, report: ReadSpreadsheetReport | undefined): OfferedKind | undefined {
  const { proposedKind: kind = '', columns = [] } = report ?? {};
  const words = isPlain(form) ? kindWords(kind) : undefined;
  if (words === undefined) return undefined;
  const links = columns.find(({ role }) => role === 'data')?.name;
  const but = links === undefined ? '' : `, but the codes are the links of the column ${links}`;
  return { kind, text: `This looks like ${words.list}${but}.`, codes: words.codes };
}

/** Neither a kind nor a pattern is chosen: each code is the text of a column. */
export function isPlain(form: Form): boolean {
  const isChosen = kindWords(form.get('kind')) !== undefined;
  return !isChosen && Object.values(PATTERNS).every((name) => form.get(name).trim() === '');
}

/** The kind that the page chooses for a person who is asked for columns. */
export function chosenKind(form: Form, report: ReadSpreadsheetReport | undefined): string | undefined {
  const isAsked = report?.asksForColumns === true && form.get('kind') === '';
  return isAsked ? offeredKind(form, report)?.kind : undefined;
}

/** The report of a refused list as of that kind. */
export async function reportOfKind(
  ctx: RouterContext,
  { engine, folder }: Needs<'engine' | 'folder'>,
  { form, source, kind }: Pick<StudioItems, 'source'> & { form: Form; kind: string },
): Promise<ReadSpreadsheetReport | undefined> {
  await using draft = folder.drafts.create();
  const choices = spreadsheetChoicesOf(form.with({ kind }));
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  try {
    return (await checkItems(engine, ctx.res, { holder: personOf(ctx).id, source, choices, meta }, draft)).report;
  } catch (error) {
    return error instanceof SpreadsheetRefusal ? error.report : undefined;
  }
}

/** The question which column holds the links, or a field of the kind, or what kind of list it is that has none. */
export function questionOf(ctx: RouterContext, form: Form, report: SpreadsheetRefusal['report']): string | undefined {
  const { asksForHeader, columns, linksColumn, proposedKind } = report;
  if (form.get('kind') !== '') return fieldQuestion(form, report);
  const next = smallUploadOf(ctx, 'file') === undefined ? 'choose the file again' : 'press Make codes';
  const { letters } = columns[linksColumn ?? -1] ?? {};
  const title = asksForHeader ? letters : columnTitle(report, linksColumn);
  if (letters !== undefined && proposedKind === undefined) {
    return `Does column ${title} hold the links? To use it, ${next}. If not, choose first how it is read.`;
  }
  const likely = kindWords(report.likelyKind ?? '');
  if (likely !== undefined) {
    return `Which column holds the link or text? Choose it below. Or is this ${likely.list}? Choose ${likely.label} for “The codes are”.`;
  }
  const words = kindWords(chosenKind(form, report));
  return (
    words &&
    `This looks like ${words.list}. To make ${words.codes}, ${next}. Or choose first how it is read${letters === undefined ? '' : `: column ${title} holds links`}.`
  );
}

/** The question which column holds a field of the kind, or which day all events have, in the words of the choices below. */
export function fieldQuestion(
  form: Form,
  { asksForField = '', asksForDay, sheets }: ReadSpreadsheetReport,
  choose: 'Choose' | 'Pick' = 'Choose',
): string | undefined {
  const kind = form.get('kind');
  if (asksForDay && ['', 'start'].includes(asksForField)) {
    const all = 'The list has times, and no day. If all events are on one day, type it below.';
    return `${all} If not, ${choose.toLowerCase()} the column of the days.`;
  }
  const field = kindWords(kind)?.fields[asksForField];
  if (field === undefined || (kind === 'wifi' && asksForField === 'password')) return undefined;
  const question =
    kind.startsWith('contact') && asksForField === 'name'
      ? `Which columns hold the first and last name? ${choose} them below.`
      : kind !== 'payment'
        ? `Which column holds “${field}”? ${choose} it below.`
        : hasAccount(form)
          ? 'Who holds the account? Type the payee below.'
          : `Which column holds “${field}”? ${choose} it below, or type payee and IBAN once for all codes.`;
  return sheets.length > 1 ? `${question} Or choose another sheet.` : question;
}
