/** The result of the check of the chosen file: notices, problems, and each column with its first rows and a choice. */

import { one } from './elements.js';
import { KINDS } from './studio-kinds.js';
import { clearPatterns, patterns } from './studio-patterns.js';

/** The fields of the form that say how the file is to be read. */
const PATTERNS = ['dataPattern', 'captionPattern', 'filenamePattern'];
const CHOICES = ['columns', 'sheet', 'headless', 'links', 'kind', ...PATTERNS];

const ROLES = [
  ['data', 'Link or text'],
  ['filename', 'File name'],
  ['caption', 'Caption'],
  ['reference', 'Reference'],
];

/** What codes take of cells that are links. */
const LINKS = [
  ['', 'Choose'],
  ['text', 'Use their texts'],
  ['address', 'Use their addresses'],
];

/** Columns that are shown. The others keep their roles. */
const SHOWN_COLUMNS = 30;

/** Rows that a column is recognised by. */
const SAMPLE_ROWS = 3;

/** Problems that are listed; a person mends these first. */
const MOST_PROBLEMS = 20;

/**
 * Parts of the table that are shown, by name. A part stays while it would be made of the same things: to replace it would close a
 * list that a person has open, and take the focus away.
 */
const parts = new Map();

/**
 * Shows what a check found inside of `place`, and the columns below it. Calls `changed` when the person chose otherwise.
 * @param {HTMLElement} place
 * @param {HTMLFormElement} form
 */
export function showCheck(place, form, { problems, notices, table, faulty }, changed) {
  const columns = one(form, '[data-table]', HTMLElement);
  columns.hidden = !table;
  const shown = table ? controls(table, form, changed) : [];
  // The patterns stay in the page: a person may be typing one.
  if (table?.columns.length > 0) shown.push(patterns(form, table, changed));
  const old = [...columns.children].filter((child) => !shown.includes(child));
  for (const child of old) child.remove();
  for (const [position, control] of shown.entries()) {
    if (columns.children[position] !== control) columns.insertBefore(control, columns.children[position] ?? null);
  }
  const chosen = (name) => one(form, `[name=${name}]`, HTMLInputElement).value;
  const missing = KINDS[chosen('kind')]?.fields[table?.asksForField];
  // With a kind or a pattern, the problem may be another one.
  const isAsked = table?.asksForColumns && (missing || ['kind', ...PATTERNS].every((name) => chosen(name) === ''));
  place.hidden = problems.length + notices.length === 0;
  place.replaceChildren(
    ...(notices.length > 0 ? [note('warn', ...notices)] : []),
    ...(isAsked ? [note('bad', questionOf(table, missing))] : []),
    ...(problems.length > 0 && !isAsked
      ? [
          problemNote(
            problems,
            faulty ? `These ${faulty.unit.split(' ').at(-1)}s cannot be codes:` : 'Fix these to continue:',
          ),
        ]
      : []),
  );
}

/** The beginning of a cell that holds a code's data. */
const LINK = /^(https?:\/\/|www\.)\S+$/i;

/**
 * The columns of a file whose header names none for the codes, where one holds links. Undefined where none does. A first row that
 * has a link itself is a code too.
 * @returns {{ choices: { columns: string, headless: string }, notice: string } | undefined}
 */
export function guessedColumns(table) {
  if (!table?.asksForColumns) return undefined;
  const position = table.columns.findIndex((_, index) => {
    const values = table.firstRows.map(({ cells }) => (cells[index] ?? '').trim()).filter((value) => value !== '');
    return values.length > 0 && values.every((value) => LINK.test(value));
  });
  if (position === -1) return undefined;
  const { letters, name } = table.columns[position];
  const others = table.columns.flatMap(({ role }, index) => (role && index !== position ? [`${role}=${index}`] : []));
  const columns = [`data=${position}`, ...others].join(',');
  const column = table.asksForHeader ? letters : `${letters} (${name})`;
  return {
    choices: { columns, headless: table.asksForHeader ? '1' : '' },
    notice: `Does column ${column} hold the links? If not, pick another below.`,
  };
}

/** The fields that say how the file is to be read, as the service takes them. */
export function clearChoices(form) {
  clearPatterns();
  for (const name of CHOICES) one(form, `[name=${name}]`, HTMLInputElement).value = '';
}

/** The question where no column is known to hold the data, or that field of a kind. */
function questionOf({ sheets }, field) {
  const question = `Which column holds ${field === undefined ? 'the link or text' : `“${field}”`}? Pick it below.`;
  return sheets.length > 1 ? `${question} Or choose another sheet.` : question;
}

function problemNote(problems, title) {
  const box = note('bad', title);
  box.setAttribute('role', 'alert');
  const list = document.createElement('ul');
  list.append(...problems.slice(0, MOST_PROBLEMS).map((text) => element('li', text)));
  box.append(list);
  if (problems.length > MOST_PROBLEMS)
    box.append(element('p', `And ${(problems.length - MOST_PROBLEMS).toLocaleString()} more.`));
  return box;
}

function controls(table, form, changed) {
  const { sheet, sheets, columns, firstRows, asksForHeader, linkCells } = table;
  const shown = [];
  if (sheets.length > 1) {
    const { box, selects } = part('sheets', [sheets], () => {
      const choice = select(sheets.map((name) => [name, name]));
      choice.addEventListener('change', () => changed({ sheet: choice.value, columns: '' }));
      return { box: labelled('Sheet', choice), selects: [choice] };
    });
    setValues(selects, [sheet ?? '']);
    shown.push(box);
  }
  if (asksForHeader) {
    const { box } = part('header', [], () => {
      const button = element('button', 'The first row is a code too');
      button.type = 'button';
      button.className = 'plain';
      button.addEventListener('click', () => changed({ headless: '1', columns: 'data=0' }));
      return { box: button, selects: [] };
    });
    shown.push(box);
  }
  if (linkCells > 0) {
    const { box, selects } = part('links', [], () => {
      const choice = select(LINKS);
      choice.addEventListener('change', () => changed({ links: choice.value }));
      return { box: labelled('Cells that are links', choice), selects: [choice] };
    });
    setValues(selects, [one(form, '[name=links]', HTMLInputElement).value]);
    shown.push(box);
  }
  if (columns.length > 0) {
    const kind = one(form, '[name=kind]', HTMLInputElement).value;
    const kinds = part('kinds', [], () => {
      const choice = select([['', 'Links or texts'], ...Object.entries(KINDS).map(([key, { label }]) => [key, label])]);
      choice.addEventListener('change', () => changed({ kind: choice.value, columns: '', dataPattern: '' }));
      return { box: labelled('The codes are', choice), selects: [choice] };
    });
    setValues(kinds.selects, [kind]);
    const named = columns.map(({ letters, name }) => [letters, name]);
    const roles = columns.map(({ role, field }) => field ?? role ?? '');
    const others = roles.slice(SHOWN_COLUMNS);
    const rows = part('rows', [kind, named, firstRows, others], () =>
      rowsTable({ columns, firstRows, others }, rolesOf(kind), changed),
    );
    setValues(rows.selects, roles);
    shown.push(kinds.box, rows.box);
  }
  return shown;
}

/**
 * The part of that name, made anew where it is made of other things than the one that is shown.
 * @param {string} name
 * @param {unknown[]} madeOf
 * @param {() => { box: HTMLElement, selects: HTMLSelectElement[] }} make
 */
function part(name, madeOf, make) {
  const key = JSON.stringify(madeOf);
  if (parts.get(name)?.key !== key) parts.set(name, { key, ...make() });
  return parts.get(name);
}

/** Sets selects to the values of an answer; to the first option where it has none of the others. */
function setValues(selects, values) {
  for (const [place, choice] of selects.entries()) {
    const index = [...choice.options].findIndex(({ value }) => value === values[place]);
    choice.selectedIndex = Math.max(0, index);
  }
}

/** Uses of a column: the fields of the kind, and the other members of an item. */
function rolesOf(kind) {
  const fields = Object.entries(KINDS[kind]?.fields ?? {});
  const others = ROLES.filter(([role]) => fields.length === 0 || (role !== 'data' && !(role in KINDS[kind].fields)));
  return [['', 'Not used'], ...fields, ...others];
}

function rowsTable({ columns, firstRows, others }, roles, changed) {
  const table = document.createElement('table');
  const shown = columns.slice(0, SHOWN_COLUMNS);
  const selects = shown.map(({ letters, name }) => {
    const choice = select(roles);
    choice.setAttribute('aria-label', `Column ${letters} ${name}`);
    return choice;
  });
  const pick = (chosen) => {
    // A role has one column: the one that was chosen last.
    for (const other of selects) if (other !== chosen && other.value === chosen.value) other.value = '';
    const rest = others.map((role) => (role === chosen.value ? '' : role));
    const all = [...selects.map(({ value }) => value), ...rest];
    const chosenRoles = all.map((role, position) => (role ? `${role}=${position}` : '')).filter(Boolean);
    changed({ columns: chosenRoles.join(',') });
  };
  for (const choice of selects) choice.addEventListener('change', () => pick(choice));
  table.className = 'cards';
  table
    .createTHead()
    .insertRow()
    .append(element('th', 'Column'), element('th', 'Used as'), element('th', 'First rows'));
  const body = table.createTBody();
  for (const [position, { letters, name }] of shown.entries()) {
    const heading = element('th', name === '' ? letters : `${letters}: ${name}`);
    heading.scope = 'row';
    const values = firstRows
      .slice(0, SAMPLE_ROWS)
      .map(({ cells }) => cells[position] ?? '')
      .filter((value) => value !== '');
    body.insertRow().append(heading, cell('Used as', selects[position]), cell('First rows', values.join('\n')));
  }
  const box = element('div', '');
  box.className = 'table';
  box.append(table);
  return { box, selects };
}

/** A cell that names its column on a phone. */
function cell(label, ...content) {
  const made = document.createElement('td');
  made.dataset.label = label;
  made.append(...content);
  return made;
}

function select(options) {
  const choice = document.createElement('select');
  choice.append(...options.map(([key, text]) => new Option(text, key)));
  return choice;
}

function labelled(text, control) {
  const label = element('label', `${text} `);
  label.append(control);
  return label;
}

/**
 * @param {string} kind
 * @param {string[]} texts a paragraph each
 */
export function note(kind, ...texts) {
  const box = element('div', '');
  box.className = `note ${kind}`;
  box.append(...texts.map((text) => element('p', text)));
  return box;
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 */
function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
