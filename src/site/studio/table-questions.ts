/** Questions of a page with scripts about the table that it shows. The answers are its choices. */

import { COUNTRY_OF_ROW } from '../../contract/calling-codes.js';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { columnTitle } from '../../jobs/intake/spreadsheet.js';
import type { Form } from '../shell/form.js';
import type { Formats } from '../shell/formats.js';
import { kindWords } from '../shell/kind-words.js';
import { fieldQuestion, isPlain } from './offered-kind.js';

export interface TableQuestions {
  /** Undefined if all is known, or a pattern is wrong. */
  question?: string;
  /** The question whether the column that was guessed holds the links, until it is answered. */
  guess?: string;
  countryOfRow: [value: string, text: string][];
}

/** The choice of the country of each row for telephone numbers without its code, where a column has countries. */
export function countryOfRow(
  report: ReadSpreadsheetReport,
  { counted }: Pick<Formats, 'counted'>,
): TableQuestions['countryOfRow'] {
  const { countryColumn, rowsWithoutCountry: rows } = report;
  if (countryColumn === undefined) return [];
  const others = rows === 0 ? '' : `; ${counted(rows, 'row')} ${rows === 1 ? 'has' : 'have'} none that is known`;
  return [[COUNTRY_OF_ROW, `The country of each row: column ${columnTitle(report, countryColumn)}${others}`]];
}

export function tableQuestions(
  form: Form,
  report: ReadSpreadsheetReport,
  formats: Pick<Formats, 'number' | 'counted'>,
): TableQuestions {
  const question = valueQuestion(form, report, formats) ?? columnQuestion(form, report);
  const guess = guessQuestion(form, report);
  return {
    ...(question !== undefined && { question }),
    ...(guess !== undefined && { guess }),
    countryOfRow: countryOfRow(report, formats),
  };
}

function guessQuestion(form: Form, report: ReadSpreadsheetReport): string | undefined {
  const column = form.get('guess') === 'open' ? report.columns.findIndex(({ role }) => role === 'data') : -1;
  if (column === -1) return undefined;
  return `Does column ${columnTitle(report, column)} hold the links? If not, pick another below.`;
}

/** The question how values are meant. */
function valueQuestion(
  form: Form,
  report: ReadSpreadsheetReport,
  { number }: Pick<Formats, 'number'>,
): string | undefined {
  const { asksForLinks, linkCells, asksForDates, ambiguousDates, asksForCountry, nationalNumbers } = report;
  const counted = (count: number, one: string, several: string) => `${number(count)} ${count === 1 ? one : several}`;
  if (asksForLinks) {
    const cells = counted(linkCells, 'cell is a link', 'cells are links');
    return `${cells} whose text is not the address. Should the codes have the texts or the addresses?`;
  }
  if (asksForDates) {
    const dates = counted(ambiguousDates, 'date begins', 'dates begin');
    return `${dates} with a number that may be the day or the month. Which is it? Answer below.`;
  }
  if (asksForCountry) {
    const numbers = counted(nationalNumbers, 'number has', 'numbers have');
    const { countryColumn, rowsWithoutCountry: rows } = report;
    const lacking = rows === 0 ? '' : `, but not in ${counted(rows, 'row', 'rows')}`;
    const title = countryColumn === undefined ? '' : columnTitle(report, countryColumn);
    const named = title === '' ? '' : ` The column ${title} names one${lacking}.`;
    return `${numbers} no country’s code, such as +49. Which country do they belong to?${named} Answer below.`;
  }
  if (report.passwordlessNetworks > 0 && form.get('open') === '') {
    const networks = counted(report.passwordlessNetworks, 'network has', 'networks have');
    return `${networks} no password. Can anyone join without one? Answer below.`;
  }
  return undefined;
}

/** The question which column holds a field of the kind, or the link or text. */
function columnQuestion(form: Form, report: ReadSpreadsheetReport): string | undefined {
  const { asksForColumns, asksForField, asksForDay, columns, sheets } = report;
  if (asksForDay) return fieldQuestion(form, report, 'Pick');
  if (!asksForColumns) return undefined;
  if (form.get('kind') === 'wifi' && asksForField === 'password') {
    return 'No column holds the password: these codes would be for open networks. Choose one below.';
  }
  if (asksForField !== undefined) return fieldQuestion(form, report, 'Pick');
  if (!isPlain(form) || columns.some(({ role }) => role === 'data')) return undefined;
  const question = 'Which column holds the link or text? Pick it below.';
  const likely = kindWords(report.likelyKind ?? '');
  if (likely !== undefined) return `${question} Or is this ${likely.list}?`;
  return sheets.length > 1 ? `${question} Or choose another sheet.` : question;
}
