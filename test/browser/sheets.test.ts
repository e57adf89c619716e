/** Spreadsheets in the studio: kinds that are recognised, columns of any number, sheets, encodings, and questions, with scripts and without. */

import { readFile } from 'node:fs/promises';
import type { Locator, Request } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { ada, context, csv, describeInBrowser, openPage, openPages, page, service } from '../support/browser.js';
import { textCell, workbookOf } from '../support/workbook.js';

/** In Windows-1250. */
const POLISH = Buffer.from('url;caption\nhttps://example.org;Boles\xb3aw Wi\x9cniewski\n', 'latin1');

const NETWORKS = csv('Raum;SSID;Passwort\nHalle;Gäste;welcome-1\nBüro;Team;welcome-2\n');

/** A line of a manifest. */
interface Made {
  data: string;
  caption?: string;
  files: { name: string }[];
}

/** Sixty columns, of which number 40 names the pictures and the last one holds the links. */
function wide(link: string): ReturnType<typeof csv> {
  const names = Array.from({ length: 60 }, (_, at) => (at === 59 ? 'Ziel' : at === 39 ? 'Dateiname' : `Merkmal ${at}`));
  const rows = [1, 2].map((row) =>
    names.map((_, at) => (at === 59 ? `${link}${row}` : at === 39 ? `bild-${row}` : 'x')),
  );
  return csv([names, ...rows].map((cells) => cells.join(';')).join('\n'));
}

describeInBrowser('spreadsheets in the studio', () => {
  openPages({ ada: 'new' });
  beforeEach(async () => void (await page.goto(`${ada.base}/studio`)));

  const file = (on = page) => on.getByLabel('Excel, CSV or text file');
  const make = (on = page) => on.getByRole('button', { name: 'Make codes' });

  /** The lines of the manifest of the job on the page. */
  async function made(on = page): Promise<Made[]> {
    await on.getByRole('link', { name: 'Download ZIP' }).waitFor();
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'manifest');
    const jobId = new URL(on.url()).pathname.split('/').at(-1);
    const headers = { authorization: `Bearer ${key}` };
    const text = await (await service.fetch(`/api/v1/jobs/${jobId}/manifest`, { headers })).text();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Made);
  }

  /** A page of the studio without scripts, whose form is sent with a file. */
  async function withoutScripts(viewport = { width: 1280, height: 720 }) {
    const { context: plain, page: still } = await openPage(ada.visitor, { javaScriptEnabled: false, viewport });
    await still.goto(`${ada.base}/studio`);
    const send = async (list: Parameters<ReturnType<typeof file>['setInputFiles']>[0]) => {
      await file(still).setInputFiles(list);
      await make(still).click();
    };
    return { still, send, [Symbol.asyncDispose]: () => plain.close() };
  }

  it('recognises a list of networks, and makes their codes in one click', async () => {
    await file().setInputFiles(NETWORKS);
    await page.getByText('This looks like a Wi-Fi list.').waitFor();
    await page.getByText('Or pick the column of links below.').waitFor();
    expect(await make().isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByLabel('Column B SSID').inputValue()).toBe('ssid');
    expect(await page.getByLabel('The codes are').evaluate((choice) => choice.matches(':focus'))).toBe(true);
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual([
      'WIFI:T:WPA;S:Gäste;P:welcome-1;;',
      'WIFI:T:WPA;S:Team;P:welcome-2;;',
    ]);
  });

  it('names the column of links of a list that looks like another kind', async () => {
    const products = csv('GTIN;Merkmal;Produktseite\n4006381333931;x;https://example.org/1\n');
    await file().setInputFiles(products);
    await page.getByText('This looks like a list of products.').waitFor();
    await page.getByRole('button', { name: 'Use the links of the column C (Produktseite)' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(['https://example.org/1']);

    // Whoever chooses the column by hand has answered what the list is.
    await page.goto(`${ada.base}/studio`);
    await file().setInputFiles(products);
    await page.getByText('This looks like a list of products.').waitFor();
    await page.getByLabel('Column C Produktseite').selectOption('data');
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await page.getByText('This looks like').count()).toBe(0);
    expect(await make().isEnabled()).toBe(true);

    await using plain = await withoutScripts();
    await plain.send(products);
    await plain.still.getByRole('link', { name: 'column C (Produktseite) holds links' }).waitFor();
    expect(await plain.still.getByLabel('The codes are').inputValue()).toBe('digital-link');
    expect(await plain.still.getByLabel('Column C: Produktseite').inputValue()).toBe('');
    for (const [column, sample] of ['4006381333931', 'x', 'https://example.org/1'].entries()) {
      expect(await plain.still.locator(`#column-${column}-hint`).textContent()).toBe(`Such as ${sample}`);
    }
  });

  it('offers contacts of a list that has websites too, with first and last names, and asks for names', async () => {
    await file().setInputFiles(csv('Nom;Prénom;Téléphone;Site web\nDoe;Jane;+33123456789;https://example.org\n'));
    await page.getByText('Or keep the links of the column Site web.').waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByRole('button', { name: 'Make contact codes' }).click();
    await page.getByText('This looks like').waitFor({ state: 'detached' });
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made())[0]?.data).toMatch(
      /\r\nN:Doe;Jane;;;\r\nFN:Jane Doe\r\n(.*\r\n)*URL:https:\/\/example\.org\r\n/,
    );

    await page.goto(`${ada.base}/studio`);
    const people = 'Nom;Prénom;Téléphone;Site web\nDoe;Jane;+33123456789;https://example.org\nRoe;Max;+33123456780;\n';
    await file().setInputFiles(csv(people));
    // The faulty row is one of the links alone: it is shown once they are meant.
    const fault = page.getByText('Row 3, column D (Site web): the cell is empty');
    const meant = page.getByRole('button', { name: 'Keep the links of the column Site web' });
    await meant.waitFor();
    await page.locator('#reason').getByText('Answer the question under your file.').waitFor();
    expect(await fault.count()).toBe(0);
    await page.getByLabel('Skip the faulty row').waitFor({ state: 'hidden' });
    await meant.click();
    await fault.waitFor();
    await page.getByLabel('Skip the faulty row').waitFor();
    await page.getByLabel('The codes are').selectOption('contact');
    await page.getByText('2 codes cost 2 credits.').waitFor();

    await page.goto(`${ada.base}/studio`);
    await file().setInputFiles(csv('Rufname A;Rufname B;Telefon\nJane;Doe;+49301\n'));
    await page.getByLabel('The codes are').selectOption('contact');
    await page.getByText('Which columns hold the first and last name?').waitFor();
    await page.getByLabel('Column A Rufname A').selectOption('firstName');
    await page.getByLabel('Column B Rufname B').selectOption('lastName');
    await page.getByText('1 code costs 1 credit.').waitFor();
  });

  it('knows the last of sixty columns, and keeps the uses of those that it folds away', async () => {
    await file().setInputFiles(wide('Teil '));
    await page.getByText('Which column holds the link or text? Pick it below.').waitFor();
    await page.getByText('59 columns are not used.').waitFor();
    const shown = page.getByRole('combobox', { name: /^Column/ }).filter({ visible: true });
    // A name, however it is written, and a value of the first rows.
    for (const words of ['žiel', 'Z.-iel', 'teil2']) {
      await page.getByLabel('Find a column').fill(words);
      expect(await shown.count()).toBe(2);
    }
    await page.getByLabel('Column BH Ziel').selectOption('data');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByLabel('Column AN Dateiname').inputValue()).toBe('filename');
    await page.getByLabel('Column A Merkmal 0').waitFor({ state: 'hidden' });
    await page.getByText('58 columns are not used.').click();
    // Both tables are as wide as their section, and a choice as its words.
    const across = async (box: Locator) => (await box.boundingBox())?.width ?? 0;
    const tables = page.locator('[data-table] table');
    const widths = await Promise.all([page.locator('[data-table]'), tables.first(), tables.last()].map(across));
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(20);
    expect(await across(page.getByLabel('Column A Merkmal 0'))).toBeGreaterThan(110);
    await page.getByLabel('Column A Merkmal 0').selectOption('caption');
    await page.getByText('57 columns are not used.').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByText('Combine columns').click();
    await page.getByRole('textbox', { name: 'Caption' }).first().focus();
    await page.getByLabel('Insert a column').selectOption('Merkmal 58');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    expect((await made()).map(({ data, files }) => [data, files[0]?.name])).toEqual([
      ['Teil 1', 'bild-1.png'],
      ['Teil 2', 'bild-2.png'],
    ]);
  });

  it('reads the list again at a pause of typing, once a pattern is whole', async () => {
    await page.clock.install();
    await page.goto(`${ada.base}/studio`);
    await file().setInputFiles(csv('Ziel;Raum\nhttps://example.org/1;Halle\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByText('Combine columns').click();
    const caption = page.locator('[data-table] textarea');
    await caption.fill('{Foyer}');
    await page.getByText('No column is called Foyer.').waitFor();
    await caption.blur();
    const refusal = page.getByText('There is no column Foyer.');
    await refusal.waitFor();
    let checks = 0;
    page.on('request', (request) => {
      checks += Number(request.url().endsWith('/check'));
    });
    const pauseAfter = async (pattern: string) => {
      await caption.fill(pattern);
      await page.clock.fastForward(5_000);
    };
    for (const open of ['In', 'In {Raum', 'In {Foyer}']) await pauseAfter(open);
    expect([checks, await refusal.count()]).toEqual([0, 1]);
    const isDrawn = (request: Request) => request.postData()?.includes('"caption":"In Halle"') === true;
    await Promise.all([page.waitForRequest(isDrawn), pauseAfter('In {Raum}')]);
    await refusal.waitFor({ state: 'detached' });
    expect(checks).toBe(1);
    expect(await caption.evaluate((field) => field.matches(':focus'))).toBe(true);
  });

  it('finds the links in the last of sixty columns by itself', async () => {
    await file().setInputFiles(wide('https://example.org/'));
    await page.getByText('Does column BH (Ziel) hold the links?').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByLabel('Column AN Dateiname').inputValue()).toBe('filename');
  });

  it('keeps roles, patterns and what one gets for a file of the same columns, also of a job that is made again', async () => {
    const uses = (...positions: string[]) =>
      Promise.all(positions.map((letters) => page.getByLabel(`Column ${letters} `).inputValue()));
    const labels = page.getByLabel('A label sheet to print');
    const pattern = page.locator('textarea[rows="2"]');
    const whole = csv('Kürzel;Ziel;Neu;Tischname\nt-1;Saal 1;;Eiche\nt-2;Saal 2;;Buche\nt-3;Saal 3;;Linde\n');
    await file().setInputFiles(csv('Ziel;Tischname;Kürzel\nSaal 1;Eiche;t-1\n'));
    await page.getByLabel('Column A Ziel').selectOption('data');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByLabel('Column B Tischname').selectOption('caption');
    await page.locator('tr', { hasText: 'Tischname' }).filter({ visible: true }).waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByLabel('Column C Kürzel').selectOption('filename');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await labels.check();
    await file().setInputFiles(whole);
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await uses('A', 'B', 'D')).toEqual(['filename', 'data', 'caption']);
    await page.getByText('Combine columns').click();
    await pattern.fill('Tisch {Tischname}');
    await pattern.blur();
    await page.getByLabel('Column D Tischname').waitFor({ state: 'visible' });
    await expect.poll(() => page.getByLabel('Column D Tischname').inputValue()).toBe('');
    // A list that lacks a column by mistake does not make the next one forget its use.
    await file().setInputFiles(csv('Ziel;Tischname\nSaal 1;Eiche\n'));
    await page.getByText('There is no column Kürzel, which was used as “File name” before.').waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect([await pattern.inputValue(), ...(await uses('A', 'B'))]).toEqual(['Tisch {Tischname}', 'data', '']);
    // A caption of a column that is not there holds for no other file.
    await file().setInputFiles(csv('Ziel;Kürzel\nSaal 1;t-1\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect([await pattern.inputValue(), ...(await uses('A', 'B'))]).toEqual(['', 'data', 'filename']);
    // Another list: its own columns tell what it is.
    await file().setInputFiles(csv('url;Tischname\nhttps://example.org/7;Ulme\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect([await pattern.inputValue(), ...(await uses('A', 'B'))]).toEqual(['', 'data', '']);
    for (const _ of ['first', 'second']) {
      await file().setInputFiles(whole);
      await page.getByText('3 codes cost 3 credits.').waitFor();
      expect([await pattern.inputValue(), ...(await uses('A', 'B'))]).toEqual([
        'Tisch {Tischname}',
        'filename',
        'data',
      ]);
    }
    expect(await page.getByText('There is no column').count()).toBe(0);
    await make().click();
    await page.waitForURL(/\/labels$/);
    const job = page.url().replace(/\/labels$/, '');
    await page.goto(job);
    const codes = await made();
    expect(codes.map(({ caption, files }) => [caption, files[0]?.name])).toEqual([
      ['Tisch Eiche', 't-1.png'],
      ['Tisch Buche', 't-2.png'],
      ['Tisch Linde', 't-3.png'],
    ]);

    await page.getByRole('link', { name: 'Make again' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await labels.isChecked()).toBe(true);
    await file().setInputFiles(csv('Ziel;Kürzel;Tischname\nSaal 4;t-4;Esche\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect([await pattern.inputValue(), ...(await uses('A', 'B'))]).toEqual(['Tisch {Tischname}', 'data', 'filename']);

    // It is so in another tab, too.
    const other = await context.newPage();
    const again = `${ada.base}/studio?job=${job.split('/').at(-1)}`;
    // The list of the first tab is kept as it leaves the studio.
    await page.goto(job);
    await other.goto(again);
    await other.getByRole('button', { name: /^Make “.+” again$/ }).click();
    await other.getByText('3 codes cost 3 credits.').waitFor();
    await file(other).setInputFiles(csv('Ziel;Kürzel;Tischname\nSaal 5;t-5;Esche\n'));
    await other.getByText('1 code costs 1 credit.').waitFor();
    expect(await other.getByLabel('Column A Ziel').inputValue()).toBe('data');
    expect(await other.getByLabel('Column B Kürzel').inputValue()).toBe('filename');

    // Another session knows only that the codes are for labels.
    await other.goto(`${ada.base}/jobs`);
    await other.evaluate(
      `for (const key of Object.keys(localStorage)) if (key.startsWith('/account/')) localStorage.removeItem(key);
      sessionStorage.clear();`,
    );
    await other.goto(again);
    await other.getByText('3 codes cost 3 credits.').waitFor();
    const gone = other.getByText(
      'This browser does not know what the columns of this job were used for: look at “Used as”, and at “You get”.',
    );
    expect(await other.getByLabel('A label sheet to print').isChecked()).toBe(true);
    expect(await gone.count()).toBe(0);
    await file(other).setInputFiles(whole);
    await gone.waitFor();
    await other.getByLabel('Column B Ziel').selectOption('data');
    await gone.waitFor({ state: 'detached' });

    // Columns without names are those of the same place.
    const links = (count: number) =>
      csv(Array.from({ length: count }, (_, at) => `https://example.org/${at};${at}\n`).join(''));
    await file(other).setInputFiles(links(2));
    await other.getByText('Does column A hold the links?').waitFor();
    await other.getByLabel('Column B').selectOption('caption');
    await other.getByText('Does column A hold the links?').waitFor({ state: 'detached' });
    await other.getByText('2 codes cost 2 credits.').waitFor();
    await file(other).setInputFiles(links(4));
    await other.getByText('4 codes cost 4 credits.').waitFor();
    expect(await other.getByLabel('Column B').inputValue()).toBe('caption');
  });

  it('reads a list anew that shares a name with the one before, and forgets what was chosen for a list that is removed', async () => {
    const people = csv('Name;Telefon;Raum\nAnna Beck;+49 228 111;7\nBernd Cole;+49 228 112;8\n');
    const kind = page.getByLabel('The codes are');
    const takeContacts = async () => {
      await page.getByRole('button', { name: 'Make contact codes' }).click();
      await page.getByText('This looks like').waitFor({ state: 'detached' });
      await page.getByText('2 codes cost 2 credits.').waitFor();
    };
    await file().setInputFiles(people);
    await takeContacts();
    await page.getByLabel('Column C Raum').selectOption('caption');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await file().setInputFiles(csv('Name;Profil\nAnna Beck;https://example.org/anna\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await kind.inputValue()).toBe('');
    expect(await page.getByLabel('Column B Profil').inputValue()).toBe('data');
    expect(await page.getByText('There is no column').count()).toBe(0);
    // The list of the next month has a column more, and no captions.
    await file().setInputFiles(csv('Name;Telefon;Stadt;Neu\nCarl Dorn;+49 228 113;Bonn;x\n'));
    await page.getByText('There is no column Raum, which was used as “Caption” before.').waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await kind.inputValue()).toBe('contact');
    await page.getByRole('button', { name: 'Remove the file' }).click();
    // Sheets of many programs have the same names.
    const rows = (...lines: string[][]) =>
      lines.map((cells) => `<row>${cells.map((cell) => textCell(cell)).join('')}</row>`).join('');
    const book = async (sheets: Record<string, string>) =>
      file().setInputFiles({ name: 'book.xlsx', mimeType: '', buffer: await workbookOf(sheets) });
    await book({ Sheet1: rows(['Name', 'Telefon'], ['Anna Beck', '+49 228 111'], ['Bernd Cole', '+49 228 112']) });
    await takeContacts();
    await book({ Sheet1: rows(['Name', 'Saal'], ['Aula', '7']), Links: rows(['url'], ['https://example.org/1']) });
    await page.getByText('Only the sheet Links is read.').waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
  });

  it('opens the columns that are not used once a kind is chosen', async () => {
    await file().setInputFiles(
      csv('url;SSID;Passwort;Stock;Haus;Ort;Amt\nhttps://example.org/1;Gäste;welcome-1;1;A;B;C\n'),
    );
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByLabel('Column D Stock').waitFor({ state: 'hidden' });
    await page.getByLabel('The codes are').selectOption('wifi');
    await page.getByLabel('Column D Stock').waitFor();
  });

  it('asks whether networks without passwords are open', async () => {
    await file().setInputFiles(csv('Raum;SSID\nHalle;Gäste\n'));
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText('No column holds the password: these codes would be for open networks.').waitFor();
    await page.locator('#reason').getByText('Answer the question under your file.').waitFor();
    const open = page.getByLabel('Are the networks without a password open?');
    await open.selectOption('yes');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await open.selectOption('no');
    await page.getByText('No column holds the password').waitFor();
    await open.selectOption('yes');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made())[0]?.data).toBe('WIFI:T:nopass;S:Gäste;;');
  });

  it('asks once whether networks with an empty cell for the password are open', async () => {
    const networks = csv('SSID;Passwort\nTeam;welcome-2\nGäste;\nHof;\n');
    const codes = ['WIFI:T:WPA;S:Team;P:welcome-2;;', 'WIFI:T:nopass;S:Gäste;;', 'WIFI:T:nopass;S:Hof;;'];
    await file().setInputFiles(networks);
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText('2 networks have no password. Can anyone join without one? Answer below.').waitFor();
    await page.locator('#reason').getByText('Answer the question under your file.').waitFor();
    const open = page.getByLabel('Are the networks without a password open?');
    await open.selectOption('no');
    await page.getByText('Row 3, column B (Passwort): there is no password.').waitFor();
    await open.selectOption('yes');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(codes);

    await using plain = await withoutScripts();
    const { still, send } = plain;
    await send(networks);
    await send(networks);
    await still.getByRole('alert').getByText('Row 3, column B (Passwort): there is no password.').waitFor();
    await still.getByLabel('Are the networks without a password open?').selectOption('yes');
    await send(networks);
    await still.getByText('some scanners').waitFor();
    await send(networks);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect((await made(still)).map(({ data }) => data)).toEqual(codes);
  });

  it('shows all notices before codes are made, without scripts', async () => {
    await using plain = await withoutScripts();
    const { still, send } = plain;
    const balance = () => service.admin.ledger.balance(ada.organisationId);
    const before = await balance();
    const list = csv(Buffer.from('url;filename\nwww.example.org/a;S\xf8ren\nNULL;s\xf8ren\n', 'latin1'));
    await send(list);
    const told = still.getByRole('alert');
    await told.getByText('No codes are made yet.').waitFor();
    for (const notice of [
      'it is read as Windows-1252. Look at these values: row 2, column B: Søren; row 3, column B: søren.',
      'phones search for it instead of opening it. Write https:// in front. 1 of 2 codes is affected: row 2.',
      '1 row has the same file name as a row above: row 3 repeats row 2. Its picture gets a number',
      '1 of 2 codes is affected: row 3.',
    ]) {
      await told.getByRole('listitem').filter({ hasText: notice }).waitFor();
    }
    // Another list has notices of its own.
    await send(csv('url;filename\nhttps://example.org;a\nwww.example.org/b;b\n'));
    await told
      .getByText(
        'phones search for it instead of opening it. Write https:// in front. 1 of 2 codes is affected: row 3.',
      )
      .waitFor();
    // A list without any has its price.
    const clean = csv('url;filename\nhttps://example.org;a\nhttps://example.org/b;b\n');
    await send(clean);
    await told.getByText('2 codes cost 2 credits. You have 500 credits; 498 are left.').waitFor();
    expect(await told.getByText('Read this first:').count()).toBe(0);
    await send(csv('url;filename\nhttps://example.org/1;a\nhttps://example.org/2;b\nhttps://example.org/3;c\n'));
    await told.getByText('3 codes cost 3 credits.').waitFor();
    expect(await balance()).toBe(before);
    await send(list);
    await told
      .getByText(
        'phones search for it instead of opening it. Write https:// in front. 1 of 2 codes is affected: row 2.',
      )
      .waitFor();
    await still.getByLabel('Encoding of the file').selectOption('windows-1252');
    await send(list);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect((await made(still)).map(({ files }) => files[0]?.name)).toEqual(['Søren.png', 'søren-2.png']);

    // The notices of lines, and of a list of links that could be one of contacts.
    await still.goto(`${ada.base}/studio`);
    await still.getByLabel('Or type a few lines').fill('a\na\nwww.example.org');
    await make(still).click();
    await told.getByText('the same data').waitFor();
    await told.getByText('1 code is a web address without https://').waitFor();
    await make(still).click();
    await still.getByRole('heading', { level: 1, name: 'a', exact: true }).waitFor();
    await still.goto(`${ada.base}/studio`);
    await send(csv('Nom;Prénom;Téléphone;Site web\nDoe;Jane;+33123456789;https://example.org\n'));
    await still
      .getByText('This looks like a list of contacts, but the codes are the links of the column Site web.')
      .waitFor();
    await still.getByRole('button', { name: 'Make contact codes' }).click();
    await still.getByRole('heading', { level: 1, name: 'list', exact: true }).waitFor();
    expect((await made(still))[0]?.data).toContain('N:Doe;Jane');
  });

  it('asks whether codes have the texts of links or their addresses', async () => {
    const links = await readFile(new URL('../spreadsheets/files/links.xlsx', import.meta.url));
    await file().setInputFiles({ name: 'links.xlsx', mimeType: '', buffer: links });
    await page.getByText('3 cells are links whose text is not the address.').waitFor();
    await page.getByLabel('Cells that are links').selectOption('address');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    const shown = page.locator('td[data-label="First rows"]');
    await expect.poll(() => shown.first().textContent()).toContain('https://example.org/');
  });

  it('reads a file in the encoding that is chosen', async () => {
    await file().setInputFiles(csv(Buffer.from('url;filename\nhttps://example.org;Slo\xe8ka\n', 'latin1')));
    await page.getByText('row 2, column B: Sloèka').waitFor();
    await page.locator('#reason').getByText('Answer the question under your file.').waitFor();
    expect(await make().isDisabled()).toBe(true);
    const question = page.getByText('Are all letters of the values above right?');
    await page.getByRole('button', { name: 'They are right' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => make().isEnabled()).toBe(true);
    await page.getByLabel('Encoding of the file').selectOption('As it seems: Windows-1252');
    await question.waitFor();
    await page.getByLabel('Encoding of the file').selectOption('Central European (Windows-1250)');
    await page.getByText('row 2, column B: Sločka').waitFor();
    expect(await question.count()).toBe(0);
    expect(await make().isEnabled()).toBe(true);
    await page.getByLabel('Encoding of the file').selectOption('Western European (Mac)');
    await page.getByText('it is read as Western European (Mac). Look at these values').waitFor();
    // Words that may be Polish or of a Mac are asked for, too.
    await file().setInputFiles(csv(Buffer.from('url;filename\nhttps://example.org;Wo\x9fniak\n', 'latin1')));
    await page.getByText('it is read as Windows-1250. Look at these values: row 2, column B: Woźniak').waitFor();
    await question.waitFor();
    await page.getByRole('button', { name: 'They are right' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    // Words of Polish are read in their encoding at once.
    await file().setInputFiles(csv(POLISH));
    await page.getByText('row 2, column B: Bolesław Wiśniewski').waitFor();
    await page.getByText('As it seems: Windows-1250').waitFor({ state: 'attached' });
    await page.getByText('1 code costs 1 credit.').waitFor();
    // A file that cannot be Windows-1252 is read in the encoding that its words tell, and shows how.
    const fileOf = (name: string) => readFile(new URL(`../spreadsheets/files/${name}`, import.meta.url));
    await file().setInputFiles(csv(await fileOf('cp1251.csv')));
    await page.getByText('it is read as Windows-1251. Look at these values: ').waitFor();
    await page.getByText('As it seems: Windows-1251').waitFor({ state: 'attached' });
    await page.getByText(/codes? costs? \d+ credit/).waitFor();
    // Where the bytes do not tell which, it is refused until its encoding is chosen.
    await file().setInputFiles(csv(await fileOf('latin-2.csv')));
    await page.getByText('The file seems to be written in another encoding than Windows-1252.').waitFor();
    // The choice stands between the problems and the offer to skip the rows that have them.
    const places = page.locator('[data-check-result], [data-encoding], [data-faulty]');
    const order = await places.evaluateAll((all) => all.map((place) => place.getAttributeNames().join(' ')));
    expect(order).toEqual(
      ['check-result', 'encoding', 'faulty'].map((name) => expect.stringContaining(`data-${name}`)),
    );
    await page.getByLabel('Encoding of the file').selectOption('iso-8859-2');
    await page.getByText(/codes? costs? \d+ credit/).waitFor();
  });

  it('reads UTF-8 that was encoded twice once the person says so', async () => {
    const list = csv('url;filename;caption\nhttps://example.org;MÃ¼ller;DvoÅ™Ã¡k\n');
    await file().setInputFiles(list);
    await page.getByText('MÃ¼ller, which may be Müller. Choose the encoding “UTF-8, encoded twice”').waitFor();
    const encoding = page.getByLabel('Encoding of the file');
    expect(await encoding.locator('option').allTextContents()).toEqual([
      'As it seems: UTF-8',
      'UTF-8',
      'UTF-8, encoded twice: Müller for MÃ¼ller',
    ]);
    await page.locator('#reason').getByText('Answer the question under your file.').waitFor();
    await page.getByRole('button', { name: 'They are right' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await encoding.selectOption('');
    await page.getByRole('button', { name: 'Mend them' }).click();
    await page.getByText('which may be Müller').waitFor({ state: 'detached' });
    expect(await encoding.inputValue()).toBe('utf-8-twice');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made())[0]).toMatchObject({ caption: 'Dvořák', files: [{ name: 'Müller.png' }] });

    await using plain = await withoutScripts();
    const { still, send } = plain;
    await send(list);
    await still.getByLabel('Encoding of the file').selectOption('utf-8-twice');
    await send(list);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect((await made(still))[0]).toMatchObject({ caption: 'Dvořák', files: [{ name: 'Müller.png' }] });
  });

  it('asks whether dates begin with the day or the month', async () => {
    const events = (last: string) => csv(`Event;Start;End\nFair;01/02/2026 9:00;01/02/2026 18:00\nBall;${last};\n`);
    await file().setInputFiles(events('2026-03-31'));
    await page.getByRole('button', { name: 'Make event codes' }).click();
    await page.getByText('2 dates begin with a number that may be the day or the month.').waitFor();
    expect(await make().isDisabled()).toBe(true);
    await page.getByLabel('Dates such as 01/02/2026 begin with').selectOption('day');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await file().setInputFiles(events('31/03/2026'));
    await page.getByText('2 dates of two numbers and a year are read with the day first').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
  });

  it('asks to which country numbers without its code belong', async () => {
    await file().setInputFiles(csv('Mobile;Message\n0171 2345678;Hi\n+43 664 1234567;Hi\n'));
    await page.getByRole('button', { name: 'Make codes for text messages' }).click();
    await page.getByText('1 number has no country’s code, such as +49.').waitFor();
    expect(await make().isDisabled()).toBe(true);
    await page.getByLabel('Numbers such as 0171… belong to').selectOption('Germany (+49)');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(['SMSTO:+491712345678:Hi', 'SMSTO:+436641234567:Hi']);

    await page.goto(`${ada.base}/studio`);
    await file().setInputFiles(csv('Name;Phone\nAda;0171 2345678\n'));
    await page.getByRole('button', { name: 'Make contact codes' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    const country = page.getByLabel('Numbers such as 0171… belong to');
    expect(await country.locator('option').first().textContent()).toBe('No country: as they are');
    await country.selectOption('43');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made())[0]?.data).toContain('\r\nTEL;TYPE=voice:+431712345678\r\n');
  });

  it('takes the country of each row without a question, where all rows have its name', async () => {
    await file().setInputFiles(csv('Name;Telefon;Land\nLinz;0732 6543;Österreich\nZürich;071 234 56 78;Schweiz\n'));
    await page.getByLabel('The codes are').selectOption('phone');
    await page.getByText('column C (Land): +43 (Österreich), +41 (Schweiz).').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const country = page.getByLabel('Numbers such as 0171… belong to');
    expect(await country.locator('option').first().textContent()).toBe('That of each row');
    await country.selectOption('43');
    await page.getByText("All numbers without a country's code get +43").waitFor();
    expect(await country.locator('option').first().textContent()).toBe('Choose');
  });

  it('says why no payments are offered for amounts in another currency', async () => {
    await file().setInputFiles(csv('Name;IBAN;Betrag CHF;Zweck\nAda;CH9300762011623852957;10.00;Fee\n'));
    await page.getByText('Which column holds the link or text?').first().waitFor();
    await page.getByText('The amounts are in CHF: payment codes are in euros.').first().waitFor();
  });

  it('takes the country of each row for numbers without its code, where a person says so', async () => {
    const list = csv('Name;Telefon;Land\nLinz;0732 6543;AT\nZürich;071 234 56 78;Schweiz\nHier;0221 98765;\n');
    const row = 'The country of each row: column C (Land); 1 row has none that is known';
    await file().setInputFiles(list);
    await page.getByLabel('The codes are').selectOption('phone');
    await page.getByText('The column C (Land) names one, but not in 1 row. Answer below.').waitFor();
    const country = page.getByLabel('Numbers such as 0171… belong to');
    await country.selectOption(row);
    await page.getByText("Row 4, column C (Land): the cell is empty, and the number has no country's code.").waitFor();
    expect(await country.inputValue()).toBe('row');
    await page.getByLabel('Skip the faulty row and make the other 2').check();
    await page.getByText('+43 (AT), +41 (Schweiz).').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    const calls = ['tel:+437326543', 'tel:+41712345678'];
    expect((await made()).map(({ data }) => data)).toEqual(calls);

    await using plain = await withoutScripts();
    const { still, send } = plain;
    await send(list);
    await still.getByLabel('The codes are').selectOption('phone');
    await send(list);
    await still.getByLabel('Numbers such as 0171… belong to').selectOption(row);
    await send(list);
    await still.getByRole('link', { name: 'Row 4, column C (Land): the cell is empty' }).waitFor();
    await still.getByLabel('Skip the faulty row and make the other 2').check();
    await send(list);
    await still.getByText('+43 (AT), +41 (Schweiz).').waitFor();
    await send(list);
    expect((await made(still)).map(({ data }) => data)).toEqual(calls);
  });

  it('makes payments to an account that is typed once, and keeps it for the next list', async () => {
    const fees = (rows: string) => csv(`Name;Betrag;Text\n${rows}\n`);
    const account = page.getByText('One account for all codes');
    const told = (iban: string) => page.getByText(`All codes are for payments to Club, ${iban}.`);
    await file().setInputFiles(fees('Ada;12,50;Fee Ada\nBo;9,00;Fee Bo'));
    await page.getByLabel('The codes are').selectOption('Payment (SEPA)');
    await page.getByText('Pick it below, or type payee and IBAN once for all codes.').waitFor();
    await account.waitFor();
    await page.getByLabel('IBAN', { exact: true }).fill('DE88370400440532013000');
    await page.getByLabel('Payee', { exact: true }).fill('Club');
    await page.keyboard.press('Tab');
    await page.getByText('The check digits of the IBAN are wrong.').waitFor();
    await page.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
    await page.keyboard.press('Enter');
    await told('DE89 3704 0044 0532 0130 00').waitFor();
    // The name of a payer names the picture.
    expect(await page.getByLabel('Column A Name').inputValue()).toBe('filename');
    await file().setInputFiles(fees('Cy;5,00;Fee Cy'));
    await told('DE89 3704 0044 0532 0130 00').waitFor();
    await make().click();
    const items = await made();
    expect(items.map(({ data }) => data)).toEqual([
      'BCD\n002\n1\nSCT\n\nClub\nDE89370400440532013000\nEUR5.00\n\n\nFee Cy',
    ]);
    expect(items[0]?.files[0]?.name).toContain('Cy');
  });

  it('puts events on a day that is typed once, and asks for that of the next list', async () => {
    const asked = page.getByText('The list has times, and no day. If all events are on one day, type it below.');
    const day = page.getByLabel('Day', { exact: true });
    await file().setInputFiles(csv('Start;End;Title\n10:00;11:00;Eröffnung\n;;Halle 2\n11:30;12:00;Chor\n'));
    await page.getByLabel('The codes are').selectOption('Event');
    await asked.waitFor();
    expect(await make().isDisabled()).toBe(true);
    await day.fill('2027-06-12');
    await page.getByText('Row 3: the row has no time, so it may be no event.').waitFor();
    await page.getByLabel('Skip the faulty row and make the other 2').check();
    await page.getByText('All events are on Saturday, 12 June 2027.').waitFor();
    // Another column for the title keeps the day.
    await page.getByLabel('Column B End').selectOption('endTime');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => /DTSTART:(.*)\r\nDTEND:(.*)\r/.exec(data)?.slice(1))).toEqual([
      ['20270612T100000', '20270612T110000'],
      ['20270612T113000', '20270612T120000'],
    ]);
    await page.goto(`${ada.base}/studio`);
    await file().setInputFiles(csv('Uhrzeit;Title\n10:00;Eröffnung\n'));
    await page.getByLabel('The codes are').selectOption('Event');
    await day.fill('2027-06-12');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await file().setInputFiles(csv('Uhrzeit;Title\n9:00;Lauf\n'));
    await asked.waitFor();
    expect(await day.inputValue()).toBe('');
  });

  it('asks for the amount once the payee is chosen', async () => {
    await file().setInputFiles(csv('Kreditor;Lieferant;Brutto;Zahlbetrag;IBAN\nBo;Acme;6;5;DE89370400440532013000\n'));
    await page.getByLabel('The codes are').selectOption('Payment (SEPA)');
    await page.getByText('B (Lieferant)').waitFor();
    await page.getByLabel('Column B Lieferant').selectOption('name');
    await page.getByText('D (Zahlbetrag)').waitFor();
    await page.getByLabel('Column D Zahlbetrag').selectOption('amount');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made())[0]?.data).toContain('\nAcme\nDE89370400440532013000\nEUR5.00');
  });

  it('takes a column of nothing but links for that of the links', async () => {
    // Their texts say nothing of an address.
    const link = (at: number) =>
      `<c t="str"><f>HYPERLINK("https://example.org/${at}","Zum Ticket")</f><v>Zum Ticket</v></c>`;
    const rows = ['Ada', 'Ben'].map((name, at) => `<row>${textCell(name)}${link(at)}</row>`);
    const buffer = await workbookOf(`<row>${textCell('Gast')}${textCell('Karte')}</row>${rows.join('')}`);
    await file().setInputFiles({ name: 'guests.xlsx', mimeType: '', buffer });
    await page.getByText('2 cells are links whose text is not the address.').waitFor();
    expect(await page.getByLabel('Column B Karte').inputValue()).toBe('data');
    await page.getByLabel('Cells that are links').selectOption('address');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const shown = page.locator('td[data-label="First rows"]');
    await expect.poll(() => shown.first().textContent()).toContain('https://example.org/');
    // Which column it is goes before what is wrong with its rows.
    await file().setInputFiles(csv('Gast;Karte\nAda;https://example.org/1\nBen;\n'));
    const question = page.getByText('Does column B (Karte) hold the links? If not, pick another below.');
    await question.waitFor();
    const fault = page.getByText('Row 3, column B (Karte): the cell is empty');
    expect(await fault.count()).toBe(0);
    // An answer is kept; a question is asked again.
    await page.reload();
    await page.getByRole('button', { name: 'They are the links' }).click();
    await fault.waitFor();
    await page.reload();
    await fault.waitFor();
    expect(await question.count()).toBe(0);
    // A question that is in the way of no code stays while its list is there.
    await file().setInputFiles(csv('Gast;Karte\nAda;https://example.org/1\nBen;https://example.org/1\n'));
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('link', { name: 'Studio', exact: true }).click();
    await question.waitFor();
    await page.getByLabel('Column A Gast').selectOption('caption');
    await question.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await question.count()).toBe(0);
  });

  it('says which sheet it opened, and opens another', async () => {
    const workbook = await readFile(new URL('../spreadsheets/files/cover.xlsx', import.meta.url));
    await file().setInputFiles({ name: 'cover.xlsx', mimeType: '', buffer: workbook });
    await page.getByText('Only the sheet Codes is read.').waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByRole('combobox', { name: 'Sheet' }).selectOption('Welcome');
    await page.getByText('Or choose another sheet.').waitFor();
  });

  it('begins the kind of another sheet anew, and keeps that of each', async () => {
    const rows = (...lines: string[][]) =>
      lines.map((cells) => `<row>${cells.map((cell) => textCell(cell)).join('')}</row>`).join('');
    const buffer = await workbookOf({
      WLAN: rows(['SSID', 'Passwort'], ['Gast', 'welcome-1'], ['Büro', 'welcome-2']),
      Personen: rows(['Vorname', 'Nachname', 'Telefon'], ['Ada', 'Byron', '+49 711 123456']),
    });
    await file().setInputFiles({ name: 'two.xlsx', mimeType: '', buffer });
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const sheet = page.getByRole('combobox', { name: 'Sheet', exact: true });
    await sheet.selectOption('Personen');
    await page.getByRole('button', { name: 'Make contact codes' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await sheet.selectOption('WLAN');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByLabel('Column A SSID').inputValue()).toBe('ssid');
  });

  it('keeps roles and patterns for each sheet, and takes none of columns that another sheet lacks', async () => {
    const rows = (...lines: string[][]) =>
      lines.map((cells) => `<row>${cells.map((cell) => textCell(cell)).join('')}</row>`).join('');
    const buffer = await workbookOf({
      Zimmer: rows(['Nr', 'Schild', 'Ziel'], ['7', 'Eiche', 'https://example.org/7']),
      Tische: rows(['Platz', 'Link'], ['a', 'https://example.org/a'], ['b', 'https://example.org/b']),
    });
    await file().setInputFiles({ name: 'two.xlsx', mimeType: '', buffer });
    const sheet = page.getByRole('combobox', { name: 'Sheet', exact: true });
    await sheet.selectOption('Zimmer');
    await page.getByText('1 code costs 1 credit.').waitFor();
    const name = page.locator('[data-table]').getByRole('textbox', { name: 'File name', includeHidden: true });
    const uses = (...columns: string[]) =>
      Promise.all(columns.map((column) => page.getByLabel(`Column ${column}`).inputValue()));
    await page.getByLabel('Column B Schild').selectOption('caption');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByText('Combine columns').click();
    await name.fill('zimmer-{Nr}');
    await name.blur();
    // The last choice is kept, even if the sheet is not read with it yet.
    await sheet.selectOption('Tische');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await uses('A Platz', 'B Link')).toEqual(['', 'data']);
    expect([await name.inputValue(), await page.getByText('There is no column').count()]).toEqual(['', 0]);
    await page.getByLabel('Column A Platz').selectOption('filename');
    for (const _ of ['first', 'second']) {
      await sheet.selectOption('Zimmer');
      await page.getByText('1 code costs 1 credit.').waitFor();
      expect(await uses('B Schild', 'C Ziel')).toEqual(['caption', 'data']);
      expect(await name.inputValue()).toBe('zimmer-{Nr}');
      await sheet.selectOption('Tische');
      await page.getByText('2 codes cost 2 credits.').waitFor();
      expect(await uses('A Platz', 'B Link')).toEqual(['filename', 'data']);
      expect(await name.inputValue()).toBe('');
    }
    await sheet.selectOption('Zimmer');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made()).map(({ caption, files }) => [caption, files[0]?.name])).toEqual([['Eiche', 'zimmer-7.png']]);
  });

  it('reads rows that are pasted among typed lines as a table, and says until then that it reads', async () => {
    const lines = page.getByLabel('Or type a few lines');
    const found = page.locator('[data-check-result]');
    await page.route(/\/studio\/check$/, async (route) => {
      await found.getByText('Reading the file…').waitFor();
      await route.continue();
    });
    await lines.fill('Nr\tGuest\tLink\n001\tAnna\thttps://p.example.org/1\n002\tBen\thttps://p.example.org/2\n');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await found.waitFor({ state: 'hidden' });
    await page.getByText('The rows are a table now, as if you had chosen its file.').waitFor();
    await page.locator('[data-chosen=file]').getByText('Pasted rows.csv').waitFor();
    expect(await lines.inputValue()).toBe('');
    expect(await page.getByLabel('Column C Link').inputValue()).toBe('data');
    // Rows take no place of a file that was chosen before a person says so.
    await lines.fill('Link\tGuest\nhttps://p.example.org/3\tCleo\n');
    const useLines = page.getByRole('button', { name: 'Use the lines instead' });
    const table = page.getByRole('button', { name: 'Read them as a table' });
    await useLines.click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    // They stay lines while they are typed on.
    await lines.press('Backspace');
    await lines.press('x');
    expect(await lines.inputValue()).toMatch(/Cleox$/);
    await table.click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await lines.inputValue()).toBe('');
    // So do those that were taken for a table.
    await useLines.click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await lines.inputValue()).toMatch(/^Link\tGuest\n/);
    // Lists have tabs, too.
    await lines.fill('');
    await lines.fill('\tRoom 1\n\tRoom 2\n\tRoom 3');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    // Semicolons may be part of texts.
    await lines.fill('WIFI:S:hall;T:WPA;P:secret;;\nWIFI:S:roof;T:WPA;P:secret;;');
    await table.waitFor({ state: 'detached' });
    await lines.fill('Guest;Link\nAnna;https://p.example.org/1\nBen;https://p.example.org/2');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.getByText('These lines look like rows of a table, with “;” between their cells.').waitFor();
    await make().click();
    const question = page.getByRole('dialog');
    await question.getByText('Make codes of data that is probably not meant?').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    await table.click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(['https://p.example.org/1', 'https://p.example.org/2']);
  });

  it('makes one code of lines that name its fields', async () => {
    const lines = page.getByLabel('Or type a few lines');
    await lines.fill('Hello,\nSSID: Gast\nPassword: geheim:123');
    await page.getByText('These lines look like the Wi-Fi networks of a table').waitFor();
    await page.getByRole('button', { name: 'Read them as a table' }).click();
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByRole('button', { name: 'Use the lines instead' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await lines.inputValue()).toBe('Hello,\nSSID: Gast\nPassword: geheim:123');
    await page.getByRole('button', { name: 'Read them as a table' }).click();
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(['WIFI:T:WPA;S:Gast;P:geheim\\:123;;']);
  });

  it.each([
    ['Wi-Fi\nName: Gast\nKennwort: abc12345', ['Gast']],
    ['Hello,\nWLAN: Gast, Passwort: abc12345\nWLAN: Team, Passwort: abc12345', ['Gast', 'Team']],
  ])('offers codes of networks for %j', async (typed, networks) => {
    await page.getByLabel('Or type a few lines').fill(typed);
    await page.getByText('These lines look like the Wi-Fi networks of a table').waitFor();
    await page.getByRole('button', { name: 'Read them as a table' }).click();
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    await page.getByText(`${networks.length === 1 ? '1 code costs 1 credit' : '2 codes cost 2 credits'}.`).waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(networks.map((name) => `WIFI:T:WPA;S:${name};P:abc12345;;`));
  });

  it('says of typed lines what they repeat, and what phones do with them', async () => {
    await page.getByLabel('Or type a few lines').fill('a\n\nb\na\nwww.example.org/a');
    await page.getByText('2 codes seem to have the same data as another code. The first is line 1.').waitFor();
    await page.getByText('phones search for it instead of opening it. Write https:// in front. See line 5.').waitFor();
    const actions = page.locator('[data-actions]');
    await actions
      .getByText('On phones, 1 code starts a search (line 5), and 3 show their text (line 1, line 3 and line 4).')
      .waitFor();
    await file().setInputFiles(csv('url\nwww.example.org/a\n'));
    await page
      .getByText('1 code is a web address without https://: phones search for it instead of opening it.')
      .waitFor();
    await actions.getByText('On phones, the code starts a search.').waitFor();
  });

  it('asks for the addresses of links that were pasted as words, and leaves out what stands around others', async () => {
    const lines = page.getByLabel('Or type a few lines');
    const paste = async (text: string, html: string) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(
        `navigator.clipboard.write([new ClipboardItem(${JSON.stringify({ 'text/plain': text, 'text/html': html })})])`,
      );
      await lines.fill('');
      await lines.press('Control+v');
    };
    await paste(
      'Photos of\nPhotos of\nhttps://example.org/c',
      '<a href="https://example.org/a">Photos\n of</a><br><a href="https://example.org/b">Photos of</a><br><a href="https://example.org/c">https://example.org/c</a>',
    );
    await page.getByText('Links were pasted as words, without their addresses').waitFor();
    await page.getByRole('button', { name: 'Use the addresses', exact: true }).click();
    await page.getByText('Links were pasted as words').waitFor({ state: 'detached' });
    expect(await lines.inputValue()).toBe('https://example.org/a\nhttps://example.org/b\nhttps://example.org/c');
    // Addresses that are words themselves are no loss.
    await paste('example.org/d', '<a href="https://example.org/d">example.org/d</a>');
    await page.getByText('phones search for it instead of opening it').waitFor();
    expect(await page.getByText('Links were pasted as words').count()).toBe(0);
    await paste(
      'Photos of us\nPlan',
      '<a href="https://example.org/a">Photos of us</a><br><a href="https://example.org/b">Plan</a>',
    );
    await page.getByRole('button', { name: 'Use the addresses, with their words as captions' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByText('The rows are a table now').waitFor();
    expect(await page.getByLabel('Column B').inputValue()).toBe('caption');
    await page.getByRole('button', { name: 'Use the lines instead' }).click();
    // Words within lines are not changed.
    await paste(
      'Plan North: Plan\nPlan',
      '<a href="https://example.org/a">Plan</a><a href="https://example.org/b">North</a>',
    );
    await page.getByRole('button', { name: 'Use the addresses', exact: true }).click();
    expect(await lines.inputValue()).toBe('Plan North: Plan\nhttps://example.org/a');
    await paste(
      'Room 1: Manual\nRoom 2: Manual\nOur menu and our wine list.\nhttps://example.org/long…',
      ['Manual', 'Manual', 'menu', 'wine list', 'https://example.org/long…']
        .map((words, index) => `<a href="https://example.org/long/${index}">${words}</a>`)
        .join(''),
    );
    await page.getByRole('button', { name: 'Use the addresses', exact: true }).click();
    expect(await lines.inputValue()).toBe(
      [0, 1, 2, 3, 4].map((index) => `https://example.org/long/${index}`).join('\n'),
    );
    const pressed = async (name: string, typed: string[]) => {
      const button = page.getByRole('button', { name, exact: true }).first();
      await lines.fill('');
      await button.waitFor({ state: 'detached' });
      await lines.fill(typed.join('\n'));
      await button.click();
      await expect.poll(() => lines.inputValue()).not.toBe(typed.join('\n'));
      return (await lines.inputValue()).trim().split('\n');
    };
    expect(
      await pressed('Keep only addresses and numbers', [
        'Hello all,',
        '• Menu: https://example.org/j (PDF)',
        '',
        'Parish clerk: 07700 900461',
        'NHS 111',
        'tel:+4471',
        'Anna, a@example.org',
      ]),
    ).toEqual(['https://example.org/j', '', 'tel:07700900461', 'NHS 111', 'tel:+4471', 'mailto:a@example.org']);
    // Those that were left out are put back by a press.
    const kept = ['Hello all,', 'Menu: https://example.org/j'];
    await pressed('Keep only addresses and numbers', kept);
    await page.getByRole('button', { name: 'Keep them', exact: true }).click();
    await expect.poll(() => lines.inputValue()).toContain('Hello all,');
    // Titles go, too.
    expect(
      await pressed('Keep only addresses and numbers', ['Our links', 'https://example.org/r', 'https://example.org/s']),
    ).toEqual(['https://example.org/r', 'https://example.org/s']);
    expect(
      await pressed('Join these lines', [
        'https://example.org/a/long/way/to/minutes-and-agendas/of',
        '/page.html',
        'Gate 7',
      ]),
    ).toEqual(['https://example.org/a/long/way/to/minutes-and-agendas/of/page.html', 'Gate 7']);
    expect(await pressed('Write %20', ['https://example.org/Menu May.pdf', 'Gate 7'])).toEqual([
      'https://example.org/Menu%20May.pdf',
      'Gate 7',
    ]);
    expect(await pressed('Write them as Wi-Fi codes', ['WiFi: Hall, password: abc12345', 'Gate 7'])).toEqual([
      'WIFI:T:WPA;S:Hall;P:abc12345;;',
      'Gate 7',
    ]);
    const mistaken = ['https//example.org/a', 'https://example.org/\u200bb'];
    expect(await pressed('Write the beginnings right', mistaken)).toEqual(['https://example.org/a', mistaken[1]]);
    expect(await pressed('Remove what nobody sees', mistaken)).toEqual([mistaken[0], 'https://example.org/b']);
    const calls = ['Anna 0711 123456', 'Ben 0711 123457', 'Alarm: 112', 'Night: 0711 123458 or 0711 123459', 'Gate 7'];
    expect(await pressed('Write tel: before numbers', calls)).toEqual([
      ...calls.slice(0, 2),
      'Alarm: tel:112',
      'Night: tel:0711123458 or tel:0711123459',
      'Gate 7',
    ]);
    // The field has not been left.
    await page.locator('[data-actions]').getByText('On phones, all 5 codes show their text.').waitFor();
    const alone = ['a@example.org', '+49 (0)711 123456', 'www.example.org/a', '48.13743, 11.57549'];
    for (const [place, scheme, written] of [
      [0, 'mailto:', 'mailto:a@example.org'],
      [1, 'tel:', 'tel:+49711123456'],
      [2, 'https://', 'https://www.example.org/a'],
      [3, 'geo:', 'geo:48.13743,11.57549'],
    ] as const) {
      expect(await pressed(`Write ${scheme} in front`, alone)).toEqual(alone.with(place, written));
    }
    const country = page.getByLabel('Country of these numbers');
    await lines.fill('tel:07111234567\nGate 7');
    await country.selectOption({ label: 'Germany (+49)' });
    await expect.poll(() => lines.inputValue()).toBe('tel:+497111234567\nGate 7');
    // The rows are a table once it has the addresses.
    await paste(
      'Course\tLink\nPottery\tBook\nYoga\tBook',
      '<table><tr><td>Pottery<td><a href="https://example.org/e">Book</a><tr><td>Yoga<td><a href="https://example.org/f">Book</a></table>',
    );
    // A table would lose them.
    await page.getByText('Links were pasted as words').waitFor();
    expect(await page.getByRole('button', { name: 'Read them as a table' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Use the addresses', exact: true }).click();
    await page.getByText('The rows are a table now').waitFor();
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual(['https://example.org/e', 'https://example.org/f']);
  });

  it('keeps the words beside addresses as captions', async () => {
    await page
      .getByLabel('Or type a few lines')
      .fill('Our links\nMenu: https://example.org/m (PDF)\nAnna, a@example.org');
    await page.getByRole('button', { name: 'with their words as captions' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByText('1 line without an address is left out: “Our links”.').waitFor();
    await page.getByRole('button', { name: 'Use the lines instead' }).click();
    const lines = page.getByLabel('Or type a few lines');
    await expect.poll(() => lines.inputValue()).toMatch(/^Our links\nMenu: /);
    await page.getByRole('button', { name: 'with their words as captions' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    expect((await made()).map(({ data, caption }) => [data, caption])).toEqual([
      ['https://example.org/m', 'Menu'],
      ['mailto:a@example.org', 'Anna'],
    ]);
  });

  it('leaves the marks of a list out, and takes a column of times, by one press each', async () => {
    const lines = page.getByLabel('Or type a few lines');
    await lines.fill('https://example.org/a\n- https://example.org/b\n\n2. https://example.org/c');
    await page.getByText('- stands before the address, so that phones search for it').waitFor();
    await page.getByRole('button', { name: 'Leave the marks out' }).click();
    await page.getByText('stands before the address').waitFor({ state: 'detached' });
    expect(await lines.inputValue()).toBe('https://example.org/a\nhttps://example.org/b\n\nhttps://example.org/c');
    // It can be undone.
    await lines.press('Control+z');
    expect(await lines.inputValue()).toMatch(/\n- https:\/\/example\.org\/b\n/);
    await lines.fill('Our links\n\n1.\thttps://example.org/a\n2.\thttps://example.org/b\n3.\thttps://example.org/c');
    await page.getByText('4 codes cost 4 credits.').waitFor();
    await page.getByRole('button', { name: 'Leave the marks out' }).click();
    await page.getByText('stands before the address').waitFor({ state: 'detached' });
    expect(await lines.inputValue()).toBe(
      'Our links\n\nhttps://example.org/a\nhttps://example.org/b\nhttps://example.org/c',
    );
    await lines.fill('');
    await file().setInputFiles(csv('Event,Date,XY,Remark\nA,2027-02-03,18:00,one\nB,2027-02-04,19:30,two\n'));
    await page.getByLabel('The codes are').selectOption('event');
    await page.getByText('No event has a start time, but the column C (XY) holds times.').waitFor();
    await page.getByRole('button', { name: 'Use it as “Start time”' }).click();
    await page.getByText('No event has a start time').waitFor({ state: 'detached' });
    await make().click();
    expect((await made())[0]?.data).toContain('DTSTART:20270203T180000');
  });

  it('writes https:// in front of the links of a column that lack it', async () => {
    await file().setInputFiles(
      csv('Bild;Audio\nc;https://example.org/c\na;audio.example.org/de/1?x=2\nb;www.example.org/b\n'),
    );
    const write = page.getByRole('button', { name: 'Write https:// in front' });
    await write.click();
    await page.getByText('phones search for').waitFor({ state: 'detached' });
    expect(await write.count()).toBe(0);
    const text = page.getByLabel('Link or text', { exact: true });
    expect(await text.inputValue()).toBe('https://{+Audio}');
    const example = page.locator('.field', { has: text }).locator('output');
    expect(await example.textContent()).toBe('https://example.org/c');
    await make().click();
    expect((await made()).map(({ data }) => data)).toEqual([
      'https://example.org/c',
      'https://audio.example.org/de/1?x=2',
      'https://www.example.org/b',
    ]);
  });

  it('recognises a kind, and knows every column, without scripts', async () => {
    await using plain = await withoutScripts();
    const { still, send } = plain;
    await send(NETWORKS);
    await still
      .getByRole('link', { name: 'This looks like a Wi-Fi list. To make Wi-Fi codes, press Make codes.' })
      .waitFor();
    expect(await still.getByText('Which column holds').count()).toBe(0);
    // A slider shows its number by a script alone.
    expect(await still.locator('output').filter({ visible: true }).count()).toBe(0);
    expect(await still.getByLabel('The codes are').inputValue()).toBe('wifi');
    await send(NETWORKS);
    await still.getByText('some scanners').waitFor();
    await send(NETWORKS);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();

    await still.goto(`${ada.base}/studio`);
    await send(wide('Teil '));
    expect(await still.getByLabel('Column AN: Dateiname').inputValue()).toBe('filename');
    await still.locator('summary', { hasText: '59 columns are not used.' }).waitFor();
    await still.getByLabel('Column BH: Ziel').selectOption('data');
    await send(wide('Teil '));
    await still.getByText('No codes are made yet.').waitFor();
    await send(wide('Teil '));
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect((await made(still)).map(({ files }) => files[0]?.name)).toEqual(['bild-1.png', 'bild-2.png']);
  });

  it('finds the links in the last of sixty columns, on a phone without scripts', async () => {
    await using plain = await withoutScripts({ width: 390, height: 844 });
    const { still, send } = plain;
    const overflow = () => still.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(await overflow()).toBe(0);
    await send(wide('https://example.org/'));
    await still.getByRole('link', { name: 'Does column BH (Ziel) hold the links?' }).waitFor();
    expect(await overflow()).toBe(0);
    expect(await still.getByLabel('Column BH: Ziel').inputValue()).toBe('data');
    await send(wide('https://example.org/'));
    await still.getByText('No codes are made yet.').waitFor();
    expect(await overflow()).toBe(0);
    await send(wide('https://example.org/'));
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect((await made(still)).map(({ data }) => data)).toEqual(['https://example.org/1', 'https://example.org/2']);

    // A first row of a link is a code too.
    await still.goto(`${ada.base}/studio`);
    const headless = csv('https://example.org/1;one\nhttps://example.org/2;two\n');
    await send(headless);
    await still.getByRole('link', { name: 'Does column A hold the links?' }).waitFor();
    await send(headless);
    await still.getByText('No codes are made yet.').waitFor();
    await send(headless);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect(await made(still)).toHaveLength(2);
  });

  it('asks for the sheet, and whether networks are open, without scripts', async () => {
    await using plain = await withoutScripts();
    const { still, send } = plain;
    const buffer = await readFile(new URL('../spreadsheets/files/sheets.xlsx', import.meta.url));
    const workbook = { name: 'sheets.xlsx', mimeType: '', buffer };
    await send(workbook);
    await still.getByText('Several sheets have codes:').first().waitFor();
    // None is chosen: a press in a hurry would make the codes of the first.
    await make(still).click();
    await still.getByText('Several sheets have codes:').first().waitFor();
    await still.getByLabel('Sheet', { exact: true }).selectOption('Second');
    await make(still).click();
    await still.getByRole('alert').getByText('1 code costs 1 credit.').waitFor();
    await still.getByText('These are the codes of the sheet Second alone.').waitFor();
    await make(still).click();
    await still.getByRole('heading', { level: 1, name: 'sheets' }).waitFor();
    expect((await made(still)).map(({ data }) => data)).toEqual(['Second']);

    await still.goto(`${ada.base}/studio`);
    const networks = csv('Raum;SSID\nHalle;Gäste\n');
    await send(networks);
    await still.getByLabel('Are the networks without a password open?').selectOption('yes');
    await send(networks);
    await still.getByText('some scanners').waitFor();
    await send(networks);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
  });

  it('needs one confirmation of a workbook, and reads another sheet or file anew, without scripts', async () => {
    await using plain = await withoutScripts();
    const { still, send } = plain;
    const rows = (...lines: string[][]) =>
      lines.map((cells) => `<row>${cells.map((cell) => textCell(cell)).join('')}</row>`).join('');
    const buffer = await workbookOf({
      Anlagen: rows(
        ['Link', 'Name', 'Caption'],
        ['https://example.org/1', 'one', 'One'],
        ['www.example.org', 'b', 'B'],
      ),
      Netze: rows(['SSID', 'Passwort'], ['Halle', 'welcome-1']),
    });
    const workbook = { name: 'two.xlsx', mimeType: '', buffer };
    const told = still.getByRole('alert');
    const show = async () => {
      await still.goto(`${ada.base}/studio`);
      await send(workbook);
      await told.getByText('Only the sheet Anlagen is read.').waitFor();
      expect(await still.getByLabel('Column C: Caption').inputValue()).toBe('caption');
    };
    await show();
    await make(still).click();
    await still.getByRole('heading', { level: 1, name: 'two' }).waitFor();
    await show();
    await still.getByLabel('Sheet', { exact: true }).selectOption('Netze');
    await make(still).click();
    await told.getByText('This looks like a Wi-Fi list.').waitFor();
    expect(await still.getByLabel('Column B: Passwort').inputValue()).toBe('password');
    await show();
    await send({ ...csv('url;filename\nhttps://example.org/1;a\nhttps://example.org/2;b\n'), name: 'other.csv' });
    await told.getByText('2 codes cost 2 credits.').waitFor();
    // The same list, corrected, is read as before.
    await still.getByLabel('Column B: filename').selectOption('caption');
    await send({ ...csv('url;filename\nhttps://example.org/1;a\nhttps://example.org/3;b\n'), name: 'other.csv' });
    await told.getByText('2 codes cost 2 credits.').waitFor();
    expect(await still.getByLabel('Column B: filename').inputValue()).toBe('caption');
  });

  it('asks to which country numbers belong, without scripts', async () => {
    await using plain = await withoutScripts();
    const { still, send } = plain;
    const calls = csv('Phone\n0171 2345678\n');
    await send(calls);
    await still.getByLabel('The codes are').selectOption('phone');
    await send(calls);
    await still.getByLabel('Column A: Phone').selectOption('number');
    await send(calls);
    await still.getByText('Say which country such numbers belong to').first().waitFor();
    await still.getByLabel('Numbers such as 0171… belong to').selectOption('49');
    await send(calls);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
    expect((await made(still)).map(({ data }) => data)).toEqual(['tel:+491712345678']);
  });

  it('asks once for the encoding of a list whose letters may be others, without scripts', async () => {
    await using plain = await withoutScripts();
    const { still, send } = plain;
    const balance = () => service.admin.ledger.balance(ada.organisationId);
    const before = await balance();
    const czech = csv(Buffer.from('url;caption\nhttps://example.org;\x8eofie Slo\xe8kov\xe1\n', 'latin1'));
    for (const [chosen, name] of [
      ['windows-1252', 'Žofie Sloèková'],
      ['windows-1250', 'Žofie Sločková'],
    ] as const) {
      await still.goto(`${ada.base}/studio`);
      await send(czech);
      await still.getByRole('alert').getByText('Look at these values: row 2, column B: Žofie Sloèková.').waitFor();
      const encoding = still.getByLabel('Encoding of the file');
      expect(await encoding.inputValue()).toBe('');
      expect((await encoding.locator('option').allTextContents()).slice(0, 2)).toEqual([
        'Choose',
        'They are right: Western European (Windows-1252)',
      ]);
      // Whoever presses again has answered nothing.
      await send(czech);
      const question = await still.locator('fieldset strong').textContent();
      expect(question).toBe('Are all letters of the values above right? If not, choose another encoding.');
      await still.getByRole('alert').getByRole('link', { name: 'whether the letters are right' }).click();
      expect(new URL(still.url()).hash).toBe('#encoding');
      expect(await encoding.inputValue()).toBe('');
      await encoding.selectOption(chosen);
      await send(czech);
      await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
      expect((await made(still)).map(({ caption }) => caption)).toEqual([name]);
    }
    expect(await balance()).toBe(before - 2);

    // Words of Polish tell their encoding, and one letter of it may.
    for (const [list, shown] of [
      [csv(POLISH), 'windows-1250'],
      [csv(Buffer.from('url;caption\nhttps://example.org;Wroc\xb3aw\n', 'latin1')), ''],
    ] as const) {
      await still.goto(`${ada.base}/studio`);
      await still.getByLabel('Caption size').fill('24');
      await send(list);
      const encoding = still.getByLabel('Encoding of the file');
      expect(await encoding.inputValue()).toBe(shown);
      await encoding.selectOption('windows-1250');
      await send(list);
      await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
      expect((await made(still))[0]?.caption).toMatch(/^(?:Wrocław|Bolesław Wiśniewski)$/);
    }

    // Letters are shown once the columns are known.
    await still.goto(`${ada.base}/studio`);
    const networks = csv(Buffer.from('Raum;SSID;Passwort\nK\xfcche;K\xfcche;welcome-1\n', 'latin1'));
    await send(networks);
    await still.getByRole('link', { name: 'This looks like a Wi-Fi list.' }).waitFor();
    await send(networks);
    await still.getByRole('alert').getByText('Look at these values: row 2, column B: Küche').waitFor();
    await send(networks);
    await still.getByRole('heading', { level: 1, name: 'list' }).waitFor();
  });
});
