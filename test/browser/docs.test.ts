/** The page at `/docs` in a real browser: nothing is asked for elsewhere or against its policy, and everybody can read it. */

import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, openPage, startBrowser } from '../support/browser.js';
import { AXE } from '../support/judge-page.js';
import { IS_NIGHTLY } from '../support/nightly.js';

/** The reference is long, and all of it is looked at. */
const PATIENCE_MS = 120_000;

describeInBrowser('the API page in a browser', () => {
  startBrowser();

  /** Visits a page, and tells what it should not have done. */
  async function visit(
    path: string,
    options: BrowserContextOptions,
    work: (page: Page) => Promise<void>,
  ): Promise<void> {
    const { context, page, complaints } = await openPage(undefined, options);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(path);
    await work(page);
    expect(complaints).toEqual([]);
    expect(requests.filter((each) => !each.startsWith('/docs') && each !== ',')).toEqual([]);
    await context.close();
  }

  /** @param rules those that are tried; all when absent */
  async function violations(page: Page, rules?: string[]): Promise<string[]> {
    await page.evaluate(AXE);
    const results = await page.evaluate(
      (runOnly) =>
        (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run(
          runOnly === undefined ? { rules: { 'target-size': { enabled: true } } } : { runOnly },
        ),
      rules,
    );
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }

  /** Pages of different parts. */
  const PATHS = IS_NIGHTLY
    ? ['/docs', '/docs/quick-start', '/docs/studio', '/docs/look', '/docs/install', '/docs/api', '/docs/errors']
    : ['/docs', '/docs/install', '/docs/errors'];

  it.each(PATHS)('can be read by everybody: %s', { tags: ['document/pages'], timeout: PATIENCE_MS }, async (path) => {
    await visit(path, { colorScheme: 'light' }, async (page) => {
      expect(await violations(page)).toEqual([]);
      // Colours alone are others.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(page, ['color-contrast'])).toEqual([]);
    });
  });

  it('fits a phone, without scripts', { tags: ['document/pages'] }, async () => {
    for (const path of PATHS) {
      await visit(path, { viewport: { width: 320, height: 640 }, javaScriptEnabled: false }, async (page) => {
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        expect(await page.getByRole('searchbox').count()).toBe(0);
        await page
          .getByRole('navigation', { name: 'Contents' })
          .getByRole('link', { name: 'Errors', exact: true })
          .click();
        await page.getByRole('heading', { name: 'insufficient_credits' }).waitFor();
      });
    }
  });

  it('is searched by keyboard alone', async () => {
    await visit('/docs/quick-start', {}, async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('rate limited');
      await page.getByText(/^\d+ found$/).waitFor({ state: 'attached' });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      const first = page.locator('#results a').first();
      expect(await first.textContent()).toContain('rate_limited');
      expect(await first.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/errors#error-rate_limited');
      await page.keyboard.press('/');
      await page.keyboard.type('quick');
      await page.locator('#results a').first().waitFor();
      await page.keyboard.press('Escape');
      expect(await page.locator('#results').isVisible()).toBe(false);
      await page.getByRole('searchbox').fill('nothinglikethis');
      await page.locator('#results').getByText('Nothing for “nothinglikethis”').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('searchbox').fill('idempotent');
      const texts = page.locator('#results');
      await texts.getByText('Idempotency').first().waitFor();
      await texts.getByText('Create a job').first().waitFor();
    });
  });

  it('shows every sample in the language that was chosen, also on the next page', async () => {
    await visit('/docs/quick-start', {}, async (page) => {
      expect(await page.locator('pre.sh').first().isVisible()).toBe(true);
      await page.getByRole('radio', { name: 'curl' }).first().focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.locator('pre.sh:visible').count()).toBe(0);
      expect(await page.locator('pre.ts:visible').count()).toBe(3);
      await page.goto('/docs/api');
      expect(await page.locator('pre.ts').first().isVisible()).toBe(true);
      expect(await page.locator('pre.sh').first().isVisible()).toBe(false);
    });
  });

  it('shows one way of installing at a time, and the one that the address names', async () => {
    await visit('/docs/install', {}, async (page) => {
      const shown = () => page.locator('.ways h2:visible').allTextContents();
      expect(await shown()).toEqual(['systemd']);
      await page.getByRole('radio', { name: 'Kubernetes' }).check({ force: true });
      expect(await shown()).toEqual(['Kubernetes']);
      await page.locator('main table').first().getByRole('link', { name: 'Clone' }).click();
      await expect.poll(shown).toEqual(['Clone']);
      await page.goto('/docs/quick-start');
      await page.goto('/docs/install#bundle');
      await expect.poll(shown).toEqual(['Bundle']);
    });
    await visit('/docs/install#container', { javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('.ways h2:visible').allTextContents()).toContain('Container');
    });
  });

  it('finds what operators look for', async () => {
    await visit('/docs', {}, async (page) => {
      for (const [word, title] of [
        ['mysql', 'MariaDB and MySQL'],
        ['systemd', 'systemd'],
        ['verify', 'Scan check'],
      ] as const) {
        await page.getByRole('searchbox').fill(word);
        await page.locator('#results').getByText(title).first().waitFor();
      }
    });
  });

  it('copies a sample', async () => {
    await visit('/docs/api', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toBe(await page.locator('pre.sh').first().textContent());
    });
  });

  it('shows itself in the style of the product, and an example when it is opened', async () => {
    await visit('/docs/api', {}, async (page) => {
      const examples = page.locator('main details').first();
      expect(await examples.locator('pre').isVisible()).toBe(false);
      await examples.locator('summary').click();
      expect(await examples.locator('pre').isVisible()).toBe(true);
      expect(await page.evaluate("getComputedStyle(document.querySelector('.contents')).position")).toBe('sticky');
      await page.getByRole('link', { name: 'Your account' }).waitFor();
    });
  });
});
