/** The account pages in a real browser: the whole way of a person, by mouse, by keyboard, on a phone, without scripts. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Secret, TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { context, describeInBrowser, enterAs, openPage, openPages, page, service } from '../support/browser.js';
import { unzip } from '../support/decode.js';
import { judgePage } from '../support/judge-page.js';
import { IS_NIGHTLY } from '../support/nightly.js';
import { mailedPath, signUp, Visitor } from '../support/visitor.js';

const CITIES = fileURLToPath(new URL('../../examples/cities.ndjson', import.meta.url));

describeInBrowser('the account in a browser', () => {
  const mailServer = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  afterAll(() => new Promise<void>((resolve) => mailServer.close(resolve)));
  openPages({
    settings: async () => {
      mailServer.listen(0, '127.0.0.1');
      await once(mailServer.server, 'listening');
      const { port } = mailServer.server.address() as AddressInfo;
      return { mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'qrpress <qr@example.org>' } };
    },
  });

  it('goes from sign-up over key, job and download to the revoked key', async () => {
    await page.goto('/account/sign-up');
    await page.getByLabel('Email').fill('ada@example.org');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

    await page.goto(await mailedPath(service, 'ada@example.org'));
    await page.getByLabel('Organisation').fill('Lovelace & Daughters');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Password').fill('analytical engine');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('500 credits are waiting').waitFor();
    expect(await page.getByRole('definition').first().textContent()).toBe('500');

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name').fill('label printer');
    await page.getByRole('button', { name: 'Create key' }).click();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const key = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(key).toMatch(/^qrp_\w{38}$/);

    const { jobId } = await postJob(key, 400);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('link', { name: jobId.slice(0, 6), exact: true }).click();
    const download = page.waitForEvent('download');
    // It appears by itself once the job is complete.
    await page.getByRole('link', { name: 'Download ZIP' }).click();
    const path = await (await download).path();
    expect((await unzip(await readFile(path))).size).toBe(400);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Revoke label printer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke label printer' }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect((await postJob(key, 1)).status).toBe(401);
  });

  it('makes the example in the studio, with a live preview', async () => {
    const ada = await signUp(service);
    await service.admin.ledger.grant(ada.organisationId, 2_000, 'for the example');
    const refused: string[] = [];
    page.on('response', (response) => void (response.status() === 429 && refused.push(response.url())));
    await enterAs(ada);
    await page.getByRole('link', { name: 'Studio', exact: true }).click();
    const picture = page.getByAltText('The first code', { exact: true });
    await page.getByText(/code\. Scans/).waitFor();
    const before = await picture.getAttribute('src');
    await page.getByLabel('Colour', { exact: true }).fill('#1b3a5c');
    await page.locator(`.picture img:not([src="${before}"])`).waitFor();
    await page.getByText('More: resolution').click();
    await page.getByLabel('Quiet zone').fill('1');
    await page
      .getByText(/quiet zone is 1 module wide/)
      .first()
      .waitFor();
    const make = page.getByRole('button', { name: 'Make codes' });
    await page.getByText('Add a file or a few lines to start.').waitFor();
    expect(await make.isDisabled()).toBe(true);
    await page.getByLabel('Excel, CSV or text file').setInputFiles(CITIES);
    await page.getByText('2,000 codes cost 2,000 credits. You have 2,500 credits.').waitFor();
    await page.getByAltText('Code 4').waitFor();
    await make.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make them anyway' }).click();
    await page.getByRole('heading', { name: 'cities' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download ZIP' }).click();
    expect((await unzip(await readFile(await (await download).path()))).size).toBe(2_000);
    // Each preview waited for the one before.
    expect(refused).toEqual([]);
  });

  it('says what is in the way, makes a PNG of other logos, and keeps file and logo after an error', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    const make = page.getByRole('button', { name: 'Make codes' });
    const reason = page.locator('#reason');
    const file = page.getByLabel('Excel, CSV or text file');
    await page
      .getByText(
        'Now 27.9 mm at 300 dpi, with the empty border. The code itself is 21.2 mm wide. It scans from about 21 cm.',
      )
      .waitFor();
    await page.getByText('More: resolution').click();
    await page.getByText('First code: 330 × 330 px.').waitFor();
    await page.getByLabel('Resolution in print').selectOption('600');
    await page
      .getByText(
        'Now 14 mm at 600 dpi, with the empty border. The code itself is 10.6 mm wide. It scans from about 11 cm.',
      )
      .waitFor();
    const text = (lines: number) =>
      Buffer.from(Array.from({ length: lines }, (_, line) => `https://example.org/${line}`).join('\n'));
    await file.setInputFiles({ name: 'many.txt', mimeType: 'text/plain', buffer: text(501) });
    await reason.getByText('You need 1 credit more.').waitFor();
    const broken = Buffer.from('data;filename\n"open');
    await file.setInputFiles({ name: 'broken.csv', mimeType: 'text/csv', buffer: broken });
    await reason.getByText('See the problem under your file.').waitFor();
    expect(await make.isDisabled()).toBe(true);
    await file.setInputFiles({ name: 'few.txt', mimeType: 'text/plain', buffer: text(2) });

    const logo = page.getByLabel('Logo', { exact: true });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h2v1H0z" fill="red"/></svg>';
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
    await page.getByText('The logo was converted to PNG.').waitFor();
    await page.locator('[data-chosen=logo]').getByText('logo.svg', { exact: true }).waitFor();
    for (const [link, isTaken] of [
      ['href="https://example.com/a.png"', false],
      ['href="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAI="', true],
      ['xlink:href="a.png"', false],
      ['style="fill:url(#a)"', true],
      [`style="fill:url( 'https://example.com/a.svg#a')"`, false],
      ['/><style>/* @import "a.css"; */</style><image', true],
      ['/><style>@import "a.css";</style><image', false],
    ] as const) {
      const content = `<image ${link} width="1" height="1"/><path d="M0 0h1v1H0z" fill="red"/>`;
      const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
      const linked = `<svg xmlns="http://www.w3.org/2000/svg" ${xlink} viewBox="0 0 2 1">${content}</svg>`;
      await logo.setInputFiles({ name: 'linked.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(linked) });
      const said = isTaken ? 'The logo was converted to PNG.' : '“linked.svg” is not taken. The drawing links to';
      await page.getByText(said).first().waitFor();
    }
    const sizeless = Buffer.from(svg.replace(' viewBox="0 0 2 1"', ''));
    await logo.setInputFiles({ name: 'sizeless.svg', mimeType: 'image/svg+xml', buffer: sizeless });
    await page.getByText('“sizeless.svg” is not taken. The drawing has no size. Save it with one').waitFor();
    const jpeg = await page.evaluate<string>(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = 3000;
      canvas.height = 1500;
      canvas.getContext('2d').fillRect(0, 0, 900, 900);
      return canvas.toDataURL('image/jpeg').replace(/.*,/, '');
    })()`);
    await logo.setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg, 'base64') });
    await page.getByText('The logo was converted to PNG.').waitFor();
    // Browsers draw the rest of one that was cut in grey.
    const cut = Buffer.from(jpeg, 'base64').subarray(0, -2_000);
    await logo.setInputFiles({ name: 'cut.jpg', mimeType: 'image/jpeg', buffer: cut });
    await page.getByText('“cut.jpg” is not taken. The end of this picture is missing.').waitFor();
    await logo.setInputFiles({ name: 'logo.heic', mimeType: 'image/heic', buffer: Buffer.from('no picture') });
    await page.getByText('This file cannot be read as a picture.').waitFor();
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
    await page.getByText(/code\. Scans/).waitFor();

    await page.getByText('Save this style').click();
    await page.getByLabel('Name of the style').fill('red');
    await page.getByRole('button', { name: 'Save style' }).click();
    await page.getByText('The style is saved.').waitFor();
    await page.goto(`${ada.base}/studio`);
    await page.getByLabel('Name of the job').fill('few');
    await file.setInputFiles({ name: 'two.txt', mimeType: 'text/plain', buffer: text(2) });
    await page.getByRole('button', { name: 'red', exact: true }).first().click();
    await page.getByRole('button', { name: 'red', exact: true }).and(page.locator('[aria-current]')).first().waitFor();
    expect(await page.getByLabel('Resolution in print').inputValue()).toBe('600');

    // The credits go while the page stands.
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'other');
    expect((await postJob(key, 499)).status).toBe(202);
    await make.click();
    await page.getByText('The job needs 2 credits; 1 is available.').waitFor();
    await page.getByRole('link', { name: 'Ask for credits' }).waitFor();
    await service.admin.ledger.grant(ada.organisationId, 10, 'again');
    await page.getByLabel('Email the download link to').selectOption('me');
    await make.click();
    await page.getByRole('heading', { name: 'few' }).waitFor();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    const { text: mail } = await service.nextMail(ada.email);
    expect(mail).toContain('“few”');
  });

  it('opens the sheet of a workbook that has links, and takes other columns of it', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    const workbook = fileURLToPath(new URL('../spreadsheets/files/odd-names.xlsx', import.meta.url));
    await page.getByLabel('Excel, CSV or text file').setInputFiles(workbook);
    await page.getByText('Does column A (Ziel <b>?</b>) hold the links?').waitFor();
    await page
      .getByRole('combobox', { name: /^Sheet/ })
      .getByText('Maße & Preise')
      .waitFor({ state: 'attached' });
    expect(await page.getByLabel('Column A Ziel <b>?</b>').inputValue()).toBe('data');
    // One of them has no name.
    await page.getByText('2 columns are not used.').waitFor();
    await page.getByLabel('Column B Hall "5", \'West\'').selectOption('caption');
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByAltText('Code 2').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  }, 60_000);

  it('puts the codes of a workbook together from columns, and as a kind', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    await page.goto(`${ada.base}/studio`);
    const csv = 'Asset ID;Name;Room\na/1;Drill;Bench 22\nb/2;Saw;Closet 3\n';
    const file = { name: 'assets.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.getByLabel('Excel, CSV or text file').setInputFiles(file);
    await page.getByText('Combine columns').click();
    await page.getByRole('textbox', { name: 'Link or text' }).pressSequentially('https://id.example/');
    await page.getByRole('button', { name: 'Asset ID' }).click();
    await page.getByText('https://id.example/a%2F1').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByText('1 column is not used.').waitFor();
    const combined = page.getByLabel('Column A Asset ID').locator('option:checked');
    expect(await combined.textContent()).toBe('Combined');
    await page.getByRole('textbox', { name: 'Caption' }).first().fill('{name} · {Floor}');
    await page.getByText('No column is called Floor.').waitFor();
    await page.keyboard.press('Tab');
    await page.getByText('There is no column Floor.').waitFor();
    await page.getByRole('combobox', { name: 'The codes are' }).selectOption('Wi-Fi');
    await page.getByRole('textbox', { name: 'Caption' }).first().fill('');
    await page.keyboard.press('Tab');
    await page.getByText('Which column holds “Network”? Pick it below.').waitFor();
    await page.getByLabel('Column B Name').selectOption('Network');
    await page.getByText('No column holds the password: these codes would be for open networks.').waitFor();
    await page.getByLabel('Column C Room').selectOption('Password');
    await page.getByRole('textbox', { name: 'Caption' }).first().fill('{Name}');
    await page.getByRole('button', { name: 'New line in the caption' }).click();
    await page.getByRole('button', { name: 'Room' }).click();
    await page.getByText('Drill\nBench 22').waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    const jobId = /jobs\/(\w+)/.exec(page.url())?.[1];
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'manifest');
    const manifest = await fetch(`${service.url}/api/v1/jobs/${jobId}/manifest`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const first = (await manifest.text()).split('\n').find((line) => line.includes('WIFI:T:WPA;S:Drill;P:Bench 22;;'));
    expect(first).toContain(String.raw`"caption":"Drill\nBench 22"`);
  }, 60_000);

  it('moves a progress bar while a job runs', async () => {
    const ada = await signUp(service);
    await service.admin.ledger.grant(ada.organisationId, 3, 'for three');
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'three');
    const job = await postJob(key, 3);
    await enterAs(ada);
    await page.goto(`${ada.base}/jobs/${job.jobId}`);
    const download = page.getByRole('link', { name: 'Download ZIP' });
    await download.waitFor();
    // A job that is as slow as the test wants: the page looks at what the database says.
    const standsAt = (state: { status: 'processing' | 'complete'; completed: number }) =>
      service.admin.database.updateTable('jobs').set(state).where('id', '=', job.jobId).execute();
    await standsAt({ status: 'processing', completed: 1 });
    await page.reload();
    await page.getByText('1 of 3').waitFor();
    await page.getByText(/codes? per second, about .* left/).waitFor();
    // Only the page's own questions can bring these.
    await standsAt({ status: 'processing', completed: 2 });
    await page.getByText('2 of 3').waitFor();
    await standsAt({ status: 'complete', completed: 3 });
    await download.waitFor();
  });

  it('finds jobs at once, follows them in their list, and does what can be done with them', async () => {
    const ada = await signUp(service);
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'press');
    const cards = await postJob(key, 2, { name: 'Table cards 100%' });
    const labels = await postJob(key, 3, { name: 'Labels' });
    const row = (jobId: string) => page.locator(`#job-${jobId}`);
    const standsAt = (state: { status: 'processing' | 'complete'; completed: number }) =>
      service.admin.database.updateTable('jobs').set(state).where('id', '=', labels.jobId).execute();
    await standsAt({ status: 'processing', completed: 1 });
    await enterAs(ada);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await row(labels.jobId).getByText('1 of 3 codes').waitFor();
    await standsAt({ status: 'complete', completed: 3 });
    await row(labels.jobId).getByText('3 codes', { exact: true }).waitFor();
    const search = page.getByLabel('Name or ID');
    for (const text of ['table CARDS', '100%', cards.jobId.slice(0, 8)]) {
      await search.fill(text);
      await row(labels.jobId).waitFor({ state: 'detached' });
      expect(await row(cards.jobId).count()).toBe(1);
      await search.fill('');
      await row(labels.jobId).waitFor();
    }
    await search.fill('0%1');
    await page.getByText('No jobs match.').waitFor();
    expect(page.url()).toMatch(/\?q=0%251$/);
    await search.fill('cards');
    await row(cards.jobId).waitFor();
    await page.getByRole('link', { name: /^Failed/ }).click();
    await page.getByText('No jobs match.').waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await row(cards.jobId).getByLabel('More for').click();
    await row(cards.jobId).getByRole('button', { name: 'Copy link' }).click();
    await row(cards.jobId).getByRole('button', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await row(cards.jobId).getByRole('button', { name: 'Copied' }).isVisible()).toBe(false);
    const { pathname, search: query } = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    const archive = await fetch(service.url + pathname + query);
    expect((await unzip(Buffer.from(await archive.arrayBuffer()))).size).toBe(2);
    const menu = row(cards.jobId).getByLabel('More for');
    await menu.click();
    await row(cards.jobId).getByRole('link', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByText('The job and its files are deleted.').waitFor();
    expect(await row(cards.jobId).count()).toBe(0);
    await postJob(key, 1, { name: 'Äpfel & Brötchen' });
    await page.reload();
    const several = page.getByRole('button', { name: 'Delete chosen jobs…' });
    expect(await several.isVisible()).toBe(false);
    await page.getByLabel('Choose all jobs').check();
    await page.getByText('2 chosen').waitFor();
    // On a phone, whatever is touched is high enough.
    await page.setViewportSize({ width: 390, height: 844 });
    const low = `[...document.querySelectorAll('body :is(a, button, input, summary, select):not(thead *, .skip)')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 24).map((each) => each.outerHTML)`;
    expect(await page.evaluate(low)).toEqual([]);
    // In sight without scrolling.
    await page.setViewportSize({ width: 1100, height: 430 });
    const { y = 0, height = 0 } = (await several.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(430);
    await several.click();
    await page.getByText('Äpfel & Brötchen').waitFor();
    await page.getByRole('button', { name: 'Delete 2 jobs' }).click();
    await page.getByText('No jobs yet.').waitFor();
  });

  it('turns the second factor on from the phone that has the app, and says how many recovery codes are left', async () => {
    const ada = await signUp(service);
    await page.setViewportSize({ width: 390, height: 844 });
    await enterAs(ada);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/account/you/second-factor');
    const problems: string[] = [];
    await judgePage(page, 'the second factor', problems);
    const app = await page.getByRole('link', { name: 'Open in your authenticator app' }).getAttribute('href');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(app ?? '').searchParams.get('secret')).toBe(secret);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.getByLabel('Code').fill(totp.generate());
    await page.getByLabel('Your password').fill(ada.password);
    await page.getByRole('button', { name: 'Turn it on' }).click();
    const codes = await page.locator('#codes').textContent();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`/account/sign-in?next=${ada.base}/keys`);
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill(codes?.split('\n')[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('9 codes left.').waitFor();
    await judgePage(page, 'the recovery codes left', problems);
    await page.getByRole('link', { name: 'Go on without new codes' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('works without scripts', async () => {
    const ada = await signUp(service);
    const { context: plain, page: still } = await openPage(ada.visitor, { javaScriptEnabled: false });
    await still.goto(`${ada.base}/studio`);
    await still.getByLabel('Or type a few lines').fill('https://example.org/1');
    await still.getByText('More: resolution').click();
    await still.getByLabel('Error correction').selectOption('H');
    const names = ['Caption', 'Width in print, in mm', 'Name of the job'];
    const fields = names.map((label) => still.getByLabel(label, { exact: true }));
    for (const [index, control] of fields.entries()) await control.fill(['Hall', '40', 'by hand'][index] ?? '');
    await still.getByRole('link', { name: 'Jobs', exact: true }).first().click();
    await still.waitForURL(/\/jobs$/);
    await still.goBack();
    await still.waitForURL(/\/studio$/);
    expect(await Promise.all(fields.map((control) => control.inputValue()))).toEqual(['Hall', '40', 'by hand']);
    await still.getByRole('button', { name: 'Make codes' }).click();
    await still.getByRole('heading', { name: 'by hand' }).waitFor();
    await still.goto(`${ada.base}/jobs`);
    await still.getByLabel('Name or ID').fill('other');
    await still.getByRole('button', { name: 'Search' }).click();
    await still.getByText('No jobs match.').waitFor();
    await still.getByRole('link', { name: 'Show all jobs' }).click();
    await still.getByLabel('More for by hand').click();
    await still.getByRole('link', { name: 'Delete…' }).click();
    await still.getByRole('button', { name: 'Delete job' }).click();
    await still.getByText('The job and its files are deleted.').waitFor();
    await plain.close();
  });

  it('can be used by keyboard alone', async () => {
    const { email, password } = await signUp(service);
    await page.goto('/account/sign-in');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'API keys' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    // The summary of errors has the focus, and links to the field.
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('name');
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /by keyboard/ }).waitFor();
    expect(await focused()).toContain('is ready');
  });

  it('takes the first form after a mailed link, and those of pages that were open before', async () => {
    await page.goto('/account/sign-in');
    const webmail = await context.newPage();
    await webmail.route('https://mail.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${service.url}/account/forgot">Set a password</a>` }),
    );
    await webmail.goto('https://mail.example/');
    await webmail.getByRole('link').click();
    await webmail.getByLabel('Email').fill('nobody@example.org');
    await webmail.getByRole('button', { name: 'Send link' }).click();
    await webmail.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.getByLabel('Email').fill('nobody@example.org');
    await page.getByLabel('Password').fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'The email address or password is wrong.' }).waitFor();
  });

  it('cannot be sent forms by another site', async () => {
    const ada = await signUp(service);
    await enterAs(ada);
    const evil = await context.newPage();
    await evil.route('https://evil.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${service.url}${ada.base}/keys"><input name="name" value="forged"><input name="csrf" value="${ada.visitor.csrf}"></form><script>document.forms[0].submit()</script>`,
      }),
    );
    const answer = evil.waitForResponse((response) => response.url().endsWith('/keys'));
    await evil.goto('https://evil.example/');
    expect((await answer).status()).toBe(403);
    expect(await service.admin.keys.list(ada.organisationId)).toEqual([]);
  });

  it.runIf(IS_NIGHTLY)(
    'has no barrier, no overflow on a phone and no weight, on any page, light and dark',
    {
      timeout: 300_000,
    },
    async () => {
      const ada = await signUp(service, 'An organisation with quite a long name');
      const { key, keyId } = await service.admin.keys.create(
        COMMAND_LINE,
        ada.organisationId,
        'label printer of the long corridor',
      );
      // A name may have no place for a line break, go from right to left, and be of several characters each.
      const awkward = `${'W'.repeat(60)}${'قاعة المعرض '.repeat(4)}👩‍👩‍👧‍👦`;
      const { jobId } = await postJob(key, 3, { name: awkward });
      await service.ended(jobId);
      await ada.visitor.get(`${ada.base}/members`);
      await ada.visitor.post(`${ada.base}/invitations`, { email: 'grace@example.org', role: 'member' });
      const invitation = await mailedPath(service, 'grace@example.org');
      const operator = `/account/operator/${await service.admin.operators.issueLink()}`;
      const problems: string[] = [];
      await visitAll(['/'], problems);
      await visitAll(
        ['sign-up', 'sign-in', 'forgot', 'nothing'].map((name) => `/account/${name}`),
        problems,
      );
      await visitAll(
        [invitation, operator, `/account/sign-up/${'x'.repeat(43)}`, `/account/reset/${'x'.repeat(43)}`],
        problems,
      );
      const somebody = 'somebody@example.org';
      for (const [path, button] of [
        ['/account/sign-up', 'Send link'],
        ['/account/forgot', 'Send link'],
        ['/account/sign-in', 'Sign in'],
      ] as const) {
        await judgeAnswer(path, button, problems);
        await judgeAnswer(path, button, problems, somebody);
      }
      const newAccount = await mailedPath(service, somebody);
      await visitAll([newAccount], problems);
      await judgeAnswer(newAccount, 'Create account', problems);
      const root = new Visitor(service);
      await root.get(operator);
      await root.post(operator, { name: 'Root', email: 'root@example.org', password: 'run this service' });
      await enterAs({ visitor: root, base: '/account/operator' });
      const looked = `/account/operator/organisations/${ada.organisationId}`;
      await visitAll(['/account/operator', looked], problems);
      await judgeAnswer(looked, 'Grant', problems);
      await context.clearCookies();
      await enterAs(ada);
      const own = [
        '',
        '/studio',
        '/jobs',
        `/jobs/${jobId}`,
        `/jobs/${jobId}/labels`,
        `/jobs/${jobId}/labels?sheet=custom`,
        `/jobs/${jobId}/codes/0/correct`,
        `/jobs/delete?job=${jobId}`,
        '/keys',
        `/keys/${keyId}`,
        '/credits',
        '/members',
        '/settings',
        '/nothing',
      ];
      await visitAll([...own.map((path) => ada.base + path), '/account/you'], problems);
      for (const button of ['Create organisation', 'Change password'])
        await judgeAnswer('/account/you', button, problems);
      await judgeAnswer(`${ada.base}/keys`, 'Create key', problems);
      await page.goto(`${ada.base}/keys/${keyId}`);
      const asked = page.waitForEvent('load');
      // The page that asks where there is no script.
      await page.evaluate(`(() => {
      const { form, value } = document.querySelector('[name=ask]');
      const question = Object.assign(document.createElement('input'), { type: 'hidden', name: 'ask', value });
      form.append(question);
      form.submit();
    })()`);
      await asked;
      await judgePage(page, 'the question before a key is revoked', problems);
      await judgeAnswer(`${ada.base}/members`, 'Send invitation', problems);
      await page.goto(`${ada.base}/members`);
      await page.getByLabel('Email').fill(ada.email);
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await page.getByRole('link', { name: `${ada.email} is a member already.` }).waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(ada.email);
      await page.goto(`${ada.base}/studio`);
      const answered = page.waitForURL(`**${ada.base}/studio?answer=*`, { waitUntil: 'load' });
      // With the script the button would be off.
      await page.evaluate('document.querySelector("[data-studio]").submit()');
      await answered;
      await judgePage(page, 'the answer of the studio', problems);
      await visitAll([`${ada.base}/webhooks`], problems);
      await judgeAnswer(`${ada.base}/webhooks`, 'Create webhook', problems);
      const hook = {
        organisationId: ada.organisationId,
        url: 'https://hooks.example.org/a',
        events: ['job.complete'] as const,
      };
      const { webhookId } = await service.admin.webhooks.create(COMMAND_LINE, hook);
      await visitAll([`${ada.base}/webhooks/${webhookId}`, `${ada.base}/credits?days=7&key=people`], problems);
      for (const button of ['Save name', 'Change address', 'Delete account'])
        await judgeAnswer('/account/you', button, problems);
      await judgeAnswer('/account/you/second-factor', 'Turn it on', problems);
      await visitAll(
        ['/account/you/second-factor', `/account/address/${'x'.repeat(43)}`, '/d/nothing/download'],
        problems,
      );
      const { database } = service.admin;
      const nothing = { status: 'failed' as const, completed: 0, failed: 3, credits_refunded: 3 };
      await database.updateTable('jobs').set(nothing).where('id', '=', jobId).execute();
      const lost = { status: 'failed' as const, failed_items: 3, segment_bytes: 0 };
      await database.updateTable('chunks').set(lost).where('job_id', '=', jobId).execute();
      await visitAll([`${ada.base}/jobs/${jobId}`, `${ada.base}/jobs`], problems);
      await page.goto('/account/you/second-factor');
      const secret = Secret.fromBase32(await page.locator('[name=secret]').inputValue());
      await page.getByLabel('Code').fill(new TOTP({ secret }).generate());
      await page.getByLabel('Your password').fill(ada.password);
      await page.getByRole('button', { name: 'Turn it on' }).click();
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      await judgePage(page, 'the recovery codes', problems);
      await visitAll(['/account/you/second-factor'], problems);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.goto('/account/sign-in');
      await page.getByLabel('Email').fill(ada.email);
      await page.getByLabel('Password').fill(ada.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await judgePage(page, 'the code at sign-in', problems);
      expect(problems).toEqual([]);
    },
  );

  /** Sends a form as it stands, or with an address, and judges the page that answers it. */
  async function judgeAnswer(path: string, button: string, problems: string[], email?: string): Promise<void> {
    await page.goto(path);
    if (email !== undefined) await page.getByLabel('Email').fill(email);
    const answered = page.waitForEvent('load');
    await page.getByRole('button', { name: button, exact: true }).click();
    await answered;
    await judgePage(page, `the answer of ${path}`, problems);
  }

  async function visitAll(paths: readonly string[], problems: string[]): Promise<void> {
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'load' });
      await judgePage(page, path, problems);
    }
  }

  function focused(): Promise<string> {
    return page.evaluate<string>('document.activeElement.textContent');
  }

  async function postJob(key: string, items: number, meta = {}): Promise<{ status: number; jobId: string }> {
    const response = await fetch(`${service.url}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: [
        JSON.stringify(meta),
        ...Array.from({ length: items }, (_, item) => `{"data":"https://example.org/${item}"}`),
      ].join('\n'),
    });
    const { jobId } = (await response.json()) as { jobId: string };
    return { status: response.status, jobId };
  }
});
