/** Pages in a browser when the service answers with a file, late, not at all, or with a refusal. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StyleStore } from '../../src/accounts/organisations/style-store.js';
import {
  ada,
  context,
  csv,
  describeInBrowser,
  openPages,
  openStudio,
  page,
  press,
  service,
} from '../support/browser.js';
import { mailedPath, signUp } from '../support/visitor.js';

describeInBrowser('answers of the service in a browser', () => {
  openPages({ ada: 'new' });

  const submit = (name: string) =>
    press({ name, items: [{ data: name, filename: `${name} first` }, { data: `${name} 2` }] });

  function standsAt(jobId: string, state: { status: 'processing' | 'complete'; completed: number }) {
    return service.admin.database.updateTable('jobs').set(state).where('id', '=', jobId).execute();
  }

  async function signIn(): Promise<void> {
    await page.getByText('You were signed out.').waitFor();
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('can send again a form whose answer is a file, and shows labels that are to be printed', async () => {
    const jobId = await submit('rooms');
    await page.goto(`${ada.base}/jobs/${jobId}/labels`);
    for (const _ of [1, 2]) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download PDF' }).click();
      expect((await download).suggestedFilename()).toBe('rooms.pdf');
    }
    for (const _ of [1, 2]) {
      const printed = context.waitForEvent('request', (request) => request.url().includes('.pdf?'));
      await page.getByRole('button', { name: 'Print', exact: true }).click();
      expect(new URL((await printed).url()).searchParams.get('show')).toBe('1');
    }
    await openStudio();
    await page.getByLabel('Excel, CSV or text file').setInputFiles(csv('url,filename\na,One\n,two\n'));
    await page.getByLabel('Skip the faulty row and make the other one').waitFor();
    for (const _ of [1, 2]) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the list of problems (CSV)' }).click();
      expect((await download).suggestedFilename()).toBe('faulty-rows.csv');
    }
  });

  it('begins at a label of the sheet that is chosen, drawn or not', async () => {
    const jobId = await submit('rooms');
    await page.goto(`${ada.base}/jobs/${jobId}/labels`);
    await page.getByLabel('Labels', { exact: true }).selectOption('avery-5160');
    await page.getByLabel('Cut marks').check();
    await page.getByRole('link', { name: 'Begin at label 5' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/first=5/);
    expect(await page.getByLabel('Labels', { exact: true }).inputValue()).toBe('avery-5160');
    expect(await page.getByLabel('Cut marks').isChecked()).toBe(true);
    expect(await page.getByLabel('Start at label').inputValue()).toBe('5');
    await page.getByRole('link', { name: 'Begin at label 30' }).waitFor();
  });

  it('renames a job, makes its missing codes, and corrects one of them', async () => {
    const jobId = await submit('rooms');
    const { database } = service.admin;
    const lost = { completed: 0, failed: 2, credits_refunded: 2 };
    await database.updateTable('jobs').set(lost).where('id', '=', jobId).execute();
    const nothing = { status: 'failed' as const, failed_items: 2, segment_bytes: 0 };
    await database.updateTable('chunks').set(nothing).where('job_id', '=', jobId).execute();
    await page.goto(`${ada.base}/jobs/${jobId}`);
    await page.getByText('Rename').click();
    await page.getByLabel('Name of the job').press('Escape');
    await page.getByLabel('Name of the job').waitFor({ state: 'hidden' });
    await page.getByText('Rename').press('Enter');
    await page.getByLabel('Name of the job').fill('Guest rooms');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Guest rooms' }).waitFor();
    await page.getByText('rooms first', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByText('rooms first.png').waitFor();
    await page.goto(`${ada.base}/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Make the 2 missing codes' }).click();
    await page.getByRole('heading', { name: 'Guest rooms, missing codes' }).waitFor();
    await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
    // A picture is shown larger, with all that is known of it.
    await page.getByRole('link', { name: 'Code 2', exact: true }).click();
    const viewer = page.getByRole('dialog', { name: 'Code 2' });
    await viewer.getByText('rooms 2', { exact: true }).waitFor();
    await viewer.getByRole('button', { name: 'Close' }).click();
    await viewer.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Change code 2' }).click();
    await page.getByLabel('Link or text').fill('');
    await page.getByRole('button', { name: 'Make this code' }).click();
    await page.locator('#data-error').getByText('Type a link or text.').waitFor();
    await page.getByLabel('Link or text').fill('rooms 3');
    await page.getByRole('button', { name: 'Make this code' }).click();
    await page.getByRole('heading', { name: 'Guest rooms, missing codes, code 2 corrected' }).waitFor();
    await page.getByRole('link', { name: 'Guest rooms, missing codes', exact: true }).click();
    await page.getByText('Code 2 is corrected in Guest rooms, missing codes, code 2 corrected.').waitFor();
    await page.getByRole('link', { name: 'Guest rooms', exact: true }).click();
    await page.getByText('They are made in Guest rooms, missing codes.').waitFor();
  });

  it('says which code is as corrected where a job is made again, and makes it so', async () => {
    const jobId = await submit('rooms');
    await page.goto(`${ada.base}/jobs/${jobId}`);
    await page.getByRole('link', { name: 'Change code 2' }).click();
    await page.getByLabel('Link or text').fill('rooms 3');
    await page.getByRole('button', { name: 'Make this code' }).click();
    await page.getByRole('heading', { name: 'rooms, code 2 corrected' }).waitFor();
    await page.getByRole('link', { name: 'rooms', exact: true }).click();
    await page.getByText('Make again takes the new one.').waitFor();
    await page.getByRole('link', { name: 'Make again' }).click();
    await page
      .getByText('The codes and the style of “rooms” are here. With 1 code as corrected: code 2. Change')
      .waitFor();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByRole('button', { name: 'Make codes' }).click();
    await page.getByRole('heading', { name: 'rooms (2)', exact: true }).waitFor();
    await page.getByText('rooms 3', { exact: true }).waitFor();
    expect(await page.getByText('rooms 2', { exact: true }).count()).toBe(0);
  });

  it('says what a cancelled job would cost, however long its page is open, and shows the first code', async () => {
    const jobId = await submit('rooms');
    const { database } = service.admin;
    const drawn = (bytes: number) =>
      database.updateTable('chunks').set({ segment_bytes: bytes }).where('job_id', '=', jobId).execute();
    const { bytes } = await database
      .selectFrom('chunks')
      .select('segment_bytes as bytes')
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
    await drawn(0);
    await standsAt(jobId, { status: 'processing', completed: 0 });
    await page.goto(`${ada.base}/jobs/${jobId}`);
    await page.getByText('It appears here as soon as it is drawn.').waitFor();
    const cancel = page.getByRole('button', { name: 'Cancel job' });
    await cancel.click();
    await page
      .getByRole('dialog')
      .getByText('Cancel this job? You pay for all codes that are drawn until it stops')
      .waitFor();
    await drawn(bytes);
    await standsAt(jobId, { status: 'processing', completed: 1 });
    await page.getByRole('dialog').getByText('1 code is drawn so far: you pay for all that are drawn').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.getByAltText('The first code of the job').waitFor();
    await cancel.click();
    await page.getByRole('dialog').getByText('1 code is drawn so far').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('You paid 2 credits. 1 credit is back').waitFor();
  });

  it('leads on from an invitation of somebody else than who is signed in', async () => {
    const other = await signUp(service);
    await ada.visitor.get(`${ada.base}/members`);
    await ada.visitor.post(`${ada.base}/invitations`, { email: other.email, role: 'member' });
    await page.goto(await mailedPath(service, other.email));
    await page.getByRole('button', { name: 'Sign out and continue' }).click();
    await page.getByRole('link', { name: 'I have an account' }).click();
    await page.getByLabel('Email').fill(other.email);
    await page.getByLabel('Password').fill(other.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByText('Welcome. You are a member now.').waitFor();
  });

  it('shows the jobs that were searched, however late they come, and none that has left the list', async () => {
    const [cards, labels] = [await submit('cards'), await submit('labels')];
    await standsAt(labels, { status: 'processing', completed: 1 });
    const row = (jobId: string) => page.locator(`#job-${jobId}`);
    await page.goto(`${ada.base}/jobs`);
    let release = () => {};
    const later = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\?q=cards$/, async (route) => {
      await later;
      await route.continue().catch(() => undefined);
    });
    // The list looks at its jobs every two seconds.
    await page.clock.install();
    await page.reload();
    const asked = page.waitForRequest(/\?q=cards$/);
    await page.getByLabel('Name or ID').fill('cards');
    await page.clock.runFor(500);
    await asked;
    await page.clock.runFor(5_000);
    release();
    await row(labels).waitFor({ state: 'detached' });
    await row(cards).waitFor();
    expect(page.url()).toMatch(/\?q=cards$/);

    await page.goto(`${ada.base}/jobs?status=processing`);
    await row(labels).getByText('1 of 2 codes').waitFor();
    await standsAt(labels, { status: 'complete', completed: 2 });
    await page.clock.runFor(2_000);
    await page.getByText('No jobs match.').waitFor();
    expect(await row(labels).count()).toBe(0);
  });

  it('copies twice in a row', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const jobId = await submit('rooms');
    await page.clock.install();
    await page.goto(`${ada.base}/jobs/${jobId}`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).click();
    await page.clock.runFor(1_000);
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.clock.runFor(3_000);
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
  });

  it('saves no style, puts none in and loses no logo while its person is signed out', async () => {
    const png = await page.evaluate<string>(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 50;
      canvas.getContext('2d').fillRect(0, 0, 50, 50);
      return canvas.toDataURL('image/png');
    })()`);
    const { database } = service.admin;
    const style = { foreground: '#1b3a5c', ecLevel: 'H' as const, logo: { dataUrl: png, sizeRatio: 0.1 } };
    await new StyleStore(database).save({ personId: '', address: '' }, ada.organisationId, 'blue', { style });
    await openStudio();
    await page.getByRole('button', { name: 'blue', exact: true }).first().click();
    const kept = page.getByLabel('Keep the logo of “blue”');
    await kept.waitFor();
    await page.getByLabel('Or type a few lines').fill('one\ntwo');
    await page.getByText(/^First code\. Scans/).waitFor();
    // A preview would notice the end of the session as well.
    await page.route('**/preview', () => undefined);
    await database.deleteFrom('sessions').execute();
    await page.getByText('Save this style').click();
    await page.getByLabel('Name of the style').fill('other');
    await page.getByRole('button', { name: 'Save style' }).click();
    await signIn();
    await page.unroute('**/preview');
    await page.getByText('Your list and style are here again.').waitFor();
    expect(await kept.isChecked()).toBe(true);
    expect(await page.getByText('The style is saved.').count()).toBe(0);
    expect(await page.getByLabel('Or type a few lines').inputValue()).toBe('one\ntwo');
    await page.getByText(/^First code\. Scans/).waitFor();

    await page.route('**/preview', () => undefined);
    await database.deleteFrom('sessions').execute();
    await page.getByRole('button', { name: 'blue', exact: true }).first().click();
    await signIn();
    await page.getByText('Your list and style are here again.').waitFor();
    expect(await page.getByLabel('Or type a few lines').inputValue()).toBe('one\ntwo');
  });

  it('says in the studio why a file is not read, and brings a refusal into sight', async () => {
    await openStudio();
    const refusal = '<h1>Too many attempts</h1>\n<p>Too many attempts. Try again in a minute.</p>';
    const refuse = { status: 429, contentType: 'text/html', body: `<main>${refusal}</main>` };
    const file = page.getByLabel('Excel, CSV or text file');
    await page.route('**/check', (route) => route.fulfill(refuse));
    await file.setInputFiles(csv('data\none\n'));
    await page.getByText('The file could not be read. Too many attempts. Try again in a minute.').waitFor();
    await page.unroute('**/check');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.route(/\/studio$/, (route) =>
      route.request().method() === 'POST' ? route.fulfill(refuse) : route.continue(),
    );
    const make = page.getByRole('button', { name: 'Make codes' });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await make.click();
    const alert = page.getByRole('alert');
    await alert.getByText('Try again in a minute.').waitFor();
    expect(await alert.evaluate((box) => box.getBoundingClientRect().top >= 0)).toBe(true);
    await page.unroute(/\/studio$/);
    await page.route(/\/studio$/, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await make.click();
    await alert.getByText('The service did not answer. Your file is still here.').waitFor();
    expect(await alert.evaluate((box) => box.getBoundingClientRect().top >= 0)).toBe(true);
    expect(await alert.count()).toBe(1);
  });

  it('reads a file again that was corrected and chosen again, and says when one was changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-chosen-'));
    const path = join(folder, 'parts.csv');
    const choose = async () => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByLabel('Excel, CSV or text file').click();
      await (await chooser).setFiles(path);
    };
    await openStudio();
    await writeFile(path, 'data,filename\none,\n,two\n');
    await choose();
    await page.getByLabel('Skip the faulty row and make the other one').waitFor();
    await writeFile(path, 'data,filename\none,\nsecond,two\n');
    await choose();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await rm(path);
    const make = page.getByRole('button', { name: 'Make codes' });
    await make.click();
    await page.getByText('“parts.csv” was changed or deleted after you chose it. Choose it again.').waitFor();
    await page.getByLabel('Column B filename').selectOption('caption');
    await page.locator('[data-check-result]').getByText('“parts.csv” was changed or deleted').waitFor();
    // Its earlier bytes do not come back.
    await page.reload();
    await page.locator('.note', { hasText: 'was changed or deleted after you chose it. Choose it again.' }).waitFor();
    expect(await page.locator('[data-chosen=file]').textContent()).toBe('');
    expect(await make.isDisabled()).toBe(true);
    await writeFile(path, 'data\none\n');
    await choose();
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.reload();
    await page.getByText(/^As it was on .+\d\d:\d\d\. Choose it again if you changed it since\.$/).waitFor();
    await choose();
    await page.getByText('1 code costs 1 credit.').waitFor();
    expect(await page.getByText('As it was on').count()).toBe(0);
    // It was saved in another program.
    await writeFile(path, 'data\none\ntwo\n');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(() => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).toContain('isChanged');
    await page.reload();
    await page.locator('.note', { hasText: 'was changed or deleted after you chose it. Choose it again.' }).waitFor();
    await rm(folder, { recursive: true });
  });

  it('lets a logo be chosen again when the script for it did not come', async () => {
    await openStudio();
    await page.route('**/studio-logo.js', (route) => route.abort());
    const logo = page.getByLabel('Logo', { exact: true });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z" fill="red"/></svg>';
    const chosen = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
    await logo.setInputFiles(chosen);
    await page.getByText('The service did not answer. Choose the logo again.').waitFor();
    await page.getByLabel('Or type a few lines').fill('one');
    await page.getByText(/^First code\. Scans/).waitFor();
    await page.unroute('**/studio-logo.js');
    await logo.setInputFiles(chosen);
    await page.getByText('The logo was converted to PNG.').waitFor();
    await page.getByText(/^First code\. Scans/).waitFor();
  });

  it('goes on where a person comes back to the studio', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-chosen-'));
    const path = join(folder, 'parts.csv');
    await writeFile(path, 'data\none\ntwo\n');
    await openStudio();
    await page.getByLabel('Excel, CSV or text file').setInputFiles(path);
    await page.getByText('2 codes cost 2 credits.').waitFor();
    const [name, caption] = [page.getByLabel('Name of the job'), page.locator('#caption')];
    await name.fill('twice');
    await caption.fill('Hall');
    await page.getByText('More: resolution').click();
    await page.getByLabel('Quiet zone').fill('6');
    const make = page.getByRole('button', { name: 'Make codes' });
    await make.click();
    await page.getByRole('heading', { name: 'twice' }).waitFor();
    await page.goBack();
    await page.getByText('2 codes cost 2 credits.').waitFor();
    await page.getByAltText('Code 2').waitFor();
    expect([await name.inputValue(), await caption.inputValue()]).toEqual(['twice', 'Hall']);
    await page.getByText('More: resolution').click();
    await page.getByText('Quiet zone: 6 modules').waitFor();
    // Whoever presses again without a change may not know that these codes are paid.
    for (const _ of ['here', 'loaded again']) {
      await make.click();
      const question = page.getByRole('dialog', { name: 'These codes are made already. Make and pay them again?' });
      await question.getByRole('button', { name: 'Go back' }).click();
      await page.reload();
      await page.getByText('2 codes cost 2 credits.').waitFor();
    }
    await name.fill('thrice');
    await make.click();
    await page.getByRole('heading', { name: 'thrice' }).waitFor();
    // The draft that somebody else left in the tab is theirs.
    await openStudio();
    await name.fill('theirs');
    await page.reload();
    await page.getByText('Sample code. Scans, with room to spare.').waitFor();
    expect(await name.inputValue()).toBe('theirs');
    await page.evaluate("sessionStorage.setItem('person', 'other@example.org')");
    await page.reload();
    await page.getByText('Sample code. Scans, with room to spare.').waitFor();
    expect([await name.inputValue(), await caption.inputValue()]).toEqual(['', '']);
    await rm(folder, { recursive: true });
  });

  it('takes one file that is dropped anywhere, and says why it takes no two', async () => {
    await openStudio();
    const drop = (selector: string, names: string[]) =>
      page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        for (const name of ${JSON.stringify(names)}) dataTransfer.items.add(new File(['data\\n1\\n2'], name));
        return document.querySelector('${selector}')
          .dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      })()`);
    // The browser would open a file that no one takes.
    expect(await drop('h1', ['one.csv', 'two.csv'])).toBe(false);
    await page.getByRole('alert').getByText('Drop one file at a time').waitFor();
    expect(await page.getByLabel('Excel, CSV or text file').inputValue()).toBe('');
    expect(await drop('h1', ['one.csv'])).toBe(false);
    await page.getByText('2 codes cost 2 credits.').waitFor();
    expect(await drop('[data-drop]', ['two.csv'])).toBe(false);
    await page.locator('#name[placeholder=two]').waitFor();
    // An input takes what is dropped on it.
    expect(await drop('#logo', ['logo.png'])).toBe(true);
  });

  it('takes colours by code and by name, and explains a text that is neither', async () => {
    await openStudio();
    const [text, colour] = [page.getByLabel('Colour as #rrggbb'), page.getByLabel('Colour', { exact: true })];
    await text.fill('navy');
    await page.getByText('“navy” is #000080.').waitFor();
    expect(await colour.inputValue()).toBe('#000080');
    await text.fill('#1B3A5C');
    expect(await colour.inputValue()).toBe('#1b3a5c');
    for (const [typed, code] of [
      ['Dark Blue', '#00008b'],
      ['0af', '#00aaff'],
      ['rgb(0, 80, 160)', '#0050a0'],
    ] as const) {
      await text.fill(typed);
      await page.getByText(`“${typed}” is ${code}.`).waitFor();
      expect(await colour.inputValue()).toBe(code);
    }
    await text.fill('');
    await page.getByText('A colour is needed. Write six digits').waitFor();
    await page.getByLabel('Or type a few lines').fill('one');
    await text.fill('currentcolor');
    await page.getByText('“currentcolor” is no colour. Write six digits').waitFor();
    await text.blur();
    // The typed text stays, and is in the way.
    expect(await text.inputValue()).toBe('currentcolor');
    await page.locator('#reason').getByText('Correct the colour first.').waitFor();
    await colour.fill('#ff0000');
    expect(await text.inputValue()).toBe('#ff0000');
    await page.getByRole('button', { name: 'Wine' }).click();
    await page.waitForURL(/\?style=wine$/);
    expect(await text.inputValue()).toBe('#6b1f3a');
    await page.locator('#reason').waitFor({ state: 'hidden' });
  });

  it('makes no job when Enter ends a field of the look, and saves a style by Enter', async () => {
    await openStudio();
    const posts: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && posts.push(new URL(request.url()).pathname)));
    await page.getByLabel('Or type a few lines').fill('one');
    await page.getByText('1 code costs 1 credit.').waitFor();
    await page.getByText('More: resolution').click();
    const fields = [
      'Caption',
      'Width in print, in mm',
      'Colour as #rrggbb',
      'Transparent',
      'Quiet zone',
      'Name of the job',
    ];
    for (const label of fields) await page.getByLabel(label, { exact: label === 'Caption' }).press('Enter');
    await page.getByText('Save this style').click();
    await page.getByLabel('Name of the style').fill('by keyboard');
    await page.getByLabel('Name of the style').press('Enter');
    await page.getByText('The style is saved.').waitFor();
    expect(posts.filter((path) => !path.endsWith('/preview'))).toEqual([`${ada.base}/studio/styles`]);
    await page.getByText(/^First code\. Scans/).waitFor();
    await page.getByRole('button', { name: 'Make codes' }).press('Enter');
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor();
  });

  it('draws the style in the end when the service was busy or away, and is not held up by what was wrong before', async () => {
    await openStudio();
    await page.getByLabel('Or type a few lines').fill('one');
    await page.getByText(/^First code\. Scans/).waitFor();
    const scale = page.getByLabel('Pixels per module');
    const reason = page.locator('#reason');
    await page.getByText('More: resolution').click();
    await page.getByLabel('Quiet zone').fill('16');
    await page.getByLabel('Or type a few lines').fill('x'.repeat(2_000));
    await scale.fill('40');
    await reason.getByText(/4,096|4096/).waitFor();
    let failures: ('busy' | 'away')[] = ['busy', 'away'];
    await page.route('**/preview', (route) => {
      const failure = failures.shift();
      if (failure === 'away') return route.abort();
      if (failure === 'busy') return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, body: '' });
      return route.continue();
    });
    await scale.fill('5');
    await reason.waitFor({ state: 'hidden' });
    expect(failures).toEqual([]);
    await scale.fill('40');
    await reason.getByText(/4,096|4096/).waitFor();
    // A form that has expired is refused when it is sent, with the reason.
    await page.unroute('**/preview');
    await page.route('**/preview', (route) => route.fulfill({ status: 403, body: '' }));
    failures = [];
    await scale.fill('5');
    await reason.waitFor({ state: 'hidden' });
  });

  it('shows what becomes of a pattern as the service does it', async () => {
    await openStudio();
    await page.getByLabel('Excel, CSV or text file').setInputFiles(csv('Id,Path\n7,"a[1] %41"\n'));
    await page.getByText('Combine columns').click();
    const pattern = page.getByRole('textbox', { name: 'Link or text' });
    await pattern.fill('https://id.example/é/{Id}/{+Path}');
    const checked = page.waitForResponse(/\/studio\/check$/);
    await pattern.blur();
    const { items } = (await (await checked).json()) as { items: { data: string }[] };
    expect(items).toEqual([{ data: 'https://id.example/%C3%A9/7/a[1]%20%41', place: 'Row 2' }]);
    await page
      .locator('output')
      .getByText(items[0]?.data ?? '', { exact: true })
      .waitFor();
  });

  it.each([
    ['a.example/?u=http://b:80/', 'https://a.example/?u=http://b:80/'],
    ['localhost:8080/a', 'https://localhost:8080/a'],
    ['http://a.example/é', 'http://a.example/é'],
  ])('shows https:// in front of %s where it is lacking', async (link, shown) => {
    await openStudio();
    await page.getByLabel('Excel, CSV or text file').setInputFiles(csv(`Link\n${link}\n`));
    await page.getByText('Combine columns').click();
    await page.getByRole('textbox', { name: 'Link or text' }).fill('https://{+Link}');
    await page.locator('output').getByText(shown, { exact: true }).waitFor();
  });

  it('draws on the front page what is typed after a text that makes no code', async () => {
    await page.goto(`/?text=${'x'.repeat(301)}`);
    await page.getByText('Up to 300 characters can be tried here.').waitFor();
    await page.getByLabel('Try it').fill('short');
    await page.getByAltText('The code, with a caption').waitFor();
    expect(await page.locator('[data-pictures] img').count()).toBe(3);
    expect(await page.locator('[data-problem]').textContent()).toBe('');
  });

  it('searches the docs once the service answers again', async () => {
    await page.goto('/docs/quick-start');
    await page.route('**/search.json', (route) => route.abort());
    await page.getByRole('searchbox').fill('rate');
    await page.locator('#results').getByText('The service did not answer. Try again.').waitFor();
    await page.unroute('**/search.json');
    await page.getByRole('searchbox').fill('rate limited');
    await page.locator('#results').getByText('rate_limited').first().waitFor();
  });
});
