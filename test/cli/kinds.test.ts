/** Patterns and kinds on the command line: what the codes say, and wrong arguments. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CALLING_CODES } from '../../src/contract/calling-codes.js';
import { type Kind, KINDS } from '../../src/contract/kinds.js';
import { type Ended, qrpress } from '../support/command-line.js';
import { decodePng, unzip } from '../support/decode.js';

const { callingCodes, kinds, cases } = JSON.parse(
  await readFile(new URL('../kinds/cases.json', import.meta.url), 'utf8'),
) as {
  callingCodes: string[];
  kinds: Record<Kind, { fields: string[] }>;
  cases: { kind: Kind; fields: Record<string, string>; data?: string }[];
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-kinds-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs `render` on a CSV file with this content. */
async function render(csv: string, ...words: string[]): Promise<Ended> {
  const file = join(folder, 'items.csv');
  await writeFile(file, csv);
  return qrpress(['render', file, ...words, '--out', join(folder, 'codes.zip')], {
    env: { QRPRESS_RENDER_THREADS: '1' },
  });
}

async function archive(): Promise<[name: string, text: string][]> {
  const pictures = [...(await unzip(await readFile(join(folder, 'codes.zip'))))];
  return Promise.all(
    pictures.map(async ([name, png]): Promise<[string, string]> => [name, (await decodePng(png)).text]),
  );
}

it('knows the fields and countries that the engine knows', () => {
  const fields = Object.entries(kinds).map(([kind, each]) => [kind, each.fields]);
  expect(KINDS).toEqual(Object.fromEntries(fields));
  expect(CALLING_CODES.map(([code]) => code).toSorted()).toEqual(callingCodes);
});

it('puts data, captions and file names together from columns', async () => {
  const csv = 'Asset ID,Name,Room,url\na/1,Drill,B 2,unused\nb 2,Säge,C,\n';
  const words = ['--data', 'https://id.example/{asset id}?r={+Room}', '--caption', '{Name} · {Room}'];
  expect(await render(csv, ...words, '--filename', '{Name}')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Not in the codes: url.') as string,
  });
  expect(await archive()).toEqual([
    ['Drill.png', 'https://id.example/a%2F1?r=B%202'],
    ['Säge.png', 'https://id.example/b%202?r=C'],
  ]);
}, 60_000);

it('calls numbers without a code in the country that is named', async () => {
  const calls = 'phone,filename\n0171 2345678,mobile\n+43 664 1234567,abroad\n112,short\n';
  expect(await render(calls, '--kind', 'phone')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Row 2, column A \(phone\): the number has no country's code\.[^]*--calling-code 49/,
    ) as string,
  });
  expect(await render(calls, '--kind', 'phone', '--calling-code', '49')).toMatchObject({ code: 0 });
  expect(await archive()).toEqual([
    ['mobile.png', 'tel:+491712345678'],
    ['abroad.png', 'tel:+436641234567'],
    ['short.png', 'tel:112'],
  ]);
  const abroad = 'phone,filename,Country\n0732 6543,first,AT\n071 234 56 78,second,Switzerland\n';
  expect(await render(abroad, '--kind', 'phone')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--calling-code row, for that in the column C (Country)') as string,
  });
  expect(await render(abroad, '--kind', 'phone', '--calling-code', 'row')).toMatchObject({ code: 0 });
  expect(await archive()).toEqual([
    ['first.png', 'tel:+437326543'],
    ['second.png', 'tel:+41712345678'],
  ]);
}, 60_000);

it('says which level payments need', async () => {
  const style = join(folder, 'style.json');
  await writeFile(style, '{"ecLevel": "H"}');
  const payments = 'name,iban\nRed Cross,BE68539007547034\n';
  const { stderr } = await render(payments, '--kind', 'payment', '--style', style);
  expect(stderr).toContain('The codes have level H; for payments EPC069-12 asks for M');
  expect((await render(payments, '--kind', 'payment')).stderr).not.toContain('EPC069-12');
}, 60_000);

it('makes no open networks unasked', async () => {
  expect(await render('ssid\nGuests\n', '--kind', 'wifi')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs a column for the password, or for the encryption') as string,
  });
}, 60_000);

it.each([
  [['--data', '{id}', '--column', 'data=id'], '--column data=… and --data are for the same role'],
  [['--caption', '{id}', '--column', 'caption=id'], '--column caption=… and --caption are for the same role'],
  [['--data', '{id'], 'names of columns in braces'],
  [['--data', 'a}b'], 'names of columns in braces'],
  [['--caption', '{ }'], 'names of columns in braces'],
  [['--data', '{{id}'], 'names of columns in braces'],
  [['--data', 'No. {# id}'], 'braces that begin with # are for links'],
  [['--caption', 'https://example.org/{#id}'], 'braces that begin with # are for links'],
  [['--kind', 'wifi', '--data', '{id}'], '--kind and --data both say'],
  [['--kind', 'wifi', '--column', 'data=id'], '--column data=… and --kind both say'],
  [['--kind', 'wifi', '--column', 'gtin=id'], 'expected one of ssid=NAME, password=NAME'],
  [['--column', 'ssid=id'], 'expected one of data=NAME'],
  [['--kind', 'letter'], "'letter' is invalid"],
  [['--column', 'dta=id'], 'expected one of data=NAME'],
  [['--column', 'data=id', '--column', 'data=id'], '--column data=… is given twice'],
  [['--data', '{id}', '--data', '{id}'], "option '--data <pattern>' is given twice"],
])(
  'calls %j a wrong argument',
  async (words, message) => {
    const { code, stderr } = await render('id\n1\n', ...words);
    expect(stderr).toMatch(/^error: [^\n]*\nUsage: qrpress render [^\n]*\n$/);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  },
  60_000,
);

/** A cell that is read as it stands. */
const cell = (text = '') => `"${text.replaceAll('"', '""')}"`;

const right = cases.filter(({ data }) => data !== undefined);

it.each(Object.keys(KINDS) as Kind[])(
  'draws codes of the kind %s that zxing reads',
  async (kind) => {
    const fields: readonly string[] = KINDS[kind];
    const rows = right.filter((each) => each.kind === kind);
    const table = [
      fields.map((field) => `My ${field}`),
      ...rows.map((row) => fields.map((field) => cell(row.fields[field]))),
    ];
    const columns = fields.flatMap((field) => ['--column', `${field}=my ${field}`]);
    const { code, stderr } = await render(table.map((row) => row.join(',')).join('\n'), '--kind', kind, ...columns);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect((await archive()).map(([, text]) => text)).toEqual(rows.map(({ data }) => data));
  },
  60_000,
);
