/** A real browser for tests: Debian's Chromium, driven by playwright-core. */

import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { Config } from '../../src/config/config.js';
import { sqlite } from './databases.js';
import { describeUnless } from './describe-unless.js';
import { startTestService, type TestService } from './service.js';
import { type SignedUp, signUp, type Visitor } from './visitor.js';

/** The first has no windows to draw, and takes half the processor time of the others. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Path of the browser. Undefined: none is installed. */
const EXECUTABLE = await find();

/** Time for a test. On a busy machine, a browser needs many times of what it needs alone. */
const TIMEOUT_MS = 60_000;

let browser: Browser;
/** The service of the suite that runs. */
export let service: TestService;
/** The person who is signed in. */
export let ada: SignedUp;
/** The page of the test that runs, and its faults. */
export let context: BrowserContext;
export let page: Page;
export let complaints: string[];

interface Setting {
  /** Settings of the service. */
  settings?: () => Partial<Config> | Promise<Partial<Config>>;
  /** The person `ada`: the same one in all tests, or a new one in each. Absent: nobody is signed in. */
  ada?: 'same' | 'new';
}

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
  // One process for all pages, and none for a graphics card: to start others takes a twelfth of the processor time of these tests.
  const args = ['--no-sandbox', '--renderer-process-limit=1', '--in-process-gpu', '--disable-gpu'];
  return chromium.launch({ executablePath: EXECUTABLE, args });
}

/** Gives a suite a service and a browser. */
export function startBrowser(setting: Setting = {}): void {
  beforeAll(async () => {
    service = await startTestService(sqlite, await setting.settings?.());
    browser = await launch();
    if (setting.ada === 'same') ada = await signUp(service);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });
}

/** Gives a suite a service and a browser, and each of its tests a page that must be without faults. */
export function openPages(setting: Setting = {}): void {
  startBrowser(setting);
  beforeEach(async () => {
    if (setting.ada === 'new') ada = await signUp(service);
    await open(setting.ada && ada.visitor);
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
}

/** Opens the page of the test. @param visitor is signed in */
export async function open(visitor?: Visitor, options?: BrowserContextOptions): Promise<void> {
  ({ context, page, complaints } = await openPage(visitor, options));
}

/** Goes on in a new tab. */
export async function openTab(): Promise<void> {
  page = await context.newPage();
}

export async function openStudio(): Promise<void> {
  await page.goto(`${ada.base}/studio`);
  await page.getByText('Sample code. Scans, with room to spare.').waitFor();
}

/** Lets the browser be signed in as somebody who signed up without it. */
export async function enterAs({ visitor, base }: Pick<SignedUp, 'visitor' | 'base'>): Promise<void> {
  await signInAs(visitor);
  await page.goto(base);
}

/** Lets the pages of a context be signed in as somebody who signed up without a browser. */
export function signInAs({ cookies }: Visitor, into = context): Promise<void> {
  return into.addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url: service.url })));
}

/** Another page of the service, and its faults. @param visitor is signed in */
export async function openPage(
  visitor?: Visitor,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const opened = await browser.newContext({ baseURL: service.url, locale: 'en-GB', ...options });
  opened.setDefaultTimeout(20_000);
  if (visitor !== undefined) await signInAs(visitor, opened);
  const first = await opened.newPage();
  return { context: opened, page: first, complaints: watch(first, service.url) };
}

/** Makes a job of `ada`, and waits for its end. @returns its id */
export async function press(job: object): Promise<string> {
  const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'press');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { jobId } = await service.submit(job, headers);
  await service.ended(jobId);
  return jobId;
}

/** A list that is chosen as a file. */
export function csv(text: string | Buffer): { name: string; mimeType: string; buffer: Buffer } {
  return { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}

/** Collects faults of a page: errors in its scripts, requests to other hosts, breaches of its policy. */
export function watch(watched: Page, origin: string): string[] {
  const faults: string[] = [];
  watched.on('pageerror', (error) => faults.push(error.message));
  watched.on('console', (message) => {
    // The console reports status 4xx as an error, and a refused form is such a page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  watched.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      faults.push(`request to ${request.url()}`);
    }
  });
  return faults;
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
