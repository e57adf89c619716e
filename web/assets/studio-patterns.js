/** Patterns over the columns of a file: their fields, and what comes of the first row. */

import { boxOf, element } from './elements.js';
import { file, inputOf, plainButton, tellChoice } from './studio-form.js';
import { words } from './studio-words.js';

/** The field whose text may have several lines. */
const LINES = 'captionPattern';

/** Pause of typing before the list is read again: a person may ask for it 60 times a minute. */
const PAUSE_MS = 1_000;

/** Bytes of a list that is read again at a pause. A larger one is once the field is left. */
const READ_BYTES = 3_000_000;

/** Columns with a button each. */
const MOST_CHIPS = 30;

/** Fields stay while the file is read again: nobody's typing is lost. */
let shown;

/** Begins anew for another file or sheet. */
export function clearPatterns() {
  shown?.box.remove();
  shown = undefined;
}

/** The positions of the columns that the patterns of the form name. */
export function combined({ columns }) {
  const chosen = words.patterns.map(([name]) => inputOf(name).value);
  return new Set(chosen.flatMap(namesIn).map((name) => positionOf(name, columns)));
}

/** Writes a text in front of the links of the data's column. */
export function writeBeforeLinks(text) {
  shown?.prefixLinks(text);
}

/** The fields of patterns; `changed` is called when one was edited. */
export function patterns(table, changed) {
  shown ??= make(changed);
  // The data of a kind comes of its fields.
  shown.update(table, inputOf('kind').value !== '');
  return shown.box;
}

function make(changed) {
  const hint = element(
    'p',
    'Write a text and insert columns where their values belong, such as https://id.example/{Asset ID}',
  );
  hint.className = 'hint';
  let table = { columns: [], firstRows: [] };
  const fields = words.patterns.map(([name, text]) => {
    const input = document.createElement(name === LINES ? 'textarea' : 'input');
    if (input instanceof HTMLTextAreaElement) input.rows = 2;
    const sent = inputOf(name);
    input.value = sent.value;
    input.spellcheck = false;
    const result = element('output');
    result.className = 'hint';
    const show = () => {
      const given = /** @type {const} */ ([input.value, table, name === 'dataPattern']);
      result.textContent = faultOf(...given) ?? resultOf(...given);
    };
    let timer;
    const send = () => {
      clearTimeout(timer);
      if (input.value.trim() !== sent.value) changed({ [name]: input.value.trim() });
    };
    input.addEventListener('input', () => {
      show();
      clearTimeout(timer);
      timer = setTimeout(() => {
        // The field of a file before is in the page no more.
        const isRead = input.isConnected && (file.files?.[0]?.size ?? 0) <= READ_BYTES;
        if (isRead && isWhole(input.value, table)) send();
      }, PAUSE_MS);
    });
    input.addEventListener('change', send);
    // After Enter, browsers do not tell of a change back to what was there before.
    input.addEventListener('blur', send);
    input.addEventListener('keydown', (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || name === LINES) return;
      // It would send the form.
      event.preventDefault();
      send();
    });
    return { name, field: boxOf('field', element('label', text, input), result), input, show };
  });
  let last = fields[0]?.input;
  let shownNames;
  for (const { input } of fields) {
    input.addEventListener('focus', () => {
      last = input;
    });
  }
  const caption = () => fields.find(({ name }) => name === LINES)?.input;
  const chips = element('p');
  chips.className = 'row';
  const content = boxOf('stack', hint, chips, ...fields.map(({ field }) => field));
  const box = element('details', element('summary', 'Combine columns'), content);
  // Those of the file before hold for this one.
  box.open = fields.some(({ input }) => input.value !== '');
  const update = (found, hasKind) => {
    table = found;
    const names = namesOf(table);
    const target = () => last;
    // A new button would swallow the press of a person who types meanwhile.
    if (names.join('\n') !== shownNames) {
      shownNames = names.join('\n');
      const made =
        names.length > MOST_CHIPS ? [choiceOf(names, target)] : names.map((name) => chip(name, `{${name}}`, target));
      chips.replaceChildren(...made, chip('New line in the caption', '\n', caption));
    }
    for (const { name, field, input, show } of fields) {
      field.hidden = hasKind && name === 'dataPattern';
      if (field.hidden) input.value = '';
      show();
    }
    if (last?.value === '' && fields[0]?.field.hidden) last = fields[1]?.input;
  };
  const prefixLinks = (text) => {
    const name = namesOf(table)[table.columns.findIndex(({ role }) => role === 'data')];
    const [{ input } = {}] = fields;
    if (input === undefined || name === undefined) return;
    // Characters such as slashes stay as they are.
    input.value = `${text}{+${name}}`;
    box.open = true;
    input.dispatchEvent(new Event('change'));
  };
  return { box, update, prefixLinks };
}

/** The columns as patterns name them: by their letters where a name would not do. */
function namesOf({ columns }) {
  const counts = new Map();
  for (const { name } of columns) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return columns.map(({ letters, name }) => {
    const isUnique = counts.get(name.toLowerCase()) === 1;
    return name !== '' && isUnique && !/^[+#]|[{}]/.test(name) ? name : letters;
  });
}

/** A list of columns for a file that has many. */
function choiceOf(names, target) {
  const options = names.map((name) => new Option(name, name));
  const choice = element('select', new Option('Insert a column', ''), ...options);
  choice.setAttribute('aria-label', 'Insert a column');
  choice.addEventListener('change', () => {
    insert(`{${choice.value}}`, target());
    choice.value = '';
  });
  return choice;
}

/** A button that puts a text, such as a column, where the person typed last. */
function chip(name, text, target) {
  const button = plainButton(name, () => insert(text, target()));
  // The place in the text stays.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  return button;
}

function insert(text, input) {
  const place = input.selectionEnd ?? input.value.length;
  input.setRangeText(text, place, place, 'end');
  tellChoice(input);
}

/** Beginnings of patterns whose values are percent-encoded. */
const LINK = /^(?:https?:|ftp:|mailto:|sms(?:to)?:|tel:|geo:|urn:|\{\+)/i;

/** The parts of a pattern: braces that stand for themselves, columns, and texts. */
const PARTS = /\{\{|\}\}|\{\s*([+#]?)\s*([^{}]+?)\s*\}|[^{}]+/g;

/** The position of a column by its name or letters, or -1. */
function positionOf(name, columns) {
  const named = columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  return named === -1 ? columns.findIndex(({ letters }) => letters === name.toUpperCase()) : named;
}

/** The names between the braces of a pattern. */
export function namesIn(pattern) {
  return [...pattern.matchAll(PARTS)].flatMap(([, , name]) => name ?? []);
}

/** True for no pattern, and for one whose columns are all there and whose braces are closed. */
function isWhole(pattern, { columns }) {
  const named = namesIn(pattern);
  const isClosed = !pattern.replaceAll(PARTS, '');
  const isNamed = named.length > 0 || !pattern;
  return isClosed && isNamed && named.every((name) => positionOf(name, columns) !== -1);
}

/** The column that a pattern names and the file lacks, or that codes would all be the same. */
function faultOf(pattern, { columns }, isData) {
  const named = namesIn(pattern);
  const absent = named.find((name) => positionOf(name, columns) === -1);
  if (absent !== undefined) return `No column is called ${absent}.`;
  const isSame = isData && pattern.trim() && named.length === 0;
  return isSame ? 'Insert a column: without one, all codes are the same.' : undefined;
}

/** The pattern with the values of the first row, as the service puts them in. */
function resultOf(pattern, { columns, firstRows }, isData) {
  const cells = firstRows[0]?.cells ?? [];
  const isLink = isData && LINK.test(pattern);
  const first = cells[positionOf(namesIn(pattern)[0] ?? '', columns)] ?? '';
  const isUrl = LINK.test(first) || /^[a-z][a-z\d+.-]*:\/\//i.test(first);
  if (isData && isUrl && /^https:\/\/{\s*\+[^}]+}$/.test(pattern)) return first;
  return pattern.replaceAll(PARTS, (all, sign, name) => {
    if (name === undefined) {
      const text = all.replace(/^[{}]/, '');
      return isLink ? asUri(text) : text;
    }
    const place = positionOf(name, columns);
    if (place === -1 || (sign === '#' && !isLink)) return all;
    const value = cells[place] ?? '';
    if (!isLink) return value;
    if (sign) return (sign === '#' ? '#' : '') + asUri(value);
    return encodeURIComponent(value).replaceAll(
      /[!'()*]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  });
}

/** RFC 6570, section 3.2.3: reserved characters and encoded bytes are left. */
function asUri(text) {
  return encodeURI(text).replaceAll(/%25(?=[\dA-F]{2})|%5[BD]/gi, decodeURIComponent);
}
