/** What is in a chosen file, as far as the page shows it: its first items, and how many there are. The service reads it in earnest. */

/** A JSON request larger than this is refused anyway. */
const JSON_BYTES = 25_000_000;

/** Bytes that the first items are looked for in. */
const HEAD_BYTES = 65_536;

/** The first items of a file, or else of lines that were typed. */
export async function firstItems(file, lines, most) {
  if (!file) return typed(lines).slice(0, most);
  if (/\.json$/i.test(file.name)) return (await jsonItems(file)).filter(isItem).slice(0, most);
  const head = (await file.slice(0, HEAD_BYTES).text()).replace(/^\uFEFF/, '');
  if (/\.csv$/i.test(file.name)) return csvItems(head).slice(0, most);
  if (/\.txt$/i.test(file.name)) return typed(head).slice(0, most);
  return ndjsonItems(head).slice(0, most);
}

/** Lines that say something; a CSV file's header and an NDJSON file's style are no items. */
export async function itemCount(file, lines) {
  if (!file) return typed(lines).length;
  if (/\.json$/i.test(file.name)) return (await jsonItems(file)).length;
  let count = 0;
  let rest = '';
  for await (const text of file.stream().pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n');
    rest = parts.pop();
    for (const part of parts) if (part.trim() !== '') count += 1;
  }
  if (rest.trim() !== '') count += 1;
  if (/\.csv$/i.test(file.name)) return Math.max(0, count - 1);
  if (/\.txt$/i.test(file.name)) return count;
  const [first = ''] = (await file.slice(0, HEAD_BYTES).text()).split('\n', 1);
  return isItem(parsed(first)) ? count : Math.max(0, count - 1);
}

function typed(lines) {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((data) => ({ data }));
}

async function jsonItems(file) {
  if (file.size > JSON_BYTES) return [];
  const items = parsed((await file.text()).replace(/^\uFEFF/, ''))?.items;
  return Array.isArray(items) ? items : [];
}

function ndjsonItems(text) {
  return text.split('\n').map(parsed).filter(isItem);
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isItem(value) {
  return typeof value?.data === 'string';
}

function csvItems(text) {
  const [header = [], ...rows] = csvRows(text);
  const columns = header.map((name) => name.trim().toLowerCase());
  return rows
    .map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])))
    .map(({ data = '', caption = '' }) => ({ data: data.trim(), ...(caption.trim() && { caption: caption.trim() }) }))
    .filter(({ data }) => data !== '');
}

/** RFC 4180, with the separator that the first line has most of. */
function csvRows(text) {
  const [line] = text.split('\n', 1);
  const separator = [',', ';', '\t'].sort((left, right) => line.split(right).length - line.split(left).length)[0];
  const rows = [[]];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '"' && text[index + 1] === '"') cell += text[(index += 1)];
      else if (character === '"') quoted = false;
      else cell += character;
    } else if (character === '"' && cell === '') {
      quoted = true;
    } else if (character === separator || character === '\n') {
      rows.at(-1).push(cell);
      cell = '';
      if (character === '\n') rows.push([]);
    } else if (character !== '\r') {
      cell += character;
    }
  }
  return rows;
}
