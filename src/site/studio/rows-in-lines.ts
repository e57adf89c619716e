/** Rows of a table among typed lines. */

import { fieldsOfLines, linesOfNetworks } from '../../engine/in-process.js';

/** Lines of a long list that are looked at. */
const LINES = 300;

/** The fewest lines with tabs that are rows of a table among other lines. */
const LEAST_ROWS = 2;

const NOT_MEANT = ', which is probably not meant';

/** A cell in quotes, which may have several lines, or a character in HTML. */
const CLOSED = /(?<=^|[\t;,])"[^"]*(?:""[^"]*)*"|&[a-z]{2,4};/gm;

/** A link, or a code such as of a network: they have semicolons, too. But a name behind a link is a cell of its own. */
const ADDRESS =
  /^(?!\s*https?:(?:[^\s;,]+(?:[;,]\s+\p{L}[^;,/]*|;\p{Lu}[^;,=/&?.]*)|[^\s;,?]+,\p{Lu}[^;,=/&?.]*)$)\s*[a-zA-Z][\w+.-]*:[^\s;]/u;

/** Recipients as mail programs copy them, with semicolons or commas between them. Their names have one comma at most. */
const RECIPIENTS = /^(?:(?:^|[;,])[^<>;,]*(?:,[^<>;,]*)?<[^\s<>@]+@[^\s<>@]+>)+[\s;,]*$/;

/** A cell that is a link. */
const LINK = /^\s*(?:https?:\/\/|www\.)/i;

/** A comma before a link, or before the space behind one. */
const BESIDE_LINK = /,\s*"?(?:https?:|www\.)|https?:[^\s,]*,\s/i;

/** Marks of a list with a tab behind them. The script of the studio knows the same ones. */
const BULLETS = /^[^\S\n]*(?:[-–—•·*▪§o\uF000-\uF0FF]|\(?(?:[a-z]|\d{1,3})[.)])\t+/gim;

/** A word for wireless networks. */
const WIRELESS = /\b(?:wi-?fi|w-?lan)\b/i;

/** A word for a password before a text with a digit, which is no link. */
const PASSWORD =
  /(?:^|[\s,;:/(-])(?:(?:password|pw|pwd|passwort|kennwort|wachtwoord|mot de passe|mdp|contraseña|hasło|lösenord|heslo)[\s:=]+|(?:ww|clave)\s*:\s*)(?=\S*\d)(?!\S*:\/\/)\S{8,}/i;

/** An account of a country of Europe (ISO 13616). */
const IBAN = /\b[A-Z]{2}\d{2} ?[A-Z0-9]{4}(?: ?\d{4}){2,6}(?: ?\d{1,3})?\b/;

/** Lines and characters of a contact, at most. */
const MOST_OF_CONTACT = 8;
const LONGEST_CONTACT = 600;

/** A name in the first line of a block. */
const NAME_ABOVE = /^\s*\p{Lu}[^\d@:,!?\n]*\n/u;

/** A telephone number behind its label. */
const LABELLED_PHONE =
  /^\s*(?:t|tel|tél|telefon|phone|m|mob|mobil|mobile|port|portable|handy|gsm)\b\.?\s*:?\s*[+(\d]/im;

/** A mail address in a line. */
const MAIL = /\S@\S+\.\S/;

/** Lines that a sentence names. */
const MOST_NAMED = 3;

/** A word for a login, which has a password, too. */
const LOGIN = /\b(?:account|user|admin|konto|login|benutzer)/i;

/** A cell of several lines. */
const SEVERAL_LINES = /^"[^"\n]*\n[^"]*"$/m;

/**
 * The character that separates the cells where lines are rows of a table: a tab, which nobody types and `web/assets/studio-lines.js`
 * finds, too, or perhaps a semicolon, a comma or a bar. A colon where the lines name the fields of networks or contacts. Empty where they are none.
 */
export function separatorOf(text: string): string {
  const rows = rowsOf(text);
  const even = evenRows(rows);
  // Lists have tabs before or after each text.
  if (4 * even.length >= 3 * rows.length && even.some(hasTab)) return '\t';
  if (fieldsOfLines(firstLines(text)) !== null) return ':';
  const isText = (row: string) => ADDRESS.test(row) || RECIPIENTS.test(row);
  const isTable = (by: string) => {
    const [cells = 1, ...others] = rows.map((row) => (isText(row) ? 1 : cellsOf(row, by)));
    // Texts have commas, too.
    const least = by === ',' && !rows.some((row) => row.split(by).some((cell) => LINK.test(cell))) ? 3 : 2;
    const isEven = cells >= least && others.length > 0 && others.every((count) => count === cells);
    // Lists have a separator behind each text.
    return isEven && rows.some((row) => row.split(by).slice(1).join('').trim() !== '');
  };
  const by = SEVERAL_LINES.test(text) ? ';' : [';', ',', '|'].find(isTable);
  if (by === undefined) return '';
  // Networks of which some are not sure have such signs between their names and passwords.
  const { whole, unsure } = linesOfNetworks(firstLines(text));
  return rows.length > 0 && whole.length + unsure.length >= rows.length ? '' : by;
}

/** The first rows, without what stands in quotes, and without the marks of a list where all tabs are behind one. */
function rowsOf(text: string): string[] {
  const all = firstLines(text).replaceAll(CLOSED, 'x');
  const unmarked = all.replace(BULLETS, '');
  const rows = all.includes('\t') && !unmarked.includes('\t') ? unmarked : all;
  return rows.split('\n').filter((row) => row.trim() !== '');
}

function firstLines(text: string): string {
  return text.split('\n', LINES).join('\n');
}

/** Those with as many tabs as the row in the middle. */
function evenRows(rows: readonly string[]): string[] {
  const usual = rows.map((row) => cellsOf(row)).toSorted((one, other) => one - other)[rows.length >> 1];
  return rows.filter((row) => cellsOf(row) === usual);
}

function cellsOf(row: string, separator = '\t'): number {
  return row.split(separator).length;
}

function hasTab(row: string): boolean {
  return cellsOf(row.trim()) > 1;
}

/** A sentence about lines that look like rows of a table; none about others. The studio's script reads the separator from it. */
export function tableDoubt(lines: string): string[] {
  const separator = separatorOf(lines);
  if (separator === '') return doubtOfSome(lines);
  const fields = separator === ':' ? fieldsOfLines(firstLines(lines)) : null;
  if (fields !== null) return [...(fields.leavesLines ? doubtsOfNetworks(lines) : []), doubtOfFields(fields)];
  const isOfCells = separator === ';' && SEVERAL_LINES.test(lines);
  const by = isOfCells
    ? 'cells of several lines'
    : `${separator === '\t' ? 'tabs' : `“${separator}”`} between their cells`;
  // Postal addresses have as many commas each, and links of places have one.
  const isSure = separator !== ',' || BESIDE_LINK.test(lines);
  return [
    `These lines look like rows of a table, with ${by}. Each becomes one code, as it stands${isSure ? NOT_MEANT : ''}.`,
  ];
}

/** A sentence about lines that name the fields of networks or contacts. */
function doubtOfFields({ kind, leavesLines }: NonNullable<ReturnType<typeof fieldsOfLines>>): string {
  const things = kind === 'contact' ? 'contacts' : 'Wi-Fi networks';
  const leftOut = leavesLines ? ' The table leaves other lines out.' : '';
  return `These lines look like the ${things} of a table, with “:” behind the names of its columns. Each becomes one code, as it stands${NOT_MEANT}.${leftOut}`;
}

/** Sentences about networks that are written as texts. The studio's script knows the first. */
function doubtsOfNetworks(lines: string): string[] {
  const text = firstLines(lines);
  const first = text.split('\n');
  const isMeant = (line: string, at: number) =>
    PASSWORD.test(line) && !LOGIN.test(line) && WIRELESS.test(`${first[at - 1] ?? ''}\n${line}`) && !ADDRESS.test(line);
  const doubts = [];
  const { whole, unsure, writtenLine, written } = linesOfNetworks(text);
  if (whole.length > 0) doubts.push(`${textsShown(whole)}, all that is needed to join a Wi-Fi${NOT_MEANT}.`);
  const isUnsure = (line: string, place: number) =>
    unsure.includes(place) || (!whole.includes(place) && isMeant(line, place - 1));
  const others = first.flatMap((line, at) => (isUnsure(line, at + 1) ? [at + 1] : []));
  if (others.length > 0) {
    const what = `${textsShown(others)}, on how to join a Wi-Fi${NOT_MEANT}.`;
    const code =
      written === undefined ? '' : ` For line ${writtenLine}, if the name and the password in it are right: ${written}`;
    const advice =
      'Write “WiFi: name, password: abcd-1234” with nothing behind it, and it can become a code that joins the Wi-Fi.';
    doubts.push(`${what} ${advice}${code}`);
  }
  return doubts;
}

/** Such as `Phones show the text of lines 3 and 5`. */
function textsShown(places: readonly number[]): string {
  const [only] = places;
  if (places.length === 1) return `Phones show the text of line ${only}`;
  const named = places.slice(0, MOST_NAMED);
  const last = places.length > MOST_NAMED ? 'others' : named.pop();
  return `Phones show the text of lines ${named.join(', ')} and ${last}`;
}

/** Sentences about contacts and accounts, of which codes are made from the columns of a list. */
function hintsOfKinds(lines: string): string[] {
  const first = firstLines(lines);
  const hints = [];
  const account = first.split('\n').findIndex((line) => IBAN.test(line) && !ADDRESS.test(line));
  if (account >= 0) {
    hints.push(
      `Line ${account + 1} has an IBAN, and phones show its text. For payment codes, choose a list with the columns Name, IBAN and Amount.`,
    );
  }
  const blocks = first.split(/\n\s*\n/);
  const isContact = (block: string) =>
    block.length <= LONGEST_CONTACT &&
    block.split('\n').length <= MOST_OF_CONTACT &&
    NAME_ABOVE.test(block) &&
    LABELLED_PHONE.test(block) &&
    MAIL.test(block);
  const [name] = (blocks.find(isContact) ?? '').trim().split('\n');
  if (name) {
    hints.push(
      `“${name}” seems to begin a contact, and each of its lines becomes a code. For a contact code, write its fields as “Name: …”, “Phone: …” and “Email: …”, one in each line.`,
    );
  }
  return hints;
}

/** A sentence about rows that were added to other lines, which are no rows. */
function doubtOfSome(lines: string): string[] {
  const rows = rowsOf(lines).filter(hasTab);
  if (rows.length < LEAST_ROWS || evenRows(rows).length < rows.length)
    return [...doubtsOfNetworks(lines), ...hintsOfKinds(lines)];
  return [
    `${rows.length} of these lines have tabs, as rows of a table do. Each becomes one code, as it stands${NOT_MEANT}. To use their columns, paste the rows alone.`,
  ];
}
