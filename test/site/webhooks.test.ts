/** Webhooks through their pages, and what people do with single jobs there. */

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { DeliveryStore } from '../../src/outbox/delivery-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

describeOnDatabases("an organisation's webhooks", (kind) => {
  let service: TestService;
  let ada: SignedUp;
  let receiver: Server;
  let url: string;
  let status = 204;
  let answer = '';
  let calls = 0;
  let last: { headers: IncomingHttpHeaders; body: string } | undefined;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      calls += 1;
      void text(request).then((body) => {
        last = { headers: request.headers, body };
        response.writeHead(status).end(answer);
      });
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    service = await startTestService(kind, { webhookAllow: ['127.0.0.1'] }, { patience: { webhookRetryDelaysMs: [] } });
  });
  beforeEach(async () => {
    status = 204;
    answer = '';
    ada = await signUp(service);
  });
  afterAll(async () => {
    await service.close();
    receiver.close();
    receiver.closeAllConnections();
  });

  const page = () => `${ada.base}/webhooks`;
  const all = { 'job-complete': '1', 'job-failed': '1', 'credits-low': '1' };

  async function create(): Promise<{ id: string; secret: string }> {
    await ada.visitor.get(page());
    const { html } = await ada.visitor.post(page(), { url, ...all });
    const [secret = ''] = /whsec_[\w+/=]+/.exec(html) ?? [];
    const [, id = ''] = /webhooks\/(\w{26})"/.exec(html) ?? [];
    return { id, secret };
  }

  /** A job of the organisation that has ended. */
  async function submit(items = 1): Promise<string> {
    const { organisationId } = (await service.admin.organisations.list()).reduce(
      (found, { id }) => (ada.base.endsWith(id) ? { organisationId: id } : found),
      { organisationId: '' },
    );
    const { key } = await service.admin.keys.create(COMMAND_LINE, organisationId, 'test');
    const response = await service.fetch('/api/v1/jobs', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items: Array.from({ length: items }, (_, index) => ({ data: `${index}` })) }),
    });
    const { jobId } = (await response.json()) as { jobId: string };
    return jobId;
  }

  it('show a secret once, rotate it, and are deleted', async () => {
    const { id, secret } = await create();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect((await ada.visitor.get(page())).html).not.toContain(secret);
    await ada.visitor.get(`${page()}/${id}`);
    const rotated = await ada.visitor.post(`${page()}/${id}/secret`);
    expect(rotated.html).toMatch(/whsec_/);
    expect(rotated.html).not.toContain(secret);
    expect(rotated.html).toContain('The previous secret works until');
    const { location } = await ada.visitor.post(`${page()}/${id}/delete`);
    expect(location).toBe(`${page()}?done=webhook-deleted`);
    expect((await ada.visitor.get(`${page()}/${id}`)).status).toBe(404);
    const log = await ada.visitor.get(`${ada.base}/settings`);
    for (const action of ['webhook created', 'webhook secret changed', 'webhook deleted']) {
      expect(log.html).toContain(action);
    }
  });

  it.each([
    ['http://10.0.0.1/', 'Use a public address'],
    ['ftp://example.org/', 'must begin with https://'],
    ['https://me:secret@example.org/', 'must not contain a user name'],
    ['', 'is missing'],
  ])('refuse the address %s', async (address, reason) => {
    await ada.visitor.get(page());
    const { status: answered, html } = await ada.visitor.post(page(), { url: address, ...all });
    expect(answered).toBe(422);
    expect(html).toContain(reason);
  });

  it('show what was given up, and send it again', async () => {
    const { id } = await create();
    status = 500;
    await service.ended(await submit());
    await expect.poll(async () => (await ada.visitor.get(`${page()}/${id}`)).html).toContain('>Given up<');
    const { html } = await ada.visitor.get(`${page()}/${id}`);
    expect(html).toContain('HTTP 500');
    const [action = ''] = /\/account\/o\/\w+\/webhooks\/\w+\/deliveries\/\w+/.exec(html) ?? [];
    status = 200;
    const before = calls;
    const { location } = await ada.visitor.post(action);
    expect(location).toBe(`${page()}/${id}?done=sent-now`);
    await expect.poll(async () => (await ada.visitor.get(`${page()}/${id}`)).html).toContain('>Delivered<');
    expect(calls).toBe(before + 1);
    // Of another webhook, or of none.
    await create();
    const ids = (await ada.visitor.get(page())).html.matchAll(/webhooks\/(\w{26})"/g);
    const other = Array.from(ids, (match) => match[1] ?? '').find((each) => each !== id) ?? '';
    for (const foreign of [action.replace(id, other), action.replace(/\w+$/, 'none')]) {
      expect((await ada.visitor.post(foreign)).status).toBe(404);
      expect((await ada.visitor.post(`${foreign}/give-up`)).status).toBe(404);
    }
  });

  it('show what was sent, and what it was answered with, as text', async () => {
    const { id } = await create();
    status = 500;
    answer = `<script>alert(1)</script>${'é'.repeat(2_000)}`;
    const jobId = await submit();
    await expect.poll(async () => (await ada.visitor.get(`${page()}/${id}`)).html).toContain('>Given up<');
    const { html } = await ada.visitor.get(`${page()}/${id}`);
    expect(html).toContain('HTTP 500');
    expect(html).toContain('{&quot;type&quot;:&quot;job.complete&quot;');
    expect(html).toContain(jobId);
    const kept = 1_000 - '<script>alert(1)</script>'.length;
    expect(html).toContain(`<pre>&lt;script&gt;alert(1)&lt;/script&gt;${'é'.repeat(kept)}</pre>`);
    await ada.visitor.post(`${page()}/${id}/test`);
    expect((await ada.visitor.get(`${page()}/${id}`)).html.match(/&lt;script&gt;alert/g)).toHaveLength(2);
  });

  it('get another address and other events, which are checked as the first were', async () => {
    const { id } = await create();
    const own = `${page()}/${id}`;
    await ada.visitor.get(own);
    const refused = await ada.visitor.post(own, { url: 'http://10.0.0.1/', 'job-failed': '1' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Use a public address');
    // Members cannot change a setting of the server.
    expect(refused.html).not.toContain('QRPRESS_');
    expect((await ada.visitor.post(own, { url })).html).toContain('Choose at least one event.');
    const { database } = service.admin;
    const failing = { failures: 9, paused_until: Date.now() + 600_000 };
    await database.updateTable('webhooks').set(failing).where('id', '=', id).execute();
    const { location } = await ada.visitor.post(own, { url: `${url}new`, 'job-failed': '1' });
    expect(location).toBe(`${own}?done=webhook-changed`);
    const [changed] = await database.selectFrom('webhooks').selectAll().where('id', '=', id).execute();
    expect(changed).toMatchObject({ url: `${url}new`, events: 'job.failed', failures: 0, paused_until: null });
    const { html } = await ada.visitor.get(own);
    expect(html).toMatch(/name="job-failed" value="1" checked/);
    expect(html).not.toMatch(/name="job-complete" value="1" checked/);
    expect((await ada.visitor.get(`${ada.base}/settings`)).html).toContain('webhook changed');
  });

  it('wait while a person paused them, whatever a test says, and send what waited when they are resumed', async () => {
    const { id } = await create();
    const own = `${page()}/${id}`;
    await ada.visitor.get(own);
    expect((await ada.visitor.post(`${own}/pause`)).location).toBe(`${own}?done=webhook-paused`);
    expect((await ada.visitor.get(page())).html).toContain('Paused by hand');
    await submit();
    await ada.visitor.get(own);
    const before = calls;
    await ada.visitor.post(`${own}/test`);
    expect(calls).toBe(before + 1);
    const { html } = await ada.visitor.get(own);
    expect(html).toContain('the webhook is paused');
    expect(html).not.toContain('Retry now');
    expect((await new DeliveryStore(service.admin.database).due()).filter((due) => due.receiver === id)).toEqual([]);
    expect((await ada.visitor.post(`${own}/resume`)).location).toBe(`${own}?done=webhook-resumed`);
    await expect.poll(() => calls).toBe(before + 2);
    expect((await ada.visitor.get(page())).html).not.toContain('Paused by hand');
    const log = await ada.visitor.get(`${ada.base}/settings`);
    expect(log.html).toContain('webhook paused');
    expect(log.html).toContain('webhook resumed');
  });

  it('say that their receiver is gone, and are resumed', async () => {
    const { id } = await create();
    const own = `${page()}/${id}`;
    status = 410;
    await service.ended(await submit());
    await expect.poll(async () => (await ada.visitor.get(own)).html).toContain('Your server answered 410 (Gone)');
    expect((await ada.visitor.get(page())).html).toContain('Gone: paused');
    status = 204;
    expect((await ada.visitor.post(`${own}/resume`)).location).toBe(`${own}?done=webhook-resumed`);
    const before = calls;
    await submit();
    await expect.poll(() => calls).toBe(before + 1);
    expect((await ada.visitor.get(own)).html).not.toContain('410 (Gone)');
  });

  it('are tested from their page, which shows the outcome', { tags: ['additions/webhook-test'] }, async () => {
    const { id, secret } = await create();
    await ada.visitor.get(`${page()}/${id}`);
    const tested = await ada.visitor.post(`${page()}/${id}/test`);
    expect(tested.location).toBe(`${page()}/${id}?done=test-delivered`);
    const sent = last!;
    expect(new Webhook(secret).verify(sent.body, sent.headers as Record<string, string>)).toEqual({
      type: 'test',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      data: {},
    });
    const { html } = await ada.visitor.get(tested.location ?? '');
    expect(html).toContain('The test was delivered.');
    expect(html).toContain('HTTP 204');
    status = 500;
    const failed = await ada.visitor.post(`${page()}/${id}/test`);
    expect(failed.location).toBe(`${page()}/${id}?done=test-failed`);
    const before = calls;
    const shown = (await ada.visitor.get(failed.location ?? '')).html;
    expect(shown).toMatch(/<code>test<\/code>[^]*>Failed<[^]*HTTP 500/);
    expect(shown).toContain('<p class="note warn" role="status">The test failed.');
    // A test is not repeated, and no button would.
    expect(shown).not.toContain('Send again');
    expect(calls).toBe(before);
  });

  it('say that they are paused; what waits is sent or given up by hand, and a test that succeeds ends the pause', async () => {
    const { id } = await create();
    await submit();
    await submit();
    const { database } = service.admin;
    const ofWebhook = () =>
      database.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', id).execute();
    await expect.poll(async () => (await ofWebhook()).filter((row) => row.delivered_at !== null).length).toBe(2);
    const pause = async () => {
      const paused = { failures: 9, paused_until: Date.now() + 600_000 };
      await database.updateTable('webhooks').set(paused).where('id', '=', id).execute();
      const waiting = { delivered_at: null, next_attempt_at: Date.now() - 1_000 };
      await database.updateTable('webhook_deliveries').set(waiting).where('webhook_id', '=', id).execute();
    };
    await pause();
    expect((await ada.visitor.get(page())).html).toContain('>Paused<');
    const { html } = await ada.visitor.get(`${page()}/${id}`);
    expect(html).toContain('Paused after 9 failed calls. Next try in ');
    expect(html).toContain('the webhook is paused');
    const [giveUp = ''] = /\/account\/o\/\w+\/webhooks\/\w+\/deliveries\/\w+\/give-up/.exec(html) ?? [];
    const { location } = await ada.visitor.post(giveUp);
    expect(location).toBe(`${page()}/${id}?done=given-up`);
    const given = (await ofWebhook()).filter((row) => row.next_attempt_at === null);
    expect(given).toMatchObject([{ last_outcome: 'A person gave it up.', delivered_at: null }]);
    const late = await ada.visitor.post(giveUp);
    expect((await ada.visitor.get(late.location)).html).toContain('The event no longer waits');

    const [retry = ''] = /\/account\/o\/\w+\/webhooks\/\w+\/deliveries\/\w+(?="[^]*Retry now)/.exec(
      (await ada.visitor.get(`${page()}/${id}`)).html.replaceAll(giveUp.replace('/give-up', '"'), ''),
    ) ?? [''];
    await ada.visitor.post(retry);
    await expect.poll(async () => (await ofWebhook()).filter((row) => row.delivered_at !== null).length).toBe(1);
    expect((await ada.visitor.get(`${page()}/${id}`)).html).not.toContain('is paused until');

    await pause();
    await ada.visitor.post(`${page()}/${id}/test`);
    await expect.poll(async () => (await ofWebhook()).every((row) => row.delivered_at !== null)).toBe(true);
  });

  it('set the balance that they are told of', async () => {
    await ada.visitor.get(page());
    expect((await ada.visitor.post(`${page()}/low-balance`, { lowBalance: 'many' })).status).toBe(422);
    const above = await ada.visitor.post(`${page()}/low-balance`, { lowBalance: '1000000' });
    expect((await ada.visitor.get(above.location)).html).toContain(
      'Low-balance alert set to 1,000,000 credits. Your balance is below that already',
    );
    await ada.visitor.post(`${page()}/low-balance`, { lowBalance: '25' });
    expect((await ada.visitor.get(page())).html).toContain('value="25"');
    await ada.visitor.post(`${page()}/low-balance`, { lowBalance: '' });
    expect((await ada.visitor.get(page())).html).not.toContain('value="25"');
  });

  it('stand beside jobs that are cancelled and deleted', async () => {
    const jobId = await submit(400);
    const job = `${ada.base}/jobs/${jobId}`;
    await ada.visitor.get(job);
    const cancelled = await ada.visitor.post(`${job}/cancel`);
    expect(cancelled.location).toMatch(/\?done=(cancelled|ended-before)$/);
    await ada.visitor.get(job);
    const deleted = await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: jobId });
    expect(deleted.location).toBe(`${ada.base}/jobs?done=deleted`);
    expect((await ada.visitor.get(job)).status).toBe(404);
  });
});
