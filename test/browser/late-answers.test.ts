/** The studio while answers are on their way: no answer undoes what a person has chosen since, and none is shown after a newer one. */

import type { Request, Route } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { StyleStore } from '../../src/accounts/organisations/style-store.js';
import { ada, csv, describeInBrowser, openPages, openStudio, page, press, service } from '../support/browser.js';

describeInBrowser('answers that arrive late', () => {
  openPages({ ada: 'same' });
  beforeEach(openStudio);

  /**
   * Holds requests back. `arrives` waits for one and returns what lets it go, with other members in its answer where they are given;
   * `all` lets all go, and those to come.
   */
  async function hold(
    url: RegExp,
  ): Promise<{ arrives: () => Promise<(members?: object) => Promise<void>>; all: () => Promise<void> }> {
    const held: Route[] = [];
    const waiting: ((route: Route) => void)[] = [];
    await page.route(url, (route) => {
      const take = waiting.shift();
      if (take === undefined) held.push(route);
      else take(route);
    });
    // The page may have given the request up.
    const letGo = (route: Route) => route.continue().catch(() => undefined);
    return {
      async arrives() {
        const route = held.shift() ?? (await new Promise<Route>((resolve) => waiting.push(resolve)));
        return async (members) => {
          if (members === undefined) return letGo(route);
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), ...members } });
        };
      },
      async all() {
        await page.unroute(url);
        await Promise.all(held.map(letGo));
      },
    };
  }

  const file = () => page.getByLabel('Excel, CSV or text file');
  const lines = () => page.getByLabel('Or type a few lines');

  it('keeps the error correction of a job that is made again where its list comes before the answer about a sample', async () => {
    const jobId = await press({ name: 'Doors', items: [{ data: 'https://example.org/1' }], style: { ecLevel: 'L' } });
    const lists = await hold(/\/list\.ndjson$/);
    const previews = await hold(/\/studio\/preview$/);
    await page.goto(`${ada.base}/studio?job=${jobId}`);
    const ofSample = await previews.arrives();
    const ofJob = await lists.arrives();
    await ofJob();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await ofSample({ neededLevel: 'H' });
    // The next one is asked for once the answer is shown.
    const ofList = await previews.arrives();
    const level = page.getByLabel('Error correction');
    expect(await level.inputValue()).toBe('L');
    // Of the list itself it is raised.
    await ofList({ neededLevel: 'Q' });
    await previews.arrives();
    expect(await level.inputValue()).toBe('Q');
    await previews.all();
  });

  it('keeps the choice to skip faulty rows that is made while the file is read again', async () => {
    await file().setInputFiles(csv('url,note\na,One\n,two\nb,Three'));
    const skip = page.getByLabel('Skip the faulty row and make the other 2');
    await skip.waitFor();
    const checks = await hold(/\/check$/);
    await page.getByLabel('Column B note').selectOption('caption');
    await checks.arrives();
    await skip.check();
    await checks.arrives();
    await checks.all();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await skip.isChecked()).toBe(true);
    expect(await page.getByLabel('Column B note').inputValue()).toBe('caption');
  });

  it('keeps the list that a person opens while the file is read again', async () => {
    await file().setInputFiles(csv('url,note,town\na,Workshop,Ulm\nb,Meadow 12,Bonn'));
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const checks = await hold(/\/check$/);
    await page.getByLabel('Column B note').selectOption('caption');
    await checks.arrives();
    await page.getByLabel('Column C town').focus();
    await checks.all();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Column C town');
    const kind = page.getByLabel('The codes are');
    await kind.focus();
    await kind.selectOption('wifi');
    await page.getByText('Which column holds “Network”? Pick it below.').waitFor();
    expect(await kind.evaluate((select) => select.matches(':focus'))).toBe(true);
    // Columns have the uses of the kind, and the first of them where the service has none.
    expect(await page.getByLabel('Column A url').inputValue()).toBe('');
    await page.getByLabel('Column A url').selectOption('ssid');
    await page.getByText('No column holds the password: these codes would be for open networks.').waitFor();
    expect(await page.getByLabel('Column A url').inputValue()).toBe('ssid');
    await page.getByLabel('Column B note').selectOption('password');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByLabel('Column A url').inputValue()).toBe('ssid');
  });

  it('draws the codes of a file while it is read again, and none of them for another file', async () => {
    await file().setInputFiles(csv('url,Raum\nhttps://a.example/1,Halle\n'));
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    const checks = await hold(/\/check$/);
    const items = async (change: Promise<unknown>) => {
      const [drawn] = await Promise.all([page.waitForRequest(/\/preview$/), change]);
      return (drawn.postDataJSON() as { items: { data: string }[] }).items.map(({ data }) => data);
    };
    await page.getByLabel('Column B Raum').selectOption('caption');
    await checks.arrives();
    const caption = page.getByRole('textbox', { name: 'Caption', exact: true }).last();
    expect(await items(caption.fill('Hall'))).toEqual(['https://a.example/1']);
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    // The preview of the last letter may still be on its way.
    const isOfNone = (sent: Request) =>
      sent.url().endsWith('/preview') && (sent.postDataJSON() as { items: unknown[] }).items.length === 0;
    const other = file().setInputFiles(csv('url\nhttps://b.example/1\n'));
    await Promise.all([page.waitForRequest(isOfNone), other]);
    await page.getByText('Sample code.', { exact: true }).waitFor();
    await checks.all();
    await page.getByText('First code. Scans, with room to spare.').waitFor();
  });

  it('says which column a use is taken from, for as long as it has another', async () => {
    await file().setInputFiles(csv('url,Raum,Ort\nhttps://a.example/1,Halle,Ulm\n'));
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByLabel('Column B Raum').selectOption('caption');
    await page.getByText('1 column is not used.').waitFor();
    const checks = await hold(/\/check$/);
    await page.getByLabel('Column C Ort').selectOption('caption');
    const said = page.getByRole('status').getByText('Ort is now used as “Caption”; Raum no longer is.');
    await said.waitFor();
    await checks.all();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await page.getByLabel('Column B Raum').inputValue()).toBe('');
    await said.waitFor();
    await page.getByText('Combine columns').click();
    await page.locator('[data-table] textarea').fill('{Raum}, {Ort}');
    await said.waitFor({ state: 'detached' });
  });

  it('asks and shows nothing of the file before', async () => {
    await file().setInputFiles(csv('url,note\na,One\n,two'));
    await page.getByLabel('Skip the faulty row and make the other one').waitFor();
    const checks = await hold(/\/check$/);
    await file().setInputFiles(csv('Ziel,Halle\nhttps://example.org/1,West'));
    const first = await checks.arrives();
    const said = page.locator('[data-check-result], [data-faulty], [data-table]').filter({ visible: true });
    expect(await said.allTextContents()).toEqual(['Reading the file…']);
    await first();
    // The column of the links was guessed, and the file is read with it.
    await checks.arrives();
    await file().setInputFiles(csv('data\nb'));
    await checks.arrives();
    await checks.all();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await page.getByText('hold the links?').count()).toBe(0);
  });

  const make = () => page.getByRole('button', { name: 'Make codes' });

  /** Presses the button down with the mouse, as a person does who has just typed. */
  async function pressDown(): Promise<void> {
    await make().scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await make().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
  }

  /** Chooses a list of two codes, and types a caption for them. Holds the checks of it back. */
  async function typeCaption(pattern: string): ReturnType<typeof hold> {
    await file().setInputFiles(csv('url,first,last\nhttps://a.example/1,Ada,Byron\nhttps://a.example/2,Bea,Cole\n'));
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    await page.getByText('Combine columns').click();
    const checks = await hold(/\/check$/);
    await page.locator('[data-table] details').getByLabel('Caption', { exact: true }).fill(pattern);
    return checks;
  }

  it('makes the codes after the check that the press of the button began', async () => {
    const checks = await typeCaption('{first} {last}');
    await pressDown();
    await checks.arrives();
    expect(await make().isEnabled()).toBe(true);
    await page.mouse.up();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    expect(page.url()).toMatch(/\/studio$/);
    await checks.all();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    await page.getByText('Ada Byron').first().waitFor({ state: 'attached' });
  });

  it('makes no codes of another list that was chosen after the press', async () => {
    const checks = await typeCaption('{first} {last}');
    await make().press('Enter');
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    await checks.arrives();
    await file().setInputFiles(csv('url,first,last\nhttps://b.example/1,Cleo,Dahl\nhttps://b.example/2,Dora,Ek\n'));
    await checks.all();
    await page.locator('#reason').getByText('The list is another one now. Press again to make its codes.').waitFor();
    expect(page.url()).toMatch(/\/studio$/);
  });

  it('makes the codes by keyboard while the list is checked', async () => {
    const checks = await typeCaption('{last}');
    await page.keyboard.press('Tab');
    await checks.arrives();
    await make().press('Enter');
    await checks.all();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  });

  it('makes no codes of a list that the check refuses', async () => {
    const checks = await typeCaption('{nobody}');
    await pressDown();
    await checks.arrives();
    await page.mouse.up();
    await page.getByRole('button', { name: 'Sending…' }).waitFor();
    await checks.all();
    await page.locator('#reason').getByText('See the problem under your file.').waitFor();
    await page.locator('[data-check-result]').getByText('nobody').waitFor();
    expect(await make().isDisabled()).toBe(true);
    expect(page.url()).toMatch(/\/studio$/);
  });

  it.each([
    ['a price', 'total', 1, 'The price is now 1 credit. Press again to make the codes.'],
    ['a warning', 'warnings', ['Row 3 is pale.'], 'Something new is said of your codes. Read it, then press again.'],
    ['a note', 'notices', ['Row 3 is odd.'], 'Something new is said of your codes. Read it, then press again.'],
  ])('makes no codes before the person has seen %s that is new', async (_, member, value, reason) => {
    const checks = await typeCaption('{first}');
    await pressDown();
    const letGo = await checks.arrives();
    // The check ends before the button is let go.
    await letGo({ [member]: value });
    await page.getByText(member === 'total' ? '1 code costs 1 credit.' : '2 codes cost 2 credits.').waitFor();
    await page.mouse.up();
    await page.locator('#reason').getByText(reason).waitFor();
    expect(page.url()).toMatch(/\/studio$/);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  });

  it('drops the check of lines that were changed', async () => {
    const checks = await hold(/\/check$/);
    await lines().fill(`one\n${'x'.repeat(3_000)}`);
    await lines().blur();
    const old = await checks.arrives();
    const dropped = page.waitForEvent('requestfailed');
    await lines().fill('one\ntwo\nthree');
    await dropped;
    await old();
    await page.getByText('3 codes cost 3 credits.').waitFor();
  });

  it('puts in the saved style that was chosen last, and asks to check the file again', async () => {
    const styles = new StyleStore(service.admin.database);
    for (const foreground of ['#111111', '#222222']) {
      await styles.save({ personId: '', address: '' }, ada.organisationId, foreground, { style: { foreground } });
    }
    await page.reload();
    await file().setInputFiles(csv('data\na\nb'));
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const pages = await hold(/\/studio\?style=/);
    const dropped = page.waitForEvent('requestfailed');
    const link = (name: string) => page.locator('[data-style]').getByText(name);
    await link('#111111').click();
    const first = await pages.arrives();
    await link('#222222').click();
    const second = await pages.arrives();
    await dropped;
    // What the style would undo cannot be changed.
    await page.locator('[data-look][inert]').waitFor();
    await second();
    await first();
    await page.getByRole('button', { name: 'Check all 2 codes in this style' }).waitFor();
    expect(await page.getByLabel('Colour as #rrggbb').inputValue()).toBe('#222222');
    await page.getByText('More: resolution').click();
    await page.getByLabel('Quiet zone').fill('2');
  });

  it('sizes codes by the module of the code that is shown', async () => {
    const [width, scale] = [page.getByLabel('Width in print, in mm'), page.getByLabel('Pixels per module')];
    await page.getByText('More: resolution').click();
    const previews = await hold(/\/preview$/);
    await width.fill('20');
    const wanted = await scale.inputValue();
    const first = await previews.arrives();
    await page.getByLabel('Quiet zone').fill('16');
    await first();
    // The second one is under way: the page shows the first one.
    await previews.arrives();
    await width.fill('21');
    await width.fill('20');
    expect(await scale.inputValue()).toBe(wanted);
    await previews.all();
  });

  it('raises error correction for no logo that was taken away', async () => {
    const png = await page.evaluate<string>(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 200;
      canvas.getContext('2d').fillRect(0, 0, 200, 200);
      return canvas.toDataURL('image/png').replace(/.*,/, '');
    })()`);
    const logo = page.getByLabel('Logo', { exact: true });
    const previews = await hold(/\/preview$/);
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
    const small = await previews.arrives();
    await page.getByLabel('Logo size').fill('30');
    await small();
    const first = await previews.arrives();
    await logo.setInputFiles([]);
    await first();
    await previews.arrives();
    expect(await page.getByLabel('Error correction').inputValue()).toBe('M');
    await previews.all();
  });
});
