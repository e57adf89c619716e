/** The studio makes the same codes of a list with scripts and without: exports of other programs, and choices that a page proposes. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { separatorOf, tableDoubt } from '../../src/site/studio/rows-in-lines.js';
import type { StudioCheck } from '../../src/site/studio/studio-check.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

let service: TestService;
let ada: SignedUp;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
// A person may read a list so many times a minute.
beforeEach(async () => {
  ada = await signUp(service);
});
afterAll(() => service.close());

type List = { name: string; content: string };

/** The fields that a browser without scripts sends of the studio's form: of several with one name, the last. */
function fieldsOf(html: string): Record<string, string> {
  const form = /<form id="studio-form".*?<\/form>/s.exec(html)?.[0] ?? '';
  const fields: Record<string, string> = {};
  for (const [tag, attributes = '', inside = '', typed] of form.matchAll(
    /<(?:input|select|textarea)\b([^>]*)>(?:((?:<option[^>]*>[^<]*<\/option>)+)<\/select>|([^<]*)<\/textarea>)?/g,
  )) {
    const name = /\bname="([^"]*)"/.exec(attributes)?.[1];
    const isOff = /type="(?:checkbox|radio)"/.test(attributes) && !attributes.includes(' checked');
    if (name === undefined || isOff || attributes.includes('type="file"')) continue;
    const options = tag.startsWith('<select')
      ? (/value="([^"]*)" selected/.exec(inside) ?? /value="([^"]*)"/.exec(inside))
      : undefined;
    const value = options?.[1] ?? typed?.replace(/^\n/, '') ?? /\bvalue="([^"]*)"/.exec(attributes)?.[1] ?? '';
    fields[name] = value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  }
  return fields;
}

async function send(page: string, list: List, chosen: Record<string, string> = {}) {
  const files = { file: new File([list.content], list.name) };
  return ada.visitor.upload(`${ada.base}/studio`, { ...fieldsOf(page), ...chosen }, files);
}

/** Presses the button until codes are made, first with these choices. The lines of the manifest, and the pages before. */
async function madeWithoutScripts(list: List, chosen: Record<string, string> = {}) {
  const pages = [(await ada.visitor.get(`${ada.base}/studio`)).html];
  let answer = await send(pages[0] ?? '', list);
  let choices = chosen;
  while (answer.status === 422 && pages.length < 5) {
    pages.push(answer.html);
    answer = await send(answer.html, list, choices);
    choices = {};
  }
  expect(answer.status, pages.at(-1)?.match(/role="alert".*?<\/div>/s)?.[0]).toBe(303);
  await service.ended(answer.location.split('/').at(-1) ?? '');
  const { html } = await ada.visitor.get(`${answer.location}/manifest.ndjson`);
  const items = html
    .trim()
    .split('\n')
    .map((line) => membersOf(JSON.parse(line) as Item));
  return { items, pages };
}

interface Item {
  data: string;
  caption?: string | undefined;
  filename?: string;
}

/** The members that make a code: names of files get numbers later. */
function membersOf({ data, caption }: Item) {
  return { data: data.replace(/^(?:DTSTAMP|UID):.*\r\n/gm, ''), ...(caption !== undefined && { caption }) };
}

/** The answer about its list that a page with scripts gets. */
async function checked(list: List, fields: Record<string, string>) {
  const empty = fieldsOf((await ada.visitor.get(`${ada.base}/studio`)).html);
  const files = { file: new File([list.content], list.name) };
  const { html } = await ada.visitor.upload(`${ada.base}/studio/check`, { ...empty, seen: '1', ...fields }, files);
  expect(html).toMatch(/^\{/);
  return JSON.parse(html) as StudioCheck;
}

const GOOGLE = {
  name: 'google.csv',
  content:
    'First Name,Middle Name,Last Name,Name Prefix,Organization Name,Organization Title,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Website 1 - Label,Website 1 - Value\n' +
    'Åse,,Bjørnson,,Fjord AS,Sjef,,* myContacts,* Work,ase@fjord.no,Mobile,+47 900 11 222,Work,https://fjord.no\n' +
    'Ola,,Nordmann,,,,,* myContacts,,,Mobile,+47 900 11 333,,\n',
};

const OUTLOOK = {
  name: 'outlook.csv',
  content:
    'First Name,Middle Name,Last Name,Title,Suffix,E-mail Address,Home Phone,Business Phone,Mobile Phone,Job Title,Company,Business Street,Business City,Business Postal Code,Web Page,Notes\n' +
    'Siobhán,M.,O\'Brien,Dr.,,siobhan@ex.ie,+353 1 765 4321,+353 1 123 4567,+353 87 123 4567,Head of R&D,"Acme, Ltd.",1 Main St,Dublin,D01 F5P2,https://acme.ie,\n' +
    'Conor,,Byrne,,,conor@ex.ie,,,+353 87 765 4321,Fitter,Acme,,,,https://acme.ie,x\n',
};

/** Those of whom some have no website. */
const OUTLOOK_DE = {
  name: 'outlook-de.csv',
  content:
    'Anrede;Vorname;Nachname;Firma;Position;Telefon geschäftlich;Mobiltelefon;E-Mail;Webseite\n' +
    'Herr;Günther;Weiß;Weiß KG;Chef;+49 221 12345;+49 170 1112223;g.weiss@weiss.de;http://www.weiss.de\n' +
    'Frau;Käthe;Groß;;;;+49 170 333;k@gross.de;\n',
};

const STAFF = {
  name: 'staff.csv',
  content:
    'Nome;Cognome;Azienda;Cellulare;E-mail;Sito web\n' +
    'Anna;Rossi;Rossi srl;+39 333 1;anna@rossi.it;https://rossi.it\nUgo;Bo;Bo;+39 333 2;ugo@bo.it;https://bo.it\n',
};

const LISTS = [
  GOOGLE,
  OUTLOOK,
  OUTLOOK_DE,
  STAFF,
  { name: 'wifi.csv', content: 'Room,SSID,Password\nHall,Guests,welcome-1\nBar,Team,welcome-2\n' },
  {
    name: 'payments.csv',
    content:
      'Name;IBAN;Betrag;Verwendungszweck\nAcme;DE89370400440532013000;12,50;Rechnung 1\nBo;DE89370400440532013000;9,00;Rechnung 2\n',
  },
  {
    name: 'products.csv',
    content:
      'Handle,Title,Variant Price,Variant Barcode,Image Src\na,Cup,1.00,4006381333931,https://example.org/a.png\nb,Mug,2.00,4006381333931,https://example.org/b.png\n',
  },
  {
    name: 'calendar.csv',
    content:
      'Subject,Start Date,Start Time,End Date,End Time,All day event,Location,Description\nFair,2026-05-03,09:00:00,2026-05-03,10:00:00,False,Hall,x\nTalk,2026-05-04,09:00:00,2026-05-04,10:00:00,False,Bar,y\n',
  },
  { name: 'links.csv', content: 'Ziel;Raum;Beschriftung\nhttps://example.org/1;a;A\nhttps://example.org/2;b;B\n' },
];

it.each(LISTS)('makes the same codes of $name with scripts and without', async (list) => {
  const { table } = await checked(list, {});
  const kind = table?.proposedKind;
  const links = table?.linksColumn;
  const script = await checked(
    list,
    kind !== undefined ? { kind } : links !== undefined ? { columns: `data=${links},caption=2` } : {},
  );
  expect(script.problems).toEqual([]);
  const { items } = await madeWithoutScripts(list, kind === undefined ? {} : { asKind: kind });
  expect(items).toEqual(script.items.map(membersOf));
});

it('takes the columns of another kind that is chosen, and keeps those that a person chose', async () => {
  const { items, pages } = await madeWithoutScripts(STAFF, { kind: 'contact' });
  // The proposal stands beside the links.
  expect(pages[1]).toContain(
    '<button class="compact" form="studio-form" name="asKind" value="contact">Make contact codes',
  );
  expect(items).toEqual((await checked(STAFF, { kind: 'contact' })).items.map(membersOf));
  // Columns that were chosen hold while the kind is the same, those of the links for no other.
  const [, shown = ''] = pages;
  const chosen = await send(shown, STAFF, { 'column-0': 'caption', seen: '' });
  expect(fieldsOf(chosen.html)).toMatchObject({ 'column-0': 'caption', 'column-5': 'data', shownColumns: 'chosen' });
  const again = await send(chosen.html, STAFF, { seen: '' });
  expect(fieldsOf(again.html)).toMatchObject({ 'column-0': 'caption', 'column-5': 'data' });
  const cards = await send(again.html, STAFF, { kind: 'contact' });
  expect(fieldsOf(cards.html)).toMatchObject({ 'column-0': 'firstName', 'column-5': 'url' });
  // Nothing is left of the columns that were taken away.
  const less = await send(cards.html, STAFF, { 'column-5': '', seen: '' });
  expect(fieldsOf(less.html)).toMatchObject({ 'column-0': 'firstName', 'column-5': '', shownColumns: 'chosen' });
});

it('asks for the amount once the payee is chosen', async () => {
  const list = {
    name: 'payments.csv',
    content: 'Kreditor;Lieferant;Brutto;Zahlbetrag;IBAN\nBo;Acme;6;5;DE89370400440532013000\n',
  };
  const { table } = await checked(list, { kind: 'payment' });
  expect(table?.askedFields).toEqual(['name', 'amount']);
  const asked = await checked(list, { kind: 'payment', columns: 'name=1,iban=4,amount=?' });
  expect(asked.problems).toEqual([expect.stringContaining('Brutto')]);
  const answered = await checked(list, { kind: 'payment', columns: 'name=1,iban=4,amount=3' });
  expect(answered.problems).toEqual([]);
  const shown = await send((await ada.visitor.get(`${ada.base}/studio`)).html, list, { kind: 'payment' });
  const named = await send(shown.html, list, { 'column-1': 'name' });
  expect(named.status).toBe(422);
  expect(named.html).toContain('Zahlbetrag');
  expect(fieldsOf(named.html)).toMatchObject({ 'column-1': 'name', 'column-4': 'iban', askedFields: 'amount' });
  const priced = await send(named.html, list, { 'column-3': 'amount', seen: '' });
  expect(fieldsOf(priced.html)).toMatchObject({ 'column-1': 'name', 'column-3': 'amount', askedFields: '' });
});

it('makes links of a list of contacts once a person says so', async () => {
  const list = {
    name: 'people.csv',
    content: 'Vorname;Nachname;Telefon;Ziel\nJan;Berg;+49301;Halle 1\nEva;Bos;+49302;Halle 2\n',
  };
  const asked = await send((await ada.visitor.get(`${ada.base}/studio`)).html, list);
  expect(asked.html).toContain('This looks like a list of contacts. To make contact codes, press Make codes.');
  expect(fieldsOf(asked.html)).toMatchObject({ kind: 'contact', 'column-1': 'lastName' });
  const plain = await send(asked.html, list, { kind: 'links' });
  expect(plain.html).toContain('Which column holds the link or text?');
  expect(fieldsOf(plain.html)).toMatchObject({ kind: 'links', 'column-1': '' });
  const made = await send(plain.html, list, { 'column-3': 'data' });
  expect(fieldsOf(made.html)).toMatchObject({ kind: 'links', 'column-3': 'data' });
  expect((await send(made.html, list)).status).toBe(303);
});

it('makes payments to an account that is typed once, and takes no payer for the payee', async () => {
  const list = { name: 'fees.csv', content: 'Name;Betrag;Text\nAda;12,50;Fee Ada\nBo;9,00;Fee Bo\n' };
  const account = { payeeName: 'Club', payeeIban: 'DE89 3704 0044 0532 0130 00' };
  const told = 'All codes are for payments to Club, DE89 3704 0044 0532 0130 00.';
  const script = await checked(list, { kind: 'payment', ...account });
  expect(script).toMatchObject({ problems: [], notices: [told] });
  const [first] = script.items;
  expect(first?.data).toBe('BCD\n002\n1\nSCT\n\nClub\nDE89370400440532013000\nEUR12.50\n\n\nFee Ada');
  expect(first).toMatchObject({ filename: 'Ada' });
  const withTotal = { ...list, content: `${list.content}Summe;21,50;\n` };
  expect(await checked(withTotal, { kind: 'payment', ...account })).toMatchObject({
    problems: ['Row 4: the row seems to be the total of the rows above it. Delete it, or skip it.'],
    faulty: { rows: 1, good: 2 },
  });
  const anew = await checked(list, { kind: 'payment' });
  expect(anew.table?.question).toBe(
    'Which column holds “IBAN”? Pick it below, or type payee and IBAN once for all codes.',
  );
  const unnamed = await checked(list, { kind: 'payment', ...account, payeeName: '' });
  expect(unnamed.table?.question).toBe('Who holds the account? Type the payee below.');
  const { html } = await send((await ada.visitor.get(`${ada.base}/studio`)).html, list);
  const asked = await send(html, list, { kind: 'payment' });
  expect(asked.html).toContain(
    'Which column holds “IBAN”? Choose it below, or type payee and IBAN once for all codes.',
  );
  expect(asked.html).toMatch(/<details open><summary>One account for all codes/);
  // The name that the page took for the payee's is a payer's beside the account.
  expect(fieldsOf(asked.html)).toMatchObject({ 'column-0': 'name', payeeIban: '' });
  const nameless = await send(asked.html, list, { ...account, payeeName: '' });
  expect(nameless.html).toContain('Who holds the account? Type the payee below.');
  const wrong = await send(nameless.html, list, { ...account, payeeIban: 'DE88370400440532013000' });
  expect(wrong.html).toContain('The check digits of the IBAN are wrong.');
  const shown = await send(wrong.html, list, account);
  expect(shown.html).toContain(told);
  expect(fieldsOf(shown.html)).toMatchObject({ ...account, 'column-0': 'filename' });
  // Another account is shown, too.
  const other = await send(shown.html, list, { payeeName: 'Choir' });
  expect(other.html).toContain('All codes are for payments to Choir, DE89');
  const made = await send(other.html, list, account);
  expect(made.html).toContain(told);
  const { status, location } = await send(made.html, list);
  expect(status).toBe(303);
  await service.ended(location.split('/').at(-1) ?? '');
  const manifest = (await ada.visitor.get(`${location}/manifest.ndjson`)).html.trim().split('\n');
  expect(manifest.map((line) => membersOf(JSON.parse(line) as Item))).toEqual(script.items.map(membersOf));
});

it('puts events on a day that is typed once, where the list has times alone', async () => {
  const list = {
    name: 'day.csv',
    content: 'Uhrzeit;Programmpunkt;Ort\n10:00;Eröffnung;Halle\n11:30;Chor;Bühne\n',
  };
  const told = 'All events are on Saturday, 12 June 2027.';
  const question = 'The list has times, and no day. If all events are on one day, type it below.';
  const anew = await checked(list, { kind: 'event' });
  expect(anew.table).toMatchObject({ asksForDay: true, question: `${question} If not, pick the column of the days.` });
  const script = await checked(list, { kind: 'event', eventDay: '2027-06-12' });
  expect(script).toMatchObject({ problems: [], notices: [told], table: { asksForDay: false } });
  expect(script.items[1]?.data).toContain('DTSTART:20270612T113000');
  // This may be the whole start, and has times alone here.
  const starts = { ...list, content: 'Start;Title\n10:00;Eröffnung\n' };
  expect((await checked(starts, { kind: 'event' })).table?.question).toContain(question);
  const { html } = await send((await ada.visitor.get(`${ada.base}/studio`)).html, list);
  const asked = await send(html, list, { kind: 'event' });
  expect(asked.html).toContain(`${question} If not, choose the column of the days.`);
  expect(asked.html).toMatch(/<input id="eventDay" name="eventDay" type="date" value=""/);
  const wrong = await send(asked.html, list, { eventDay: '12.06.' });
  expect(wrong.html).toContain('Write the day of all events as 2027-06-12.');
  const shown = await send(wrong.html, list, { eventDay: '2027-06-12' });
  expect(shown.html).toContain(told);
  expect(fieldsOf(shown.html)).toMatchObject({ 'column-0': 'startTime', eventDay: '2027-06-12' });
  // Another file has another day.
  const other = await send(shown.html, { ...list, name: 'other.csv' }, { kind: 'event' });
  expect(fieldsOf(other.html)).not.toMatchObject({ eventDay: '2027-06-12' });
  const made = await send(shown.html, list);
  expect(made.status).toBe(303);
});

it('offers the kind that the cells speak for, and asks for the title', async () => {
  const content = 'Disziplin;Datum;Uhrzeit;Ort\nLauf;12.06.2027;10:00;Bahn\nWurf;12.06.2027;11:00;Platz\n';
  const list = { name: 'sports.csv', content };
  const hint = 'Or is this a list of events?';
  const { table } = await checked(list, {});
  expect(table).toMatchObject({
    likelyKind: 'event',
    question: `Which column holds the link or text? Pick it below. ${hint}`,
  });
  const { html } = await send((await ada.visitor.get(`${ada.base}/studio`)).html, list);
  expect(html).toContain(
    `Which column holds the link or text? Choose it below. ${hint} Choose Event for “The codes are”.`,
  );
  const asked = await send(html, list, { kind: 'event' });
  expect(asked.html).toContain('Which column holds “Title”? Choose it below.');
  const shown = await send(asked.html, list, { 'column-0': 'title' });
  expect((await send(shown.html, list)).status).toBe(303);
});

it('reads rows that are pasted among typed lines as a table, where tabs separate their cells', async () => {
  const { html } = await ada.visitor.get(`${ada.base}/studio`);
  const press = (page: string, typed: Record<string, string> = {}) =>
    ada.visitor.upload(`${ada.base}/studio`, { ...fieldsOf(page), ...typed }, { file: new File([], '') });
  const rows = 'Nr\tName\tLink\r\n001\tAnna\thttps://p.example.org/1\r\n002\tBen\thttps://p.example.org/2\r\n';
  const shown = await press(html, { items: rows });
  expect(shown.status).toBe(422);
  for (const text of [
    '2 codes cost 2 credits.',
    'The rows that you pasted are read as a table.',
    'Keep “<bdi>Pasted rows.csv</bdi>”',
    'Column C: Link',
  ]) {
    expect(shown.html).toContain(text);
  }
  const { status, location } = await press(shown.html);
  expect(status).toBe(303);
  await service.ended(location.split('/').at(-1) ?? '');
  const manifest = (await ada.visitor.get(`${location}/manifest.ndjson`)).html.trim().split('\n');
  expect(manifest.map((line) => (JSON.parse(line) as Item).data)).toEqual([
    'https://p.example.org/1',
    'https://p.example.org/2',
  ]);
  // Semicolons may be part of texts.
  const lines = await press(html, { items: rows.replaceAll('\t', ';') });
  expect(lines.html).toContain('3 codes cost 3 credits.');
  expect(lines.html).toContain('These lines look like rows of a table, with “;” between their cells.');
  // Too many for the next page, which would have to send them again.
  const many = await press(html, { items: `a\tb\n${'https://example.org\tx\n'.repeat(10_000)}` });
  expect(many.html).toContain('These lines look like rows of a table, with tabs between their cells.');
});

it('reads lines that name the fields of one code as a table', async () => {
  const { html } = await ada.visitor.get(`${ada.base}/studio`);
  const press = (page: string, typed: Record<string, string> = {}) =>
    ada.visitor.upload(`${ada.base}/studio`, { ...fieldsOf(page), ...typed }, { file: new File([], '') });
  const asked = await press(html, { items: 'WLAN: Gast\r\nPasswort: geheim:123\r\n' });
  expect(asked.html).toContain('This looks like a Wi-Fi list. To make Wi-Fi codes, press Make codes.');
  const shown = await press(asked.html);
  expect(shown.html).toContain('1 code costs 1 credit.');
  expect(shown.html).toContain('The rows that you pasted are read as a table.');
  const { status, location } = await press(shown.html);
  expect(status).toBe(303);
  await service.ended(location.split('/').at(-1) ?? '');
  const manifest = (await ada.visitor.get(`${location}/manifest.ndjson`)).html.trim();
  expect((JSON.parse(manifest) as Item).data).toBe('WIFI:T:WPA;S:Gast;P:geheim\\:123;;');
  const lines = 'WiFi Bar: Guest / password: scone;c"jam\r\nWiFi Hall: Museum (no password)\r\n';
  const two = await press((await press((await press(html, { items: lines })).html)).html);
  await service.ended(two.location.split('/').at(-1) ?? '');
  const rows = (await ada.visitor.get(`${two.location}/manifest.ndjson`)).html.trim().split('\n');
  expect(rows.map((row) => JSON.parse(row) as Item)).toMatchObject([
    { data: 'WIFI:T:WPA;S:Guest;P:scone\\;c\\"jam;;', caption: 'Bar' },
    { data: 'WIFI:T:nopass;S:Museum;;', caption: 'Hall' },
  ]);
});

it('says of typed links that marks of a list or names stand before them', async () => {
  const { html } = await ada.visitor.get(`${ada.base}/studio`);
  const shown = async (items: string) =>
    (await ada.visitor.upload(`${ada.base}/studio`, { ...fieldsOf(html), items }, { file: new File([], '') })).html;
  expect(await shown('https://example.org/a\r\n- https://example.org/b\r\n2. https://example.org/c\r\n')).toContain(
    'In the first, - stands before the address, so that phones search for it instead of opening it. 2 of 3 codes are affected: lines 2 and 3.',
  );
  expect(await shown('Anna https://example.org/a\r\nBen https://example.org/b\r\n')).toContain(
    '2 codes are probably not meant: they have text before a web address, so that phones search for them',
  );
});

it('says that a column has the times which no event has, and takes them', async () => {
  const list = {
    name: 'events.csv',
    content: 'Event,Date,XY,Remark\nA,2027-02-03,18:00,one\nB,2027-02-04,19:30,two\n',
  };
  const notice = 'No event has a start time, but the column C (XY) holds times.';
  const { items, pages } = await madeWithoutScripts(list, { kind: 'event' });
  expect(pages.at(-1)).toContain(notice);
  expect(items[0]?.data).toContain('DTSTART;VALUE=DATE:20270203');
  const studio = (await ada.visitor.get(`${ada.base}/studio`)).html;
  const ofKind = await send((await send(studio, list)).html, list, { kind: 'event' });
  expect(ofKind.html).toContain(notice);
  const { status, location } = await send(ofKind.html, list, { 'column-2': 'startTime' });
  expect(status).toBe(303);
  await service.ended(location.split('/').at(-1) ?? '');
  expect((await ada.visitor.get(`${location}/manifest.ndjson`)).html).toContain('DTSTART:20270203T180000');
});

it('takes the same lines for rows of a table for sure with scripts and without', async () => {
  const script = new URL('../../web/assets/studio-lines.js', import.meta.url).href;
  const { areRows } = (await import(script)) as { areRows: (text: string) => boolean };
  const rows = (count: number, row: string) => Array.from({ length: count }, () => row).join('\n');
  const cases: [string, string][] = [
    ['https://a.example/1;Tisch1\nhttps://a.example/2;Tisch2', ';'],
    ['https://a.example/1, Stand 1\nhttps://a.example/2, Stand 2', ','],
    ['https://a.example/x,123.html\nhttps://a.example/y,124.html', ''],
    ['https://a.example/1, Dr. Anna\nhttps://a.example/2, Ben & Co.', ','],
    ['https://a.example/x;v=1\nhttps://a.example/y;v=2', ''],
    ['https://a.example/1,Eingang\nhttps://a.example/2,Kasse Süd', ','],
    ['https://a.example/maps/Berlin,Germany\nhttps://a.example/maps/Rome,Italy', ','],
    ['https://a.example/@48.1,11.5,17z\nhttps://a.example/@48.2,11.6,17z', ''],
    ['https://a.example/?q=Berlin,Germany\nhttps://a.example/?q=Rome,Italy', ''],
    ['https://a.example/d,Nr.html\nhttps://a.example/e,Nr.html', ''],
    ['https://a.example/x;jsessionid\nhttps://a.example/y;jsessionid', ''],
    ['Nr\tLink\n1\thttps://a.example', '\t'],
    ['Nr\tLink\r\n1\thttps://a.example\r\n', '\t'],
    // Cells may be empty, or have several lines.
    ['Name\tMail\tPhone\nAnna\ta@example.org\t\nBen\t\t1\n\tc@example.org\t', '\t'],
    ['"Nr"\t"Text"\n"1"\t"one\ntwo\nthree\nfour"', '\t'],
    ['Name\tNetwork\nHall\tWIFI:S:a;P:b;;', '\t'],
    // Lists have tabs before or after each text.
    ['\tRoom 1\n\tRoom 2\n\tRoom 3', ''],
    ['Tag 1\t\nTag 2\t', ''],
    ['Room 1\nRoom 2\nRoom\t3', ''],
    // The marks of a list are no column.
    ['1.\thttps://a.example/1\n2.\thttps://a.example/2', ''],
    ['Our links\n\n1.\thttps://a.example/1\n2.\thttps://a.example/2\n3.\thttps://a.example/3', ''],
    ['Our links\n•\thttps://a.example/1\n•\thttps://a.example/2\n•\thttps://a.example/3', ''],
    ['Our links\n-\tMenu: https://a.example/1\n-\tMap: https://a.example/2\no\thttps://a.example/3', ''],
    ['Nr.\tLink\n1.\thttps://a.example/1\n2.\thttps://a.example/2', '\t'],
    ['1\thttps://a.example/1\n2\thttps://a.example/2', '\t'],
    ['1.\tAnna\thttps://a.example/1\n2.\tBen\thttps://a.example/2', '\t'],
    ['Our links\nAnna\thttps://a.example/1\nBen\thttps://a.example/2\nCleo\thttps://a.example/3', '\t'],
    ['Name;Link\nAnna;https://a.example', ';'],
    ['"a;b";c\n"d";"e;f;g"', ';'],
    ['Name,Link\nAnna,https://a.example', ','],
    ['12.03.24, 14:05 - Anna: https://a.example\n12.03.24, 14:06 - Ben: https://b.example', ''],
    ['Anna,A,1\nBen,B,2', ','],
    ['Salt, pepper\nOil, vinegar', ''],
    ['Anna | https://a.example\nBen | https://b.example', '|'],
    // A column whose cells have several lines.
    ['Room 1\n"Room 2\nGround floor"\nRoom 3', ';'],
    ['He said "yes"\n"No", she said', ''],
    // Recipients, as mail programs copy them.
    ['Anna Meier <a@example.org>;\nBo Müller <b@example.org>;', ''],
    ['Meier, Anna <a@example.org>; Müller, Bo <b@example.org>\nRoth, C. <c@example.org>; Alt, D. <d@example.org>', ''],
    ['Anna <a@example.org>;https://a.example\nBo <b@example.org>;https://b.example', ';'],
    // A row has an address, too.
    ['Name;Mail\nAnna;<a@example.org>\nBo;<b@example.org>', ';'],
    ['1;Anna Meier <a@example.org>\n2;Bo Müller <b@example.org>', ';'],
    ['Anna;Meier;Anna Meier <a@example.org>\nBo;Müller;Bo Müller <b@example.org>', ';'],
    ['Anna,Meier,<a@example.org>\nBo,Müller,<b@example.org>', ','],
    ['Meier, Anna <a@example.org>\nMüller, Bo <b@example.org>', ''],
    [
      'A <a@example.org>, B <b@example.org>, C <c@example.org>\nD <d@example.org>, E <e@example.org>, F <f@example.org>',
      '',
    ],
    [`${'A <a@example.org>, '.repeat(9_000)}A\n${'A <a@example.org>, '.repeat(9_000)}A`, ','],
    [`A${' '.repeat(100_000)}\nB`, ''],
    ['Anna;\nBo;', ''],
    ['Name;Mail;\nAnna;a@example.org;', ';'],
    // Names with their values.
    ['SSID: Gast\nPassword: geheim123', ':'],
    ['Réseau : Invités\nMot de passe : secret123\n\nRéseau : Bureau\nMot de passe : secret456', ':'],
    [`SSID: Gast\nPassword: geheim123\n${rows(298, 'Room:')}\nWillkommen`, ':'],
    ['WLAN: Gast\nFrühstück: 7 bis 10 Uhr', ''],
    ['Hier das WLAN:\nName: Gast\nKennwort: abc12345', ':'],
    ['WLAN: Gast; Passwort: abc12345\nWLAN: Team; Passwort: abc12346', ':'],
    ['Benutzername: anna\nPasswort: abc12345', ''],
    ['Name: Anna Meier\nTelefon: 0711 123456\nE-Mail: a@example.org', ':'],
    ['Name: Anna Meier\nTelefon: 0711 123456\nMit Gruß', ''],
    [`SSID: Gast\nPassword: geheim123\n${rows(9, `${'b'.repeat(30_000)}: x`)}`, ''],
    ['Name;Link', ''],
    ['Name;Link\nAnna;https://a.example\nBen', ''],
    ['one\ntwo', ''],
    ['', ''],
    ['geo:1,2;u=35\ngeo:3,4;u=35', ''],
    ['tel:+4930123;ext=1\ntel:+4930123;ext=2', ''],
    ['https://a.example/;jsessionid=1\nHTTPS://a.example/;jsessionid=2', ''],
    ['mailto:a@example.org;b@example.org\nmailto:c@example.org;d@example.org', ''],
    ['WIFI:S:hall;P:a;;\nWIFI:S:roof;P:b;;', ''],
    ['Salt &amp; pepper\nOil &amp; vinegar', ''],
    // The rest of a long list is not looked at.
    [`${rows(300, 'a\tb')}\n${rows(9_000, 'c')}`, '\t'],
    [`${rows(300, 'a')}\n${rows(9_000, 'b\tc')}`, ''],
    // A cell of a million characters.
    [`a\t"${'b""'.repeat(330_000)}"`, '\t'],
    [`"${'b""'.repeat(330_000)}`, ''],
  ];
  for (const [text, separator] of cases) {
    expect([separatorOf(text), areRows(text)], text.slice(0, 100)).toEqual([separator, separator === '\t']);
  }
});

it('says of some lines that they are rows, without a way to read all of them as a table', () => {
  const told =
    'have tabs, as rows of a table do. Each becomes one code, as it stands, which is probably not meant. To use';
  for (const [lines, some] of [
    [
      'https://a.example/1\nhttps://a.example/2\nAnna\thttps://a.example/3\nBen\thttps://a.example/4',
      '2 of these lines',
    ],
    ['one\ntwo\nthree\na\tb\tc\nd\te\tf\ng\th\ti', '3 of these lines'],
  ] as const) {
    expect(tableDoubt(lines).join()).toContain(`${some} ${told}`);
    expect(tableDoubt(lines).join()).not.toContain(' table, with ');
  }
  for (const lines of [
    'Room 1\nRoom 2\nRoom\t3',
    '\tRoom 1\n\tRoom 2\nRoom 3',
    'one\ntwo\nthree',
    'a\t\nb\t\nc\nd\ne',
  ]) {
    expect(tableDoubt(lines), lines).toEqual([]);
  }
});

it('says how to write networks that are written as texts', () => {
  for (const [lines, some] of [
    ['Ground floor WiFi: Guest wachtwoord Welkom2026!\nWiFi 1: Guest wachtwoord Welkom2027!', 'lines 1 and 2, on how'],
    ['Hall\nThe wifi is Hall-Guest\nww: Welkom2026', 'line 3, on how'],
    ['WiFi: Hall, password: abc12345\nGate 7', 'line 1, all that is needed'],
    ['WiFi Hall: Hall / password: a;b"c123\nWiFi Bar: Bar (no password)\nGate: 7', 'lines 1 and 2, all that is needed'],
    ['WiFi: Hall, password: Rezeption\nGate 7', 'line 1, on how'],
    ['WLAN: Gast, Passwort: siehe Aushang 12', 'line 1, on how'],
    ['WLAN: Gast; Passwort: in Raum 12\nWLAN: Team; Passwort: in Raum 13', 'lines 1 and 2, on how'],
    ['WiFi: works in all rooms, no password', 'line 1, on how'],
    ['WiFi Pub: TheSnug / craic2025\nGate 7', 'line 1, on how'],
    [
      'Room 1 - wifi Oak-1, password: fuchsia;4471\nPub wifi: TheSnug / pw: craic2025\nGate 7',
      'lines 1 and 2, all that is needed',
    ],
  ] as const) {
    const said = `Phones show the text of ${some} to join a Wi-Fi, which is probably not meant.`;
    expect(tableDoubt(lines)[0], lines).toContain(said);
  }
  const [, unsure] = tableDoubt('WiFi: Hall, password: abc12345\nWiFi: Bar, password: abc12345 please keep\nGate 7');
  expect(unsure).toContain('are right: WIFI:T:WPA;S:Bar;P:abc12345 please keep;;');
  for (const lines of [
    'Login: anna, Passwort: geheim123',
    'WiFi Gast\nYour account password: 12345678',
    'Free WiFi\nBoarding pass 12345678',
    'WLAN Router Zimmer 4\nInventar WW 20270001',
    'Reset your wifi password: https://x.example/abc123',
    'WLAN im Haus\nhttps://a.example/passwort/12345678',
    'WIFI:S:Saal;T:WPA;P:geheim123;;\nWIFI:S:Dach;T:WPA;P:geheim123;;',
  ]) {
    expect(tableDoubt(lines), lines).toEqual([]);
  }
});

it('says of which texts codes of another kind can be made', () => {
  const contact = 'Anna Meier\nVereinsbüro\nTel: 0711 123456\na@example.org';
  expect(tableDoubt(contact)[0]).toContain('“Anna Meier” seems to begin a contact');
  expect(tableDoubt(`Gate 7\n\n${contact}`)[0]).toContain('“Anna Meier” seems to begin a contact');
  expect(tableDoubt('Spende: DE89 3704 0044 0532 0130 00\nGate 7')[0]).toContain('Line 1 has an IBAN');
  for (const lines of [
    'Plumber 07700 900123\nclerk@example.org\nTel: 0711 123456',
    'Hello all,\nTel: 0711 123456\na@example.org',
    'Gate 7\nTel: 0711 123456',
    'DE89-4711\nSN12 ABCD',
    'https://example.org/DE89370400440532013000',
  ]) {
    expect(tableDoubt(lines), lines).toEqual([]);
  }
});

it('asks only of rows that are probably rows', () => {
  const isAsked = (lines: string) => tableDoubt(lines).join().includes('probably not meant');
  for (const lines of ['a;b\nc;d', 'a\tb\nc\td', 'Anna,https://a.example\nBen,https://b.example', '"a\nb"\n"c\nd"']) {
    expect(isAsked(lines), lines).toBe(true);
  }
  for (const lines of [
    'Anna,Main St 1,Rome\nBen,Main St 2,Rome',
    'https://a.example/Berlin,Germany\nhttps://a.example/Rome,Italy',
  ]) {
    expect(tableDoubt(lines)).toHaveLength(1);
    expect(isAsked(lines), lines).toBe(false);
  }
});

it('puts columns together by patterns, and names a column that is not there', async () => {
  const list = { name: 'assets.csv', content: 'Inventar-Nr.;Ort\nA/1;Halle\nA/2;Büro\n' };
  const pattern = 'https://example.org/{Inventar-Nr.}';
  const { items, pages } = await madeWithoutScripts(list, { dataPattern: pattern, captionPattern: '{Ort}\r\n{A}' });
  expect(pages[1]).toContain('such as <bdi>{Inventar-Nr.} {Ort}</bdi>');
  expect(pages[2]).toContain('>Combined</option>');
  const fields = { dataPattern: pattern, captionPattern: '{Ort}\r\n{A}' };
  expect(items).toEqual((await checked(list, fields)).items.map(membersOf));
  const wrong = 'https://example.org/{Inventarnr}';
  const told = 'There is no column Inventarnr.';
  const refused = await send(pages[1] ?? '', list, { dataPattern: wrong });
  expect(/role="alert".*?<\/div>/s.exec(refused.html)?.[0]).toContain(told);
  expect(fieldsOf(refused.html)).toMatchObject({ dataPattern: wrong });
  expect((await checked(list, { dataPattern: wrong })).problems[0]).toContain(told);
  // A text that is written holds in place of a kind.
  const text = await madeWithoutScripts(STAFF, { dataPattern: '{Nome} {Cognome}' });
  expect(text.items.map(({ data }) => data)).toEqual(['Anna Rossi', 'Ugo Bo']);
});
