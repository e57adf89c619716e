/** The columns of a file: those in use, and others behind a filter. */

import { boxOf, element } from './elements.js';
import { counted, number } from './studio-form.js';

/** Rows that a column is recognised by. */
const SAMPLE_ROWS = 3;

/** Columns that are listed unasked, and below a filter at a time. A sheet has up to 16,384. */
const MOST_OPEN = 5;
const MOST_LISTED = 100;

/**
 * The columns, and what is chosen for them: `update` shows the uses that the service found, and which columns patterns name.
 * `changed` is called with the columns in use, as the service takes them, and whether the one of the links was chosen. Those that
 * are not used are in sight where `isOpen`.
 * `uses` are the options of a choice.
 */
export function columnChoices({ columns, firstRows, isOpen }, uses, changed) {
  const [used, unused] = [rowsTable(), rowsTable()];
  const summary = element('summary');
  const filter = Object.assign(element('input'), { type: 'search', placeholder: 'Find a column' });
  filter.setAttribute('aria-label', 'Find a column');
  const more = element('p');
  more.setAttribute('role', 'status');
  const rest = element('details', summary, boxOf('stack', filter, unused.box, more));
  rest.className = 'rest';
  const moved = element('p');
  moved.setAttribute('role', 'status');
  const box = boxOf('stack file-columns', used.box, moved, rest);

  let values = columns.map(() => '');
  /** Positions of columns that patterns name. */
  let combined = new Set();
  let isAsked = false;
  /** Fields that are asked for, which stay so while others are chosen. */
  let askedFields = [];
  /** The last choice. */
  let last = { position: 0, use: '' };
  const rows = new Map();
  const titleOf = (position) => columns[position].name || columns[position].letters;
  const pick = (position, use) => {
    // A use has one column: the one that was chosen last.
    const before = use === '' ? -1 : values.findIndex((value, at) => value === use && at !== position);
    const [, label] = uses.find(([value]) => value === use) ?? [];
    moved.textContent =
      before === -1 ? '' : `${titleOf(position)} is now used as “${label}”; ${titleOf(before)} no longer is.`;
    last = { position, use };
    values = values.map((value, at) => (at === position ? use : value === use ? '' : value));
    filter.value = '';
    const chosen = values.flatMap((value, at) => (value ? [`${value}=${at}`] : []));
    const open = askedFields.filter((field) => !values.includes(field)).map((field) => `${field}=?`);
    changed({ columns: [...chosen, ...open].join(',') }, use === 'data');
  };
  const rowOf = (position) => {
    if (!rows.has(position)) rows.set(position, columnRow(columns, firstRows, uses, position, pick));
    const made = rows.get(position);
    const { partOf } = columns[position];
    const unchosen = combined.has(position) ? 'Combined' : uses[0]?.[1];
    made.choice.options[0].text = partOf ? `Part of the ${partOf}` : unchosen;
    made.choice.value = values[position];
    return made.row;
  };
  const isCalled = (position, words) => {
    const { letters, name } = columns[position];
    const texts = [name, ...firstRows.map(({ cells }) => cells[position] ?? '')];
    return plain(letters) === words || texts.some((text) => plain(text).includes(words));
  };
  const list = () => {
    const positions = [...columns.keys()];
    const isUsed = (position) =>
      Boolean(values[position]) || Boolean(columns[position].partOf) || combined.has(position);
    const idle = positions.filter((position) => !isUsed(position));
    const words = plain(filter.value);
    const found = idle.filter((position) => isCalled(position, words));
    used.show(positions.filter(isUsed).map(rowOf));
    unused.show(found.slice(0, MOST_LISTED).map(rowOf));
    rest.hidden = idle.length === 0;
    summary.textContent = counted(idle.length, 'column is not used.', 'columns are not used.');
    filter.hidden = idle.length <= 2 * MOST_OPEN;
    const hidden = found.length - MOST_LISTED;
    more.textContent =
      found.length === 0 ? 'No column has this name or value.' : hidden > 0 ? `And ${number.format(hidden)} more.` : '';
    more.hidden = more.textContent === '';
  };
  filter.addEventListener('input', (event) => {
    // The codes are as before.
    event.stopPropagation();
    list();
  });
  filter.addEventListener('keydown', (event) => {
    // Enter would send the form.
    if (event.key === 'Enter') event.preventDefault();
  });
  rest.open = isOpen || columns.length <= MOST_OPEN;
  const update = (found, inPatterns, asks, asked) => {
    const { activeElement } = document;
    combined = inPatterns;
    askedFields = asked;
    values = found.map((use) => (uses.some(([value]) => value === use) ? use : ''));
    if (values[last.position] !== last.use) moved.textContent = '';
    list();
    // A long list is open while one of its columns is asked for.
    if (asks !== isAsked && columns.length > MOST_OPEN) rest.open = asks;
    isAsked = asks;
    // A row that moved has lost the focus.
    if (activeElement instanceof HTMLElement && box.contains(activeElement)) activeElement.focus();
  };
  return { box, update, pick };
}

/** A text in small letters without accents, punctuation and spaces. */
function plain(text) {
  return text
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\p{Z}]/gu, '')
    .toLowerCase();
}

function columnRow(columns, firstRows, uses, position, pick) {
  const { letters, name } = columns[position];
  const choice = element('select', ...uses.map(([value, text]) => new Option(text, value)));
  choice.setAttribute('aria-label', `Column ${letters} ${name}`);
  choice.addEventListener('change', () => pick(position, choice.value));
  const heading = element('th', name === '' ? letters : `${letters}: ${name}`);
  heading.scope = 'row';
  const cells = firstRows.slice(0, SAMPLE_ROWS).map(({ cells: values }) => values[position] ?? '');
  const used = cell('Used as', choice);
  return { row: element('tr', heading, used, cell('First rows', cells.filter(Boolean).join('\n'))), choice };
}

/** A table that is there while it has rows. */
function rowsTable() {
  const table = element('table');
  table.className = 'cards';
  const titles = element('tr', ...['Column', 'Used as', 'First rows'].map((title) => element('th', title)));
  table.createTHead().append(titles);
  const body = table.createTBody();
  const box = boxOf('table');
  const show = (rows) => {
    box.hidden = rows.length === 0;
    if (box.hidden) table.remove();
    else if (!table.isConnected) box.append(table);
    // To put a row in again would close a list that a person has open.
    const gone = Array.from(body.rows).filter((row) => !rows.includes(row));
    for (const row of gone) row.remove();
    for (const [at, row] of rows.entries()) if (body.rows[at] !== row) body.insertBefore(row, body.rows[at] ?? null);
  };
  return { box, show };
}

/** A cell that names its column on a phone. */
function cell(label, ...content) {
  const made = element('td', ...content);
  made.dataset.label = label;
  return made;
}
