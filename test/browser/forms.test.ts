/** Forms and names in a real browser: reloads, questions, names of any length. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { StyleStore } from '../../src/accounts/organisations/style-store.js';
import { context, csv, describeInBrowser, enterAs, openPage, openPages, page, service } from '../support/browser.js';
import { signUp, Visitor } from '../support/visitor.js';

/** Names of 120 characters without a space: Latin, right-to-left, emoji. */
const NAMES = ['W'.repeat(120), 'שלום'.repeat(30), '👩🏽‍🚀'.repeat(30)];

/** Tables and pages that are wider than their place. */
const WIDE = `[document.documentElement, ...document.querySelectorAll('.table, .heading, .top, .top-inner')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ tagName, className, scrollWidth, clientWidth }) => \`\${tagName}.\${className} \${scrollWidth} > \${clientWidth}\`)`;

describeInBrowser('forms in a browser', () => {
  let brand: string;
  afterAll(() => rm(brand, { recursive: true }));
  openPages({
    settings: async () => {
      brand = await mkdtemp(join(tmpdir(), 'brand-'));
      await writeFile(join(brand, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
      await writeFile(join(brand, 'colours.css'), ':root { --accent: #224488; }');
      await writeFile(join(brand, 'front.html'), '<h1 id="front">Codes for Acme</h1>');
      return { brand: { name: 'Acme', folder: brand } };
    },
  });

  it('shows every section on a phone, whole tables on a tablet, and the section in forced colours', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    const { webhookId } = await service.admin.webhooks.create(COMMAND_LINE, {
      organisationId: ada.organisationId,
      url: 'https://hooks.example.com/a',
      events: ['job.complete'],
    });
    await service.admin.webhooks.test(webhookId).catch(() => undefined);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${ada.base}/members`);
    const hidden = `[...document.querySelectorAll('.sections a, .who a')].map((link) => link.getBoundingClientRect())
      .filter(({ left, right }) => left < 0 || right > innerWidth).length`;
    expect(await page.evaluate(hidden)).toBe(0);
    expect(await page.evaluate<number>("document.querySelector('.top-inner').offsetHeight")).toBeLessThan(70);
    for (const width of [700, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of ['/members', '/keys', `/webhooks/${webhookId}`, '/settings', '/credits', '/jobs']) {
        await page.goto(ada.base + path);
        await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
        expect(await page.evaluate(WIDE), `${path} at ${width}`).toEqual([]);
      }
    }
    await page.emulateMedia({ forcedColors: 'active' });
    const line = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).borderBottomColor`);
    const [current, other] = [await line('.sections [aria-current]'), await line('.sections a:not([aria-current])')];
    expect(current).not.toBe(other);
  });

  it('begins with a page that draws what a visitor types, in the look of its operator', async () => {
    await page.goto('/');
    await page.getByRole('heading', { name: 'Codes for Acme' }).waitFor();
    expect(await page.title()).toBe('QR codes in bulk · Acme');
    expect(await page.evaluate<number>("document.querySelector('.wordmark img').naturalWidth")).toBeGreaterThan(0);
    const colour = await page.evaluate<string>("getComputedStyle(document.querySelector('.button')).backgroundColor");
    expect(colour).toBe('rgb(34, 68, 136)');
    // Each address of the list stands in one line.
    const heights = await page
      .locator('.steps tbody tr')
      .evaluateAll((rows) => rows.map((row) => (row as unknown as { offsetHeight: number }).offsetHeight));
    expect(Math.max(...heights)).toBeLessThan(50);
    const picture = page.getByAltText('The code, in colour');
    const before = await picture.getAttribute('src');
    await page.getByLabel('Try it').fill('a text of my own');
    await page.locator(`[data-pictures] li:nth-child(2) img:not([src="${before}"])`).waitFor();
    await page.getByLabel('Try it').fill('x');
    await page.getByText('curl http').waitFor();
    await page.goto('/?text=without%20scripts');
    expect(await page.getByLabel('Try it').inputValue()).toBe('without scripts');
    expect(await picture.getAttribute('src')).not.toBe(before);
    await page.getByText('Accounts are given by whoever runs this server.').waitFor();
    await page.goto('/account/sign-up');
    await page.getByText('Ask whoever runs it for an invitation: its link creates your account.').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await signUp(service);
    const folder = join(service.config.dataDir, 'outbox');
    const [mail = ''] = await readdir(folder);
    expect(await readFile(join(folder, mail), 'utf8')).toMatch(/>Acme<.*background:#224488/s);
    await page.goto('/docs');
    expect(await page.title()).toBe('Documentation · Acme');
    expect(await page.evaluate<number>("document.querySelector('.wordmark img').naturalWidth")).toBeGreaterThan(0);
    const link = await page.evaluate<string>("getComputedStyle(document.querySelector('main a')).color");
    expect(link).toBe('rgb(34, 68, 136)');
  });

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
    const { context: other, page: elsewhere } = await openPage((await signUp(service)).visitor);
    await elsewhere.goto(page.url());
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

    const { webhookId } = await service.admin.webhooks.create(COMMAND_LINE, {
      organisationId: ada.organisationId,
      url: 'https://hooks.example.org/a',
      events: ['job.complete'],
    });
    await page.goto(`${ada.base}/webhooks/${webhookId}`);
    await page.getByRole('button', { name: 'Create new secret' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create new secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create new secret' }).click();
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
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'old laptop');
    const { context: plain, page: still } = await openPage(ada.visitor, { javaScriptEnabled: false });
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
    await still.getByRole('button', { name: 'Yes, continue' }).click();
    await still.getByText('The key is revoked.').waitFor();
    expect(await isRevoked()).toBe(true);
    await plain.close();
  });

  it('takes a number as it is written', async () => {
    const ada = await signUp(service);
    const root = await operator();
    await context.clearCookies();
    await enterAs({ visitor: root, base: '/account/operator' });
    await page.getByText('Sign-up mails are not sent yet').waitFor();
    await page.goto(`/account/operator/organisations/${ada.organisationId}`);
    await page.getByLabel('Credits', { exact: true }).first().fill('1,000');
    await page.getByLabel('Reason').fill('as written');
    await page.getByRole('button', { name: 'Grant', exact: true }).click();
    await page.getByText(/credits? (?:is|are) granted\./).waitFor();
    expect((await service.admin.organisations.find(ada.organisationId))?.balance).toBe(1_500);
    // The form says which of its buttons was pressed.
    await page.getByLabel('Credits', { exact: true }).first().fill('250');
    await page.getByLabel('Reason').fill('a slip');
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('250 credits are taken back.').waitFor();
    expect((await service.admin.organisations.find(ada.organisationId))?.balance).toBe(1_250);
  });

  it('says in the studio what is wrong with lines and files, and reads a file again only when asked', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    await page.getByText('Sample code. Scans, with room to spare.').waitFor();
    const lines = page.getByLabel('Or type a few lines');
    const file = page.getByLabel('Excel, CSV or text file');
    const make = page.getByRole('button', { name: 'Make codes' });
    await lines.fill(`one\n\n${'x'.repeat(3_000)}`);
    await page.getByText('Line 3 is too long: 3,000 characters; at most 2,953 fit.').waitFor();
    expect(await make.isDisabled()).toBe(true);
    await lines.fill('same\n\nother\nsame');
    await page.getByText('2 codes seem to have the same data as another code. The first is line 1.').waitFor();
    await lines.fill('same\n'.repeat(31));
    await lines.blur();
    await page.getByText('31 codes seem to have the same data as another code.').waitFor();
    await page.getByText('First code. Scans, with room to spare.').waitFor();

    await file.setInputFiles(csv('data;filename\n"open'));
    await page.locator('#reason').getByText('See the problem under your file.').waitFor();
    await page.getByText('The codes are made from the file.').waitFor();
    // The first preview without the lines is on its way.
    await page.getByText(/code\. Scans/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Use the lines instead' }).click();
    await page.getByText('31 codes cost 31 credits.').waitFor();
    await file.setInputFiles(csv(''));
    await page.getByText('The file “list.csv” is empty.').waitFor();

    await file.setInputFiles(csv('Ziel,Halle\nhttps://example.org/1,West\nhttps://example.org/2,Ost'));
    await page.getByText('Does column A (Ziel) hold the links?').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const checks: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/check') && checks.push(request.url())));
    await page.getByText('More: resolution').click();
    await page.getByLabel('Quiet zone').fill('1');
    await page.getByText(/^Quiet zone: 1 module(?!s)/).waitFor();
    await page
      .getByText(/quiet zone is 1 module wide/)
      .first()
      .waitFor();
    expect(checks).toEqual([]);
    await page.getByRole('button', { name: 'Check all 2 codes in this style' }).click();
    await page.getByText(/quiet zone is 1 module wide.* All codes are affected/).waitFor();

    await page.route('**/check', (route) => route.abort());
    await file.setInputFiles(csv('data\n1'));
    await page.getByText('The service did not answer. Choose the file again.').waitFor();
    await page.unroute('**/check');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();

    const suspended = { suspended_at: Date.now() };
    const ofAda = service.admin.database.updateTable('organisations').where('id', '=', ada.organisationId);
    await ofAda.set(suspended).execute();
    await page.reload();
    await page.locator('#reason').getByText('Your organisation is suspended.').waitFor();
  });

  it('has price and button in sight, colours and sizes as numbers, and error correction for the logo', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    await page.getByText(/code\. Scans/).waitFor();
    const make = page.getByRole('button', { name: 'Make codes' });
    for (const size of [
      { width: 320, height: 640 },
      { width: 1100, height: 800 },
    ]) {
      await page.setViewportSize(size);
      for (const place of [0, 700]) {
        await page.evaluate(`scrollTo(0, ${place})`);
        const { y = -1, height = 0 } = (await make.boundingBox()) ?? {};
        expect(y).toBeGreaterThan(0);
        expect(y + height).toBeLessThanOrEqual(size.height);
      }
    }
    await page.getByLabel('Colour as #rrggbb').fill('#7A1F4B');
    expect(await page.getByLabel('Colour', { exact: true }).inputValue()).toBe('#7a1f4b');
    await page.getByLabel('Width in print, in mm').fill('20');
    await page
      .getByText(
        'All pictures are 20 mm wide, with the empty border. The code itself is 15.2 mm wide. It scans from about 15 cm.',
      )
      .waitFor();

    const png = await page.evaluate<string>(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 200;
      canvas.getContext('2d').fillRect(0, 0, 200, 200);
      return canvas.toDataURL('image/png').replace(/.*,/, '');
    })()`);
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
    await page.getByLabel('Logo', { exact: true }).setInputFiles(logo);
    await page.getByLabel('Logo size').fill('30');
    const description = 'Error correction is raised from M to H: the logo covers too much of the code for M.';
    await page.getByRole('slider', { name: 'Logo size', description }).waitFor();
    const level = page.getByLabel('Error correction');
    expect(await level.inputValue()).toBe('H');
    await page.getByText('More: resolution').click();
    await level.selectOption('L');
    await page.getByRole('link', { name: 'The sample code does not scan' }).waitFor();
    expect(await level.inputValue()).toBe('L');
    await level.selectOption('H');
    await page.getByLabel('Or type a few lines').fill('https://example.org/1');
    await page.getByLabel('Name of the job').fill('Äpfel & “Brötchen”: 1/2');
    await make.click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download ZIP' }).click();
    expect((await download).suggestedFilename()).toBe('Äpfel & “Brötchen”- 1-2.zip');
  });

  it('keeps the studio as it was while its person is signed out', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    await page.getByText(/code\. Scans/).waitFor();
    await page.getByLabel('Excel, CSV or text file').setInputFiles({
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Where;Link\nÄpfel;https://example.org/1\nempty;'),
    });
    await page.getByText('Skip the faulty row and make the other one').waitFor();
    await Promise.all([
      page.waitForResponse(/\/studio\/check$/),
      page.getByLabel('Column A Where').selectOption('caption'),
    ]);
    await page.getByText('Skip the faulty row, or correct it.').waitFor();
    await page.getByText('Skip the faulty row and make the other one').click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByLabel('Name of the job').fill('draft');
    await page.getByLabel('Colour', { exact: true }).fill('#1b3a5c');
    // Nothing is under way when the session ends.
    const drawn = page.waitForResponse(
      (response) => response.request().postData()?.includes('"transparent":"1"') === true && response.ok(),
    );
    await page.getByLabel('Transparent').check();
    await drawn;
    await page.getByText('More: resolution').click();
    await service.admin.database.deleteFrom('sessions').execute();
    await page.getByLabel('Quiet zone').fill('7');
    await page.getByText('You were signed out.').waitFor();
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Your list and style are here again.', { exact: true }).waitFor();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByText('More: resolution').click();
    await page.getByText('Quiet zone: 7 modules').waitFor();
    expect(await page.getByLabel('Colour as #rrggbb').inputValue()).toBe('#1b3a5c');
    expect(await page.getByLabel('Name of the job').inputValue()).toBe('draft');
    expect(await page.getByLabel('Transparent').isChecked()).toBe(true);
    expect(await page.getByLabel('Column A Where').inputValue()).toBe('caption');
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('heading', { name: 'draft' }).waitFor();
  });

  it('keeps what one person wrote from another', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    await page.getByText(/code\. Scans/).waitFor();
    await page.getByLabel('Or type a few lines').fill('for my eyes only');
    await page.getByText('1 code costs 1 credit.').waitFor();
    const other = await signUp(service);
    await service.admin.database
      .insertInto('memberships')
      .values({
        person_id: await idOf(other.email),
        organisation_id: ada.organisationId,
        role: 'member',
        created_at: 0,
      })
      .execute();
    await page.getByText('More: resolution').click();
    await service.admin.database.deleteFrom('sessions').execute();
    await page.getByLabel('Quiet zone').fill('7');
    await page.getByText('You were signed out.').waitFor();
    await page.getByLabel('Email').fill(other.email);
    await page.getByLabel('Password').fill(other.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/code\. Scans/).waitFor();
    expect(await page.getByLabel('Or type a few lines').inputValue()).toBe('');
  });

  async function idOf(email: string): Promise<string> {
    const query = service.admin.database.selectFrom('people').select('id').where('email', '=', email);
    return (await query.executeTakeFirstOrThrow()).id;
  }

  it('makes a job again, with its list, names and captions', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    await page.getByLabel('Excel, CSV or text file').setInputFiles({
      name: 'tables.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'data;filename;caption\nhttps://example.org/1;first;Table 1\n\nhttps://example.org/2;second;',
      ),
    });
    await page.getByText('More: resolution').click();
    await page.getByLabel('Quiet zone').fill('6');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('link', { name: 'Print labels' }).click();
    const drawn = `performance.getEntriesByType('resource').filter(({ name, responseStatus }) =>
      name.includes('/labels.svg?') && responseStatus === 200).length`;
    await expect.poll(() => page.evaluate<number>(drawn), { timeout: 20_000 }).toBe(1);
    await page.goBack();
    await page.getByAltText('Row 4').waitFor();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.getByText('The codes and the style of “tables” are here.').waitFor();
    await page.getByText('The list of “tables”', { exact: true }).waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await page.getByLabel('Quiet zone').inputValue()).toBe('6');
    // So it is called wherever the studio is opened again.
    await page.reload();
    await page.getByText('The codes and the style of “tables” are here.').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
    await page.getByRole('link', { name: 'Studio', exact: true }).first().click();
    await page.getByText('The list is that of “tables”, without the columns of its file').waitFor();
    await page.getByText('The list of “tables”', { exact: true }).waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByLabel('Format', { exact: true }).selectOption('svg');
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('heading', { name: 'tables' }).waitFor();
    await page.getByText('first.svg').waitFor();
    await page.getByText('second.svg').waitFor();
    await page.getByAltText('Row 4').waitFor();
    await page.getByLabel('Name, reference, caption or data').fill('Table 1');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('second.svg').waitFor({ state: 'detached' });
    await page.getByText('first.svg').waitFor();
  });

  it('changes the caption that all codes of a job share when it is made again, and leaves off one that was off', async () => {
    const ada = await signUp(service);
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'captions');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const items = [{ data: 'shared' }, { data: 'own', caption: 'Mine' }, { data: 'off', caption: '' }];
    const { jobId } = await service.submit({ style: { caption: { text: 'Before' } }, items }, headers);
    await service.ended(jobId);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio?job=${jobId}`);
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.getByText('The columns of its file are not: to use others, choose that file.').waitFor();
    await page.getByLabel('Caption', { exact: true }).fill('After');
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    const made = new URL(page.url()).pathname.split('/').at(-1);
    const manifest = await service.fetch(`/api/v1/jobs/${made}/manifest`, { headers });
    const lines = (await manifest.text()).trim().split('\n');
    const captions = lines.map((line) => (JSON.parse(line) as { caption?: string }).caption);
    expect(captions).toEqual(['After', 'Mine', undefined]);
  });

  it('makes a code of the first row too where it is a link', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    const buffer = Buffer.from('https://example.org/1;Hall 1\nhttps://example.org/2;Hall 2\n');
    const file = { name: 'halls.csv', mimeType: 'text/csv', buffer };
    await page.getByLabel('Excel, CSV or text file').setInputFiles(file);
    await page.getByText('Does column A hold the links?').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByLabel('Column B').selectOption('caption');
    await page.getByText('1 column is not used.').waitFor({ state: 'hidden' });
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByText('example.org-1.png').waitFor();
    await page.getByText('example.org-2.png').waitFor();
  });

  it('makes a code of a first row that looks like the others, unless a person says that it has names', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    const buffer = Buffer.from('Fire;122\nPolice;133\nRescue;144\n');
    await page.getByLabel('Excel, CSV or text file').setInputFiles({ name: 'help.csv', mimeType: 'text/csv', buffer });
    await page.getByText('No row names the columns: row 1 is the first code.').waitFor();
    await page.getByLabel('Column B').selectOption('data');
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.getByRole('button', { name: 'The first row names the columns' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'The first row is a code too' }).click();
    await page.getByText('3 codes cost 3 credits.').waitFor();
    await page.getByRole('button', { name: 'The first row names the columns' }).waitFor();
  });

  it('sends no half of a date', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/keys`);
    await page.getByLabel('Name').fill('temporary');
    const day = page.getByLabel('Last day');
    await day.focus();
    // The first part of it, in whatever order the browser has the parts.
    await page.keyboard.press('ArrowUp');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await day.evaluate((field) => field.matches(':focus-within'))).toBe(true);
    expect(await service.admin.keys.list(ada.organisationId)).toEqual([]);
    await day.fill('2999-12-31');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: /temporary/ }).waitFor();
    const [{ expiresAt } = {}] = await service.admin.keys.list(ada.organisationId);
    expect(expiresAt).not.toBeNull();
  });

  it('names a job of typed lines after the first one', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    await page.getByLabel('Or type a few lines').fill('\n  Platform 9¾  \nPlatform 10');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('heading', { name: 'Platform 9¾', exact: true }).waitFor();
  });

  it('says where credits and invitations come from, and when a thing happened', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'press');
    await fetch(`${service.url}/api/v1/jobs`, { headers: { authorization: `Bearer ${key}` } });
    await page.goto(`${ada.base}/keys`);
    await page.getByRole('link', { name: 'press' }).click();
    await page.getByRole('rowheader', { name: /\d\d:\d\d:\d\d/ }).waitFor();
    await page.goto(`${ada.base}/settings`);
    await page
      .getByRole('cell', { name: /\d\d:\d\d:\d\d/ })
      .first()
      .waitFor();
    await page.goto(`${ada.base}/members`);
    await page.getByText('Invitations are not sent yet: this server has no mail server.').waitFor();
    await page.goto('/account/you');
    await page.getByLabel('New organisation').fill('Second');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByRole('link', { name: 'Ask for credits' }).click();
    await page.getByLabel('How many, and for what').waitFor();
    const root = await operator();
    await context.clearCookies();
    await enterAs({ visitor: root, base: `/account/operator/organisations/${ada.organisationId}` });
    await page.getByRole('button', { name: 'Suspend organisation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend organisation' }).click();
    await page.getByText(/Suspended since .*\d: nobody can make codes/).waitFor();
  });

  it('tests a webhook as soon as it is created', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/webhooks`);
    await page.getByLabel('Address').fill('https://hooks.invalid/codes');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test failed. See the answer below.').waitFor();
  });

  it('lets a person choose columns without scripts', async () => {
    const ada = await signUp(service);
    const { context: plain, page: still } = await openPage(ada.visitor, { javaScriptEnabled: false });
    await still.goto(`${ada.base}/studio`);
    const buffer = Buffer.from('Ziel,Halle\nAlpha,West\nBeta,Ost');
    // The page has the file from then on.
    await still.getByLabel('Excel, CSV or text file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
    await still.getByRole('button', { name: 'Make codes' }).click();
    await still.getByLabel('Column A: Ziel').selectOption('data');
    await still.getByRole('button', { name: 'Make codes' }).click();
    await still.getByText('No codes are made yet.').waitFor();
    await still.getByRole('button', { name: 'Make codes' }).click();
    await still.getByRole('heading', { name: 'list' }).waitFor();
    await plain.close();
  });

  it('shows every list whole, however long a name is', async () => {
    const [name = ''] = NAMES;
    const ada = await signUp(service, name);
    const { organisationId, base } = ada;
    const { database, keys, webhooks } = service.admin;
    const paths = [base, `${base}/jobs`, `${base}/keys`, `${base}/members`, `${base}/settings`, `${base}/studio`];
    for (const each of NAMES) {
      const { key } = await keys.create(COMMAND_LINE, organisationId, each);
      const answer = await fetch(`${service.url}/api/v1/jobs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: each, items: [{ data: each, filename: each }] }),
      });
      const { jobId } = (await answer.json()) as { jobId: string };
      await service.ended(jobId);
      paths.push(`${base}/jobs/${jobId}`);
      const url = `https://hooks.example.org/${encodeURIComponent(each).slice(0, 300)}`;
      const { webhookId } = await webhooks.create(COMMAND_LINE, { organisationId, url, events: ['job.complete'] });
      paths.push(`${base}/webhooks/${webhookId}`);
      await ada.visitor.get(`${base}/members`);
      await ada.visitor.post(`${base}/invitations`, {
        email: `${each.length}${'w'.repeat(50)}@example.org`,
        role: 'admin',
      });
      await ada.visitor.get(`${base}/settings`);
      await ada.visitor.post(`${base}/settings`, { name: each });
      await new StyleStore(database).save({ personId: '', address: '' }, organisationId, each, {});
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
    // A name in a filter takes no more room than the others.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${base}/jobs`);
    const tops = [];
    for (const label of ['Name or ID', 'Key', 'From (UTC)', 'To']) {
      tops.push((await page.getByLabel(label, { exact: true }).boundingBox())?.y ?? 0);
    }
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(5);
    const tabs = new Set<number>();
    for (const path of [...paths, `${base}/webhooks`, `${base}/credits`, '/account/you']) {
      await look(path);
      const last = page.locator('.sections li:last-child a');
      if ((await last.count()) > 0) tabs.add(Math.round((await last.boundingBox())?.x ?? 0));
    }
    // Tabs keep their places, and headings have the font that is served with the page.
    expect(tabs.size).toBe(1);
    expect(await page.evaluate<boolean>(`document.fonts.check('500 16px "qrpress headings"')`)).toBe(true);
    const czech = `document.fonts.load('500 16px "qrpress headings"', 'ř').then((faces) => faces.map(({ unicodeRange }) => unicodeRange))`;
    expect((await page.evaluate<string[]>(czech)).join()).toContain('U+100');
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
