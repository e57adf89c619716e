/** The result of the check of the chosen file: notices, problems, and each column with its first rows and a choice. */

import { one } from './elements.js';
import { KINDS } from './studio-kinds.js';
import { clearPatterns, patterns } from './studio-patterns.js';

/** The fields of the form that say how the file is to be read. */
const PATTERNS = ['dataPattern', 'captionPattern', 'filenamePattern'];
const CHOICES = ['columns', 'sheet', 'headless', 'kind', ...PATTERNS];

const ROLES = [
  ['data', 'Link or text'],
  ['filename', 'File name'],
  ['caption', 'Caption'],
  ['reference', 'Reference'],
];

/** Rows that a column is recognised by. */
const SAMPLE_ROWS = 3;

/** Problems that are listed; a person mends these first. */
const MOST_PROBLEMS = 20;

/**
 * Shows what a check found inside of `place`, and the columns below it. Calls `changed` when the person chose otherwise.
 * @param {HTMLElement} place
 * @param {HTMLFormElement} form
 */
export function showCheck(place, form, { problems, notices, table, faulty }, changed) {
  const columns = one(form, '[data-table]', HTMLElement);
  columns.hidden = !table;
  // The patterns stay in the page: a person may be typing one.
  const kept = table?.columns.length > 0 ? patterns(form, table, changed) : undefined;
  const old = [...columns.children].filter((child) => child !== kept);
  for (const child of old) child.remove();
  if (kept && kept.parentElement !== columns) columns.append(kept);
  columns.prepend(...(table ? controls(table, form, changed) : []));
  // With a kind or a pattern, the problem may be another one.
  const isAsked =
    table?.asksForColumns &&
    ['kind', ...PATTERNS].every((name) => one(form, `[name=${name}]`, HTMLInputElement).value === '');
  place.hidden = problems.length + notices.length === 0;
  place.replaceChildren(
    ...(notices.length > 0 ? [note('warn', ...notices)] : []),
    ...(isAsked ? [note('bad', questionOf(table))] : []),
    ...(problems.length > 0 && !isAsked
      ? [
          problemNote(
            problems.map(inWords),
            faulty ? `These ${faulty.unit.split(' ').at(-1)}s cannot be codes:` : 'Fix these to continue:',
          ),
        ]
      : []),
  );
}

/** The beginning of a cell that holds a code's data. */
const LINK = /^(https?:\/\/|www\.)\S+$/i;

/**
 * The columns of a file whose header names none for the codes, where one holds links. Undefined where none does.
 * @returns {{ columns: string, notice: string } | undefined}
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
  return {
    columns,
    notice: `Does column ${letters} (${name}) hold the links? If not, pick another below.`,
  };
}

/** The fields that say how the file is to be read, as the service takes them. */
export function clearChoices(form) {
  clearPatterns();
  for (const name of CHOICES) one(form, `[name=${name}]`, HTMLInputElement).value = '';
}

/** What a person is asked where no column is known to hold the data. */
function questionOf({ sheets }) {
  const question = 'Which column holds the link or text? Pick it below.';
  return sheets.length > 1 ? `${question} Or choose another sheet.` : question;
}

/** A question about a field of a kind, with the field's name as the choices have it. */
function inWords(problem) {
  const [, field = '', kind = ''] = /^Which column holds the (\w+)\? The kind (\S+) needs it\./.exec(problem) ?? [];
  const name = KINDS[kind]?.fields[field];
  return name === undefined ? problem : `Which column holds “${name}”? Pick it below.`;
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
  const { sheet, sheets, columns, firstRows, asksForHeader } = table;
  const parts = [];
  if (sheets.length > 1) {
    const choice = select(
      sheets.map((name) => [name, name]),
      sheet ?? '',
    );
    choice.addEventListener('change', () => changed({ sheet: choice.value, columns: '' }));
    parts.push(labelled('Sheet', choice));
  }
  if (asksForHeader) {
    const button = element('button', 'The first row is a code too');
    button.type = 'button';
    button.className = 'plain';
    button.addEventListener('click', () => changed({ headless: '1', columns: 'data=0' }));
    parts.push(button);
  }
  if (columns.length > 0) {
    const kind = one(form, '[name=kind]', HTMLInputElement).value;
    const choice = select(
      [['', 'Links or texts'], ...Object.entries(KINDS).map(([key, { label }]) => [key, label])],
      kind,
    );
    choice.addEventListener('change', () => changed({ kind: choice.value, columns: '', dataPattern: '' }));
    parts.push(labelled('The codes are', choice));
    parts.push(rowsTable(columns, firstRows, rolesOf(kind), changed));
  }
  return parts;
}

/** Uses of a column: the fields of the kind, and the other members of an item. */
function rolesOf(kind) {
  const fields = Object.entries(KINDS[kind]?.fields ?? {});
  const others = ROLES.filter(([role]) => fields.length === 0 || (role !== 'data' && !(role in KINDS[kind].fields)));
  return [['', 'Not used'], ...fields, ...others];
}

function rowsTable(columns, firstRows, roles, changed) {
  const table = document.createElement('table');
  const shown = columns.slice(0, 30);
  const selects = shown.map(({ letters, name, role, field }) => {
    const choice = select(roles, field ?? role ?? '');
    choice.setAttribute('aria-label', `Column ${letters} ${name}`);
    return choice;
  });
  const pick = (chosen) => {
    // A role has one column: the one that was chosen last.
    for (const other of selects) if (other !== chosen && other.value === chosen.value) other.value = '';
    const chosenRoles = selects.map(({ value }, position) => (value ? `${value}=${position}` : '')).filter(Boolean);
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
  return box;
}

/** A cell that names its column on a phone. */
function cell(label, ...content) {
  const made = document.createElement('td');
  made.dataset.label = label;
  made.append(...content);
  return made;
}

function select(options, value) {
  const choice = document.createElement('select');
  choice.append(...options.map(([key, text]) => new Option(text, key, key === value, key === value)));
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
