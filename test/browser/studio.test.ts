/** The studio in a browser: nothing that was typed or chosen is lost, a width stays, and styles are replaced after a question. */

import { fileURLToPath } from 'node:url';
import type { Locator, Page, Route } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { StyleStore } from '../../src/accounts/organisations/style-store.js';
import {
  ada,
  complaints,
  context,
  csv,
  describeInBrowser,
  openPages,
  openStudio,
  openTab,
  page,
  service,
  signInAs,
} from '../support/browser.js';
import { discLogo, rasterise } from '../support/decode.js';
import { signUp } from '../support/visitor.js';

const WORKBOOK = fileURLToPath(new URL('../spreadsheets/files/odd-names.xlsx', import.meta.url));

const logo = (side: number) =>
  rasterise(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><path d="M0 0h${side}v${side}H0z"/></svg>`,
    ),
  );

describeInBrowser('the studio in a browser', () => {
  openPages({ ada: 'new' });
  beforeEach(openStudio);

  const field = (label: string) => page.getByLabel(label, { exact: true });
  const scale = async () => Number(await page.getByLabel('Pixels per module').inputValue());
  /** The resolution that the list names. */
  const dpi = async () => Number.parseInt((await page.locator('#dpi option:checked').textContent()) ?? '', 10);
  const file = () => page.getByLabel('Excel, CSV or text file');
  const lines = () => page.getByLabel('Or type a few lines');
  const make = () => page.getByRole('button', { name: 'Make codes' });
  const section = (name: string) => page.getByRole('link', { name, exact: true }).first().click();

  async function saveStyle(name: string): Promise<void> {
    const style = { foreground: '#1b3a5c', ecLevel: 'H' as const, logo: { dataUrl: '', sizeRatio: 0.1 } };
    style.logo.dataUrl = `data:image/png;base64,${logo(40).toString('base64')}`;
    await new StyleStore(service.admin.database).save({ personId: '', address: '' }, ada.organisationId, name, {
      style,
    });
    await page.reload();
  }

  it('keeps what is typed through a reload and through the navigation, until the person starts over', async () => {
    const startOver = page.getByRole('button', { name: 'Start over' });
    expect(await startOver.count()).toBe(0);
    await lines().fill('one\ntwo\nthree');
    await startOver.waitFor();
    await field('Caption').fill('Hall 4');
    await field('Width in print, in mm').fill('42');
    await page.getByRole('button', { name: 'Wine' }).click();
    await page.waitForURL(/\?style=wine$/);
    await page.getByLabel('A label sheet to print').check();
    const isHere = async () => {
      await page.getByText('3 codes cost 3 credits.').waitFor();
      const values = await Promise.all(
        [field('Caption'), field('Width in print, in mm'), field('Colour')].map((control) => control.inputValue()),
      );
      expect(values).toEqual(['Hall 4', '42', '#6b1f3a']);
      expect(await lines().inputValue()).toBe('one\ntwo\nthree');
      expect(await page.getByLabel('A label sheet to print').isChecked()).toBe(true);
    };
    await page.reload();
    await isHere();
    expect(page.url()).toMatch(/\/studio\?style=wine$/);
    expect(await page.getByText('are here again').count()).toBe(0);
    await startOver.waitFor();
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await section('Studio');
    await page.getByText('Your list and style are here again.').waitFor();
    await isHere();
    await startOver.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await isHere();
    await startOver.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await page.getByText('Sample code. Scans, with room to spare.').waitFor();
    expect([await lines().inputValue(), await field('Caption').inputValue()]).toEqual(['', '']);
  });

  it('keeps file, sheet, columns and a logo through the navigation', async () => {
    await file().setInputFiles(WORKBOOK);
    await page.getByRole('combobox', { name: /^Sheet/ }).selectOption('Maße & Preise');
    await page.getByLabel('Column A Ziel <b>?</b>').selectOption('data');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const drawn = page.waitForResponse((response) => response.request().postData()?.includes('"data:image') === true);
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await drawn;
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await section('Jobs');
    await section('Studio');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    expect(await page.getByRole('combobox', { name: /^Sheet/ }).inputValue()).toBe('Maße & Preise');
    expect(await page.getByLabel('Column A Ziel <b>?</b>').inputValue()).toBe('data');
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByLabel('Logo size').waitFor({ state: 'hidden' });
  });

  it('has everything again for whoever goes back from a job, and nothing for who opens the studio anew', async () => {
    await saveStyle('gäste');
    await file().setInputFiles(WORKBOOK);
    await page.getByRole('combobox', { name: /^Sheet/ }).selectOption('Maße & Preise');
    await page.getByLabel('Column A Ziel <b>?</b>').selectOption('data');
    await page.getByRole('button', { name: 'gäste' }).first().click();
    const kept = page.getByLabel('Keep the logo of “gäste”');
    await kept.waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    for (const name of ['first', 'second']) {
      await field('Name of the job').fill(name);
      await make().click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.getByText('10 % of the code').waitFor();
      await page.goBack();
      await page.getByText('2 codes cost 2 credits.').waitFor();
      expect(await kept.isChecked()).toBe(true);
      expect(await page.getByRole('combobox', { name: /^Sheet/ }).inputValue()).toBe('Maße & Preise');
    }
    await file().setInputFiles(WORKBOOK);
    await field('Name of the job').and(page.locator(':placeholder-shown')).waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await field('Name of the job').fill('third');
    await make().click();
    await page.getByText('10 % of the code').waitFor();
    const job = service.admin.database.updateTable('jobs').where('id', '=', page.url().split('/').at(-1) ?? '');
    await job.set({ status: 'failed', failure: 'cancelled' }).execute();
    await page.reload();
    await page.getByText('The tab in which you made it has it still.').waitFor();
    await page.getByRole('link', { name: 'Back to the studio' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await kept.isChecked()).toBe(true);
    expect(await page.getByRole('combobox', { name: /^Sheet/ }).inputValue()).toBe('Maße & Preise');
    await page.reload();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await field('Name of the job').fill('fourth');
    await make().click();
    await page.getByText('10 % of the code').waitFor();
    await section('Studio');
    await page.getByText('Sample code. Scans, with room to spare.').waitFor();
    expect(await kept.count()).toBe(0);
    expect(await file().inputValue()).toBe('');
  });

  it('leaves nothing in the tab of a person who signs out, or after whom somebody else signs in', async () => {
    const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    await lines().fill('WIFI:S:hall;T:WPA;P:secret;;');
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    expect(await kept()).toContain('secret');
    // So does any other page.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    const other = await signUp(service);
    await context.clearCookies();
    await signInAs(other.visitor);
    await page.goto(`${other.base}/studio`);
    await page.getByText('Sample code. Scans, with room to spare.').waitFor();
    expect(await kept()).not.toContain('secret');
    // A preview is on its way while the person signs out, and its answer comes first: it leads to the sign-in page.
    const preview = new Promise<Route>((resolve) => void page.route(/\/studio\/preview$/, resolve));
    await page.route(/\/account\/sign-out$/, async (route) => {
      const signedOut = await route.fetch({ maxRedirects: 0 });
      const answer = page.waitForResponse(/\/account\/sign-in/);
      await (await preview).continue();
      await answer;
      await route.fulfill({ response: signedOut });
    });
    const elsewhere = await context.newPage();
    await elsewhere.goto(`${other.base}/studio`);
    await elsewhere.getByLabel('Or type a few lines').fill('a third secret');
    await elsewhere.getByText('1 code costs 1 credit.').waitFor();
    await lines().fill('another secret');
    await preview;
    const signOut = page.getByRole('button', { name: 'Sign out' });
    const dialog = page.getByRole('dialog');
    await signOut.click();
    await dialog.getByText('What you added in the studio is not made into codes yet, and is lost.').waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    expect(await lines().inputValue()).toBe('another secret');
    await signOut.click();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    // The script takes the notice out of the address once the tab is empty.
    await page.waitForURL(/\/sign-in$/);
    expect(await kept()).toBe('{}');
    await elsewhere.waitForURL(/\/sign-in/);
    expect(await elsewhere.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })')).toBe('{}');
  });

  it('offers a list again whose tab was closed, with its columns and its look, until it is made or dropped', async () => {
    await file().setInputFiles(WORKBOOK);
    await page.getByRole('combobox', { name: /^Sheet/ }).selectOption('Maße & Preise');
    await page.getByLabel('Column A Ziel <b>?</b>').selectOption('data');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('#caption').fill('Hall 4');
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    const offer = () => page.locator('.note', { hasText: 'is not made yet' });
    const reopen = async () => {
      // As the browser does it when a person closes the tab.
      await page.close({ runBeforeUnload: true });
      await openTab();
      await openStudio();
    };
    await reopen();
    await offer()
      .getByText(/^Your list “odd-names.xlsx” \(2 codes\) of .+ is not made yet\./)
      .waitFor();
    // What was changed here is not lost without a question.
    await page.locator('#caption').fill('Hall 5');
    await offer().getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog', { name: 'What you added here since is lost.' }).getByText('Continue').last().click();
    await page.getByText('Your list and style are here again.', { exact: true }).waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByRole('combobox', { name: /^Sheet/ }).inputValue()).toBe('Maße & Preise');
    expect(await page.getByLabel('Column A Ziel <b>?</b>').inputValue()).toBe('data');
    expect([await page.locator('#caption').inputValue(), await lines().inputValue()]).toEqual(['Hall 4', '']);
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await make().click();
    await page.getByRole('heading', { name: 'odd-names' }).waitFor();
    await reopen();
    expect(await offer().count()).toBe(0);
    await lines().fill('two\nthree');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await reopen();
    await offer()
      .getByText(/^Your list \(2 codes\) of/)
      .waitFor();
    // Another list that is read takes its place.
    await file().setInputFiles(WORKBOOK);
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await offer().waitFor({ state: 'detached' });
    await reopen();
    await offer()
      .getByText(/^Your list “odd-names.xlsx” \(2 codes\) of/)
      .waitFor();
    await offer().getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await offer().waitFor({ state: 'detached' });
    await reopen();
    expect(await offer().count()).toBe(0);
  });

  it('keeps a list and its offer while nothing but the look is changed on the page of a style', async () => {
    await lines().fill('one\ntwo');
    await field('Name of the job').fill('My job');
    await field('Width in print, in mm').fill('20');
    const offer = page.getByText(/^Your list \(2 codes\) of .+ is not made yet\./);
    const isHere = async () => {
      await page.getByText('2 codes cost 2 credits.').waitFor();
      const values = [lines(), field('Name of the job'), field('Width in print, in mm'), field('Caption')];
      const texts = await Promise.all(values.map((control) => control.inputValue()));
      expect(texts).toEqual(['one\ntwo', 'My job', '20', '']);
      expect(await offer.count()).toBe(0);
    };
    await page.goto(`${ada.base}/studio?style=wine`);
    await offer.waitFor();
    await field('Caption').fill('Other');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await page.reload();
    await offer.waitFor();
    expect(await field('Caption').inputValue()).toBe('Other');
    await page.goBack();
    await isHere();
    await page.goForward();
    await offer.waitFor();
    await section('Studio');
    await page.getByText('Your list and style are here again.').waitFor();
    await isHere();
    // A list takes its place, and the browser fills in nothing of the page before.
    await page.goBack();
    await offer.waitFor();
    await lines().fill('three');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.goBack();
    await page.getByText(/^Your list \(1 code\) of .+ is not made yet\./).waitFor();
    expect(await lines().inputValue()).toBe('');
    const kept = await page.evaluate<string[]>('Object.keys(sessionStorage)');
    expect(kept.filter((name) => name.includes(' look'))).toEqual([]);
  });

  it('shows a list again to whoever goes back to the page of a style after the list went on elsewhere', async () => {
    await lines().fill('one\ntwo');
    await page.getByRole('button', { name: 'Wine' }).click();
    await page.waitForURL(/\?style=wine$/);
    await section('Studio');
    await page.getByText('Your list and style are here again.').waitFor();
    await lines().fill('one\ntwo\nthree');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.goBack();
    await page.waitForURL(/\?style=wine$/);
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await lines().inputValue()).toBe('one\ntwo\nthree');
    await page.goForward();
    const offer = page.getByText(/^Your list \(3 codes\) of .+ is not made yet\./);
    await offer.waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
  });

  it('asks whoever signs out about a look that was changed and not saved', async () => {
    const signOut = page.getByRole('button', { name: 'Sign out' });
    const dialog = page.getByRole('dialog', { name: 'not saved as a style' });
    await field('Caption').fill('Hall 4');
    await signOut.click();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await page.getByText('Save this style').click();
    await field('Name of the style').fill('Hall');
    await page.getByRole('button', { name: 'Save style' }).click();
    await page.getByText('The style is saved.').waitFor();
    await field('Caption').fill('Hall 5');
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await signOut.click();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await section('Studio');
    await page.getByText('Your style is here again.').waitFor();
    await page.getByText('Save this style').click();
    await field('Name of the style').fill('Hall 5');
    // A change while the service saves is not saved.
    const saving = new Promise<Route>((resolve) => void page.route(/\/styles$/, resolve));
    await page.getByRole('button', { name: 'Save style' }).click();
    const request = await saving;
    await field('Caption').fill('Hall 6');
    await request.continue();
    await page.getByText('The style is saved.').waitFor();
    await signOut.click();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await page.unroute(/\/styles$/);
    await field('Name of the style').fill('Hall 6');
    await field('Name of the style').press('Enter');
    await page.getByText('The style is saved.').waitFor();
    await signOut.click();
    await page.getByText('You are signed out.').waitFor();
  });

  it('offers the look that was changed beside a list to that list, and shows it on the page of its style', async () => {
    await lines().fill('one\ntwo');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.goto(`${ada.base}/studio?style=wine`);
    const offer = page.getByText(/^Your list \(2 codes\) of .+ is not made yet\./);
    await offer.waitFor();
    await field('Caption').fill('Other');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.goto(`${ada.base}/studio?style=wine`);
    await page.getByText('Your style is here again.').waitFor();
    await offer.waitFor();
    expect(await field('Caption').inputValue()).toBe('Other');
    await section('Studio');
    await page.getByText('Your list and style are here again.').waitFor();
    expect([await field('Caption').inputValue(), await field('Colour').inputValue()]).toEqual(['', '#000000']);
    await page.getByRole('button', { name: 'Use that look' }).click();
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect([await field('Caption').inputValue(), await field('Colour').inputValue()]).toEqual(['Other', '#6b1f3a']);
    expect(await lines().inputValue()).toBe('one\ntwo');
    expect(await page.getByRole('button', { name: 'Use that look' }).count()).toBe(0);
  });

  /** Makes a list beside which a look was changed on the page of a style. */
  async function makeListBesideLook(): Promise<void> {
    await lines().fill('one\ntwo');
    await field('Name of the job').fill('My job');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.goto(`${ada.base}/studio?style=wine`);
    await page.getByText(/^Your list \(2 codes\) of .+ is not made yet\./).waitFor();
    await field('Caption').fill('Other');
    await page.goBack();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await make().click();
    await page.getByRole('heading', { name: 'My job' }).waitFor();
  }

  it('gives a list the look that was changed beside it after that list is made, too', async () => {
    await makeListBesideLook();
    await page.goBack();
    // With another look it is another job.
    await page.getByRole('button', { name: 'Use that look' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await section('Studio');
    await page.getByText('Your list and style are here again.').waitFor();
    expect([await field('Caption').inputValue(), await lines().inputValue()]).toEqual(['Other', 'one\ntwo']);
  });

  it('shows a look that was changed beside a list once that list is made', async () => {
    await makeListBesideLook();
    await section('Studio');
    await page.getByText('Your style is here again.').waitFor();
    expect([await field('Caption').inputValue(), await lines().inputValue()]).toEqual(['Other', '']);
  });

  it('tells each of two tabs with lists that only one is kept, and keeps the one that was changed last', async () => {
    const first = page;
    const warning = (tab: Page) => tab.getByText('only the list that you changed last is kept.');
    const type = async (tab: Page, text: string, price: string) => {
      await tab.getByLabel('Or type a few lines').fill(text);
      await tab.getByText(price).waitFor();
    };
    await type(first, 'one\ntwo', '2 codes cost 2 credits.');
    const second = await context.newPage();
    await second.goto(`${ada.base}/studio`);
    await type(second, 'a\nb\nc', '3 codes cost 3 credits.');
    await warning(first).waitFor();
    await type(first, 'one\ntwo!', '2 codes cost 2 credits.');
    await warning(second).waitFor();
    await first.reload();
    await warning(first).waitFor({ state: 'detached' });
    await type(second, 'a\nb\nc!', '3 codes cost 3 credits.');
    await warning(first).waitFor();
    await first.reload();
    await warning(first).waitFor();
    await second.close({ runBeforeUnload: true });
    await first.close({ runBeforeUnload: true });
    await openTab();
    await page.goto(`${ada.base}/studio`);
    await page.getByText(/^Your list \(3 codes\) of/).waitFor();
  });

  it('says so in both of two tabs that begin a list, also where one is a copy of the other', async () => {
    const first = page;
    const warning = (tab: Page) => tab.getByText('only the list that you changed last is kept.');
    const type = (tab: Page, text: string) => tab.getByLabel('Or type a few lines').fill(text);
    // Both are empty when they are opened.
    const second = await context.newPage();
    await second.goto(`${ada.base}/studio`);
    await second.getByText('Sample code. Scans').waitFor();
    const kept = second.evaluate(
      `new Promise((resolve) => addEventListener('storage', ({ key }) => key.endsWith('/studio') && resolve(key)))`,
    );
    await type(first, 'one\ntwo');
    await kept;
    await type(second, 'a');
    await Promise.all([first, second].map((tab) => warning(tab).waitFor()));
    // The browser gives the copy of a tab what the tab keeps.
    const opened = context.waitForEvent('page');
    await second.evaluate('void open(location.href)');
    const copy = await opened;
    await copy.getByText('1 code costs 1 credit.').waitFor();
    await second.reload();
    await second.getByText('1 code costs 1 credit.').waitFor();
    expect(await warning(second).count()).toBe(0);
    await type(copy, 'b');
    await warning(second).waitFor();
    await type(second, 'c');
    await warning(copy).waitFor();
  });

  it('keeps a list, and how it is read, when a file that is none is chosen', async () => {
    await file().setInputFiles(csv('url,note\na,One\n,two\nb,Three'));
    await page.getByLabel('Column B note').selectOption('caption');
    const skip = page.getByLabel('Skip the faulty row and make the other 2');
    await skip.check();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const isKept = async () => {
      await page.getByText('2 codes cost 2 credits.').waitFor();
      expect(await page.getByLabel('Column B note').inputValue()).toBe('caption');
      expect(await skip.isChecked()).toBe(true);
    };
    await file().setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: logo(40) });
    const isPicture = 'The file is a picture. Save it as CSV or XLSX.';
    await page.getByText(`“photo.jpg” is not taken. ${isPicture} The list is still “list.csv”.`).waitFor();
    await page.locator('[data-chosen=file]').getByText('list.csv', { exact: true }).waitFor();
    await isKept();
    await page.route(/\/studio\/check$/, async (route) => {
      const html = '<h1>Too much.</h1><p>What you sent is larger than 102 MB.</p>';
      await route.fulfill({ status: 413, contentType: 'text/html', body: html });
      await page.unroute(/\/studio\/check$/);
    });
    await file().setInputFiles({ name: 'huge.csv', mimeType: 'text/csv', buffer: Buffer.from('data') });
    const isLarge = '“huge.csv” is not taken. The file could not be read. What you sent is larger than 102 MB.';
    await page.getByText(`${isLarge} The list is still “list.csv”.`).waitFor();
    await isKept();
    complaints.length = 0;
    await file().setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') });
    await page.getByText('The file “empty.csv” is empty. The list is still “list.csv”.').waitFor();
    await isKept();
    await page.reload();
    await isKept();
    // A list that is wrong takes the place of the one before: its person mends it.
    await file().setInputFiles(csv('data;filename\n"open'));
    await page.getByText('the quote that opens this cell is not closed').waitFor();
    await page.locator('#reason').getByText('See the problem under your file.').waitFor();
  });

  it('asks for a file again that is too large to be kept', async () => {
    await lines().fill('one\ntwo');
    const rows = `data\n${'https://example.org/a-file-that-is-larger-than-a-tab-keeps\n'.repeat(60_000)}`;
    await file().setInputFiles(csv(rows));
    await page.getByText('You need 59,500 credits more.').waitFor();
    // The lines, which the file has replaced, make no codes until they are changed.
    for (const _ of ['once', 'again']) {
      await page.reload();
      await page.getByText('Choose “list.csv” once more.').waitFor();
      await page.getByText('Choose “list.csv” once more, or change the lines').waitFor();
      expect(await page.getByRole('button', { name: 'Make codes' }).isDisabled()).toBe(true);
    }
    await lines().fill('one\ntwo\nthree');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await page.getByRole('button', { name: 'Make codes' }).isEnabled()).toBe(true);
  });

  it('holds the width that is asked for, whatever list and resolution there are, and says what cannot be had', async () => {
    const width = field('Width in print, in mm');
    const said = page.locator('#size');
    const style = () => Promise.all([scale(), dpi()]);
    await width.fill('50');
    // 25 modules, and 4 on each side.
    const whole = 'All pictures are 50 mm wide, with the empty border.';
    await said.getByText(`${whole} The code itself is 37.8 mm wide. It scans from about 38 cm.`).waitFor();
    await page.getByText('More: resolution').click();
    // Of 143 modules, each of 0.35 mm.
    await width.fill('53');
    await lines().fill('a'.repeat(1_500));
    await said.getByText(/The code itself is 50\.\d mm wide\. It scans from about 28 cm\./).waitFor();
    await lines().fill('');
    await width.fill('50');
    await page.getByLabel('Quiet zone').fill('16');
    await said.getByText(`${whole} The code itself is 22 mm wide. It scans from about 22 cm.`).waitFor();
    await page.getByLabel('Quiet zone').fill('0');
    await said.getByText('All pictures are 50 mm wide. Scans from about 50 cm.').waitFor();
    await page.getByLabel('Quiet zone').fill('4');
    // The widest code is none of those that are drawn.
    const short = Array.from({ length: 9 }, (_, row) => `https://example.org/${row}`);
    await file().setInputFiles(csv(['data', ...short, `https://example.org/${'long/'.repeat(20)}`].join('\n')));
    await said.getByText(/^The widest picture is 50 mm, the narrowest 31.\d mm/).waitFor();
    await page.getByLabel('Size of the codes').selectOption('All codes the same size');
    await said.getByText('All pictures are 50 mm wide').waitFor();
    expect(await width.inputValue()).toBe('50');
    // 53 modules: version 7 and the quiet zone.
    const widthOfAll = async () => {
      return (53 * (await scale()) * 25.4) / (await dpi());
    };
    // While the file is being read, the width is that of a sample.
    await expect.poll(widthOfAll, { timeout: 20_000 }).toBeCloseTo(50, 0);
    const resolution = page.getByLabel('Resolution in print');
    await resolution.selectOption('203');
    await said
      .getByText(
        /^At 203 dpi, the widest picture can be 46\.4 mm or 53\.1 mm, not 50 mm: .+ It will be 46\.4 mm\. “296 dpi, for this width” gives 50 mm/,
      )
      .waitFor();
    expect(await said.getAttribute('class')).toContain('danger');
    await page.getByRole('link', { name: '1 warning', exact: true }).and(page.locator('.danger')).waitFor();
    await make().click();
    const question = page.getByRole('dialog', { name: 'Make codes of another width?' });
    await question.getByText('It will be 46.4 mm.').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    expect(await width.inputValue()).toBe('50');
    await resolution.selectOption('600');
    await said.getByText(/^At 600 dpi, the widest picture can be 4[89]\.\d mm or 5[01]\.\d mm, not 50 mm/).waitFor();
    expect(await said.getAttribute('class')).toContain('danger');
    // The choice for the width is no coarser, and stays so.
    await resolution.selectOption({ index: 0 });
    await said.getByText('All pictures are 50 mm wide').waitFor();
    expect(await style()).toEqual([23, 619]);
    await page.reload();
    await said.getByText('All pictures are 50 mm wide').waitFor();
    await expect.poll(style).toEqual([23, 619]);
    await page.getByText('More: resolution').click();
    await resolution.selectOption('203');
    // The scale follows, and shows that it does.
    await page.getByText('Pixels per module: 7', { exact: true }).waitFor();
    await page.getByText('Follows the width in print.').waitFor();
    expect(await page.getByLabel('Pixels per module').isDisabled()).toBe(true);
    // Another preview changes nothing of it, and the choice for the width stays in the list.
    const caption = page.getByRole('textbox', { name: 'Caption' });
    await caption.fill('Hall 4');
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    expect(await style()).toEqual([7, 203]);
    await page.getByText('Caption size: 28, 7 pt in print', { exact: true }).waitFor();
    // A caption of 16 pixels at scale 10.
    await page.getByLabel('Caption size').fill('16');
    await page.getByText('Caption size: 16, 4 pt in print', { exact: true }).waitFor();
    const tooSmall = 'The caption is too small to read in print: at least 5 pt, size 20.';
    await page.locator('#fontSize-hint').getByText(tooSmall).waitFor();
    await page.locator('#warnings').getByText(tooSmall).waitFor();
    const counted = page.getByRole('link', { name: '2 warnings', exact: true });
    await counted.waitFor();
    await page.getByRole('button', { name: 'Use size 20' }).click();
    await page.getByText('Caption size: 20, 5 pt in print', { exact: true }).waitFor();
    expect(await page.getByLabel('Caption size').inputValue()).toBe('20');
    await page.locator('#fontSize-hint').getByText(tooSmall).waitFor({ state: 'hidden' });
    await counted.waitFor({ state: 'hidden' });
    await page.locator('#warnings').getByRole('button', { name: 'Use 296 dpi' }).click();
    await said.getByText('All pictures are 50 mm wide').waitFor();
    expect(await resolution.locator(':checked').textContent()).toBe('296 dpi, for this width');
    await page.getByText('Pixels per module: 11', { exact: true }).waitFor();
    await caption.fill('');
    await width.fill('13,5');
    await said
      .getByText(
        'All pictures are 13.5 mm wide, with the empty border. The code itself is 11.5 mm wide. It scans from about 11 cm.',
      )
      .waitFor();
    await width.fill('12,5');
    await said
      .getByText('All pictures are 12.5 mm wide, with the empty border. Too small to scan in print: at least 13.3 mm.')
      .waitFor();
    await page.getByText('First code. Scans on the screen, but is too small in print.').waitFor();
    // Codes of another width than is asked for cost credits all the same.
    const isInTheWay = async (text: string) => {
      await said.getByText(text).waitFor();
      await page.locator('#reason').getByText('Correct the width in print first.').waitFor();
      expect(await make().isDisabled()).toBe(true);
    };
    await width.fill('2000');
    await isInTheWay('2,000 mm is too wide for one picture: 747.9 mm is the most.');
    await resolution.selectOption('600');
    await isInTheWay('2,000 mm is too wide for one picture: 747.9 mm is the most.');
    await width.fill('700');
    await isInTheWay('700 mm is too wide at 600 dpi: 89.7 mm is the most. “77 dpi, for this width” gives 700 mm.');
    await said.getByRole('button', { name: 'Use 77 dpi' }).click();
    await said.getByText('699.3 mm is the nearest to 700 mm.').waitFor();
    await resolution.selectOption('600');
    await width.fill('1');
    await isInTheWay('1 mm is too small at 600 dpi: 2.2 mm is the least.');
    await resolution.selectOption({ index: 0 });
    await width.fill('700');
    await said.getByText('699.3 mm is the nearest to 700 mm.').waitFor();
    await width.fill('450');
    await said.getByText('448.7 mm is the nearest to 450 mm.').waitFor();
    await width.fill('wide');
    await isInTheWay('Type a width such as 30 mm, 3 cm or 1.2 in.');
    await width.fill('50');
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    await page.getByText(/11 px per module, 296 dpi/).waitFor();
    await page.getByText('50 mm at 296 dpi').waitFor();
  });

  it('holds the width after a reload, in which another list may need another resolution', async () => {
    const said = page.locator('#size');
    await lines().fill('https://berg-druck.example/karte/1');
    await field('Width in print, in mm').fill('47');
    await said.getByText('All pictures are 47 mm wide').waitFor();
    expect(await dpi()).toBe(300);
    // Whoever goes back from a printer to the choice for the width has chosen none, whatever resolution the width needs.
    await page.getByText('More: resolution').click();
    await page.getByLabel('Resolution in print').selectOption('203');
    await said.getByText('At 203 dpi, the widest picture can be').waitFor();
    await page.getByLabel('Resolution in print').selectOption({ index: 0 });
    await said.getByText('All pictures are 47 mm wide').waitFor();
    expect(await dpi()).toBe(300);
    await page.reload();
    await said.getByText('All pictures are 47 mm wide').waitFor();
    await lines().fill('https://berg-druck.example/karte/1?utm_source=schaufenster');
    await expect.poll(dpi).not.toBe(300);
    await said.getByText('All pictures are 47 mm wide').waitFor();
    // A printer that is chosen stays.
    await page.getByText('More: resolution').click();
    await page.getByLabel('Resolution in print').selectOption('300');
    await said.getByText('At 300 dpi, the widest picture can be').waitFor();
    await page.reload();
    await said.getByText('At 300 dpi, the widest picture can be').waitFor();
    await make().click();
    await page.getByRole('dialog', { name: 'Make codes of another width?' }).getByText('not 47 mm').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    await field('Width in print, in mm').fill('2 in');
    await said.getByText('not 50.8 mm').waitFor();
  });

  it('finds the scale for the sizes of a list that is chosen after its width, and has the one before again without a width', async () => {
    const width = field('Width in print, in mm');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await width.fill('80');
    await expect.poll(scale).toBe(40);
    const texts = [24, 72].map((times) => 'Water it. '.repeat(times));
    const list = csv(`data\n${texts.join('\n')}\n`);
    await file().setInputFiles(list);
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByText(/^The widest picture is 80 mm/).waitFor();
    expect(await scale()).toBeLessThan(20);
    await page.reload();
    await page.getByText(/^The widest picture is 80 mm/).waitFor();
    await width.fill('');
    await expect.poll(scale).toBe(10);
    await page.reload();
    await page.getByText(/^Now .+ at 300 dpi/).waitFor();
    expect(await scale()).toBe(10);
    // A list that is refused for a scale that a person chose is read again once another one follows a width.
    await page.getByText('More: resolution').click();
    await page.getByLabel('Pixels per module').fill('40');
    await file().setInputFiles(list);
    await page.getByText('px wide; at most 4096 px are allowed').first().waitFor();
    await width.fill('80');
    await page.getByText('2 codes cost 2 credits.').waitFor();
  });

  it('fills in the width of a job with a logo that is made again', async () => {
    await lines().fill('https://example.org/products/1');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await field('Width in print, in mm').fill('35');
    await page.locator('#size').getByText('All pictures are 35 mm wide').waitFor();
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.locator('#size').getByText('All pictures are 35 mm wide').waitFor();
    await file().setInputFiles(csv('url\nhttps://example.org/products/1?utm_source=catalogue&utm_campaign=winter\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.locator('#size').getByText('All pictures are 35 mm wide').waitFor();
    expect(await field('Width in print, in mm').inputValue()).toBe('35');
  });

  it('holds the width of a job that is made again while another list waits, and names the size of codes that a style has not', async () => {
    await saveStyle('doors');
    await lines().fill('https://example.org/products/1');
    await field('Size of the codes').selectOption('All codes the same size');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await field('Width in print, in mm').fill('30');
    const isOrdered = () => page.locator('#size').getByText('All pictures are 30 mm wide').waitFor();
    await isOrdered();
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    const job = page.url();
    await section('Studio');
    await file().setInputFiles(csv('url\nhttps://example.org/4\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.goto(job);
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.locator('.note', { hasText: 'is not made yet' }).waitFor();
    await isOrdered();
    await file().setInputFiles(csv(`url\nhttps://example.org/${'long/'.repeat(9)}\n`));
    await page.getByText('1 code costs 1 credit.').waitFor();
    await isOrdered();
    await page.reload();
    await isOrdered();
    await page.getByRole('button', { name: 'doors' }).click();
    await page.getByText('Size of the codes: As small as each text allows.').waitFor();
    const values = ['Width in print, in mm', 'Size of the codes'].map((label) => field(label).inputValue());
    expect(await Promise.all(values)).toEqual(['30', 'same']);
    await make().click();
    await page.getByText('30 mm at').waitFor();
  });

  it('asks before it makes codes without the logo that was chosen', async () => {
    await lines().fill('one');
    await field('Logo').setInputFiles({ name: 'odd.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await make().click();
    const question = page.getByRole('dialog', { name: 'Make codes without your logo?' });
    await question.getByText('“odd.png” is not taken. This file cannot be read as a picture.').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    await page.reload();
    await page.getByText('Choose “odd.png” once more.').waitFor();
    await make().click();
    await question.getByText('“odd.png” is not here: the codes have no logo.').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  });

  it('makes codes with the logo of a saved style, whatever became of another one', async () => {
    await saveStyle('Boats');
    await lines().fill('one');
    const odd = { name: 'odd.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    const refused = page.getByText('This file cannot be read as a picture.');
    await field('Logo').setInputFiles(odd);
    await refused.waitFor();
    await page.getByRole('button', { name: 'Boats' }).click();
    await page.getByLabel('Keep the logo of “Boats”').waitFor();
    await refused.waitFor({ state: 'detached' });
    await field('Logo').setInputFiles(odd);
    await refused.and(page.getByText('The codes have the logo of “Boats”.')).waitFor();
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  });

  it('holds the width for more lines than it shows, and names the line that does not fit', async () => {
    const long = `https://example.org/${'long/'.repeat(20)}`;
    await field('Width in print, in mm').fill('50');
    await lines().fill(`a\nb\n\nc\nd\n${long}\ne`);
    await page.getByText(/^The widest picture is 50 mm, the narrowest 2\d.?\d? mm/).waitFor();
    // The longest line has digits alone: the widest code, of 41 modules with the quiet zone, is that of another one.
    await lines().fill(`a\nb\n${'x'.repeat(60)}\n${'1'.repeat(90)}\nc`);
    await lines().blur();
    const widest = async () => {
      return (41 * (await scale()) * 25.4) / (await dpi());
    };
    await expect.poll(widest, { timeout: 20_000 }).toBeCloseTo(50, 0);
    await lines().fill(`a\nb\n\nc\nd\n${'x'.repeat(2_400)}\ne`);
    await page.locator('#warnings').getByText('Line 6 is too long for a QR code: 2,400 of 2,331 bytes.').waitFor();
  });

  it('takes version and colours of a style as they are, whatever was written before', async () => {
    await new StyleStore(service.admin.database).save({ personId: '', address: '' }, ada.organisationId, 'signs', {
      style: { version: 7, foreground: '#1b3a5c' },
    });
    await page.reload();
    await page.getByLabel('Colour as #rrggbb').fill('no colour');
    await page.locator('#foreground-text').getByText('“no colour” is no colour.').waitFor();
    await page.getByRole('button', { name: 'signs' }).first().click();
    await page.getByLabel('Size of the codes').getByText('Version 7 for all').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Colour as #rrggbb').inputValue()).toBe('#1b3a5c');
    expect(await page.getByLabel('Size of the codes').inputValue()).toBe('7');
    await page.getByRole('link', { name: 'Manage saved styles' }).click();
    await page.getByRole('button', { name: 'Delete signs' }).waitFor();
  });

  it('keeps the caption and the width that were typed when a style is chosen, and offers those of the style', async () => {
    const styles = new StyleStore(service.admin.database);
    const save = (name: string, text: string) =>
      styles.save({ personId: '', address: '' }, ada.organisationId, name, {
        widthMm: '25',
        style: { foreground: '#1b3a5c', caption: { text } },
      });
    await save('doors', 'Open here');
    await save('signs', 'Welcome');
    await page.reload();
    const choose = async (name: string) => {
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('button', { name }).and(page.locator('[aria-current]')).waitFor();
    };
    const texts = async () => [await field('Caption').inputValue(), await field('Width in print, in mm').inputValue()];
    await choose('doors');
    await choose('signs');
    expect(await texts()).toEqual(['Welcome', '25']);
    await field('Caption').fill('Hall 3');
    await field('Width in print, in mm').fill('30');
    await field('Name of the job').fill('fair');
    await field('Format').selectOption('SVG');
    await field('Size of the codes').selectOption('All codes the same size');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    const half = { name: 'half.png', mimeType: 'image/png', buffer: logo(40).subarray(0, 60) };
    await field('Logo').setInputFiles(half);
    await page.getByText('“half.png” is not taken. The end of this picture is missing.').waitFor();
    await page.getByText('The logo is still “logo.png”.').waitFor();
    await choose('doors');
    await page.getByText('What you chose stays.').waitFor();
    expect(await texts()).toEqual(['Hall 3', '30']);
    expect(await field('Name of the job').inputValue()).toBe('fair');
    expect(await field('Format').inputValue()).toBe('svg');
    expect(await field('Size of the codes').inputValue()).toBe('same');
    // The style has none.
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await page.getByRole('button', { name: 'Use those of the style' }).click();
    expect(await texts()).toEqual(['Open here', '25']);
    expect(await field('Size of the codes').inputValue()).toBe('smallest');
    await choose('signs');
    expect(await texts()).toEqual(['Welcome', '25']);

    // A style that was saved as the form is now has nothing else, its logo neither.
    await page.getByText('Save this style').click();
    const saveAs = async (style: string) => {
      await field('Name of the style').fill(style);
      await page.getByRole('button', { name: 'Save style' }).click();
    };
    await saveAs('fair');
    await page.getByText('The style is saved.').waitFor();
    await choose('Sand');
    await choose('fair');
    // Its logo is not kept beside a person's own.
    const kept = page.getByLabel('Keep the logo of “fair”');
    await kept.waitFor({ state: 'hidden' });
    const stays = page.getByText('What you chose stays.');
    expect(await stays.count()).toBe(0);
    await field('Logo').setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: logo(50) });
    await page.locator('[data-chosen=logo]').getByText('other.png').waitFor();
    await choose('fair');
    await stays.and(page.getByText('Logo: its own.')).waitFor();
    await saveAs('fair');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace style' }).click();
    await page.getByText('The style is saved.').waitFor();
    await stays.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByText('The codes have no logo now.').waitFor();
    expect(await kept.isChecked()).toBe(false);
    await kept.check();
    await page.getByText('Sample code. Scans').waitFor();
  });

  it('asks before it replaces a style, and says that a style needs a name', async () => {
    await page.getByText('Save this style').click();
    const save = page.getByRole('button', { name: 'Save style' });
    await save.click();
    await page.getByText('Type a name for the style first.').waitFor();
    await field('Name of the style').fill('gäste');
    await save.click();
    await page.getByText('The style is saved.').waitFor();
    await page.getByRole('button', { name: 'gäste' }).and(page.locator('[aria-current]')).waitFor();
    const [before = ''] = /style=\w{26}$/.exec(page.url()) ?? [];
    await page.getByText('Saved styles (1)').click();
    await page.getByRole('button', { name: 'Delete gäste' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await field('Caption').fill('Welcome');
    await save.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Replace “gäste” for everybody?').waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    const styles = new StyleStore(service.admin.database);
    const captions = async () =>
      (await styles.list(ada.organisationId)).map(({ id, meta }) => [`style=${id}`, meta.style?.caption?.text]);
    expect(await captions()).toEqual([[before, undefined]]);
    await save.click();
    await dialog.getByRole('button', { name: 'Replace style' }).click();
    const saved = page.getByText('The style is saved.');
    await saved.waitFor();
    expect(await captions()).toEqual([[before, 'Welcome']]);
    await page.locator('#caption').fill('Goodbye');
    await saved.waitFor({ state: 'detached' });
  });

  it('says that no codes can be drawn, and goes on once they can', async () => {
    await lines().fill('one');
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    expect(await make().isEnabled()).toBe(true);
    await page.route('**/preview', (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, body: '' }),
    );
    await lines().fill('two');
    await page.locator('#reason').getByText('The service draws no codes at the moment.').waitFor();
    expect(await make().isDisabled()).toBe(true);
    expect(await page.locator('[data-reading]').textContent()).toBe('');
    await page.unroute('**/preview');
    await page.locator('#reason').waitFor({ state: 'hidden' });
    expect(await make().isEnabled()).toBe(true);
    await page.route(/\/studio$/, (route) => route.abort());
    await make().click();
    const alert = page.getByText('The service did not answer. Your lines are still here. Try again.');
    await alert.waitFor();
    // It is about the form as it was sent.
    await lines().fill('three');
    await alert.waitFor({ state: 'detached' });
    complaints.length = 0;
  });

  it('makes codes of one size with a logo for which the error correction is raised', async () => {
    const circle =
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle cx="100" cy="100" r="92" fill="#c00"/></svg>';
    const products = Array.from(
      { length: 30 },
      (_, row) => `https://shop.example/products/mug-${row}${row % 2 === 0 ? '' : '?variant=43123456781'}`,
    );
    await file().setInputFiles(csv(['url', ...products].join('\n')));
    await page.getByText('30 codes cost 30 credits.').waitFor();
    await page.getByLabel('Size of the codes').selectOption('All codes the same size');
    await field('Logo').setInputFiles({ name: 'l.png', mimeType: 'image/png', buffer: rasterise(Buffer.from(circle)) });
    await page.getByLabel('Logo size').fill('30');
    await page.getByText(/^Error correction is raised from M/).waitFor({ state: 'attached' });
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  });

  it('leaves the error correction after a reload as the codes of the list need it, not the sample', async () => {
    const wide = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><path d="M0 0h300v80H0z"/></svg>';
    const products = Array.from({ length: 3 }, (_, row) => `https://shop.example/${'products/'.repeat(8)}${row}`);
    await page.getByText('More: resolution').click();
    await file().setInputFiles(csv(['url', ...products].join('\n')));
    await page.getByText('First code. Scans').waitFor();
    await field('Logo').setInputFiles({ name: 'wide.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(wide) });
    await page.getByLabel('Logo size').fill('30');
    await page.locator('[data-chosen=logo]').getByText('wide.svg').waitFor();
    await page.getByText('First code. Scans').waitFor();
    const level = page.getByLabel('Error correction');
    const before = await level.inputValue();
    await page.waitForLoadState('networkidle');
    await page.reload();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.getByText('First code. Scans').waitFor();
    // A slow machine draws the sample, and then reads the list.
    await page.waitForLoadState('networkidle', { timeout: 50_000 });
    expect(await level.inputValue()).toBe(before);
  });

  it('takes back the higher error correction with the logo, or the size, that needed it', async () => {
    await page.getByText('More: resolution').click();
    const raised = page.getByText(/^Error correction is raised from M/);
    const level = page.getByLabel('Error correction');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(200) });
    await page.getByLabel('Logo size').fill('30');
    await raised.waitFor();
    expect(await level.inputValue()).toBe('H');
    // No level is enough for codes as small as these.
    await lines().fill('A1\nB2');
    await page.locator('#warnings').getByText('Make it smaller').waitFor();
    expect(await level.inputValue()).toBe('H');
    await lines().fill('');
    await page.locator('#warnings').getByText('Make it smaller').waitFor({ state: 'detached' });
    await page.getByLabel('Logo size').fill('10');
    await raised.waitFor({ state: 'hidden' });
    expect(await level.inputValue()).toBe('M');
    await page.getByLabel('Logo size').fill('30');
    await raised.waitFor();
    // A draft remembers what was chosen.
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await section('Studio');
    await raised.waitFor();
    await page.getByLabel('Logo size').fill('10');
    await raised.waitFor({ state: 'hidden' });
    expect(await level.inputValue()).toBe('M');
    await page.getByLabel('Logo size').fill('30');
    await raised.waitFor();
    // A file that is no picture takes the place of no logo.
    await field('Logo').setInputFiles({ name: 'odd.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('“odd.png” is not taken. This file cannot be read as a picture.').waitFor();
    await page.getByText('The logo is still “logo.png”.').waitFor();
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await raised.waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await raised.waitFor({ state: 'hidden' });
    expect(await level.inputValue()).toBe('M');
    const unseen = page.getByText('Codes hardly show this logo');
    const choose = (buffer: Buffer) => field('Logo').setInputFiles({ name: 'l.png', mimeType: 'image/png', buffer });
    const clear = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';
    await choose(Buffer.from(clear, 'base64'));
    await unseen.waitFor();
    await choose(logo(200));
    await unseen.waitFor({ state: 'hidden' });
    // A white logo can be seen on another colour.
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z" fill="#fff"/></svg>';
    await choose(rasterise(Buffer.from(svg)));
    await unseen.waitFor();
    await page.locator('#background').fill('#1b3a5c');
    await unseen.waitFor({ state: 'hidden' });
  });

  it('shows the end of many warnings above the bar', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText('More: resolution').click();
    // No other level is chosen for the logo, and the list is not checked again.
    await page.getByLabel('Error correction').selectOption('H');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(16) });
    await page.locator('#logo-pixels').getByText('The logo has 16 × 16 pixels').waitFor();
    await file().setInputFiles(csv('url\nhttps://example.org/1\nhttps://example.org/2\nhttps://example.org/3\n'));
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.locator('#foreground').fill('#bbbbbb');
    await page.locator('#margin').fill('0');
    const check = page.getByRole('button', { name: 'Check all 3 codes in this style' });
    await check.waitFor();
    await page.locator('#warnings').getByText('The logo has 16 × 16 pixels').waitFor();
    await page.locator('#warnings').getByText('The quiet zone').waitFor();
    await page.locator('#caption').evaluate((caption) => caption.scrollIntoView({ block: 'center' }));
    const [end, bar] = await Promise.all(['.preview', '.bar'].map((part) => page.locator(part).boundingBox()));
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  });

  it('says beside the logo, and with the warnings, that it has too few pixels for its width in print', async () => {
    const coarse = ['#logo-pixels', '#warnings'].map((place) =>
      page.locator(place).getByText('The logo has 16 × 16 pixels'),
    );
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(16) });
    await field('Width in print, in mm').fill('10 cm');
    for (const each of coarse) await each.waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    for (const each of coarse) await each.waitFor({ state: 'hidden' });
  });

  it('says that a code scans only just, as its job will', async () => {
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(200) });
    await page.getByText('More: resolution').click();
    await page.getByLabel('Error correction').selectOption('M');
    await page.getByLabel('Logo size').fill('28');
    await lines().fill('https://example.org/room/1');
    await page.getByText('First code. Scans, but only just: make the logo smaller.').waitFor();
    // A round one is cut off, and has a size at which it is not.
    await field('Logo').setInputFiles({ name: 'd.png', mimeType: 'image/png', buffer: discLogo() });
    await page.getByLabel('Logo size').fill('18');
    await lines().fill('A1');
    const isCut = page.locator('#warnings').getByText('The edge of the logo is cut off');
    await isCut.waitFor();
    await page.getByRole('button', { name: 'Use 15 %' }).click();
    await isCut.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Logo size').inputValue()).toBe('15');
    // A logo that is chosen after the list may be too large for codes that are not drawn.
    const long = Array.from({ length: 4 }, (_, row) => `https://example.org/${'room/'.repeat(20)}${row}`);
    await page.getByLabel('Error correction').selectOption('H');
    await page.getByLabel('Logo size').fill('8');
    await file().setInputFiles(csv(`url\n${long.join('\n')}\nA1\n`));
    await page.getByText('5 codes cost 5 credits.').waitFor();
    await page.getByLabel('Logo size').fill('30');
    await make().click();
    const question = page.getByRole('dialog', { name: 'Make codes that may not scan?' });
    await question.getByText('1 of 5 codes is affected: row 6.').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    await page.getByLabel('Logo size').fill('8');
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  });

  it('says that a pale code scans with few scanners, and frames no style whose colours were changed', async () => {
    const framed = page.locator('[data-tiles] [aria-current]');
    await page.getByRole('button', { name: 'Green' }).click();
    await expect.poll(() => framed.allTextContents()).toEqual(['Green']);
    await page.getByLabel('Colour as #rrggbb').fill('#a0a0a0');
    await page.getByText('Sample code. Scans here, but not with every scanner: see the warning.').waitFor();
    expect(await framed.count()).toBe(0);
    await page.getByLabel('Colour as #rrggbb').fill('#f3f8f0');
    await page.locator('[data-reading].danger', { hasText: 'Sample code. Does not scan.' }).waitFor();
    await page.getByLabel('Colour as #rrggbb').fill('#a0a0a0');
    await page.locator('[data-reading]:not(.danger)', { hasText: 'Sample code. Scans here' }).waitFor();
    await page.reload();
    await page.getByText('Sample code. Scans here, but not').waitFor();
    expect(await framed.count()).toBe(0);
    // Nobody pays by mistake for codes of no use.
    await page.getByLabel('Colour as #rrggbb').fill('#f3f8f0');
    await lines().fill('one');
    await page.getByText('First code. Does not scan.').waitFor();
    const question = page.getByRole('dialog', { name: 'Make codes that may not scan?' });
    await make().click();
    await question.getByRole('button', { name: 'Go back' }).click();
    await make().click();
    await question.getByText('Line 1 does not scan: choose other colours, or a smaller logo.').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    // A preview can be read, and print or most scanners cannot.
    await page.getByLabel('Colour as #rrggbb').fill('#ffe066');
    await make().click();
    await question.getByText('scanners need at least 3:1.').waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    await page.getByLabel('Colour as #rrggbb').fill('#000000');
    await field('Width in print, in mm').fill('3');
    await make().click();
    await question.getByText('scanners need at least 0.250 mm.').waitFor();
    expect(await question.getByText('contrast').count()).toBe(0);
    await question.getByRole('button', { name: 'Make them anyway' }).click();
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor();
    await page.getByText('In print, many scanners can’t read these codes').waitFor();
  });

  it('marks the text as UTF-8 from the warning that asks for it', async () => {
    await file().setInputFiles(csv('SSID;Passwort;Verschlüsselung\nGäste;welcome-1;WPA\n'));
    await page.getByRole('button', { name: 'Make Wi-Fi codes' }).click();
    const said = page.locator('[data-says]').getByRole('definition');
    await expect.poll(() => said.allInnerTexts()).toEqual(['Gäste', 'welcome-1', 'WPA']);
    const warning = page.locator('#warnings').getByText('letters that some scanners misread');
    await warning.waitFor();
    await page.getByRole('button', { name: 'Mark the text as UTF-8' }).click();
    await warning.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Mark the text as UTF-8').isChecked()).toBe(true);
    // It changes how many modules a code has, and the list is checked for it.
    await page.getByRole('button', { name: 'Check the code in this style' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Blue' }).click();
    await page.getByRole('button', { name: 'Check the code in this style' }).click();
    await page.getByText('Checked the code: no problem found.').waitFor();
  });

  it('keeps the warnings about the data of a list in every look', async () => {
    const links = Array.from({ length: 30 }, (_, index) => `https://example.org/${index}`);
    const list = links.with(21, 'https://example.org/2 1').with(24, 'Hall, at the door').join('\n');
    const [spaced, plain] = ['1 of 30 codes is affected: row 23.', '1 of 30 codes is affected: row 26.'].map((text) =>
      page.locator('#warnings').getByText(text),
    );
    const counted = page.getByRole('link', { name: '2 warnings' });
    await file().setInputFiles(csv(`url\n${list}\n`));
    await counted.waitFor();
    await page.getByRole('button', { name: 'Blue' }).click();
    await page.getByRole('button', { name: 'Check all 30 codes in this style' }).waitFor();
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    await page.getByLabel('Colour as #rrggbb').fill('#a0a0a0');
    await page.getByText('First code. Scans here, but not').waitFor();
    await spaced?.waitFor();
    await plain?.waitFor();
    await page.getByLabel('Colour as #rrggbb').fill('#202020');
    await counted.waitFor();
    await file().setInputFiles(csv('url\nhttps://example.org/1\n'));
    await spaced?.waitFor({ state: 'detached' });
    expect(await plain?.count()).toBe(0);
  });

  it('says what the check of all codes found', async () => {
    await file().setInputFiles(csv('url\nhttps://example.org/1\nhttps://example.org/2\n'));
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Blue' }).click();
    await page.getByRole('button', { name: 'Check all 2 codes in this style' }).click();
    await page.getByText('Checked all 2 codes: no problem found.').waitFor();
    await page.getByLabel('Colour as #rrggbb').fill('#a0a0a0');
    await page.getByText('Checked all 2 codes').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check all 2 codes in this style' }).click();
    await page.getByText('Checked all 2 codes.').waitFor();
  });

  it('says that a width in print is not that on a label sheet', async () => {
    await lines().fill('one\ntwo');
    await field('Width in print, in mm').fill('45');
    await page.getByText('All pictures are 45 mm wide').waitFor();
    const said = page.getByText('On label sheets, you choose the size with the labels.');
    expect(await said.count()).toBe(0);
    await page.getByLabel('A label sheet to print').check();
    await said.waitFor();
  });

  it('shows the lines of a job that is made again where they were typed', async () => {
    await lines().fill('https://example.org/1\n\nhttps://example.org/2');
    await field('Name of the job').fill('Spring');
    await make().click();
    for (const _ of ['unchanged', 'changed']) {
      await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
      await page.getByRole('link', { name: 'Make again' }).click();
      await page.getByText('2 codes cost 2 credits.').waitFor();
      expect(await lines().inputValue()).toBe('https://example.org/1\n\nhttps://example.org/2');
      await page.getByText(/^The codes and the style of “Spring/).waitFor();
      if (_ === 'changed') break;
      await make().click();
      await page.getByRole('heading', { name: 'Spring (2)' }).waitFor();
      await page.getByRole('link', { name: 'Spring', exact: true }).waitFor();
    }
    await lines().fill('https://example.org/3');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.reload();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await lines().inputValue()).toBe('https://example.org/3');
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    expect(await page.getByRole('link', { name: 'Spring (2)', exact: true }).count()).toBe(0);
  });

  it('names a job that is made again of another file by that file, unless a name is typed', async () => {
    await lines().fill('https://example.org/1');
    await field('Name of the job').fill('Spring');
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.getByText('The codes and the style of “Spring” are here.').waitFor();
    expect(await page.getByText('hold a width').count()).toBe(0);
    expect(await field('Name of the job').inputValue()).toBe('Spring (2)');
    await file().setInputFiles(csv('url\nhttps://example.org/2\n'));
    await expect.poll(() => field('Name of the job').inputValue()).toBe('');
    await page.getByText('The style of “Spring” is here.', { exact: true }).waitFor();
    await field('Name of the job').fill('Summer');
    await file().setInputFiles(csv('url\nhttps://example.org/3\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await field('Name of the job').inputValue()).toBe('Summer');
    await make().click();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.getByText('The codes and the style of “Summer” are here.').waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await make().click();
    await page.getByRole('link', { name: 'Summer', exact: true }).waitFor();
    await page.getByRole('img', { name: 'Row 2' }).first().waitFor();
  });

  it('asks before a job that is made again takes the place of a list that is not made yet', async () => {
    await lines().fill('https://example.org/1\nhttps://example.org/2\nhttps://example.org/3');
    await field('Name of the job').fill('regal');
    await make().click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    const job = page.url();
    await section('Studio');
    await file().setInputFiles({ ...csv('url\nhttps://example.org/4\nhttps://example.org/5\n'), name: 'second.csv' });
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.locator('#caption').fill('Tisch scannen');
    await field('Width in print, in mm').fill('4,5 cm');
    await field('Name of the job').fill('Café Luise');
    await field('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo(40) });
    await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
    const offer = page.locator('.note', { hasText: 'Your list “second.csv” (2 codes)' });
    const warning = page.getByText('only the list that you changed last is kept.');
    const makeAgain = async () => {
      await page.goto(job);
      await page.getByRole('link', { name: 'Make again' }).click();
    };
    const isHere = async () => {
      await page.getByText('2 codes cost 2 credits.').waitFor();
      const values = [page.locator('#caption'), field('Width in print, in mm'), field('Name of the job')];
      expect(await Promise.all(values.map((control) => control.inputValue()))).toEqual([
        'Tisch scannen',
        '4,5 cm',
        'Café Luise',
      ]);
      await page.locator('[data-chosen=logo]').getByText('logo.png').waitFor();
      await page.locator('[data-chosen=file]').getByText('second.csv').waitFor();
      expect(await warning.count()).toBe(0);
    };
    await makeAgain();
    await offer.getByText('If you make “regal” again and change it, it takes the place of this list.').waitFor();
    expect(await lines().inputValue()).toBe('');
    await offer.getByRole('button', { name: 'Continue' }).click();
    await isHere();
    // Until the job is changed, the list is still there.
    await makeAgain();
    await offer.getByRole('button', { name: 'Make “regal” again' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.getByText('The codes and the style of “regal” are here.').waitFor();
    for (const _ of ['here', 'at another showing of the page']) {
      expect(await warning.count()).toBe(0);
      await section('Jobs');
      await page.getByRole('heading', { name: 'Jobs' }).waitFor();
      await section('Studio');
      await page.getByText('3 codes cost 3 credits.').waitFor();
      await offer.waitFor();
    }
    await offer.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await isHere();
    // So it is once the job is made again as it was.
    await makeAgain();
    await offer.getByRole('button', { name: 'Make “regal” again' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await make().click();
    await page.getByRole('heading', { name: 'regal (2)' }).waitFor();
    await section('Studio');
    await offer.getByRole('button', { name: 'Continue' }).click();
    await isHere();
    await makeAgain();
    await offer.getByRole('button', { name: 'Make “regal” again' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.locator('#caption').fill('Hall 4');
    await page.reload();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await page.locator('#caption').inputValue()).toBe('Hall 4');
    expect([await offer.count(), await warning.count()]).toEqual([0, 0]);
  });

  it('has the preview in sight on a phone, from the list to the last step', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    // Before there is a list, it leaves the fields of the list in sight.
    const top = async (shown: Locator) => (await shown.boundingBox())?.y ?? -1;
    const end = (await top(lines())) + ((await lines().boundingBox())?.height ?? 0);
    expect(end).toBeLessThanOrEqual(await top(page.locator('.bar')));
    expect(await top(page.locator('.shown'))).toBeGreaterThan(end);
    for (const control of [lines(), page.locator('#caption'), field('Name of the job')]) {
      await control.fill('one');
      const { y = -1 } = (await page.getByAltText('The first code').boundingBox()) ?? {};
      // Half of the window.
      expect(y >= 0 && y < 422).toBe(true);
    }
  });

  it('shows two lines of the name of a saved style', async () => {
    for (const name of ['Shelf', 'Shelf labels for the north hall']) await saveStyle(name);
    const [one, two] = await page
      .locator('[data-style] bdi')
      .evaluateAll((names) => names.map(({ clientHeight }) => clientHeight));
    expect(two).toBe(2 * (one ?? 0));
  });

  it('gives the name of a job to no other list', async () => {
    const name = field('Name of the job');
    await lines().fill('one\ntwo');
    await name.fill('Spring');
    const makeAndReturn = async () => {
      await make().click();
      await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
      await page.goBack();
      await page.getByText('2 codes cost 2 credits.').waitFor();
    };
    await makeAndReturn();
    // A list that is corrected is the same one.
    await lines().fill('one\nthree');
    await page.getByText('First code. Scans').waitFor();
    await name.focus();
    expect(await name.inputValue()).toBe('Spring');
    await lines().fill('four\nfive');
    await name.focus();
    expect(await name.inputValue()).toBe('');
    await name.fill('Summer');
    await makeAndReturn();
    await file().setInputFiles(csv('url\nhttps://example.org/2\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await name.inputValue()).toBe('');
    await name.fill('Autumn');
    await make().click();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.getByText('The codes and the style of “Autumn” are here.').waitFor();
    await section('Jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await section('Studio');
    await page.getByText('Your list and style are here again.').waitFor();
    expect(await name.inputValue()).toBe('Autumn (2)');
    await file().setInputFiles(csv('url\nhttps://example.org/3\n'));
    await expect.poll(() => name.inputValue()).toBe('');
  });

  it('leads to a label sheet once the job is complete', async () => {
    await lines().fill('one\ntwo');
    await page.getByLabel('A label sheet to print').check();
    await make().click();
    await page.waitForURL(/\/labels$/);
    await page.getByRole('heading', { name: 'Labels' }).waitFor();
  });

  it('keeps a field that is typed into between the preview and the price, and neither in sight where lines are few', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await file().setInputFiles(csv('url,caption\nhttps://example.org/1,One\n'));
    await page.getByText('First code. Scans').waitFor();
    await file().focus();
    for (let tabs = 0; tabs < 30 && !(await lines().evaluate((element) => element.matches(':focus'))); tabs += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('https://example.org/typed');
    const place = (selector: string) => page.locator(selector).first().boundingBox();
    const [shown, bar, typed] = [await place('.shown'), await place('.bar'), await lines().boundingBox()];
    expect(typed?.y).toBeGreaterThanOrEqual((shown?.y ?? 0) + (shown?.height ?? 0));
    // The line that is typed.
    expect((typed?.y ?? 0) + 40).toBeLessThanOrEqual(bar?.y ?? 0);
    await page.setViewportSize({ width: 844, height: 390 });
    for (const selector of ['.shown', '.bar', '.preview']) {
      expect(await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).position`)).toBe('static');
    }
  });
});
