/** Signing in with the company account in a real browser, at a real OpenID Connect provider. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.js';
import { describeInBrowser, launch, watch } from '../support/browser.js';
import { sqlite } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.js';
import { judgePage } from '../support/judge-page.js';
import { startTestService, type TestService } from '../support/service.js';
import { signUp } from '../support/visitor.js';

const BUTTON = 'Sign in with your company account';

describeInBrowser('single sign-on in a browser', () => {
  let provider: TestProvider;
  let service: TestService;
  /** A service without passwords. */
  let strict: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    provider = await startIdentityProvider();
    service = await start({});
    strict = await start({ passwords: false });
    provider.people.set('grace', { email: 'grace@example.org', email_verified: true, name: 'Grace Hopper' });
    browser = await launch();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    page = await context.newPage();
    // The provider's own page asks for a font of another site.
    await context.route(/fonts\./, (route) => route.abort());
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    await service.close();
    await strict.close();
    await provider.close();
  });

  /** A service at the address that the provider sends people back to. */
  async function start(settings: Partial<Config>): Promise<TestService> {
    const { issuer, clientId, clientSecret } = provider;
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    provider.allow(`${baseUrl}/account/sign-in/oidc/callback`);
    const oidc = { issuer, clientId, clientSecret, groups: [] };
    return startTestService(sqlite, { port, baseUrl, oidc, ...settings });
  }

  /** Fills the provider's form in, by keyboard. */
  async function signInAtProvider(personId: string): Promise<void> {
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('[name=login]').focus();
    await page.keyboard.type(personId);
    await page.keyboard.press('Tab');
    await page.keyboard.type('any');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account\//);
  }

  it('leads by keyboard from the sign-in page to an account and an organisation, and in again', async () => {
    const complaints = watch(page, service.url);
    await page.goto(`${service.url}/account/sign-in`);
    const problems: string[] = [];
    await judgePage(page, 'the sign-in page', problems);
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);

    await page.getByRole('link', { name: BUTTON }).focus();
    await page.keyboard.press('Enter');
    await signInAtProvider('grace');
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.getByText('You can sign in with your company account.').waitFor();
    await judgePage(page, 'the new account', problems);
    expect(problems).toEqual([]);
    await page.getByLabel('New organisation').fill('Compilers');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Compilers' }).waitFor();
    await page.getByText('The organisation is ready, and has 500 credits.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.getByRole('link', { name: BUTTON }).click();
    // The provider remembers who she is.
    await page.getByRole('heading', { name: 'Compilers' }).waitFor();
  }, 60_000);

  it('connects a company account, and disconnects it', async () => {
    const complaints = watch(page, service.url);
    const { email, password } = await signUp(service);
    provider.people.set('connected', { email: 'connected@example.com' });
    await page.goto(`${service.url}/account/sign-in?next=/account/you`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    const company = page.getByRole('region', { name: 'Company account' });
    await company.getByLabel('Your password').fill(password);
    await company.getByRole('button', { name: 'Connect' }).click();
    await signInAtProvider('connected');
    await page.getByText('Your company account is connected.').waitFor();
    const problems: string[] = [];
    await judgePage(page, 'the connected account', problems);
    expect(problems).toEqual([]);
    await company.getByLabel('Your password').fill(password);
    await company.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('The company account is disconnected.').waitFor();
    await company.getByRole('button', { name: 'Connect' }).waitFor();
    // The provider's pages are elsewhere.
    expect(complaints.filter((complaint) => !complaint.startsWith('request to '))).toEqual([]);
  }, 60_000);

  it('is the only way in where passwords are off', async () => {
    await page.goto(`${strict.url}/account/sign-in`);
    expect(await page.getByLabel('Password').count()).toBe(0);
    const problems: string[] = [];
    await judgePage(page, 'the sign-in page without passwords', problems);
    await page.getByRole('link', { name: BUTTON }).click();
    await signInAtProvider('grace');
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await judgePage(page, 'the account without a password', problems);
    expect(problems).toEqual([]);
    expect(await page.getByRole('heading', { name: 'Two-factor authentication' }).count()).toBe(0);
  });

  it('says what to do where the provider sends somebody back without signing in', async () => {
    await page.goto(`${service.url}/account/sign-in`);
    await page.getByRole('link', { name: BUTTON }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.getByRole('link', { name: /cancel/i }).click();
    await page.waitForURL(/callback/);
    const problems: string[] = [];
    await judgePage(page, 'the refused sign-in', problems);
    expect(problems).toEqual([]);
    await page.getByRole('heading', { name: 'Sign-in cancelled' }).waitFor();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('link', { name: BUTTON }).waitFor();
  });
});
