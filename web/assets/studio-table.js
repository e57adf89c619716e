/** The result of the check of a file: notices, problems, questions, and choices. */

import { element } from './elements.js';
import { account } from './studio-account.js';
import { columnChoices } from './studio-columns.js';
import {
  areLinksMeant,
  asks,
  asksForOpen,
  counted,
  form,
  guessedColumn,
  hasData,
  inputOf,
  isPlain,
  known,
  note,
  offersKind,
  placeOf,
  plainButton,
} from './studio-form.js';
import { combined, patterns } from './studio-patterns.js';
import { kindsOf, lostRoles, usesOf } from './studio-roles.js';

export { clearPatterns } from './studio-patterns.js';
export { keptChoices, remember } from './studio-roles.js';

/** What codes take of cells that are links. */
const LINKS = [
  ['', 'Choose'],
  ['text', 'Use their texts'],
  ['address', 'Use their addresses'],
];

/** The first number of dates such as 01/02/2026. */
const DATES = [
  ['', 'As other dates of the sheet'],
  ['day', 'The day: 1 February 2026'],
  ['month', 'The month: January 2, 2026'],
];

/** The question whether networks without a password are meant. */
const OPEN = [
  ['', 'Choose'],
  ['yes', 'Yes, anyone may join them'],
  ['no', 'No, they have a password'],
];

/**
 * Parts of the table, by name. To replace one that has not changed would close a list that a person has open, and take the focus away.
 */
const parts = new Map();

/**
 * Shows what a check found inside of `place`, and the choices below it. Calls `changed` when the person chose otherwise.
 * @param {HTMLElement} place
 */
export function showCheck(place, check, changed) {
  const { problems, skipped, table, faulty } = check;
  const notices = [...(table ? lostRoles(table) : []), ...check.notices];
  const choices = placeOf('[data-table]');
  const shown = table ? controls(table, changed) : [];
  showEncoding(table, changed);
  // The patterns stay in the page: a person may be typing one.
  if (table?.columns.length > 0) shown.push(patterns(table, changed));
  choices.hidden = shown.length === 0;
  const old = [...choices.children].filter((child) => !shown.includes(child));
  for (const child of old) child.remove();
  for (const [position, control] of shown.entries()) {
    if (choices.children[position] !== control) choices.insertBefore(control, choices.children[position] ?? null);
  }
  const isFaulty = problems.length > 0;
  const question = table && questionOf(table, changed, isFaulty);
  const guess = guessQuestion(table);
  const guessed = guess && isFaulty ? meantQuestion(note('', guess), 'They are the links', changed) : undefined;
  // What is wrong depends on the answers.
  const isOpen = (question ?? guessed ?? table?.asksForEncoding) && asks(check);
  const told = guess && !guessed ? [guess, ...notices] : notices;
  const rows = `These ${faulty?.unit.split(' ').at(-1)}s`;
  const title = faulty ? `${rows} cannot be codes:` : 'Fix these to continue:';
  const warned = note('warn', ...told);
  if (table?.timesColumn !== undefined) {
    const use = () => parts.get('rows').pick(table.timesColumn, 'startTime');
    warned.append(plainButton('Use it as “Start time”', use));
  }
  const said = [
    ...(told.length > 0 ? [warned] : []),
    ...(question ? [question] : []),
    ...(guessed ? [guessed] : []),
    ...(isFaulty && !isOpen ? [problemNote(problems, title)] : []),
    ...(skipped.length > 0 ? [element('details', element('summary', `${rows} are skipped`), listOf(skipped))] : []),
  ];
  place.hidden = said.length === 0;
  const isPressed = place.contains(document.activeElement);
  place.replaceChildren(...said);
  // The button that was pressed is gone.
  if (isPressed) parts.get('kind')?.choice.focus();
}

/**
 * The columns of a file whose header names none for the codes, where one holds links. Undefined where none does. A first row that
 * has a link itself is a code too.
 * @returns {{ columns: string, headless: string, guess: string } | undefined}
 */
export function guessedColumns(table) {
  return table?.linksColumn === undefined || table.proposedKind ? undefined : columnsOfLinks(table);
}

/** The columns of which the one with links gives the data. */
function columnsOfLinks(table) {
  const position = table.linksColumn;
  const others = table.columns.flatMap(({ role }, index) => (role && index !== position ? [`${role}=${index}`] : []));
  const columns = [`data=${position}`, ...others].join(',');
  return { columns, headless: table.asksForHeader ? '1' : '', guess: 'open' };
}

/** The question about the column that was guessed; undefined where none was, or it is answered. */
function guessQuestion(table) {
  const column = guessedColumn(table);
  if (!column) return undefined;
  const isHeadless = inputOf('headless').value !== '';
  const title = isHeadless ? column.letters : `${column.letters} (${column.name})`;
  return `Does column ${title} hold the links? If not, pick another below.`;
}

/** A question with a button that says yes: problems are those of the links then. */
function meantQuestion(box, text, changed, choices = {}) {
  box.classList.add('stack');
  box.append(plainButton(text, () => changed({ ...choices, guess: 'meant' })));
  return box;
}

/** The question about the columns. Undefined if all is known, or a pattern is wrong. */
function questionOf(table, changed, isFaulty) {
  const { columns, sheet, sheets, asksForColumns, asksForField, asksForLinks, linkCells, linksColumn, proposedKind } =
    table;
  const kinds = kindsOf();
  const chosen = (name) => inputOf(name).value;
  const kind = chosen('kind');
  if (offersKind(table) && !areLinksMeant()) {
    const { list, codes } = kinds[proposedKind];
    const links = columns.find(({ role }) => role === 'data');
    const box = note('', `This looks like ${list}.`);
    const make = plainButton(`Make ${codes}`, () => changed({ kind: proposedKind, columns: '', sheet: sheet ?? '' }));
    make.className = 'compact';
    box.classList.add('stack');
    box.append(make);
    if (links && isFaulty) return meantQuestion(box, `Keep the links of the column ${links.name}`, changed);
    const { letters, name } = columns[linksColumn ?? -1] ?? {};
    if (!links && letters) {
      return meantQuestion(box, `Use the links of the column ${letters} (${name})`, changed, columnsOfLinks(table));
    }
    const other = links ? `Or keep the links of the column ${links.name}.` : 'Or pick the column of links below.';
    box.append(element('p', other));
    return box;
  }
  if (asksForLinks) {
    const cells = counted(linkCells, 'cell is a link', 'cells are links');
    return note('bad', `${cells} whose text is not the address. Should the codes have the texts or the addresses?`);
  }
  if (table.asksForDates) {
    const dates = counted(table.ambiguousDates, 'date begins', 'dates begin');
    return note('bad', `${dates} with a number that may be the day or the month. Which is it? Answer below.`);
  }
  if (table.asksForCountry) {
    const numbers = counted(table.nationalNumbers, 'number has', 'numbers have');
    return note('bad', `${numbers} no country’s code, such as +49. Which country do they belong to? Answer below.`);
  }
  if (asksForOpen(table)) {
    const networks = counted(table.passwordlessNetworks, 'network has', 'networks have');
    return note('bad', `${networks} no password. Can anyone join without one? Answer below.`);
  }
  if (!asksForColumns || !(asksForField || (isPlain() && !hasData(table)))) return undefined;
  if (kind === 'wifi' && asksForField === 'password') {
    return note('bad', 'No column holds the password: these codes would be for open networks. Choose one below.');
  }
  if (kind.startsWith('contact') && asksForField === 'name') {
    return note('bad', 'Which columns hold the first and last name? Pick them below.');
  }
  if (kind === 'payment' && chosen('payeeIban') !== '')
    return note('bad', 'Who holds the account? Type the payee below.');
  const field = kinds[kind]?.fields[asksForField];
  const or = kind === 'payment' ? ', or type payee and IBAN once for all codes' : '';
  const question = `Which column holds ${field === undefined ? 'the link or text' : `“${field}”`}? Pick it below${or}.`;
  return note('bad', sheets.length > 1 ? `${question} Or choose another sheet.` : question);
}

function problemNote(problems, title) {
  const box = note('bad', title);
  box.setAttribute('role', 'alert');
  box.append(listOf(problems));
  return box;
}

function listOf(texts) {
  return element('ul', ...texts.map((text) => element('li', text)));
}

/** The choice of the encoding. It stands above all that is read with it. */
function showEncoding(table, changed) {
  const place = placeOf('[data-encoding]');
  place.hidden = !table?.encoding;
  if (place.hidden) return;
  const isUtf8 = table.encoding === 'UTF-8';
  const { box, choice } = part('encoding', [isUtf8], () => {
    const encodings = Object.entries(JSON.parse(form.dataset.encodings ?? ''));
    const made = select([['', ''], ...encodings.filter(([key]) => key.startsWith('utf-8') === isUtf8)]);
    made.addEventListener('change', () => changed({ encoding: made.value }));
    return { box: labelled('Encoding of the file', made), choice: made };
  });
  choice.options[0].text = `As it seems${known.encoding === '' ? '' : `: ${shortName(known.encoding)}`}`;
  choice.value = inputOf('encoding').value;
  if (!box.isConnected) place.replaceChildren(box);
  place.querySelector('.note')?.remove();
  if (!table.asksForEncoding) return;
  const question = note('bad', 'Are all letters of the values above right? If not, choose another encoding.');
  question.classList.add('stack');
  question.append(plainButton('They are right', () => changed({ encoding: table.encoding.toLowerCase() })));
  if (isUtf8) question.append(plainButton('Mend them', () => changed({ encoding: 'utf-8-twice' })));
  place.prepend(question);
}

/** An encoding without the languages that it is for, such as `Windows-1252`. */
function shortName(encoding) {
  const name = JSON.parse(form.dataset.encodings ?? '{}')[encoding.toLowerCase()] ?? encoding;
  return name.replace(/^.*\((.*)\)$/, '$1');
}

function controls(table, changed) {
  const { sheet, sheets, columns, firstRows, asksForHeader, asksForColumns, asksForField, linkCells } = table;
  const chosen = (name) => inputOf(name).value;
  const shown = [];
  const choose = (name, label, options, value, choicesOf = (picked) => ({ [name]: picked })) => {
    const { box, choice } = part(name, [options], () => {
      const made = select(options);
      made.addEventListener('change', () => changed(choicesOf(made.value)));
      return { box: labelled(label, made), choice: made };
    });
    choice.value = value;
    if (choice.selectedIndex === -1) choice.selectedIndex = 0;
    shown.push(box);
  };
  if (sheets.length > 1) {
    const options = sheets.map((name) => [name, name]);
    choose('sheet', 'Sheet', options, sheet ?? '', (picked) => ({ sheet: picked, columns: '' }));
  }
  if (asksForHeader) {
    const { box } = part('header', [], () => {
      const button = plainButton('The first row is a code too', () => changed({ headless: '1', columns: 'data=0' }));
      button.className = 'plain';
      return { box: button };
    });
    shown.push(box);
  }
  if (linkCells > 0) choose('links', 'Cells that are links', LINKS, chosen('links'));
  if (columns.length > 0) {
    const kind = chosen('kind');
    const kinds = kindsOf();
    const labels = Object.entries(kinds).map(([key, { label }]) => [key, label]);
    const choicesOf = (picked) => ({ kind: picked, columns: '', dataPattern: '', open: '' });
    choose('kind', 'The codes are', [['', 'Links or texts'], ...labels], kind, choicesOf);
    if (asksForField === 'password' || table.passwordlessNetworks > 0) {
      choose('open', 'Are the networks without a password open?', OPEN, chosen('open'));
    }
    if (table.ambiguousDates > 0) {
      const [[, others], ...orders] = DATES;
      const first = ['', table.asksForDates ? 'Choose' : others];
      choose('dates', 'Dates such as 01/02/2026 begin with', [first, ...orders], chosen('dates'));
    }
    if (table.nationalNumbers > 0) {
      const first = ['', kind.startsWith('contact') ? 'No country: as they are' : 'Choose'];
      const codes = JSON.parse(form.dataset.callingCodes ?? '[]');
      choose('callingCode', 'Numbers such as 0171… belong to', [first, ...codes], chosen('callingCode'));
    }
    if (kind === 'payment') shown.push(account(table, changed));
    const named = columns.map(({ letters, name, partOf }) => [letters, name, partOf]);
    const rows = part('rows', [kind, named, firstRows], () =>
      columnChoices({ columns, firstRows, isOpen: kind !== '' }, usesOf(kinds[kind]?.fields ?? {}), changed),
    );
    rows.update(
      columns.map(({ role, field }) => field ?? role ?? ''),
      combined(table),
      asksForColumns,
      table.askedFields,
    );
    shown.push(rows.box);
  }
  return shown;
}

/**
 * The part of that name, made anew where it is made of other things than the one that is shown.
 * @param {string} name
 * @param {unknown[]} madeOf
 * @param {() => { box: HTMLElement }} make
 */
function part(name, madeOf, make) {
  const key = JSON.stringify(madeOf);
  if (parts.get(name)?.key !== key) parts.set(name, { key, ...make() });
  return parts.get(name);
}

function select(options) {
  return element('select', ...options.map(([key, text]) => new Option(text, key)));
}

function labelled(text, control) {
  return element('label', `${text} `, control);
}
