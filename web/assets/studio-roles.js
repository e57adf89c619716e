/** Choices for the columns of each sheet, by their names: they hold for the next file too. */

import { inputOf } from './studio-form.js';
import { namesIn } from './studio-patterns.js';
import { words } from './studio-words.js';

/** The fields of patterns, by the role that each fills. */
const PATTERNS = { data: 'dataPattern', caption: 'captionPattern', filename: 'filenamePattern' };

const PATTERN_FIELDS = new Set(Object.values(PATTERNS));

/** Choices beside the uses of columns that hold for another file. */
const KEPT = ['kind', 'callingCode', 'payeeName', 'payeeIban', 'payeeBic', ...PATTERN_FIELDS];

/** Names that tell one list from another. A sheet may have 16,384 columns. */
const MOST_NAMES = 100;

/** Uses of a column: the fields of the kind, and the other members of an item. */
export function usesOf(kind) {
  const kindFields = words.kinds[kind]?.fields;
  const others = words.roles.filter(([role]) => !kindFields || (role !== 'data' && !(role in kindFields)));
  return [['', 'Not used'], ...Object.entries(kindFields ?? {}), ...others];
}

/** Keeps what a person chose for this sheet, also uses whose columns the file lacks. */
export function remember(table) {
  // The last choice may not be read yet. A guess is none.
  const value = inputOf('guess').value === 'open' ? '' : inputOf('columns').value;
  const isChosen = value !== '' || KEPT.some((name) => inputOf(name).value !== '');
  const lists = keptLists();
  if (!isChosen && lists.length === 0) return;
  const isHeadless = inputOf('headless').value === '1';
  const keys = keysOf(table.columns, isHeadless);
  const titles = table.columns.map(({ letters, name }) => (isHeadless || name === '' ? letters : name));
  const chosen = value.split(',').map((text) => text.split('='));
  const uses = table.columns.map((column, at) =>
    value === '' ? useOf(column) : chosen.find(([, place]) => Number(place) === at)?.[0],
  );
  const used = keys.flatMap((key, at) => (uses[at] ? [{ use: uses[at], key, title: titles[at] }] : []));
  const inPatterns = Object.entries(PATTERNS).flatMap(([use, name]) => {
    const named = namesIn(inputOf(name).value.toLowerCase());
    return keys.flatMap((key, at) => (named.includes(key) ? [{ use, key, title: titles[at], isInPattern: true }] : []));
  });
  const kept = {
    list: table.sheet,
    names: keys.slice(0, MOST_NAMES),
    ...Object.fromEntries(['sheet', 'headless', ...KEPT].map((name) => [name, inputOf(name).value])),
    hasColumns: value !== '',
    // Where nothing is chosen, names alone tell the roles, of the next file too.
    used: isChosen ? [...used, ...inPatterns, ...missingFrom(table)] : [],
  };
  inputOf('roles').value = JSON.stringify([kept, ...lists.filter(({ list }) => list !== table.sheet)]);
}

/**
 * The choices that hold for another file: those for its sheet, or the last ones. None for another list. Uses hold where a new sheet
 * has all their columns.
 * @returns {Record<string, string>}
 */
export function keptChoices(table) {
  const lists = keptLists();
  const [last] = lists;
  if (!last) return {};
  const picked = inputOf('sheet').value;
  if (picked === '' && last.sheet !== '' && table.sheets.includes(last.sheet)) return { sheet: last.sheet };
  const isPicked = isOther(last);
  const own = isPicked ? lists.find(({ list }) => list === picked) : last;
  const kept = own ?? last;
  const isHeadless = kept.headless === '1' && table.asksForHeader;
  const keys = keysOf(table.columns, isHeadless);
  const used = kept.used.filter(({ key }) => keys.includes(key));
  if (!(isPicked && own) && (used.length === 0 || !isSameList(kept, keys))) return {};
  const isOtherList = kept.used.some(({ use, key }) => (use === 'data' || !own) && !keys.includes(key));
  const columns = used.flatMap(({ use, key, isInPattern }) => (isInPattern ? [] : [`${use}=${keys.indexOf(key)}`]));
  // A pattern of columns that are not there would make no code.
  const there = new Set(table.columns.flatMap(({ letters }, at) => [letters.toLowerCase(), keys[at].toLowerCase()]));
  const isWhole = (name) =>
    !PATTERN_FIELDS.has(name) || namesIn(kept[name].toLowerCase()).every((key) => there.has(key));
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, isWhole(name) ? (kept[name] ?? '') : ''])),
    columns: kept.hasColumns && !isOtherList ? columns.join(',') : '',
    headless: isHeadless ? '1' : '',
  };
}

/**
 * True where a list has the columns that made the codes, and more than one name of the list before.
 */
function isSameList({ kind, used, names = [] }, keys) {
  const made = words.kinds[kind]?.fields ?? { data: '' };
  const isWhole = used.every(({ use, key }) => !(use in made) || keys.includes(key));
  const known = [...new Set([...names, ...used.map(({ key }) => key)])];
  const shared = known.filter((key) => keys.includes(key)).length;
  return isWhole && (shared > 1 || (shared === known.length && keys.length <= 2));
}

/** Sentences about uses that are not as before. @returns {string[]} */
export function lostRoles(table) {
  if (table.columns.length === 0) return [];
  if (inputOf('roles').value === 'unknown') {
    return [
      'This browser does not know what the columns of this job were used for: look at “Used as”, and at “You get”.',
    ];
  }
  const labels = currentUses();
  return missingFrom(table).map(
    ({ use, title }) => `There is no column ${title}, which was used as “${labels.get(use)}” before.`,
  );
}

/** Uses of the kind whose column another file had, and that nothing has in this one. */
function missingFrom(table) {
  const keys = keysOf(table.columns, inputOf('headless').value === '1');
  const labels = currentUses();
  const isFilled = (use) =>
    table.columns.some((column) => useOf(column) === use) || (use in PATTERNS && inputOf(PATTERNS[use]).value !== '');
  const [last] = keptLists();
  const used = last && !isOther(last) && isSameList(last, keys) ? last.used : [];
  return used.filter(({ use, key }) => labels.has(use) && !keys.includes(key) && !isFilled(use));
}

/** The labels of the uses that a column may have. */
function currentUses() {
  return new Map(usesOf(inputOf('kind').value));
}

function useOf({ role, field: member }) {
  return member ?? role;
}

/** A person picked another sheet than that of these choices. */
function isOther({ list }) {
  const { value } = inputOf('sheet');
  return value !== '' && value !== list;
}

/** The choices for each sheet, the last ones first. */
function keptLists() {
  const { value } = inputOf('roles');
  return value.startsWith('[') ? JSON.parse(value) : [];
}

/** Columns by their names; the second of a name is another one than the first. */
function keysOf(columns, isHeadless) {
  const counts = new Map();
  return columns.map(({ letters, name }) => {
    const key = isHeadless || name === '' ? letters : name.toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) === 1 ? key : `${key} ${counts.get(key)}`;
  });
}
