/** Spreadsheets on the command line: standard input, sheets, columns, refusals, and a job of a service. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Ended, MAIN, qrpress } from '../support/command-line.js';
import { sqlite } from '../support/databases.js';
import { decodePng, unzip } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-spreadsheet-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sample = (name: string) => fileURLToPath(new URL(`../spreadsheets/files/${name}`, import.meta.url));

const env = { QRPRESS_RENDER_THREADS: '1' };
const run = (words: string[]): Promise<Ended> => qrpress([...words, '--out', join(folder, 'codes.zip')], { env });

async function archive(): Promise<[name: string, text: string][]> {
  const pictures = [...(await unzip(await readFile(join(folder, 'codes.zip'))))];
  return Promise.all(
    pictures.map(async ([name, png]): Promise<[string, string]> => [name, (await decodePng(png)).text]),
  );
}

it('reads a workbook from standard input', async () => {
  const words = [MAIN, 'render', '-', '--out', join(folder, 'codes.zip')];
  const rendering = promisify(execFile)(process.execPath, words, { env: { ...env, PATH: process.env['PATH'] } });
  rendering.child.stdin?.end(await readFile(sample('xlsxwriter.xlsx')));
  await rendering;
  expect(await archive()).toEqual([
    ['007.png', 'https://example.org/?a=1&b=<2>'],
    ['1,234,567.50.png', '4-006381-333931'],
  ]);
}, 60_000);

it('takes the sheet and the columns that are named, and says what it does not use', async () => {
  const refused = await run(['render', sample('cover.xlsx')]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('The workbook has another sheet: Codes.');
  expect(refused.stderr).toContain('--sheet NAME');
  expect(await run(['render', sample('cover.xlsx'), '--sheet', 'codes'])).toMatchObject({ code: 0 });
  expect(await archive()).toEqual([['a.png', 'a']]);

  const columns = ['--column', 'data=Ziel', '--column', 'filename=C'];
  const { code, stderr } = await run(['render', sample('title-unknown.csv'), ...columns]);
  expect(code).toBe(0);
  expect(stderr).toContain('Row 1 is not used: it stands above the names of the columns.');
  expect(await archive()).toEqual([['n.png', 'u']]);
}, 60_000);

it('takes the texts of links or their addresses when told so', async () => {
  const refused = await run(['render', sample('links.xlsx')]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Say what the codes take of links: --links text or --links address.');
  expect(await run(['render', sample('links.xlsx'), '--links', 'address'])).toMatchObject({ code: 0 });
  expect((await archive()).map(([, text]) => text)).toContain('https://example.org/1');
}, 60_000);

it('reads a file in the encoding that is named', async () => {
  const sheet = join(folder, 'czech.csv');
  await writeFile(sheet, Buffer.from('url,filename\nhttps://example.org,Dvo\xf8\xe1k\n', 'latin1'));
  expect(await run(['render', sheet, '--encoding', 'windows-1250'])).toMatchObject({ code: 0 });
  expect(await archive()).toEqual([['Dvořák.png', 'https://example.org']]);
  const refused = await run(['render', sample('latin-2.csv')]);
  expect(refused.stderr).toContain('Say which encoding it is: --encoding NAME.');
  await writeFile(sheet, 'url,filename\nhttps://example.org,DvoÅ™Ã¡k\n');
  expect(await run(['render', sheet, '--encoding', 'utf-8-twice'])).toMatchObject({ code: 0 });
  expect(await archive()).toEqual([['Dvořák.png', 'https://example.org']]);
  expect(await run(['render', sheet, '--encoding', 'utf-9'])).toMatchObject({ code: 2 });
}, 60_000);

it('leaves out the rows that cannot be codes when told so, and names them', async () => {
  const sheet = join(folder, 'faulty.csv');
  await writeFile(sheet, `url,filename\na,one\n,two\n${'x'.repeat(3_000)},three\nb,ONE\n`);
  expect(await run(['render', sheet])).toMatchObject({ code: 1 });
  const { code, stderr } = await run(['render', sheet, '--skip-faulty']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Row 3, column A \(url\).*\nRow 4, column A \(url\).*\n2 faulty rows are skipped\.$/m);
  expect(await archive()).toEqual([
    ['one.png', 'a'],
    ['ONE-2.png', 'b'],
  ]);
}, 60_000);

it('names the first hundred faults of the reading and the check together, and counts the rows in its result', async () => {
  const sheet = join(folder, 'faulty.csv');
  await writeFile(sheet, `url,filename\na,one\n${`,two\n${'x'.repeat(3_000)},three\n`.repeat(110)}`);
  const words = ['render', sheet, '--skip-faulty', '--json', '--out', join(folder, 'codes.zip')];
  const { stdout, stderr } = await qrpress(words, { env });
  const rows = [...stderr.matchAll(/^Row (\d+), /gm)].map(([, row]) => Number(row));
  expect(rows).toEqual(Array.from({ length: 100 }, (_, index) => index + 3));
  expect(stderr).toMatch(/^and 120 more\n220 faulty rows are skipped\.$/m);
  expect(JSON.parse(stdout)).toMatchObject({ total: 1, completed: 1, skippedRows: 220 });
}, 60_000);

it.each([
  ['title-unknown.csv', ['--sheet', 'Codes', '--column', 'data=Ziel'], 'has no sheets, so --sheet cannot be used'],
  ['items.ndjson', ['--sheet', 'Codes'], 'is not a spreadsheet, so --sheet cannot be used'],
  ['items.ndjson', ['--column', 'data=URL'], 'is not a spreadsheet, so --column cannot be used'],
  ['items.ndjson', ['--no-header'], 'is not a spreadsheet, so --no-header cannot be used'],
])(
  'refuses an option that %s cannot have: %s',
  async (name, words, sentence) => {
    const items = join(folder, 'items.ndjson');
    await writeFile(items, '{}\n{"data":"1"}\n');
    const file = name === 'items.ndjson' ? items : sample(name);
    const { code, stderr } = await run(['render', file, ...words]);
    expect([code, stderr.split('\n')]).toEqual([
      2,
      [`error: ${file} ${sentence}`, expect.stringMatching(/^Usage: /), ''],
    ]);
  },
  60_000,
);

it('makes a job of a workbook, and sends nothing where a row is wrong', async () => {
  const account = await service.createAccount(10);
  const at = ['--url', service.url, '--key', account.key];
  const refused = await run(['submit', sample('errors.xlsx'), ...at]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Row 2, column A (data): the cell shows the error #DIV/0!. Correct it.');
  expect(await service.admin.ledger.balance(account.organisationId)).toBe(10);
  expect(await run(['submit', sample('exceljs.xlsx'), ...at])).toMatchObject({ code: 0 });
  expect((await archive()).map(([, text]) => text)).toEqual([
    'https://example.org/1',
    '4006381333931',
    '00815',
    'four',
  ]);
  expect(await service.admin.ledger.balance(account.organisationId)).toBe(6);
}, 60_000);
