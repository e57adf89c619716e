/** The choices of a page without scripts, which sends all that it showed: those that a person made. */

import type { RouterContext } from '@koa/router';
import { type Form, formOf } from '../shell/form.js';
import { kindWords } from '../shell/kind-words.js';
import { uploadOf } from '../shell/uploads.js';

/** Value of the field `kind` where a person wants links or texts, whatever the list looks like. */
const PLAIN = 'links';

/** The fields of columns: `column-0` is the use of the first. */
const OF_COLUMN = /^column-\d{1,5}$/;

/** Choices that hold for one file. */
const OF_FILE = /^(?:sheet|encoding)$/;

/** Choices that hold for one sheet. */
const OF_SHEET =
  /^(?:column-\d{1,5}|kind|open|links|dates|callingCode|headless|(?:data|caption|filename)Pattern|payee(?:Name|Iban|Bic)|eventDay)$/;

/** The form with the choices that a person made on the page: what it showed of another file, of another sheet or kind is none. */
export function chosenOn(ctx: RouterContext, sent: Form): Form {
  const shown = sent.get('shownFile');
  if (shown === '') return sent;
  const form = sent.get('asKind') === '' ? sent : sent.with({ kind: sent.get('asKind') });
  const isOtherFile = shown !== uploadOf(ctx, 'file')?.name;
  const isOtherSheet = form.get('shownSheet') !== form.get('sheet');
  const dropped = form.names.filter(
    (name) => (isOtherFile && OF_FILE.test(name)) || ((isOtherFile || isOtherSheet) && OF_SHEET.test(name)),
  );
  const chosen = ofKind(without(form, dropped));
  return chosen.with({ asKind: '', shownKind: chosen.get('kind'), shownColumns: '' });
}

/** The form with all choices that the page sent, which are those for a list that stays. */
export function withSentChoices(ctx: RouterContext, form: Form): Form {
  const sent = formOf(ctx);
  const names = sent.names.filter((name) => OF_FILE.test(name) || OF_SHEET.test(name));
  return form.with(Object.fromEntries(names.map((name) => [name, sent.get(name)])));
}

/** The form without the columns that the page found: the service finds them again, and for another kind other ones. */
function ofKind(form: Form): Form {
  const columns = form.names.filter((name) => OF_COLUMN.test(name));
  const isOfKind = kindWords(form.get('kind')) !== undefined;
  if (form.get('kind') !== form.get('shownKind')) {
    // People see the columns of the kind before its codes are made.
    return without(form, [...columns, 'open', 'seen', ...(isOfKind ? ['dataPattern'] : [])]);
  }
  const found = form.get('shownColumns');
  const uses = columns.flatMap((name) =>
    form.get(name) === '' ? [] : `${form.get(name)}=${name.slice('column-'.length)}`,
  );
  // A pattern of the data was written after the kind was chosen.
  const patterned = isOfKind && form.get('dataPattern').trim() !== '' ? form.with({ kind: PLAIN }) : form;
  return found === uses.toSorted().join() ? without(patterned, columns) : patterned;
}

/** All columns are those that the service finds. */
export function areFound(form: Form): boolean {
  return form.names.every((name) => !OF_COLUMN.test(name) || form.get(name) === '');
}

function without(form: Form, names: readonly string[]): Form {
  return form.with(Object.fromEntries(names.map((name) => [name, ''])));
}
