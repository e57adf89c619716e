/** A real browser for tests: Debian's Chromium, driven by playwright-core. */

import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describeUnless } from './describe-unless.js';
import type { Visitor } from './visitor.js';

/** The first has no windows to draw, and takes half the processor time of the others. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of the browser. Undefined: none is installed. */
const EXECUTABLE = await find();

/** Time for a test. On a busy machine, a browser needs many times of what it needs alone. */
const TIMEOUT_MS = 60_000;

/** Runs a suite that needs a browser. */
export function describeInBrowser(name: string, suite: () => void): void {
  const absent = `no browser: none of ${NAMES.join(', ')} is installed`;
  describeUnless(EXECUTABLE === undefined ? absent : undefined, name, suite, { timeout: TIMEOUT_MS });
}

export function launch(): Promise<Browser> {
  if (EXECUTABLE === undefined) {
    throw new Error('there is no browser');
  }
  // No sandbox: containers often lack its requirements, and the pages are our own.
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
}

/** Lets the pages of a context be signed in as somebody who signed up at `url` without a browser. */
export function signInAs(context: BrowserContext, { cookies }: Visitor, url: string): Promise<void> {
  return context.addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url })));
}

/** A page of a service at `url`, and its faults. @param visitor is signed in */
export async function openPage(
  browser: Browser,
  url: string,
  visitor?: Visitor,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...options });
  context.setDefaultTimeout(20_000);
  if (visitor !== undefined) await signInAs(context, visitor, url);
  const page = await context.newPage();
  return { context, page, complaints: watch(page, url) };
}

/** A list that is chosen as a file. */
export function csv(text: string | Buffer): { name: string; mimeType: string; buffer: Buffer } {
  return { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

/** Collects faults of a page: errors in its scripts, requests to other hosts, breaches of its policy. */
export function watch(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The console reports status 4xx as an error, and a refused form is such a page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      complaints.push(`request to ${request.url()}`);
    }
  });
  return complaints;
}

async function find(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      const there = await access(path).then(
        () => true,
        () => false,
      );
      if (there) {
        return path;
      }
    }
  }
  return undefined;
}
