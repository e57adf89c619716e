/** Webhooks through their pages, and what people do with single jobs there. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

describeOnDatabases("an organisation's webhooks", (kind) => {
  let service: TestService;
  let ada: SignedUp;
  let receiver: Server;
  let url: string;
  let status = 204;
  let calls = 0;
  beforeAll(async () => {
    receiver = createServer((_, response) => {
      calls += 1;
      response.writeHead(status).end();
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    service = await startTestService(kind, { webhookAllow: ['127.0.0.1'] }, { patience: { webhookRetryDelaysMs: [] } });
  });
  beforeEach(async () => {
    status = 204;
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
    const { key } = await service.admin.keys.create(organisationId, 'test');
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
    expect(rotated.html).toContain('The secret before this one works until');
    const { location } = await ada.visitor.post(`${page()}/${id}/delete`);
    expect(location).toBe(`${page()}?done=webhook-deleted`);
    expect((await ada.visitor.get(`${page()}/${id}`)).status).toBe(404);
    const log = await ada.visitor.get(`${ada.base}/settings`);
    for (const action of ['webhook created', 'webhook secret changed', 'webhook deleted']) {
      expect(log.html).toContain(action);
    }
  });

  it.each([
    ['http://10.0.0.1/', 'which is not a public address'],
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
    await expect.poll(async () => (await ada.visitor.get(`${page()}/${id}`)).html).toContain('given up');
    const { html } = await ada.visitor.get(`${page()}/${id}`);
    expect(html).toContain('HTTP 500');
    const [action = ''] = /\/account\/o\/\w+\/webhooks\/\w+\/deliveries\/\w+/.exec(html) ?? [];
    status = 200;
    const before = calls;
    const { location } = await ada.visitor.post(action);
    expect(location).toBe(`${page()}/${id}?done=sent-again`);
    await expect.poll(async () => (await ada.visitor.get(`${page()}/${id}`)).html).toContain('delivered');
    expect(calls).toBe(before + 1);
  });

  it('set the balance that they are told of', async () => {
    await ada.visitor.get(page());
    expect((await ada.visitor.post(`${page()}/low-balance`, { lowBalance: 'many' })).status).toBe(422);
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
    const deleted = await ada.visitor.post(`${job}/delete`);
    expect(deleted.location).toBe(`${ada.base}/jobs?done=deleted`);
    expect((await ada.visitor.get(job)).status).toBe(404);
  });
});
