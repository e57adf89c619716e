/** Faulty rows in the studio, the chart of credits and the grid of codes in a real browser, by mouse, keyboard and without scripts. */

import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { ada, csv, describeInBrowser, openPage, service, startBrowser } from '../support/browser.js';
import { AXE } from '../support/judge-page.js';

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  return found.map(({ id }) => id);
}

describeInBrowser('rows and credits in a browser', () => {
  startBrowser({ ada: 'same' });
  beforeAll(async () => {
    await ada.visitor.get(`${ada.base}/studio`);
    const made = await ada.visitor.upload(`${ada.base}/studio`, { ...FIRST_STYLE, items: 'one', scale: '4' });
    expect(made.status).toBe(303);
  });

  async function open(path: string, options: BrowserContextOptions = {}, width = 1100): ReturnType<typeof openPage> {
    const opened = await openPage(ada.visitor, { viewport: { width, height: 900 }, ...options });
    await opened.page.goto(`${ada.base}${path}`);
    return opened;
  }

  it('skips faulty rows when the box is ticked by keyboard, and asks again of another file', async () => {
    const { context, page, complaints } = await open('/studio');
    await page
      .getByLabel('Excel, CSV or text file')
      .setInputFiles(csv('url,filename\na,One\n,two\nb,Two\n,three\nc,Three\n'));
    const skip = page.getByLabel('Skip the 2 faulty rows and make the other 3');
    await page.getByText('These rows cannot be codes:').waitFor();
    // The first of the good ones.
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    expect(await page.getByRole('button', { name: 'Make codes' }).isDisabled()).toBe(true);
    // The choice stands between the problems and the columns.
    const places = [page.locator('[data-check-result]'), skip, page.locator('[data-table] table')];
    const tops = await Promise.all(places.map(async (place) => (await place.boundingBox())?.y ?? 0));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    const list = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the list of problems (CSV)' }).click();
    expect((await list).suggestedFilename()).toBe('faulty-rows.csv');
    await skip.focus();
    await page.keyboard.press('Space');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    expect(await skip.isChecked()).toBe(true);
    // Its person may look up which rows those are.
    await page.getByText('These rows are skipped').click();
    await page.locator('details li', { hasText: 'Row 3, column A (url): the cell is empty' }).waitFor();
    expect(await violations(page)).toEqual([]);

    const ndjson = { ...csv('{"data":"a"}\n{"data":""}\n'), name: 'list.ndjson' };
    await page.getByLabel('Excel, CSV or text file').setInputFiles(ndjson);
    await page.getByText('Line 2: data must have at least 1 character.').waitFor();
    await page.getByLabel('Skip the faulty line and make the other one').check();
    await page.getByText('1 code costs 1 credit.').waitFor();

    await page.getByLabel('Excel, CSV or text file').setInputFiles(csv('url,filename\na,\nb,\ntba,x\n'));
    await page.getByText('3 codes cost 3 credits.').waitFor();
    // Nobody pays by mistake for data that is none.
    await page.getByRole('button', { name: 'Make codes' }).click();
    const question = page.getByRole('dialog', { name: 'Make codes of data that is probably not meant?' });
    await question.getByText('1 of 3 codes is affected: row 4.').waitFor();
    await question.getByRole('button', { name: 'Make them anyway' }).waitFor();
    await question.getByRole('button', { name: 'Go back' }).click();
    const placeholder = page.getByLabel('Leave out the row with a placeholder, total or note');
    await placeholder.press('Space');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await placeholder.uncheck();
    await page.getByText('3 codes cost 3 credits.').waitFor();

    await page.getByLabel('Excel, CSV or text file').setInputFiles(csv('url,filename\na,\nb,\n,x\n'));
    await page.getByLabel('Skip the faulty row and make the other 2').waitFor();
    expect(await page.getByLabel('Skip the faulty row and make the other 2').isChecked()).toBe(false);
    await page.getByLabel('Skip the faulty row and make the other 2').check();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByText('1 faulty row was skipped').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('skips typed lines, with scripts and without', async () => {
    const { context, page } = await open('/studio');
    await page.getByLabel('Or type a few lines').fill(`one\n${'x'.repeat(3_000)}\ntwo`);
    await page.getByLabel('Name of the job').focus();
    const skip = page.getByLabel('Skip the faulty line and make the other 2');
    await skip.waitFor();
    const places = [page.getByText('Line 2 is too long'), skip, page.getByLabel('Name of the job')];
    const tops = await Promise.all(places.map(async (place) => (await place.boundingBox())?.y ?? 0));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    // The preview shows the other lines.
    await page.getByText('First code. Scans, with room to spare.').waitFor();
    await skip.check();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByText('1 faulty line was skipped').waitFor();
    await context.close();

    const plain = await open('/studio', { javaScriptEnabled: false });
    const still = plain.page;
    const file = csv('url,filename\na,One\n,two\n');
    await still.getByLabel('Excel, CSV or text file').setInputFiles(file);
    await still.getByRole('button', { name: 'Make codes' }).click();
    await still.getByLabel('Skip the faulty row and make the other one').check();
    await still.getByRole('button', { name: 'Make codes' }).click();
    await still.getByText('1 faulty row was skipped').waitFor();
    await plain.context.close();
  });

  it('keeps what is typed to change a code when its page is loaded again, until it is opened anew', async () => {
    const { id } = await service.admin.database.selectFrom('jobs').select('id').executeTakeFirstOrThrow();
    const { context, page, complaints } = await open(`/jobs/${id}/codes/0/correct`);
    await page.getByLabel('Caption').fill('Typed');
    await page.reload();
    expect(await page.getByLabel('Caption').inputValue()).toBe('Typed');
    await page.goto(page.url());
    expect(await page.getByLabel('Caption').inputValue()).toBe('');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('asks for the page of a job again once its first code is drawn, however many failed before', async () => {
    const { database } = service.admin;
    const { id } = await database.selectFrom('jobs').select('id').executeTakeFirstOrThrow();
    const chunk = await database.selectFrom('chunks').selectAll().where('job_id', '=', id).executeTakeFirstOrThrow();
    // Another process draws them: the service must not end the job meanwhile.
    const held = { status: 'pending', worker: 'another', leased_until: Date.now() + 60_000 } as const;
    await database
      .insertInto('chunks')
      .values({ ...chunk, ...held, position: 1 })
      .execute();
    const running = async (completed: number) => {
      const first = completed === 0 ? held : { status: 'done' as const };
      await database.updateTable('chunks').set(first).where('job_id', '=', id).where('position', '=', 0).execute();
      const counts = { status: 'processing', total: 30, completed, failed: 10 } as const;
      await database.updateTable('jobs').set(counts).where('id', '=', id).execute();
    };
    await running(0);
    const { context, page } = await open(`/jobs/${id}`);
    let pages = 0;
    page.on('request', (request) => {
      pages += request.url().endsWith(`/jobs/${id}`) ? 1 : 0;
    });
    const looked = () => page.waitForResponse((response) => response.url().endsWith('/progress'));
    for (let looks = 0; looks < 3; looks += 1) await looked();
    await page.getByText('It appears here as soon as it is drawn.').waitFor();
    expect(pages).toBe(0);
    await running(1);
    await page.getByAltText('The first code of the job').waitFor();
    expect(pages).toBe(1);
    await context.close();
    await database.deleteFrom('chunks').where('job_id', '=', id).where('position', '=', 1).execute();
    await database
      .updateTable('jobs')
      .set({ status: 'complete', total: 1, failed: 0, completed: 1 })
      .where('id', '=', id)
      .execute();
  });

  it('goes from day to day in the chart with the arrow keys, and to the entries of a day by Enter or a click', async () => {
    const { context, page, complaints } = await open('/credits');
    const chart = page.getByRole('group', { name: /credits used from .* Arrow keys go from day to day\./ });
    const days = chart.getByRole('link');
    expect(await days.count()).toBe(30);
    await days.last().focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    const focused = page.locator('.chart a:focus');
    const label = (await focused.getAttribute('aria-label')) ?? '';
    expect(label).toMatch(/: 0 credits$/);
    expect(await page.locator('[data-day]').textContent()).toBe(label);
    expect(await page.locator('.chart a:not([tabindex="-1"])').count()).toBe(1);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Ledger of / }).waitFor();
    expect(new URL(page.url()).searchParams.get('day')).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(await page.locator('.chart a[aria-current=date]').count()).toBe(1);
    expect(await page.getByRole('table', { name: 'Ledger, newest first' }).getByRole('row').count()).toBeGreaterThan(1);
    // All of a column is pointed at, also above a low bar.
    await days.first().hover();
    await page.locator('[data-day]').getByText(': 0 credits').waitFor();
    await days.first().click();
    await page.getByText('No entries.').waitFor();
    await page.getByRole('link', { name: 'Show all days' }).click();
    for (const by of ['By key', 'By person', 'By job']) {
      await page.getByRole('link', { name: by }).click();
      await page.getByRole('heading', { name: new RegExp(`^Used per ${by.slice(3)}`) }).waitFor();
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    [320, 'light'],
    [320, 'dark'],
    [1100, 'dark'],
  ] as const)('fits and is accessible at a width of %i, %s', async (width, colorScheme) => {
    const { context, page } = await open('/credits?by=person', { colorScheme }, width);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.locator('.chart a').last().click();
    await page.getByRole('heading', { name: /^Ledger of / }).waitFor();
    await context.close();
  });

  it('shows the entries of a day without scripts', async () => {
    const { context, page } = await open('/credits?days=90', { javaScriptEnabled: false });
    await page.getByLabel('Show one day (UTC)').fill(new Date().toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { name: /^Ledger of / }).waitFor();
    expect(new URL(page.url()).searchParams.get('days')).toBe('90');
    await context.close();
  });
});
