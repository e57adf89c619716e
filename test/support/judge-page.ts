/** Checks a page in a browser for barriers, overflow and weight: in both colour schemes, on a phone and on a desktop. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** A script that finds barriers on a page. */
export const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The smallest phone that is supported (WCAG 2.2, 1.4.10). */
const PHONE = { width: 320, height: 640 };

interface Measured {
  /** Pixels beyond the window's width. */
  overflow: number;
  /** Boxes to tick that their text leaves no room. */
  squeezed: number;
  /** Size of the page and everything it loads, except previews. */
  bytes: number;
}

// Text, because it runs in the page.
const MEASURE = `({
  overflow: document.documentElement.scrollWidth - innerWidth,
  squeezed: [...document.querySelectorAll('.choice > input')]
    .filter(({ offsetWidth, offsetHeight }) => offsetWidth < offsetHeight).length,
  bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !name.endsWith('/preview') && !name.startsWith('data:'))
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
})`;

/** Texts of table cells that reach into the next cell. */
const CROWDED = `[...document.querySelectorAll('td, th')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map(({ textContent }) => textContent.trim().replaceAll(/\\s+/g, ' '))`;

/** The rules of axe: all, and those that depend on colours. */
const RULES = {
  all: { rules: { 'target-size': { enabled: true } } },
  ofColours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
};

/** Adds the faults of a page to `problems`. */
export async function judgePage(page: Page, name: string, problems: string[]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  const { overflow, squeezed, bytes } = await page.evaluate<Measured>(MEASURE);
  if (squeezed > 0) problems.push(`${name} has ${squeezed} squeezed boxes`);
  if (overflow > 0) problems.push(`${name} is ${overflow} px too wide`);
  // The studio has 188,500, of which the font of headings is 21,528.
  if (bytes > 190_000) problems.push(`${name} has ${bytes} bytes`);
  await page.setViewportSize({ width: 1100, height: 800 });
  for (const text of await page.evaluate<string[]>(CROWDED))
    problems.push(`${name} has no room for the cell “${text}”`);
  // Evaluated instead of added as an element: the page's policy allows no other scripts.
  await page.evaluate(AXE);
  const judge = async (rules: object, scheme: string) => {
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
    for (const { id, nodes } of violations) {
      problems.push(`${name} (${scheme}): ${id} at ${nodes.map(({ html }) => html).join(' and ')}`);
    }
  };
  await judge(RULES.all, 'light');
  // The dark scheme has other colours, and differs in nothing else.
  await page.emulateMedia({ colorScheme: 'dark' });
  await judge(RULES.ofColours, 'dark');
}
