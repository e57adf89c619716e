/** A person's choices for reading a spreadsheet: its sheet, the columns, the kind of codes, patterns, links, and rows to leave out. */

import { createHash } from 'node:crypto';
import type { RouterContext } from '@koa/router';
import { CALLING_CODES, COUNTRY_OF_ROW } from '../../contract/calling-codes.js';
import { ENCODINGS } from '../../contract/encodings.js';
import { type Kind, KINDS } from '../../contract/kinds.js';
import type { ChosenColumn, ComposedMember, ReadSpreadsheetReport, SpreadsheetChoices } from '../../engine/engine.js';
import type { Form } from '../shell/form.js';
import { type Formats, pageFormats } from '../shell/formats.js';
import { firstNames } from '../shell/item-names.js';
import type { FaultyRows } from '../../jobs/intake/spreadsheet.js';
import { uploadOf } from '../shell/uploads.js';
import { isNdjson } from './item-source.js';

const ROLES = ['data', 'filename', 'caption', 'reference'] as const;

/** What codes take of cells that are links. */
const LINKS = ['text', 'address'] as const;

/** The first number of dates such as 01/02/2026. */
const DATES = ['day', 'month'] as const;

/** Fields of the form that hold a pattern. */
export const PATTERNS = { data: 'dataPattern', caption: 'captionPattern', filename: 'filenamePattern' } as const;

/** Fields of the form for the account that all payments go to, and what a payment takes of each. */
const ACCOUNT = { payeeName: 'name', payeeIban: 'iban', payeeBic: 'bic' } as const;

/**
 * `columns` maps roles, and the fields of a kind, to column positions, such as `data=0,filename=2`. A page without scripts has a
 * field for each column instead. A question about another field of the kind holds until it is answered: `amount=?`, or the fields in
 * `askedFields` of a page without scripts.
 */
export function spreadsheetChoicesOf(form: Form): SpreadsheetChoices {
  const kind = kindOf(form.get('kind'));
  const fields: readonly string[] = kind === undefined ? [] : KINDS[kind];
  const listed = form.names.flatMap((name) => {
    const [, position] = /^column-(\d{1,5})$/.exec(name) ?? [];
    return position === undefined ? [] : [`${form.get(name)}=${position}`];
  });
  const named = (form.get('columns') || listed.join(',')).split(',').flatMap((part) => {
    const [, target, position] = /^([a-zA-Z]+)=(\d{1,5})$/.exec(part) ?? [];
    return target === undefined ? [] : [{ target, position: Number(position) }];
  });
  const composed = patternsOf(form);
  if (kind !== undefined) {
    const members = named.filter(({ target }) => fields.includes(target));
    const chosen = members.map(({ target, position }) => ({ field: target, position }));
    const typed = typedOnce(kind, form);
    const asked = askedIn(form).filter((field) => fields.includes(field));
    const unanswered = asked.filter((field) => members.every(({ target }) => target !== field));
    const open = unanswered.map((field) => ({ field, isRecognised: true }));
    composed.push({
      role: 'data',
      kind,
      fields: [...open, ...chosen, ...typed],
      areOpen: form.get('open') === 'yes',
    });
  }
  const columns = named.flatMap(({ target, position }): ChosenColumn[] => {
    const role = ROLES.find((each) => each === target && !fields.includes(each));
    return role === undefined || composed.some((member) => member.role === role) ? [] : [{ role, position }];
  });
  const sheet = form.get('sheet');
  const encoding = form.get('encoding');
  // `0`: a person says that the first row has the names of the columns.
  const headless = form.get('headless');
  const links = LINKS.find((choice) => choice === form.get('links'));
  const dates = DATES.find((choice) => choice === form.get('dates'));
  const callingCode = [COUNTRY_OF_ROW, ...CALLING_CODES.map(([code]) => code)].find(
    (code) => code === form.get('callingCode'),
  );
  return {
    ...(sheet !== '' && { sheet }),
    findsSheet: true,
    findsHeader: headless === '',
    ...(links !== undefined && { links }),
    ...(dates !== undefined && { dates }),
    ...(callingCode !== undefined && { callingCode }),
    ...(Object.hasOwn(ENCODINGS, encoding) && { encoding }),
    columns,
    composed,
    recognise: named.length === 0,
    layout: headless === '1' ? 'rows' : 'header',
  };
}

/** The fields that a person was asked for when others were chosen. */
function askedIn(form: Form): string[] {
  const inColumns = form
    .get('columns')
    .split(',')
    .filter((part) => part.endsWith('=?'));
  return [...inColumns.map((part) => part.slice(0, -2)), ...form.get('askedFields').split(',')];
}

function kindOf(name: string): Kind | undefined {
  return Object.hasOwn(KINDS, name) ? (name as Kind) : undefined;
}

/** Texts that a person typed for all codes. */
function typedOnce(kind: Kind, form: Form): { field: string; text: string }[] {
  const day = form.get('eventDay').trim();
  if (kind === 'event') return day === '' ? [] : [{ field: 'start', text: day }];
  return kind === 'payment' ? accountOf(form) : [];
}

/** Texts that a person typed for all payments. Beside an IBAN that was typed, the names of a list are those of payers. */
function accountOf(form: Form): { field: string; text: string }[] {
  const texts = Object.entries(ACCOUNT).map(([name, field]) => ({ field, text: form.get(name).trim() }));
  return hasAccount(form) ? texts : texts.filter(({ text }) => text !== '');
}

/** An IBAN was typed that all payments go to. */
export function hasAccount(form: Form): boolean {
  return form.get('payeeIban').trim() !== '';
}

/** A pattern of data is left out where the data is that of a kind. */
function patternsOf(form: Form): ComposedMember[] {
  const hasKind = kindOf(form.get('kind')) !== undefined;
  return (['data', 'caption', 'filename'] as const).flatMap((role) => {
    // Forms send line ends as CR LF.
    const pattern = form.get(PATTERNS[role]).trim().replaceAll('\r\n', '\n');
    return pattern === '' || (role === 'data' && hasKind) ? [] : [{ role, pattern }];
  });
}

/** The question whether rows of one kind are left out, or mended. */
interface RowOffer {
  /** The offer as a sentence. */
  text: string;
  /** Value of the offer's field that says yes. */
  key: string;
  isChosen: boolean;
}

/** The question whether faulty rows are left out. */
export interface SkipOffer extends RowOffer, Pick<FaultyRows, 'rows' | 'good'> {
  /** Their name in a sentence. */
  unit: 'faulty row' | 'faulty line';
}

export interface SkipOffers {
  faulty?: SkipOffer;
  /** Rows with a placeholder, a total or a note are left out. */
  placeholders?: RowOffer;
  /** Numbers of goods get the check digit that they should have. */
  checkDigits?: RowOffer;
}

/**
 * The choice in the field `skip` of the studio's form. It holds for this file, or these lines, and for these problems alone.
 * Another mapping with the same problems asks the same question: a person may answer it while the file is read with that mapping.
 */
export class SkipChoice {
  readonly choices: SpreadsheetChoices;
  /** Set once the rows were checked, if some can be codes and others not. */
  offer: SkipOffer | undefined;
  readonly #unit: SkipOffer['unit'];
  readonly #formats: Formats;
  readonly #source: string;
  readonly #chosen: string;

  constructor(ctx: RouterContext, form: Form) {
    const file = uploadOf(ctx, 'file');
    this.#unit = file === undefined || isNdjson(file) ? 'faulty line' : 'faulty row';
    this.#formats = pageFormats(ctx);
    this.#source = file?.digest ?? form.get('items');
    this.#chosen = form.get('skip');
    const leavesPlaceholders = form.get('placeholders') === this.keyOf('placeholders');
    const mendsCheckDigits = form.get('checkDigits') === this.keyOf('checkDigits');
    this.choices = { ...spreadsheetChoicesOf(form), leavesPlaceholders, mendsCheckDigits };
  }

  /** The offers as members of an answer. */
  answer(report: Partial<ReadSpreadsheetReport> = {}): SkipOffers {
    const { placeholderRows = 0, placeholderPlaces = [], nameRows = 0, wrongCheckDigits = 0 } = report;
    const rows = placeholderRows === 1 ? 'row' : this.#formats.counted(placeholderRows, 'row');
    const reasons = [
      ...(placeholderRows > nameRows ? ['a placeholder, total or note'] : []),
      ...(nameRows > 0 ? ['nothing but a name'] : []),
    ];
    const named = firstNames(placeholderPlaces.map(String), placeholderRows, this.#formats);
    const places = placeholderPlaces.length === 0 ? '' : ` (${placeholderRows === 1 ? 'row' : 'rows'} ${named})`;
    const text = `Leave out the ${rows} with ${reasons.join(' or ')}${places}`;
    const { leavesPlaceholders: isChosen = false, mendsCheckDigits: mends = false } = this.choices;
    const digits =
      wrongCheckDigits === 1 ? 'check digit' : `check digits in ${this.#formats.counted(wrongCheckDigits, 'row')}`;
    return {
      ...(this.offer && { faulty: this.offer }),
      ...(placeholderRows > 0 && { placeholders: { text, key: this.keyOf('placeholders'), isChosen } }),
      ...(wrongCheckDigits > 0 && {
        checkDigits: { text: `Take the right ${digits}`, key: this.keyOf('checkDigits'), isChosen: mends },
      }),
    };
  }

  /** Value of a field that answers what was shown of this file, or of these lines. */
  keyOf(shown: unknown): string {
    return createHash('sha256')
      .update(`${JSON.stringify(shown)} ${this.#source}`)
      .digest('hex');
  }

  readonly skips = ({ rows, good, problems }: FaultyRows): boolean => {
    // Other choices, which may be sent together with this one, mend or leave out some of the rows.
    const others = new Set(problems.flatMap(({ choice, row }) => (choice === undefined ? [] : [row])));
    // What is wrong with a row may be said in other words where columns are read in another way.
    const skipped = problems.flatMap(({ choice, row }) => (choice === undefined ? [row] : []));
    const key = this.keyOf([rows - others.size, [...new Set(skipped)]]);
    const { number, counted } = this.#formats;
    const faulty = rows === 1 ? this.#unit : counted(rows, this.#unit);
    const text = `Skip the ${faulty} and make the other ${good === 1 ? 'one' : number(good)}`;
    this.offer = { rows, good, unit: this.#unit, text, key, isChosen: key === this.#chosen };
    return this.offer.isChosen;
  };
}
