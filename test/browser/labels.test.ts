/** The page of labels in a browser: everything follows each choice, and what is wrong stands at its field. */

import { beforeAll, expect, it } from 'vitest';
import { ada, context, describeInBrowser, open, openPages, page, press } from '../support/browser.js';

describeInBrowser('labels in a browser', () => {
  let path: string;

  openPages({ ada: 'same' });
  beforeAll(async () => {
    const items = [1, 2, 3].map((number) => ({ data: `https://example.org/${number}`, caption: `Room ${number}` }));
    path = `${ada.base}/jobs/${await press({ name: 'rooms', items })}/labels`;
  });

  const drawing = () => page.locator('.labels image');
  const label = (number: number) => page.getByRole('link', { name: `Begin at label ${number}`, exact: true });
  /** The address of the file that is asked for. */
  async function fileOf(button: string): Promise<URLSearchParams> {
    const asked = context.waitForEvent('request', (request) => request.url().includes('.pdf?'));
    await page.getByRole('button', { name: button, exact: true }).click();
    return new URL((await asked).url()).searchParams;
  }

  it('follow every choice at once, in the drawing, in words and in the file', async () => {
    await page.goto(path);
    await page.getByLabel('Labels', { exact: true }).selectOption('avery-5160');
    await label(30).waitFor();
    await page.getByLabel('Text', { exact: true }).selectOption('none');
    await page.locator('.labels image[href*="caption=none"]').waitFor();
    await page.getByLabel('Code size in mm').fill('11.3');
    await page.getByText('The codes are 11.3 mm wide: each scans from about 11 cm.').waitFor();
    await label(4).click();
    await page.locator('.labels image[href*="first=4"]').waitFor();
    expect(await page.getByLabel('Start at label').inputValue()).toBe('4');
    const expected = { sheet: 'avery-5160', caption: 'none', size: '11.3', first: '4' };
    expect(Object.fromEntries(await fileOf('Download PDF'))).toMatchObject(expected);
    expect(Object.fromEntries(await fileOf('Print one label as a test'))).toMatchObject({
      ...expected,
      test: '1',
    });
    // The address is that of the choices.
    await page.reload();
    expect(await page.getByLabel('Code size in mm').inputValue()).toBe('11.3');
    await page.locator('.labels image[href*="first=4"]').waitFor();
  });

  it('ask for sizes of one’s own where they are needed, and complain about none before it is used', async () => {
    await page.goto(path);
    const [width, across] = [page.getByLabel('Label width'), page.getByLabel('Labels across')];
    expect([await width.isVisible(), await across.isVisible()]).toEqual([false, false]);
    await page.getByLabel('Labels', { exact: true }).selectOption('single');
    await page.getByText('Your sheet appears here once its sizes are typed.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Download PDF' }).isDisabled()).toBe(true);
    expect([await width.isVisible(), await across.isVisible()]).toEqual([true, false]);
    expect(await page.locator('.error:visible').count()).toBe(0);
    await page.getByLabel('Labels', { exact: true }).selectOption('custom');
    expect(await across.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Download PDF' }).click({ force: true });
    await page.locator('#labelWidth-error', { hasText: 'Type the label width.' }).waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('labelWidth');
    await page.getByLabel('Labels', { exact: true }).selectOption('single');
    await width.fill('62');
    await page.getByLabel('Label height').fill('29');
    await drawing().waitFor();
    expect(await fileOf('Download PDF').then((query) => query.get('labelHeight'))).toBe('29');
  });

  it('keep the choices for the next job in this browser but its rows, text, sizes, cut marks and first label, unless its address names a sheet', async () => {
    await page.goto(path);
    await page.getByLabel('Labels', { exact: true }).selectOption('custom');
    for (const [name, value] of [
      ['Label width', '60'],
      ['Label height', '40'],
      ['Labels across', '3'],
      ['Labels down', '6'],
    ] as const) {
      await page.getByLabel(name).fill(value);
    }
    await page.getByLabel('Text', { exact: true }).selectOption('below');
    await page.getByLabel('Size of the text in points').fill('9');
    await page.getByLabel('Cut marks').check();
    await page.getByLabel('Codes to print').fill('2-3');
    await page.getByLabel('Start at label').fill('4');
    await page.getByText('The codes are not in the middle').click();
    await page.getByLabel('Move right').fill('2');
    await page.getByLabel('Move down').fill('-1');
    await page.locator('.labels image[href*="rows=6"][href*="shiftY=-1"][href*="first=4"]').waitFor();
    await page.getByLabel('Page width').fill('20');
    await page.locator('#columns-error', { hasText: 'The labels take 180 mm' }).waitFor();
    const next = await context.newPage();
    await next.goto(path);
    const kept = '[href*="rows=6"][href*="caption=auto"][href*="shiftX=2"]:not([href*="cutMarks"])';
    await next.locator(`.labels image${kept}[href*="shiftY=-1"][href*="first=1"]`).waitFor();
    expect(await next.getByLabel('Page width').inputValue()).toBe('210');
    await next.getByText('As last time.').waitFor();
    expect(await next.getByLabel('Size of the text in points').inputValue()).toBe('');
    expect(await next.getByLabel('Codes to print').inputValue()).toBe('');
    expect(await next.getByLabel('Move right').isVisible()).toBe(true);
    await next.goto(`${path}?sheet=avery-5160`);
    await next.getByRole('link', { name: 'Begin at label 30', exact: true }).waitFor();
    expect(await next.getByLabel('Labels', { exact: true }).inputValue()).toBe('avery-5160');
  });

  it('keep all choices of the last file but its first label and what the next codes have no room for', async () => {
    await page.goto(path);
    await page.getByLabel('Labels', { exact: true }).selectOption('zweckform-3475');
    await page.getByLabel('Code size in mm').fill('20');
    await page.getByLabel('Text', { exact: true }).selectOption('below');
    await page.getByLabel('Size of the text in points').fill('6');
    await page.getByLabel('Cut marks').check();
    await page.getByLabel('Start at label').fill('4');
    await page.locator('.labels image[href*="size=20"][href*="first=4"]').waitFor();
    await fileOf('Download PDF');
    // Another choice became no file.
    await page.getByLabel('Code size in mm').fill('15');
    await page.locator('.labels image[href*="size=15"]').waitFor();
    await page.goto(path);
    const kept = '[href*="caption=below"][href*="captionSize=6"][href*="cutMarks"][href*="first=1"]';
    await page.locator(`.labels image[href*="zweckform-3475"][href*="size=20"]${kept}`).waitFor();
    await page.getByText('As last time. ').waitFor();
    await page.goto(`${ada.base}/jobs/${await press({ items: [{ data: 'e'.repeat(480), caption: 'Dense' }] })}/labels`);
    await page.getByText('As last time, but for what these codes have no room for.').waitFor();
    await page.locator(`.labels image${kept}:not([href*="size="])`).waitFor();
  });

  it('give each sheet its own label, code and text, say so, and keep the shift', async () => {
    await page.goto(path);
    const first = await page.getByLabel('Labels', { exact: true }).inputValue();
    await page.getByLabel('Code size in mm').fill('22');
    await page.getByLabel('Size of the text in points').fill('8');
    await page.getByText('The codes are not in the middle').click();
    await page.getByLabel('Move right').fill('1');
    await page.locator('.labels image[href*="size=22"][href*="shiftX=1"]').waitFor();
    await page.getByLabel('Labels', { exact: true }).selectOption('avery-5160');
    await page.locator('.labels image[href*="sheet=avery-5160"][href*="shiftX=1"]:not([href*="ize="])').waitFor();
    expect(await page.getByLabel('Code size in mm').inputValue()).toBe('');
    await page.getByText('It comes back with that sheet.').waitFor();
    await page.getByLabel('Labels', { exact: true }).selectOption(first);
    await page.locator('.labels image[href*="size=22"][href*="captionSize=8"]').waitFor();
    expect(await page.getByText('It comes back with that sheet').isVisible()).toBe(false);
    await page.getByLabel('Cut marks').check();
    await page.getByLabel('Text', { exact: true }).selectOption('below');
    // Labels of a sheet with a size of its own start with the size that was typed last.
    await page.getByLabel('Labels', { exact: true }).selectOption('custom');
    await page.getByLabel('Label width').fill('48');
    await page.getByLabel('Label height').fill('25');
    await page.getByLabel('Labels', { exact: true }).selectOption('single');
    expect(await page.getByLabel('Label width').inputValue()).toBe('48');
    await page.getByLabel('Label width').fill('40');
    await page.locator('.labels image[href*="labelWidth=40"]:not([href*="cutMarks"]):not([href*="below"])').waitFor();
    await page.getByLabel('Labels', { exact: true }).selectOption('custom');
    expect(await page.getByLabel('Label width').inputValue()).toBe('48');
    await page.getByLabel('Labels', { exact: true }).selectOption(first);
    await page.locator('.labels image[href*="caption=below"][href*="cutMarks=true"][href*="size=22"]').waitFor();
  });

  it('say at its field what is wrong, and send no file', async () => {
    await page.goto(path);
    let files = 0;
    page.on('request', (request) => (files += request.url().includes('.pdf') ? 1 : 0));
    await page.getByLabel('Start at label').fill('99');
    await page.getByText('Correct first: Start at label. This sheet has labels 1 to 21.').waitFor();
    await page.getByText('Correct what is marked to see the sheet.').waitFor();
    expect(await page.getByLabel('Start at label').getAttribute('aria-invalid')).toBe('true');
    const download = page.getByRole('button', { name: 'Download PDF' });
    await expect.poll(() => download.isDisabled()).toBe(true);
    await page.getByLabel('Start at label').fill('1');
    await page.getByText('Correct first: Start at label.').waitFor({ state: 'hidden' });
    await page.getByLabel('Code size in mm').fill('5');
    expect(await download.isDisabled()).toBe(false);
    // Before the page could follow, or after it.
    await download.click({ force: true });
    await page.locator('#size-error', { hasText: 'Code 1 is too dense for this size: it needs 6.3 mm.' }).waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('size');
    expect(files).toBe(0);
    await page.getByText('Correct first: Code size. None of the 3 codes fits. Code 1 is too dense').waitFor();
  });

  it('work without scripts: the form says what is wrong, where the file cannot be made', async () => {
    await context.close();
    await open(ada.visitor, { javaScriptEnabled: false });
    await page.goto(path);
    await page.getByLabel('Labels', { exact: true }).selectOption('custom');
    await page.getByLabel('Label width').waitFor();
    await page.getByRole('button', { name: 'Update the drawing' }).click();
    await page.getByText('Your sheet appears here once its sizes are typed.').waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    await page.getByRole('button', { name: 'Download PDF' }).click();
    await page.locator('#labelWidth-error', { hasText: 'Type the label width.' }).waitFor();
    // Without scripts the page does not see corrections: its buttons stay on.
    expect(await page.locator('[data-download][aria-disabled]').count()).toBe(0);
    await page.getByLabel('Labels', { exact: true }).selectOption('avery-5160');
    await page.getByRole('button', { name: 'Update the drawing' }).click();
    await label(30).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDF' }).click();
    expect((await download).suggestedFilename()).toBe('rooms.pdf');
  });
});
