/** Forms and names in a real browser: reloads, questions, names of any length. */

import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { StyleStore } from '../../src/accounts/style-store.js';
import { describeInBrowser, launch, watch } from '../support/browser.js';
import { DATABASES } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp, Visitor } from '../support/visitor.js';

const [sqlite] = DATABASES;

/** Names of 120 characters without a space: Latin, right-to-left, emoji. */
const NAMES = ['W'.repeat(120), 'שלום'.repeat(30), '👩🏽‍🚀'.repeat(30)];

/** Tables and pages that are wider than their place. */
const WIDE = `[document.documentElement, ...document.querySelectorAll('.table, .heading, .top, .top-inner')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ tagName, className, scrollWidth, clientWidth }) => \`\${tagName}.\${className} \${scrollWidth} > \${clientWidth}\`)`;

describeInBrowser('forms in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    service = await startTestService(sqlite as (typeof DATABASES)[number]);
    browser = await launch();
  });
  beforeEach(async () => {
    context = await browser.newContext({ baseURL: service.url, locale: 'en-GB' });
    context.setDefaultTimeout(10_000);
    page = await context.newPage();
    complaints = watch(page, service.url);
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** Lets the browser be signed in as somebody who signed up without it. */
  async function enterAs({ visitor, base }: Pick<SignedUp, 'visitor' | 'base'>, into = context): Promise<Page> {
    const cookies = Array.from(visitor.cookies, ([name, value]) => ({ name, value, url: service.url }));
    await into.addCookies(cookies);
    const entered = into === context ? page : await into.newPage();
    await entered.goto(base);
    return entered;
  }

  it('repeats no form when its answer is reloaded, and shows again what is shown once', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    const posts: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())));

    await page.goto(`${ada.base}/keys`);
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: /laptop/ }).waitFor();
    const key = await page.locator('#key').textContent();
    await page.reload();
    expect(await page.locator('#key').textContent()).toBe(key);
    expect(posts).toHaveLength(1);
    expect(await service.admin.keys.list(ada.organisationId)).toHaveLength(1);
    // The address opens nothing in another browser, and the form's page where it is no longer kept.
    const other = await browser.newContext({ baseURL: service.url });
    const stranger = await signUp(service);
    const elsewhere = await enterAs({ ...stranger, base: page.url() }, other);
    expect(await elsewhere.getByText(key ?? '').count()).toBe(0);
    await other.close();
    await service.admin.database.updateTable('kept_pages').set({ expires_at: 0 }).execute();
    await page.reload();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await page.locator('#key').count()).toBe(0);

    // A form that was refused keeps what was typed.
    await page.goto('/account/you');
    await page.getByLabel('New email address').fill('not an address');
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByRole('alert').waitFor();
    await page.reload();
    expect(await page.getByLabel('New email address').inputValue()).toBe('not an address');
    expect(posts).toHaveLength(2);

    const { webhookId } = await service.admin.webhooks.create({
      organisationId: ada.organisationId,
      url: 'https://hooks.example.org/a',
      events: ['job.complete'],
    });
    await page.goto(`${ada.base}/webhooks/${webhookId}`);
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Create new secret' }).click();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Create new secret' }).click();
    await page.locator('#secret').waitFor();
    const secret = await page.locator('#secret').textContent();
    await page.reload();
    expect(await page.locator('#secret').textContent()).toBe(secret);
    expect(posts).toHaveLength(3);

    await page.goto('/account/you/second-factor');
    const totp = new TOTP({ secret: Secret.fromBase32(await page.locator('[name=secret]').inputValue()) });
    await page.getByLabel('Code').fill(totp.generate());
    await page.getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const codes = await page.locator('#codes').textContent();
    await page.reload();
    expect(await page.locator('#codes').textContent()).toBe(codes);
    expect(posts).toHaveLength(4);

    // A notice belongs to one showing of the page.
    await page.goto('/account/you');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Your name is changed.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Save name' }).waitFor();
    expect(await page.getByText('Your name is changed.').count()).toBe(0);
  });

  it('asks before it deletes, without scripts', async () => {
    const ada = await signUp(service);
    const { key } = await service.admin.keys.create(ada.organisationId, 'old laptop');
    const plain = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    plain.setDefaultTimeout(10_000);
    const still = await enterAs(ada, plain);
    const isRevoked = async () => {
      const response = await fetch(`${service.url}/api/v1/credits`, { headers: { authorization: `Bearer ${key}` } });
      return response.status === 401;
    };
    await still.goto(`${ada.base}/keys`);
    await still.getByRole('button', { name: 'Revoke old laptop' }).click();
    await still.getByText('Revoke “old laptop”?').waitFor();
    expect(await isRevoked()).toBe(false);
    await still.getByRole('link', { name: 'No, go back' }).click();
    await still.getByRole('button', { name: 'Revoke old laptop' }).click();
    await still.getByRole('button', { name: 'Yes' }).click();
    await still.getByText('The key is revoked.').waitFor();
    expect(await isRevoked()).toBe(true);
    await plain.close();
  });

  it('keeps the form of an invitation that cannot be sent, and takes a number as it is written', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/members`);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('link', { name: `${ada.email} is a member already.` }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email);
    const root = await operator();
    await context.clearCookies();
    await enterAs({ visitor: root, base: '/account/operator' });
    await page.getByText('There is no mail server').waitFor();
    await page.goto(`/account/operator/organisations/${ada.organisationId}`);
    await page.getByLabel('Credits', { exact: true }).first().fill('1,000');
    await page.getByLabel('Reason').fill('as written');
    await page.getByRole('button', { name: 'Grant credits' }).click();
    await page.getByText('The credits are granted.').waitFor();
    expect((await service.admin.organisations.find(ada.organisationId))?.balance).toBe(1_500);
  });

  it('shows every list whole, however long a name is', async () => {
    const [name = ''] = NAMES;
    const ada = await signUp(service, name);
    const { organisationId, base } = ada;
    const { database, keys, webhooks } = service.admin;
    const paths = [base, `${base}/jobs`, `${base}/keys`, `${base}/members`, `${base}/settings`, `${base}/studio`];
    for (const each of NAMES) {
      const { key } = await keys.create(organisationId, each);
      const answer = await fetch(`${service.url}/api/v1/jobs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: each, items: [{ data: each, filename: each }] }),
      });
      const { jobId } = (await answer.json()) as { jobId: string };
      await ada.visitor.get(`${base}/jobs/${jobId}/events`);
      paths.push(`${base}/jobs/${jobId}`);
      const url = `https://hooks.example.org/${encodeURIComponent(each).slice(0, 300)}`;
      const { webhookId } = await webhooks.create({ organisationId, url, events: ['job.complete'] });
      paths.push(`${base}/webhooks/${webhookId}`);
      await ada.visitor.get(`${base}/members`);
      await ada.visitor.post(`${base}/invitations`, {
        email: `${each.length}${'w'.repeat(50)}@example.org`,
        role: 'admin',
      });
      await ada.visitor.get(`${base}/settings`);
      await ada.visitor.post(`${base}/settings`, { name: each });
      await new StyleStore(database).save(organisationId, each, {});
    }
    await database.updateTable('people').set({ name }).where('email', '=', ada.email).execute();
    const wide: string[] = [];
    const look = async (path: string) => {
      await page.goto(path);
      for (const width of [320, 1100]) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate<string[]>(WIDE);
        wide.push(...found.map((each) => `${path} at ${width}: ${each}`));
      }
    };
    await enterAs(ada);
    for (const path of [...paths, `${base}/webhooks`, `${base}/credits`, '/account/you']) await look(path);
    const root = await operator();
    await context.clearCookies();
    await enterAs({ visitor: root, base: '/account/operator' });
    for (const path of ['/account/operator', `/account/operator/organisations/${organisationId}`]) await look(path);
    expect(wide).toEqual([]);
  }, 60_000);

  async function operator(): Promise<Visitor> {
    const root = new Visitor(service);
    const link = `/account/operator/${await service.admin.operators.issueLink()}`;
    await root.get(link);
    await root.post(link, { name: 'Root', email: `root${Math.random()}@example.org`, password: 'run this service' });
    return root;
  }
});
