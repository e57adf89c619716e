/** The page at `/docs` in a real browser: nothing is asked for elsewhere or against its policy, and everybody can read it. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, launch, watch } from '../support/browser.js';
import { DATABASES } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describeInBrowser('the API page in a browser', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startTestService(DATABASES[0]!);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** Visits the page, and tells what it should not have done. */
  async function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ baseURL: service.url, ...options });
    const page = await context.newPage();
    const complaints = watch(page, service.url);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto('/docs');
    await work(page);
    expect(complaints).toEqual([]);
    expect(requests.filter((path) => path !== '/docs' && path !== ',')).toEqual([]);
    await context.close();
  }

  it.each(['light', 'dark'] as const)('can be read by everybody: %s', async (colorScheme) => {
    await visit({ colorScheme }, async (page) => {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    });
  });

  it('fits a phone, without scripts', async () => {
    await visit({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false }, async (page) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.getByRole('link', { name: 'Errors' }).click();
      await page.getByText('insufficient_credits').last().waitFor();
    });
  });

  it('shows itself in its own style, and an example when it is opened', async () => {
    await visit({}, async (page) => {
      const examples = page.locator('details').first();
      expect(await examples.locator('pre').isVisible()).toBe(false);
      await examples.locator('summary').click();
      expect(await examples.locator('pre').isVisible()).toBe(true);
      expect(await page.evaluate("getComputedStyle(document.querySelector('nav')).position")).toBe('sticky');
    });
  });
});
