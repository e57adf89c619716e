/** The result of the check of a file: notices, problems, questions, and choices. */

import { element } from './elements.js';
import { columnChoices } from './studio-columns.js';
import { areLinksMeant, asks, inputOf, known, note, offersKind, placeOf, plainButton } from './studio-form.js';
import { once } from './studio-once.js';
import { combined, patterns } from './studio-patterns.js';
import { lostRoles, usesOf } from './studio-roles.js';
import { words } from './studio-words.js';

export { clearPatterns } from './studio-patterns.js';
export { keptChoices, remember } from './studio-roles.js';

/** Parts of the table, by name. One that has not changed stays: a new one would close its open list, and take the focus away. */
const parts = new Map();

/** Shows what a check found inside of `place`, and the choices below it. Calls `changed` when the person chose otherwise. */
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
  const guess = table?.guess;
  const guessed = guess && isFaulty ? meantQuestion(note('stack', guess), 'They are the links', changed) : undefined;
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
 * The columns of a file whose header names none for the codes, where one holds links. A first row with a link is a code too.
 * @returns {{ columns: string, headless: string, guess: string } | undefined}
 */
export function guessedColumns(table) {
  return table?.linksColumn === undefined || table.proposedKind ? undefined : columnsOfLinks(table);
}

/** The one with links gives the data. */
function columnsOfLinks(table) {
  const position = table.linksColumn;
  const others = table.columns.flatMap(({ role }, index) => (role && index !== position ? [`${role}=${index}`] : []));
  const columns = [`data=${position}`, ...others].join(',');
  return { columns, headless: table.asksForHeader ? '1' : '', guess: 'open' };
}

/** A question with a button that says yes: problems are those of the links then. */
function meantQuestion(box, text, changed, choices = {}) {
  box.append(plainButton(text, () => changed({ ...choices, guess: 'meant' })));
  return box;
}

/** The question of the service, or the offer of a kind. */
function questionOf(table, changed, isFaulty) {
  const { columns, sheet = '', linksColumn, likelyKind, question } = table;
  const isOffered = offersKind(table) && !areLinksMeant();
  const kind = isOffered ? table.proposedKind : likelyKind;
  if (!kind) return question && note('bad', question);
  const { list, codes } = words.kinds[kind];
  const box = note('stack', isOffered ? `This looks like ${list}.` : question);
  const make = plainButton(`Make ${codes}`, () => changed({ kind, columns: '', sheet }));
  make.className = 'compact';
  box.append(make);
  if (!isOffered) return box;
  const links = columns.find(({ role }) => role === 'data');
  if (links && isFaulty) return meantQuestion(box, `Keep the links of the column ${links.name}`, changed);
  const { letters, name } = columns[linksColumn] ?? {};
  if (!links && letters) {
    return meantQuestion(box, `Use the links of the column ${letters} (${name})`, changed, columnsOfLinks(table));
  }
  const other = links ? `Or keep the links of the column ${links.name}.` : 'Or pick the column of links below.';
  box.append(element('p', other));
  return box;
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

/** The choice of the encoding, above all that is read with it. */
function showEncoding(table, changed) {
  const place = placeOf('[data-encoding]');
  place.hidden = !table?.encoding;
  if (place.hidden) return;
  const isUtf8 = table.encoding === 'UTF-8';
  const options = Object.entries(words.encodings).filter(([key]) => key.startsWith('utf-8') === isUtf8);
  const { box, choice } = choiceOf('encoding', [['', ''], ...options], changed);
  choice.options[0].text = `As it seems${known.encoding === '' ? '' : `: ${shortName(known.encoding)}`}`;
  choice.value = inputOf('encoding').value;
  if (!box.isConnected) place.replaceChildren(box);
  place.querySelector('.note')?.remove();
  if (!table.asksForEncoding) return;
  const question = note('bad stack', words.encodingQuestion);
  question.append(plainButton('They are right', () => changed({ encoding: table.encoding.toLowerCase() })));
  if (isUtf8) question.append(plainButton('Mend them', () => changed({ encoding: 'utf-8-twice' })));
  place.prepend(question);
}

/** An encoding without the languages that it is for, such as `Windows-1252`. */
function shortName(encoding) {
  const name = words.encodings[encoding.toLowerCase()] ?? encoding;
  return name.replace(/^.*\((.*)\)$/, '$1');
}

function controls(table, changed) {
  const { sheet, sheets, columns, firstRows, asksForHeader, asksForColumns, asksForField, linkCells } = table;
  const chosen = (name) => inputOf(name).value;
  const shown = [];
  const choose = (name, options, choicesOf, value = chosen(name)) => {
    const { box, choice } = choiceOf(name, options, changed, choicesOf);
    choice.value = value;
    if (choice.selectedIndex === -1) choice.selectedIndex = 0;
    shown.push(box);
  };
  if (sheets.length > 1) {
    const options = sheets.map((name) => [name, name]);
    choose('sheet', options, (picked) => ({ sheet: picked, columns: '' }), sheet);
  }
  const isCode = table.hasNoHeader || chosen('headless') === '1';
  if (asksForHeader || isCode) {
    const text = isCode ? 'The first row names the columns' : 'The first row is a code too';
    const make = () => {
      const box = plainButton(text, () => changed({ headless: isCode ? '0' : '1' }));
      box.className = 'plain';
      return { box };
    };
    shown.push(part('header', [text], make).box);
  }
  if (linkCells > 0) choose('links', words.links);
  if (columns.length > 0) {
    const kind = chosen('kind');
    const labels = Object.entries(words.kinds).map(([key, { label }]) => [key, label]);
    const choicesOf = (picked) => ({ kind: picked, columns: '', dataPattern: '', open: '' });
    choose('kind', [['', 'Links or texts'], ...labels], choicesOf);
    if (asksForField === 'password' || table.passwordlessNetworks > 0) {
      choose('open', words.open);
    }
    if (table.ambiguousDates > 0) {
      const first = ['', table.asksForDates ? 'Choose' : 'As other dates of the sheet'];
      choose('dates', [first, ...words.dates]);
    }
    if (table.nationalNumbers > 0) {
      const calls = table.asksForCountry || chosen('callingCode') ? 'Choose' : 'That of each row';
      const first = ['', kind.startsWith('contact') ? 'No country: as they are' : calls];
      choose('callingCode', [first, ...table.countryOfRow, ...words.callingCodes]);
    }
    const isOnOneDay = kind === 'event' && (table.asksForDay || chosen('eventDay'));
    if (kind === 'payment' || isOnOneDay) shown.push(once(kind, table, changed));
    const named = columns.map(({ letters, name, partOf }) => [letters, name, partOf]);
    const rows = part('rows', [kind, named, firstRows], () =>
      columnChoices({ columns, firstRows, isOpen: kind !== '' }, usesOf(kind), changed),
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

/** The part of that name, made anew where it is made of other things. */
function part(name, madeOf, make) {
  const key = JSON.stringify(madeOf);
  if (parts.get(name)?.key !== key) parts.set(name, { key, ...make() });
  return parts.get(name);
}

/** A choice with its label, which calls `changed` with what is picked. */
function choiceOf(name, options, changed, choicesOf = (picked) => ({ [name]: picked })) {
  return part(name, [options], () => {
    const choice = element('select', ...options.map(([key, text]) => new Option(text, key)));
    choice.addEventListener('change', () => changed(choicesOf(choice.value)));
    return { box: element('label', `${words.labels[name]} `, choice), choice };
  });
}
