/** The studio leaves out faulty rows and lines when a person says so, and gives their list. */

import type { RouterContext } from '@koa/router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Form } from '../../src/site/shell/form.js';
import { SkipChoice } from '../../src/site/studio/spreadsheet-choices.js';
import type { StudioCheck } from '../../src/site/studio/studio-check.js';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { rasterise, unzip } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

/** Rows 3 and 5 cannot be read, row 6 fits into no code. */
const SHEET = `url,"=file"\na,One\n,two\nb,Two\n1.5E+12,three\n${'é'.repeat(1_300)},four\nc,two\n`;

const PICTURE = rasterise(
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40H0z"/></svg>'),
);

let service: TestService;
let ada: SignedUp;
beforeAll(async () => {
  service = await startTestService(sqlite);
  ada = await signUp(service);
  await ada.visitor.get(`${ada.base}/studio`);
});
afterAll(() => service.close());

async function post(
  path: string,
  fields: Record<string, string>,
  file?: { name: string; content: string },
  { visitor, base }: SignedUp = ada,
) {
  const files = file && { file: new File([file.content], file.name) };
  return visitor.upload(`${base}/studio${path}`, { ...FIRST_STYLE, scale: '1', seen: '1', ...fields }, files);
}

async function check(fields: Record<string, string>, file?: { name: string; content: string }): Promise<StudioCheck> {
  return JSON.parse((await post('/check', fields, file)).html) as StudioCheck;
}

async function balance(): Promise<number> {
  const { html } = await ada.visitor.get(`${ada.base}/studio`);
  return Number(/data-balance="(\d+)"/.exec(html)?.[1]);
}

async function namesOf(location: string): Promise<string[]> {
  await service.ended(location.split('/').at(-1) ?? '');
  const { location: link } = await ada.visitor.get(`${location}/download`);
  const archive = await unzip(Buffer.from(await (await fetch(service.url + link)).arrayBuffer()));
  return [...archive.keys()];
}

const MAPPED = { columns: 'data=0,filename=1' };

it('makes the other rows, when the person says so of this file and these problems', async () => {
  const file = { name: 'codes.csv', content: SHEET };
  const before = await balance();
  const refused = await check(MAPPED, file);
  expect(refused.problems).toEqual([
    expect.stringContaining('Row 3, column A (url): the cell is empty'),
    expect.stringContaining('Row 5, column A (url): '),
    expect.stringContaining('Row 6, column A (url): the text does not fit into a code.'),
  ]);
  expect(refused).toMatchObject({ total: 0, faulty: { rows: 3, good: 3, isChosen: false } });
  expect(refused.items.map(({ place }) => place)).toEqual(['Row 2', 'Row 4', 'Row 7']);
  const skip = refused.faulty?.key ?? '';
  const chosen = await check({ ...MAPPED, skip }, file);
  expect(chosen).toMatchObject({ total: 3, problems: [], faulty: { rows: 3, good: 3, isChosen: true } });

  // Another file and another number of rows ask again. Another mapping does where other rows are faulty.
  const other = await check({ ...MAPPED, skip }, { name: 'codes.csv', content: `${SHEET}d,five\n` });
  const same = await check({ columns: 'data=0', skip }, file);
  const gaps = { name: 'gaps.csv', content: 'one,two\na,\n,b\nc,d\n' };
  const asked = await check({ columns: 'data=0' }, gaps);
  const mapped = await check({ columns: 'data=1', skip: asked.faulty?.key ?? '' }, gaps);
  expect([asked, mapped]).toEqual(
    Array(2).fill(expect.objectContaining({ faulty: expect.objectContaining({ rows: 1, good: 2 }) })),
  );
  const low = await check({ ...MAPPED, ecLevel: 'L', skip }, file);
  expect([other, mapped, low].map(({ faulty }) => faulty?.isChosen)).toEqual([false, false, false]);
  expect(same).toMatchObject({ total: 3, faulty: { isChosen: true } });
  const page = await post('', MAPPED, file);
  expect(page.status).toBe(422);
  expect(page.html).toContain(`name="skip" value="${skip}"`);
  expect(page.html).toContain('Skip the 3 faulty rows and make the other 3');
  expect(await balance()).toBe(before);

  const made = await post('', { ...MAPPED, skip }, file);
  expect(made.status).toBe(303);
  expect(await balance()).toBe(before - 3);
  // Names are as given; the one that is in use gets a number.
  expect(await namesOf(made.location)).toEqual(['One.png', 'Two.png', 'two-2.png']);
  const { html } = await ada.visitor.get(made.location);
  expect(html).toContain('3 faulty rows were skipped');
  const reasons = Array.from(html.matchAll(/<li><bdi>(.*?)<\/bdi><\/li>/g), ([, reason]) => reason);
  expect(reasons).toEqual(refused.problems);
});

it('asks again where other rows are faulty, though as many', () => {
  const ctx = { state: { uploads: new Map() }, get: () => '' } as unknown as RouterContext;
  const keyOf = (row: number) => {
    const choice = new SkipChoice(ctx, new Form({ items: 'one\ntwo' }));
    choice.skips({
      rows: 1,
      good: 1,
      problems: [{ row, what: 'too long.', message: `Row ${row}: too long.` }],
      problemCount: 1,
    });
    return choice.offer?.key;
  };
  expect(keyOf(1)).toBe(keyOf(1));
  expect(keyOf(1)).not.toBe(keyOf(2));
});

it('keeps the choice to skip rows where https:// is written in front', async () => {
  // The posts of one person are limited.
  const eva = await signUp(service);
  await eva.visitor.get(`${eva.base}/studio`);
  const file = { name: 'codes.csv', content: 'url,note\na.example,One\n,Two\nhttps://b.example,Three\n' };
  const checked = async (fields: Record<string, string>) =>
    JSON.parse((await post('/check', fields, file, eva)).html) as StudioCheck;
  const skip = (await checked({})).faulty?.key ?? '';
  const written = await checked({ dataPattern: 'https://{+url}', skip });
  expect(written).toMatchObject({ total: 2, problems: [], faulty: { rows: 1, isChosen: true } });
});

/** The fields that a form without scripts sends: the hidden ones, and the selects that the page has. */
function fieldsOf(html: string): Record<string, string> {
  return Object.fromEntries([
    ...Array.from(
      html.matchAll(/<input type="hidden" name="(columns|sheet|headless|shown\w+)" value="([^"]*)"/g),
      ([, name = '', value = '']) => [name, value],
    ),
    ...Array.from(
      html.matchAll(/<select id="[^"]*" name="(column-\d+|kind)"[^>]*>(.*?)<\/select>/g),
      ([, name = '', options = '']) => [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ''],
    ),
  ]);
}

it('leaves out rows of a file whose columns are picked, without scripts', async () => {
  const file = { name: 'codes.csv', content: 'room,site\na,One\n,Two\nb,Three\n' };
  const asked = await post('', {}, file);
  expect(asked.status).toBe(422);
  const offered = await post('', { ...fieldsOf(asked.html), 'column-0': 'data', 'column-1': 'filename' }, file);
  const skip = /name="skip" value="([^"]+)"/.exec(offered.html)?.[1] ?? '';
  expect(offered.html).toContain('Skip the faulty row and make the other 2');
  const made = await post('', { ...fieldsOf(offered.html), skip }, file);
  expect(made.status).toBe(303);
  expect(await namesOf(made.location)).toEqual(['One.png', 'Three.png']);
});

it('finds on a page without scripts what it finds with them: rooms as file names, and what stands before names', async () => {
  const wifi = { name: 'wifi.csv', content: 'Sala;SSID;Hasło\nLobby;PIAST;welcome-1\nBar;PIAST;welcome-2\n' };
  const asked = await post('', {}, wifi);
  expect(asked.status).toBe(422);
  const made = await post('', fieldsOf(asked.html), wifi);
  expect(await namesOf(made.location)).toEqual(['Lobby.png', 'Bar.png']);

  const people = {
    name: 'people.csv',
    content:
      'Voornaam;Tussenvoegsel;Achternaam;Straat;Nr;E-mail\nJan;van der;Berg;Kade;1;jan@example.nl\nEva;;Bos;;;eva\n',
  };
  const offered = await post('', {}, people);
  const refused = await post('', fieldsOf(offered.html), people);
  expect(refused.html).toContain('Part of the name');
  expect(refused.html).toContain('Part of the street');
  const skip = /name="skip" value="([^"]+)"/.exec(refused.html)?.[1] ?? '';
  const cards = await post('', { ...fieldsOf(refused.html), skip }, people);
  expect(await namesOf(cards.location)).toEqual(['Jan van der Berg.png']);
});

it('gives the list of problems as CSV, without formulas', async () => {
  const content = `${SHEET}=1+1,\n`.replace('1.5E+12', '=A1');
  const { html, headers } = await post('/faulty-rows', MAPPED, { name: 'codes.csv', content });
  expect(headers.get('content-disposition')).toBe('attachment; filename="faulty-rows.csv"');
  const [first, ...rows] = html.trimEnd().split('\r\n');
  expect(first).toBe('row,column,value,problem');
  expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual([
    '3,A (url),',
    "5,A (url),'=A1",
    '6,A (url),',
    "8,A (url),'=1+1",
  ]);
  expect(rows[0]).toMatch(/^3,A \(url\),,"the cell is empty, but the row is not\./);
  expect(html).not.toMatch(/(^|,|\n)"?[=+@-]/);
});

it('bounds the list, and refuses a file whose rows are all faulty', async () => {
  const file = { name: 'codes.csv', content: `url,note\n${',x\n'.repeat(10_003)}` };
  const { html } = await post('/faulty-rows', {}, file);
  expect(html.trimEnd().split('\r\n')).toHaveLength(10_002);
  expect(html).toMatch(/,,,And 3 more\.\r\n$/);
  const answer = await check({}, file);
  expect(answer.faulty).toBeUndefined();
  // Rows with the same problem have one sentence.
  expect(answer.problems).toEqual([
    expect.stringMatching(
      /^At least 10,000 rows, column A \(url\): the cell is empty.*\. Rows 2, 3, 4, 5, 6 and 9,995 more\.$/,
    ),
    'And 3 more.',
  ]);
  const page = await post('', {}, file);
  expect(page.html).toContain('And 3 more.');
  const few = await check({}, { name: 'codes.csv', content: 'url,note\n,x\na,y\n,x\n1.5E+12,x\n,x\n' });
  expect(few.problems).toEqual([
    expect.stringMatching(/^3 rows, column A \(url\): the cell is empty.*\. Rows 2, 4 and 6\.$/),
    expect.stringMatching(/^Row 5, column A \(url\): /),
  ]);
  const lines = {
    name: 'codes.ndjson',
    content: '{"data":"a"}\n{"caption":"b"}\n{"data":""}\n{"data":""}\n{"data":""}\n',
  };
  expect((await check({}, lines)).problems).toEqual([
    'Line 2: data is required.',
    '3 lines: data must have at least 1 character. Lines 3, 4 and 5.',
  ]);
});

it('offers nothing where the file as a whole is wrong', async () => {
  const broken = await check({}, { name: 'codes.csv', content: 'url,note\n,1\nb,"2\n' });
  expect(broken).toMatchObject({ total: 0 });
  expect(broken.faulty).toBeUndefined();
});

it('leaves out typed lines likewise', async () => {
  const items = `one\n\n${'x'.repeat(3_000)}\ntwo`;
  const page = await post('', { items });
  expect(page.html).toContain('Line 3 is too long: 3,000 characters; at most 2,953 fit.');
  expect(page.html).toContain('Skip the faulty line and make the other 2');
  const { faulty, problems } = await check({ items });
  expect(problems).toEqual([expect.stringMatching(/^Line 3 is too long: /)]);
  const made = await post('', { items, skip: faulty?.key ?? '' });
  expect(await namesOf(made.location)).toEqual(['one.png', 'two.png']);
  expect((await ada.visitor.get(made.location)).html).toContain('1 faulty line was skipped');
});

it('leaves out lines of an NDJSON file, whose numbers are those of the file', async () => {
  const lines = [
    '{"data":"a","filename":"One"}',
    '{"data":""}',
    '',
    '{"data":"b","fileName":"x"}',
    '{"filename":"y"}',
    `{"data":"c","caption":"${'x'.repeat(121)}"}`,
    '{"data":"d","filename":"one"}',
  ];
  for (const [content, before] of [
    [lines.join('\n'), 0],
    [['{"format":"svg"}', ...lines].join('\n'), 1],
  ] as const) {
    const file = { name: 'codes.ndjson', content };
    const { problems, faulty } = await check({}, file);
    expect(problems).toEqual([
      `Line ${before + 2}: data must have at least 1 character.`,
      `Line ${before + 4}: fileName: unknown member; an item may have data, filename, caption and reference.`,
      `Line ${before + 5}: data is required.`,
      `Line ${before + 6}: caption is too long: 121 characters; at most 120 fit.`,
    ]);
    expect(faulty).toMatchObject({ rows: 4, good: 2, unit: 'faulty line' });
    const made = await post('', { skip: faulty?.key ?? '' }, file);
    expect(await namesOf(made.location)).toEqual(['One.png', 'one-2.png']);
    expect((await post('/faulty-rows', {}, file)).html).toContain(`${before + 5},,,data is required.\r\n`);
  }
  const broken = await check({}, { name: 'codes.ndjson', content: '{"data":"a"}\n{"data":1,\n' });
  expect(broken.problems).toEqual([expect.stringMatching(/^Line 2 is not JSON: expected .* in column \d+\.$/)]);
  expect(broken.faulty).toBeUndefined();
  const empty = await check({}, { name: 'codes.ndjson', content: '{"format":"svg"}\n' });
  expect(empty.problems).toEqual(['The file has no codes.']);
});

it('has no list of a file that is no table, and says so', async () => {
  const { status, html } = await post('/faulty-rows', {}, { name: 'codes.json', content: 'no JSON' });
  expect(status).toBe(422);
  expect(html).toContain('The file cannot be read: A JSON request goes to the API');
});

it('names the row or line of the file in a warning about some codes', async () => {
  const rows = await check({}, { name: 'rows.csv', content: 'Our codes\n\nurl,name\na,1\n\nNULL,2\nb,3\n' });
  expect(rows.dataWarnings[0]).toContain('1 of 3 codes is affected: row 6.');
  const content = '{"format":"svg"}\n{"data":"a"}\n\n{"data":"NULL"}\n{"data":"None"}';
  const lines = await check({}, { name: 'items.ndjson', content });
  expect(lines.dataWarnings[0]).toContain('2 of 3 codes are affected: lines 4 and 5.');
});

it('tells of links with a fault, links that phones do not open, and what is no link', async () => {
  const links = ['laden.example/karte', 'htps://typo.example/a', 'info@park.example', 'baeckerei.example'];
  const whole = Array.from({ length: 12 }, (_, index) => `https://example.org/${index}`);
  const marked = ['https://a.example/impressum.', 'https://a.example/(b);', 'https://a.example/b)'];
  const content = ['url', ...whole, ...links, 'Regal 7', ...marked, 'https://a.example/(b)'].join('\n');
  const { dataWarnings } = await check({}, { name: 'links.csv', content });
  expect(dataWarnings).toEqual([
    '1 code has data that is probably not meant: the address begins with htps:// instead of https://. 1 of 21 codes is affected: row 15.',
    '2 codes are web addresses without https://: phones search for them instead of opening them. Write https:// in front. 2 of 21 codes are affected: rows 14 and 17.',
    '1 code is a mail address alone: phones show it as text. Write mailto: in front, and the code opens a mail. 1 of 21 codes is affected: row 16.',
    '3 codes are web addresses that end with a punctuation mark. Remove each mark that is not part of its address. 3 of 21 codes are affected: rows 19, 20 and 21.',
    '19 codes are web addresses; 1 is not: "Regal 7". 1 of 21 codes is affected: row 18.',
  ]);
});

it('leaves out rows with nothing but a name from a list of contacts, with and without scripts', async () => {
  // The posts of one person are limited.
  const eva = await signUp(service);
  await eva.visitor.get(`${eva.base}/studio`);
  const file = { name: 'team.csv', content: 'Name;Phone\nEva;+49 1\nAda;+49 2\n\nTotal: 2 people;\n' };
  const checked = async (fields: Record<string, string>) => {
    const { html } = await post('/check', { kind: 'contact', ...fields }, file, eva);
    return JSON.parse(html) as StudioCheck;
  };
  const warning =
    'data that is probably not meant: the contact &quot;Total: 2 people&quot; has nothing but a name. 1 of 3 codes is affected: row 5.';
  const asked = await checked({});
  expect(asked.dataWarnings).toEqual([`1 code has ${warning.replaceAll('&quot;', '"')}`]);
  expect(asked.placeholders?.text).toBe('Leave out the row with nothing but a name (row 5)');
  const page = await post('', { kind: 'contact', seen: '' }, file, eva);
  expect(page.html).toContain(warning);
  const [, placeholders = ''] = /name="placeholders" value="([^"]+)"/.exec(page.html) ?? [];
  expect(await checked({ placeholders })).toMatchObject({ total: 2, problems: [], dataWarnings: [] });
});

it('leaves out rows with a placeholder, with and without scripts', async () => {
  const file = { name: 'codes.csv', content: 'url,file\nhttps://a.example,One\nn/a,Two\nfolgt,Three\n1.5E+12,Four\n' };
  const asked = await check({}, file);
  const { placeholders: { key = '' } = {} } = asked;
  expect(asked).toMatchObject({ total: 0, faulty: { rows: 1, good: 3 } });
  expect(asked.placeholders).toMatchObject({
    text: 'Leave out the 2 rows with a placeholder, total or note (rows 3 and 4)',
    isChosen: false,
  });
  const both = await check({ placeholders: key }, file);
  // Rows that are left out by a choice of their own are not among the faulty ones.
  expect(both).toMatchObject({ total: 0, faulty: { rows: 1, good: 1 }, placeholders: { isChosen: true } });
  expect(both.problems).toEqual(asked.problems);
  expect(await check({ placeholders: key, skip: both.faulty?.key ?? '' }, file)).toMatchObject({ total: 1 });
  // Both boxes of one page, ticked together.
  const skip = asked.faulty?.key ?? '';
  expect(await check({ placeholders: key, skip }, file)).toMatchObject({ total: 1, problems: [] });

  const good = { name: 'codes.csv', content: 'url,file\nhttps://a.example,One\nn/a,Two\nhttps://b.example,Three\n' };
  const other = await check({ placeholders: key }, good);
  expect(other).toMatchObject({
    total: 3,
    placeholders: { text: 'Leave out the row with a placeholder, total or note (row 3)', isChosen: false },
  });
  const page = await post('', { seen: '' }, good);
  expect(page.html).toContain('Leave out the row with a placeholder, total or note (row 3)');
  const [, placeholders = ''] = /name="placeholders" value="([^"]+)"/.exec(page.html) ?? [];
  const chosen = await check({ placeholders }, good);
  expect(chosen).toMatchObject({ total: 2, problems: [], dataWarnings: [], placeholders: { isChosen: true } });
  expect(chosen.faulty).toBeUndefined();
  const made = await post('', { placeholders }, good);
  expect(await namesOf(made.location)).toEqual(['One.png', 'Three.png']);
  expect((await ada.visitor.get(made.location)).html).toContain('1 faulty row was skipped: row 3.');
});

it('names placeholders: in the warning, and once they are left out, on the page of the job', async () => {
  const cells = ['Link folgt', 'https://a.example/{ID}', 'https://a.example/1', 'https://a.example/xxx', '1.5E+12'];
  const file = {
    name: 'codes.csv',
    content: `Link,Name\n${cells.map((cell, index) => `${cell},n${index}`).join('\n')}\n`,
  };
  const { faulty, placeholders } = await check({}, file);
  const skipped = await check({ skip: faulty?.key ?? '' }, file);
  expect(skipped.dataWarnings[0]).toContain('3 of 4 codes are affected: rows 2, 3 and 5.');
  expect(placeholders?.text).toBe('Leave out the 3 rows with a placeholder, total or note (rows 2, 3 and 5)');
  const choice = { placeholders: placeholders?.key ?? '' };
  const list = (await post('/faulty-rows', choice, file)).html;
  expect(list.split('\r\n')).toEqual(['row,column,value,problem', expect.stringMatching(/^6,A \(Link\),/), '']);
  const both = await check(choice, file);
  const made = await post('', { ...choice, skip: both.faulty?.key ?? '' }, file);
  const { html } = await ada.visitor.get(made.location);
  expect(html).toContain('<bdi>Row 3, column A (Link): the cell holds the placeholder “https://a.example/{ID}”.</bdi>');
});

it('names rows behind hundreds of faulty ones', async () => {
  const file = { name: 'codes.csv', content: `url,note\n${'a,\n1.5E+12,x\n'.repeat(120)}NULL,x\n` };
  const { faulty } = await check({}, file);
  const rows = await check({ skip: faulty?.key ?? '' }, file);
  expect(rows.dataWarnings.join()).toContain('1 of 121 codes is affected: row 242.');
});

it('keeps list and logo from step to step where a browser without scripts forgets them', async () => {
  const logo = new File([Uint8Array.from(PICTURE)], 'logo.png');
  const send = (fields: Record<string, string>, files: Record<string, File> = {}) => {
    const none = { file: new File([], ''), logo: new File([], '') };
    return ada.visitor.upload(`${ada.base}/studio`, { ...FIRST_STYLE, scale: '1', ...fields }, { ...none, ...files });
  };
  const fieldOf = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
  const names = ['sent-file', 'sent-file-name', 'sent-logo', 'sent-logo-name', 'seen'];
  const keptOf = (html: string) => Object.fromEntries(names.map((name) => [name, fieldOf(html, name)]));
  const list = new File(['url\na\nb\n'], 'shelves.csv');
  const first = await send({}, { file: list, logo });
  expect(first.status).toBe(422);
  expect(first.html).toContain('<p>To make them, press <a href="#make">Make codes</a>.</p>');
  const kept = keptOf(first.html);
  expect([kept['sent-file-name'], kept['sent-logo-name']]).toEqual(['shelves.csv', 'logo.png']);
  // What is chosen anew comes first, and what is not kept is gone.
  const other = await send({ ...kept, 'sent-logo': '' }, { file: new File(['url\nc\nd\ne\n'], 'doors.csv') });
  expect(other.html).toContain('<strong>3 codes cost 3 credits.');
  expect(keptOf(other.html)).toMatchObject({ 'sent-file-name': 'doors.csv', 'sent-logo': '' });
  const { status, location } = await send(kept);
  expect(status).toBe(303);
  const { html } = await ada.visitor.get(location);
  expect(html).toContain('<bdi>shelves</bdi>');
  expect(await namesOf(location)).toHaveLength(2);
  expect((await ada.visitor.get(`${ada.base}/studio?job=${location.split('/').at(-1)}`)).html).toContain(
    'Keep the logo of',
  );
  // A picture of another kind is not kept; the list is, with the choices for it.
  const jpeg = new File([Uint8Array.of(0xff, 0xd8, 0xff)], 'logo.jpg');
  const refused = await send(
    { sheet: 'Codes', 'column-1': 'data' },
    { file: new File([SHEET], 'codes.csv'), logo: jpeg },
  );
  expect(keptOf(refused.html)).toMatchObject({ 'sent-file-name': 'codes.csv', 'sent-logo': '' });
  expect(refused.html).toContain('<input type="hidden" name="column-1" value="data">');
  // A longer list has to be chosen again.
  const long = await send({}, { file: new File([`url,note\n${`a,${'x'.repeat(3_000)}\n`.repeat(100)}`], 'long.csv') });
  expect(long.html).toContain('<a href="#file">choose the file again</a>, and press');
  expect(keptOf(long.html)['sent-file']).toBe('');
});

it('keeps the list of an earlier step where a browser without scripts sends a file that is none', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const send = (fields: Record<string, string>, file: File) =>
    visitor.upload(`${base}/studio`, { ...FIRST_STYLE, scale: '1', ...fields }, { file });
  const first = await send({}, new File(['url\na\nb\n'], 'shelves.csv'));
  const kept = { 'sent-file-name': 'shelves.csv', 'sent-file': Buffer.from('url\na\nb\n').toString('base64') };
  const isKept = (html: string) => {
    for (const [name, value] of Object.entries(kept)) expect(html).toContain(`name="${name}" value="${value}"`);
  };
  isKept(first.html);
  const choices = { shownFile: 'shelves.csv', 'column-0': 'data', captionPattern: 'Shelf {url}' };
  const none = await send({ ...kept, ...choices }, new File([Uint8Array.from(PICTURE)], 'photo.png'));
  expect(none.html).toContain(
    '“photo.png” is not taken. The file is a picture. Save it as CSV or XLSX. The list is still “shelves.csv”.',
  );
  isKept(none.html);
  expect(none.html).toContain('<input type="hidden" name="column-0" value="data">');
  expect(none.html).toContain('<input type="hidden" name="captionPattern" value="Shelf {url}">');
});

it('says that a logo is too large, and keeps the rest', async () => {
  const logo = new File([new Uint8Array(400_000)], 'logo.png');
  const page = await ada.visitor.upload(`${ada.base}/studio`, { ...FIRST_STYLE, items: 'one' }, { logo });
  expect(page.status).toBe(422);
  expect(page.html).toMatch(/The logo is larger than 393\s?kB\. Choose a smaller PNG file\./);
  expect(page.html).toContain('>one</textarea>');
  expect(page.html).not.toContain('Keep “');
});

it('leaves out totals in columns that are not used, and notes below the list, and takes the right check digits', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const asEva = { visitor, base } as SignedUp;
  const checked = async (fields: Record<string, string>, content: string) => {
    const { html } = await post('/check', fields, { name: 'list.csv', content }, asEva);
    return JSON.parse(html) as StudioCheck;
  };
  const links = 'Name;Anzahl;Link\nA;2;https://a.example/1\nB;3;https://a.example/2\nSumme;5;\n';
  const asked = await checked({}, links);
  expect(asked).toMatchObject({ total: 0, placeholders: { isChosen: false }, faulty: { rows: 1, good: 2 } });
  expect(asked.problems[0]).toContain('Row 4: the row seems to be the total of the rows above it.');
  const placeholders = asked.placeholders?.key ?? '';
  expect(await checked({ placeholders }, links)).toMatchObject({ total: 2, problems: [] });

  // A note becomes a code only once a person has seen that it would.
  const notes = 'Link\nhttps://a.example/1\nAsk at the desk\nSeite 1 von 3\n';
  const told = await checked({}, notes);
  expect(told).toMatchObject({ total: 3, notices: [] });
  expect(told.dataWarnings).toContain(
    '2 rows have data that is probably not meant: they seem to be totals or notes. The first is row 3 (“Ask at the desk”).',
  );
  const left = await checked({ placeholders: told.placeholders?.key ?? '' }, notes);
  expect(left).toMatchObject({ total: 1, problems: [], dataWarnings: [] });

  const goods = 'Artikel;GTIN\nA;4006381333931\nB;4006381333932\nC;400638133393\n';
  const wrong = await checked({ kind: 'digital-link' }, goods);
  expect(wrong.checkDigits).toMatchObject({ text: 'Take the right check digit', isChosen: false });
  expect(wrong.problems[1]).toContain('It has 12 digits: one may be missing.');
  const choices = { kind: 'digital-link', checkDigits: wrong.checkDigits?.key ?? '' };
  const mended = await checked(choices, goods);
  expect(mended).toMatchObject({ total: 0, checkDigits: { isChosen: true }, faulty: { rows: 1, good: 2 } });
  // Both boxes of one page, ticked together.
  const page = await post('', { kind: 'digital-link', seen: '' }, { name: 'list.csv', content: goods }, asEva);
  const [, checkDigits = ''] = /name="checkDigits" value="([^"]+)"/.exec(page.html) ?? [];
  const [, skip = ''] = /name="skip" value="([^"]+)"/.exec(page.html) ?? [];
  expect(await checked({ kind: 'digital-link', checkDigits, skip }, goods)).toMatchObject({ total: 2, problems: [] });
});
