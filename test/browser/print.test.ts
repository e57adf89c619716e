/** Pages on paper: the job as a proof sheet, credits as a statement, recovery codes as a card. */

import { execFileSync } from 'node:child_process';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';
import { beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { ada, describeInBrowser, open, openPage, page, press, service, startBrowser } from '../support/browser.js';
import { AXE } from '../support/judge-page.js';
import { MISSING_TOOLS } from '../support/sheet.js';
import { signUp } from '../support/visitor.js';

/** As the browser's dialog prints: the window's width does not count, and margins take some of the paper's. */
const PAPERS = ['A4', 'Letter'].flatMap((format) =>
  [false, true].map((landscape) => ({
    format,
    landscape,
    margin: { top: '15mm', right: '15mm', bottom: '15mm', left: '15mm' },
  })),
);

describeInBrowser('pages on paper', () => {
  startBrowser({ ada: 'same' });
  beforeAll(() => open(ada.visitor));

  /** The texts of the pages that the browser prints, without barriers. */
  async function printed(): Promise<string[]> {
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    await page.emulateMedia({ media: null });
    return printedOn({});
  }

  /** The texts of the pages that the browser prints on such paper. */
  async function printedOn(paper: Parameters<Page['pdf']>[0], shown = page): Promise<string[]> {
    const file = await shown.pdf({ format: 'A4', ...paper });
    const pages = execFileSync('pdftotext', ['-layout', '-', '-'], { input: file }).toString().split('\f');
    return pages.filter((text) => text.trim() !== '');
  }

  it.skipIf(MISSING_TOOLS)(
    'make a proof sheet of a job: sixteen codes to a page, with their names and captions',
    async () => {
      const items = Array.from({ length: 30 }, (_, item) => ({
        data: `https://example.org/rooms/${item}`,
        filename: `Room_${item + 1}`,
        caption: `Door ${item + 1}`,
        reference: `R-${item}`,
      }));
      const jobId = await press({ name: 'Rooms', items });
      await page.goto(`${ada.base}/jobs/${jobId}`);
      expect(await page.getByText('Door 2', { exact: true }).isVisible()).toBe(true);
      const pages = await printed();
      const names = pages.map((text) => [...text.matchAll(/Room.\d+/g)].length);
      expect(names).toEqual([16, 8]);
      expect(pages.map((text) => [...text.matchAll(/Door.\d+/g)].length)).toEqual(names);
      expect(pages[0]).toMatch(/30 of 30 codes[^]*Codes 1 to 24 of 30/);
      for (const clicked of ['Download', 'Change', 'Search', 'Rename', 'Link to share', 'Choose your labels']) {
        expect(pages.join(''), clicked).not.toContain(clicked);
      }
      await page.getByRole('link', { name: 'Proof sheet to print' }).click();
      await page.getByText('Room_30.png').waitFor();
      const whole = await printed();
      expect(whole.join('')).not.toMatch(/Back to the job|^\s*Print$/m);
      await page.evaluate('window.print = () => { document.title = "printed"; }');
      await page.getByRole('button', { name: 'Print', exact: true }).click();
      expect(await page.title()).toBe('printed');
      await page.goto(`${ada.base}/jobs/${jobId}?proof=1`);
      expect(whole.map((text) => [...text.matchAll(/Room.\d+/g)].length)).toEqual([16, 14]);
      expect(whole.map((text) => /Rooms · qrpress\s+(\d)\s*\/\s*2\s*$/.exec(text)?.[1])).toEqual(['1', '2']);
      // Long texts make an entry higher, and cut none of its lines.
      const long = items.map((item) => ({
        ...item,
        caption: 'Fire door '.repeat(12),
        data: `${item.data.padEnd(200, 'x')}/end${item.data.slice(-2)}`,
      }));
      const longId = await press({ name: 'Rooms', items: long });
      await page.goto(`${ada.base}/jobs/${longId}?proof=1`);
      const texts = await printed();
      const found = texts.map((text) => text.match(/Code.\d+(?=\s{2}|\n)/g)?.length ?? 0);
      expect(found.reduce((sum, count) => sum + count, 0)).toBe(30);
      expect(texts.map((text) => text.match(/Room.\d+/g)?.length ?? 0)).toEqual(found);
      // The end of data is where codes differ.
      expect(texts.map((text) => text.match(/\/end/g)?.length ?? 0)).toEqual(found);
      await page.getByRole('link', { name: 'Back to the job' }).click();
      await page.getByRole('link', { name: 'Proof sheet to print' }).waitFor();
    },
  );

  it.skipIf(MISSING_TOOLS)('have a sheet of labels on one page with its headings', async () => {
    const jobId = await press({ name: 'Rooms', items: [{ data: 'a' }] });
    await page.goto(`${ada.base}/jobs/${jobId}/labels?sheet=avery-l4731`);
    await page.locator('.labels image').waitFor();
    const pages = await printed();
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/Labels[^]*First sheet\s+1 sheet\./);
    expect(pages[0]).not.toMatch(/Back to the job|Select the label/);
    const warning = 'This is not the label sheet. For that, use Download PDF.';
    expect(await page.getByText(warning).isVisible()).toBe(false);
    for (const paper of PAPERS) {
      const sheet = await printedOn(paper);
      expect(sheet, JSON.stringify(paper)).toHaveLength(1);
      expect(sheet[0]).toContain(warning);
    }
  });

  it.skipIf(MISSING_TOOLS)('have tables of jobs and credits with their heads, on paper of any width', async () => {
    const { organisationId, base, visitor } = await signUp(service, 'Tables');
    const { page: theirs, context } = await openPage(visitor);
    const { key } = await service.admin.keys.create(COMMAND_LINE, organisationId, 'press');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (let hall = 1; hall <= 13; hall += 1) {
      const { jobId } = await service.submit({ name: `Hall ${hall}`, items: [{ data: 'a' }] }, headers);
      await service.ended(jobId);
    }
    for (const [path, head, row, most] of [
      ['credits', /When +What +Who +Change +Balance/, /Job “Hall \d+” +press key +−1 +\d+/g, 2],
      ['jobs', /Job +State +Created/, /Hall \d+/g, 2],
    ] as const) {
      await theirs.goto(`${base}/${path}`);
      for (const paper of PAPERS) {
        const pages = await printedOn(paper, theirs);
        const name = `${path} ${JSON.stringify(paper)}`;
        const rows = pages.map((text) => text.match(row)?.length ?? 0);
        expect(
          rows.reduce((sum, count) => sum + count, 0),
          name,
        ).toBe(13);
        expect(
          pages.map((text) => head.test(text)),
          name,
        ).toEqual(rows.map((count) => count > 0));
        expect(pages.length, name).toBeLessThanOrEqual(most);
      }
    }
    await context.close();
  });

  it.skipIf(MISSING_TOOLS)('leave out forms with their headings, and keep what stands beside them', async () => {
    await page.goto(`${ada.base}/keys`);
    const [keys] = await printed();
    expect(keys).toMatch(/Active keys/);
    expect(keys).not.toMatch(/Create a key/);
    await page.goto('/account/you');
    const [you] = await printed();
    expect(you).toMatch(/Your organisations[^]*Engines[^]*Where you are signed in/);
    expect(you).not.toMatch(/Profile|Password|New organisation/);
  });

  it.skipIf(MISSING_TOOLS)('make a statement of the credits, without what is clicked', async () => {
    await page.goto(`${ada.base}/credits`);
    const pages = await printed();
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/Balance[^]*Ledger[^]*Job “Rooms”[^]*Grant/);
    expect(pages[0]).toMatch(/As of .*\d{4}.*(UTC|GMT).*\. All times are in this time zone\./);
    expect(pages[0]).not.toMatch(/Ask for credits|Choose a day|Export/);
  });

  it.skipIf(MISSING_TOOLS)('name the search whose codes they show, and no columns without rows', async () => {
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'stock');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (let hall = 1; hall <= 8; hall += 1) {
      const name = `Stock of hall ${hall}, with the long name of a list that somebody keeps for years`;
      const { jobId } = await service.submit({ name, items: [{ data: 'a', caption: `Hall ${hall}` }] }, headers);
      await service.ended(jobId);
      if (hall > 1) continue;
      await page.goto(`${ada.base}/jobs/${jobId}?q=hall+1`);
      expect((await printed())[0]).toMatch(/1 code found for “hall 1”\./);
    }
    await page.goto(`${ada.base}/credits`);
    for (let height = 0; height <= 120; height += 20) {
      await page.evaluate(`document.querySelector('#ledger').style.paddingTop = '${height}mm'`);
      const texts = await printedOn({});
      const last = texts.map((text) => text.trimEnd().split('\n').filter(Boolean).at(-2)?.trim());
      expect(
        last.filter((line) => line?.startsWith('When')),
        `${height} mm`,
      ).toEqual([]);
    }
    await page.goto(`${ada.base}/jobs`);
    expect((await printed())[0]).toMatch(/Stock of hall 8/);
    await page.goto(`${ada.base}/settings`);
    expect((await printed())[0]).not.toMatch(/Your data|^\s*Name\s*$/m);
  });

  it.skipIf(MISSING_TOOLS)('make a card of recovery codes', async () => {
    await page.goto('/account/you/second-factor');
    const totp = new TOTP({ secret: Secret.fromBase32(await page.locator('[name=secret]').inputValue()) });
    await page.getByLabel('Code').fill(totp.generate());
    await page.getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const codes = (await page.locator('#codes').textContent())?.split('\n') ?? [];
    const pages = await printed();
    expect(pages).toHaveLength(1);
    for (const code of codes) {
      expect(pages[0]).toContain(code);
    }
    // Cut out, the card says whose codes it has.
    expect(pages[0]).toMatch(
      new RegExp(`qrpress, recovery codes of\\s+${ada.email}, made\\s[^]*\\d{4}\\s+${codes[0] ?? ''}`),
    );
    expect(pages[0]).not.toMatch(/I have saved them|Copy|^\s*Print$/m);
    await page.evaluate('window.print = () => { document.title = "printed"; }');
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.title()).toBe('printed');
  });

  it.skipIf(MISSING_TOOLS)('leave no heading alone at the end of a page', async () => {
    await page.goto(`${ada.base}/credits`);
    for (let height = 0; height <= 80; height += 10) {
      await page.evaluate(`document.querySelector('.figures').style.paddingBottom = '${height}mm'`);
      const texts = await printedOn({ landscape: true });
      const last = texts.map((text) => text.trimEnd().split('\n').filter(Boolean).at(-2)?.trim());
      expect(
        last.filter((line) => line === 'Ledger' || line?.startsWith('Used per')),
        `${height} mm`,
      ).toEqual([]);
    }
    const items = [1, 2].map((room) => ({ data: `https://example.org/rooms/${room}` }));
    const style = { foreground: '#fefefe' };
    const jobId = await press({ name: 'Faint', items, style, verify: 'all' });
    await page.goto(`${ada.base}/jobs/${jobId}?proof=1`);
    expect(await printed()).toHaveLength(1);
    for (let height = 60; height <= 160; height += 10) {
      await page.evaluate(`document.querySelector('.codes').style.paddingBottom = '${height}mm'`);
      const texts = await printedOn({});
      // Above the name of the page.
      const last = texts.map((text) => text.trimEnd().split('\n').filter(Boolean).at(-2)?.trim());
      expect(
        last.filter((line) => line === 'Warnings' || line?.startsWith('Scan check')),
        `${height} mm`,
      ).toEqual([]);
    }
  });
});
