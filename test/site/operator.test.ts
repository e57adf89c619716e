/** The operator's pages: an organisation with all that it has, its suspension, and the load of the day. */

import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { auditEntries } from '../../src/accounts/audit-store.js';
import { doctor } from '../../src/cli/doctor.js';
import { administer } from '../../src/composition/administer.js';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp, Visitor } from '../support/visitor.js';

let service: TestService;
let root: Visitor;
let ada: SignedUp;
let key: string;
beforeAll(async () => {
  service = await startTestService(sqlite);
  root = new Visitor(service);
  const link = `/account/operator/${await service.admin.operators.issueLink()}`;
  await root.get(link);
  await root.post(link, { name: 'Root', email: 'root@example.org', password: 'run this service' });
  ada = await signUp(service, 'Äpfel & Co');
  ({ key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'press'));
});
afterAll(() => service.close());

const api = (path: string, init: RequestInit = {}) =>
  service.fetch(`/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
const submit = (path = '/jobs') =>
  api(path, { method: 'POST', body: JSON.stringify({ name: 'Labels', items: [{ data: 'https://example.org/' }] }) });
const page = () => `/account/operator/organisations/${ada.organisationId}`;

it('shows the jobs, members and ledger of an organisation, which is found by a member', async () => {
  expect((await submit()).status).toBe(202);
  const { html } = await root.get(page());
  for (const text of ['Labels', 'press', ada.email, 'Job <', 'Complete: 1', 'Cancelled: 0']) {
    expect(html, text).toContain(text);
  }
  for (const text of ['ÄPFEL', 'äpfel', 'ADA ']) {
    expect((await root.get(`/account/operator?q=${encodeURIComponent(text)}`)).html).toContain(page());
  }
});

it('cuts a search that is too long between two characters', async () => {
  const { status, html } = await root.get(`/account/operator?q=${encodeURIComponent(`${'a'.repeat(199)}😀b`)}`);
  expect(status).toBe(200);
  expect(html).toContain(`value="${'a'.repeat(199)}😀"`);
});

it('suspends an organisation: it makes no jobs, keeps all else, and goes on when it is let', async () => {
  const { jobId, downloadUrl } = (await (await submit()).json()) as { jobId: string; downloadUrl: string };
  await root.get(page());
  const set = (suspended: boolean) => root.post(`${page()}/suspension`, { suspended: String(suspended) });
  expect((await set(true)).location).toBe(`${page()}?done=suspended`);
  expect((await root.get('/account/operator')).html).toContain('suspended');
  // At once, whatever is known of the key; a validation is refused once that is older than half a second.
  expect((await submit()).status).toBe(403);
  await expect.poll(async () => (await submit('/jobs/validate')).status).toBe(403);
  for (const path of ['/jobs', '/jobs/validate']) {
    const refused = await submit(path);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: 'organisation_suspended' });
  }
  expect((await api(`/jobs/${jobId}`)).status).toBe(200);
  expect((await service.fetch(downloadUrl)).status).toBe(200);
  const studio = await ada.visitor.get(`${ada.base}/studio`);
  expect(studio.html).toMatch(/is suspended: nobody can make codes/);
  const sent = await ada.visitor.upload(`${ada.base}/studio`, { ...FIRST_STYLE, items: 'https://example.org/1' });
  expect(sent.status).toBe(403);
  expect(sent.html).toContain('The organisation is suspended');
  const before = await service.admin.ledger.balance(ada.organisationId);
  await root.get(page());
  await set(false);
  await set(false);
  await expect.poll(async () => (await submit()).status).toBe(202);
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before - 1);
  const actions = (await auditEntries(service.admin.database, ada.organisationId, 10)).map(({ action }) => action);
  expect(actions.filter((action) => /suspended|resumed/.test(action))).toEqual([
    'organisation-resumed',
    'organisation-suspended',
  ]);
  expect((await ada.visitor.post(`${page()}/suspension`, { suspended: 'true' })).status).toBe(404);
});

it('shows what an organisation asks for where credits are granted', async () => {
  await ada.visitor.get(`${ada.base}/credits`);
  await ada.visitor.post(`${ada.base}/credits/ask`, { message: '5,000 for the warehouse' });
  const asked = /asks for credits: 5,000 for the warehouse/;
  const open = /asked on <time [^>]*>[^<]*<\/time>: <q>5,000 for the warehouse<\/q>/;
  const creditsPage = async () => (await ada.visitor.get(`${ada.base}/credits`)).html;
  expect(await creditsPage()).toMatch(open);
  expect((await root.get(page())).html).toMatch(asked);
  // The service grants a monthly allowance by itself, whatever anybody asked for.
  await service.admin.operators.setAllowance(COMMAND_LINE, ada.organisationId, 10);
  await service.admin.allowances.grantDue();
  const granted = await root.get(page());
  expect(granted.html).toContain('allowance of');
  expect(granted.html).toMatch(asked);
  const change = (direction: string, credits: string) =>
    root.post(`${page()}/credits`, { change: direction, credits, reason: 'as asked' });
  const { location } = await change('take-back', '5');
  expect((await root.get(location)).html).toContain('5 credits are taken back.');
  expect((await root.get(page())).html).toMatch(asked);
  expect(await creditsPage()).toMatch(open);
  await change('grant', '5,000');
  expect(await creditsPage()).not.toMatch(open);
  expect((await root.get(page())).html).not.toMatch(asked);
  const { subject, text } = await service.nextMail(ada.email);
  expect(subject).toBe('You have new credits');
  expect(text).toContain('Äpfel & Co was granted 5,000 credits.');
  expect(text).toContain(`${ada.base}/credits`);
});

it('leads an operator whose organisation lacks credits to where they are granted', async () => {
  await root.get('/account/you');
  const { location } = await root.post('/account/you/organisations', { organisation: 'Pressroom' });
  const [base = ''] = location.split('?');
  const grant = `<a href="/account/operator/organisations/${base.split('/').at(-1)}#grant">Grant credits</a>`;
  for (const path of ['', '/studio', '/credits']) {
    const { html } = await root.get(base + path);
    expect([html.includes(grant), html.includes('Ask for credits')], path).toEqual([true, false]);
    expect((await ada.visitor.get(ada.base + path)).html).not.toContain('Grant credits');
  }
  const { status, html } = await root.get(grant.slice(9, grant.indexOf('#')));
  expect([status, html.includes('id="grant"')]).toEqual([200, true]);
});

it('takes numbers as people write them, and says how it understood them', async () => {
  await root.get(page());
  const grant = (credits: string) => root.post(`${page()}/credits`, { change: 'grant', credits, reason: 'as written' });
  const before = await service.admin.ledger.balance(ada.organisationId);
  const written = ['40.000', '40,000', '40 000', '40\u00a0000', "40'000", '40’000', '40000'];
  for (const credits of written) {
    const { location } = await grant(credits);
    expect((await root.get(location)).html, credits).toContain('40,000 credits are granted.');
  }
  for (const credits of ['40.0', '1.000,000', '0.500', '4.0000', '1e3']) {
    const { status, html } = await grant(credits);
    expect([status, html], credits).toEqual([422, expect.stringContaining('999,999,999, such as 2000.')]);
  }
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before + written.length * 40_000);
});

it('neither grants nor takes back where the form does not say which', async () => {
  await root.get(page());
  const before = await service.admin.ledger.balance(ada.organisationId);
  const { status, html } = await root.post(`${page()}/credits`, { credits: '250', reason: 'a slip' });
  expect([status, html]).toEqual([422, expect.stringContaining('Press Grant or Take back.')]);
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before);
});

it('takes back what a form has granted, when that form is sent again for it', async () => {
  await root.get(page());
  const before = await service.admin.ledger.balance(ada.organisationId);
  const submission = root.submission;
  const send = (change: string) =>
    root.post(`${page()}/credits`, { change, credits: '70', reason: 'a slip', submission });
  for (const change of ['grant', 'grant', 'take-back', 'take-back']) await send(change);
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before);
  const [last] = await auditEntries(service.admin.database, ada.organisationId, 1);
  expect(last).toMatchObject({ action: 'credits-taken-back', subject: '70: a slip' });
});

it('takes a grant back, but not below zero, once for a form', async () => {
  await root.get(page());
  const before = await service.admin.ledger.balance(ada.organisationId);
  const take = (credits: number, fields = {}) =>
    root.post(`${page()}/credits`, { change: 'take-back', credits: String(credits), reason: 'a slip', ...fields });
  const refused = await take(before + 1);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain(`The organisation has ${before.toLocaleString('en')} credits.`);
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before);
  const submission = root.submission;
  for (const _ of ['sent', 'sent again']) await take(before - 1, { submission });
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(1);
  expect((await root.get(page())).html).toContain('Taken back: a slip');
  const { html } = await ada.visitor.get(`${ada.base}/credits`);
  expect((await ada.visitor.get(`${ada.base}/credits.csv`)).html).toContain(`,taken back,-${before - 1},1,`);
  expect(html).toContain('Taken back: a slip');
  const [entry] = await auditEntries(service.admin.database, ada.organisationId, 1);
  expect(entry).toMatchObject({ action: 'credits-taken-back', subject: `${before - 1}: a slip`, personName: 'Root' });
  expect((await ada.visitor.post(`${page()}/credits`, { change: 'take-back', credits: '1', reason: 'x' })).status).toBe(
    404,
  );
});

it('lists the steps of the first day as doctor finds them', async () => {
  const { html } = await root.get('/account/operator');
  const text = html.replaceAll(/<[^>]+>/g, '').replaceAll('&#39;', "'");
  const findings = await doctor(service.config, administer);
  for (const step of ['address', 'mail', 'sign-up', 'backup', 'first organisation']) {
    const { detail = '', isAdvice } = findings.find(({ name }) => name === step) ?? {};
    expect(text).toContain(
      `${isAdvice ? 'To do' : 'Done'}: ${detail[0]?.toUpperCase()}${detail.slice(1).replaceAll('`', '')}.`,
    );
  }
  expect(html).not.toContain('All systems normal');
  expect(html).toContain('No trouble now. <a href="#first-day">');
  for (const [, how = ''] of html.matchAll(/<a href="(\/docs\/[\w-]+)">How</g)) {
    expect((await root.get(how, { accept: 'text/html' })).status, how).toBe(200);
  }
});

it('counts mail as set up only while its server takes mails', async () => {
  const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'qrpress <qr@example.org>' };
  const mailing = await startTestService(sqlite, { mail });
  try {
    const visitor = new Visitor(mailing);
    const link = `/account/operator/${await mailing.admin.operators.issueLink()}`;
    await visitor.get(link);
    await visitor.post(link, { name: 'Root', email: 'root@example.org', password: 'run this service' });
    const overview = async () => (await visitor.get('/account/operator')).html.replaceAll(/<[^>]+>/g, '');
    expect(await overview()).toContain('Done: Sent through 127.0.0.1:9.');
    await visitor.get('/account/you');
    await visitor.post('/account/sign-up', { email: 'new@example.org' });
    await expect.poll(overview).toContain('Some emails could not be delivered.');
    expect(await overview()).toContain(
      'To do: Sent through 127.0.0.1:9, which did not take some emails: see below why.',
    );
  } finally {
    await mailing.close();
  }
});

it('draws the load of the last day, and lists no troubles that are none', async () => {
  const { html } = await root.get('/account/operator');
  for (const heading of ['Failed jobs', 'Emails not delivered', 'oldest first']) expect(html).not.toContain(heading);
  for (const name of ['Jobs', 'Codes drawn', 'Requests rejected', 'Codes still to draw', 'Disk free']) {
    expect(html).toContain(`aria-label="${name} in the last 24 hours: `);
  }
  expect(html).toContain('<dt>Codes still to draw</dt>');
  const disk = /aria-label="Disk free in the last 24 hours: [\d.,]+\s?(?:GB|MB) at least".*?<\/svg>/s.exec(html)?.[0];
  expect(disk).toMatch(/<title>[^<]+: not measured<\/title>.*: [\d.,]+\s?(?:GB|MB)<\/title>/s);
});

it('names the parts that do not work, as /readyz does', async () => {
  const storage = join(service.config.dataDir, 'storage');
  await rename(storage, `${storage}-away`);
  await writeFile(storage, '');
  try {
    expect((await service.fetch('/readyz')).status).toBe(503);
    const { html } = await root.get('/account/operator');
    expect(html).toContain('<li>The storage takes no files, so new jobs are refused.');
    expect(html).not.toContain('No trouble now');
  } finally {
    await rm(storage);
    await rename(`${storage}-away`, storage);
  }
  expect((await root.get('/account/operator')).html).toContain('No trouble now');
});

it('is shown although the data folder cannot be read, and says so', async () => {
  const { dataDir } = service.config;
  service.config.dataDir = `${dataDir}-absent`;
  const { status, html } = await root.get('/account/operator');
  service.config.dataDir = dataDir;
  expect(status).toBe(200);
  expect(html).toContain('The data folder cannot be read.');
});
