import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { JobResource } from '../../src/contract/response-schema.js';
import { WEBHOOK_EVENTS } from '../../src/contract/response-schema.js';
import { DeliveryStore } from '../../src/outbox/delivery-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver that keeps what it is sent; each answer's status is taken from `statuses`, then it is 204. */
class Receiver {
  readonly received: Received[] = [];
  readonly statuses: number[] = [];
  /** `Retry-After` of every answer. */
  retryAfter: string | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        this.received.push({ headers: request.headers, body });
        const status = this.statuses.shift() ?? 204;
        if (this.retryAfter !== undefined) response.setHeader('retry-after', this.retryAfter);
        response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook?x=1`;
  }

  /** Takes what was received, once it is so many. */
  async take(count: number): Promise<Received[]> {
    await expect.poll(() => this.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    return this.received.splice(0);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describeOnDatabases('webhooks', (kind) => {
  let service: TestService;
  let receiver: Receiver;
  let url: string;
  beforeAll(async () => {
    receiver = new Receiver();
    url = await receiver.listen();
    const patience = { webhookRetryDelaysMs: [10, 20] };
    service = await startTestService(kind, { webhookAllow: ['127.0.0.1'] }, { patience });
  });
  afterEach(async () => {
    for (const { id } of await service.admin.webhooks.list()) {
      await service.admin.webhooks.remove(COMMAND_LINE, id);
    }
    receiver.received.splice(0);
  });
  afterAll(async () => {
    await service.close();
    receiver.close();
  });

  const create = (events: readonly (typeof WEBHOOK_EVENTS)[number][] = WEBHOOK_EVENTS, account = service) =>
    service.admin.webhooks.create(COMMAND_LINE, { organisationId: account.organisationId, url, events });
  const verified = ({ headers, body }: Received, secret: string) =>
    new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: JobResource };
  const deliveries = () => service.admin.database.selectFrom('webhook_deliveries').selectAll().execute();

  it('tell of a complete job, signed so that another library verifies it', {
    tags: ['additions/webhooks'],
  }, async () => {
    const { secret } = await create();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { jobId } = await service.submit({ name: 'told', items: [{ data: '1' }] });
    const status = await service.ended(jobId);
    const [sent] = await receiver.take(1);
    expect(sent!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_\w{26}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    expect(verified(sent!, secret)).toEqual({
      type: 'job.complete',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { ...status, downloadUrl: service.config.baseUrl + status.downloadUrl },
    });
    expect(() => verified({ ...sent!, body: `${sent!.body} ` }, secret)).toThrow();
    await expect.poll(async () => (await deliveries())[0]?.delivered_at).toBeGreaterThan(0);
  });

  it('tell of a job that was cancelled', async () => {
    const { secret } = await create();
    const items = Array.from({ length: 20_000 }, (_, index) => ({ data: `${index}` }));
    const { jobId } = await service.submit({ items });
    const cancelled = await (await service.fetch(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST' })).json();
    const [sent] = await receiver.take(1);
    expect(verified(sent!, secret)).toMatchObject({ type: 'job.failed', data: cancelled });
  });

  it('tell each organisation its own events, and those alone that it asked for', async () => {
    const other = await service.createAccount(10);
    await create(WEBHOOK_EVENTS, { ...service, ...other });
    await create(['job.failed', 'credits.low']);
    const { jobId } = await service.submit({ items: [{ data: '1' }] });
    await service.ended(jobId);
    expect(await deliveries()).toEqual([]);
  });

  it('call again with the same id until the answer is 2xx, and follow nothing', {
    tags: ['additions/webhooks'],
  }, async () => {
    const { secret } = await create();
    receiver.statuses.push(500, 302);
    const { jobId } = await service.submit({ items: [{ data: '1' }] });
    await service.ended(jobId);
    const calls = await receiver.take(3);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    for (const call of calls) {
      verified(call, secret);
    }
    await expect
      .poll(async () => (await deliveries())[0])
      .toMatchObject({
        attempts: 3,
        last_outcome: 'HTTP 204',
        next_attempt_at: null,
        delivered_at: expect.any(Number),
      });
  });

  it.each([
    [429, () => '3600', 3_600_000],
    [503, () => new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
    [503, () => '999999999', 86_400_000],
    [500, () => '3600', 0],
    [429, () => 'soon', 0],
  ])('wait for as long as an answer of %i asks for', async (status, retryAfter, waitMs) => {
    const { webhookId } = await create();
    receiver.statuses.push(status);
    receiver.retryAfter = retryAfter();
    const begun = Date.now();
    await service.ended((await service.submit({ items: [{ data: '1' }] })).jobId);
    await receiver.take(waitMs === 0 ? 2 : 1);
    await expect.poll(async () => (await deliveries())[0]?.attempts).toBe(waitMs === 0 ? 2 : 1);
    receiver.retryAfter = undefined;
    const pause = () => service.admin.webhooks.list().then(([webhook]) => webhook);
    if (waitMs > 0) {
      // A date has whole seconds.
      expect((await deliveries())[0]?.next_attempt_at).toBeGreaterThanOrEqual(begun + waitMs - 1_000);
      expect((await deliveries())[0]?.next_attempt_at).toBeLessThanOrEqual(Date.now() + waitMs);
      const paused = { id: webhookId, failures: 1, pausedUntil: expect.any(Number), isGone: false };
      await expect.poll(pause).toMatchObject(paused);
    } else {
      await expect.poll(pause).toMatchObject({ pausedUntil: null });
    }
  });

  it('are paused by 410 until a person resumes them, and the owners are mailed', async () => {
    await create();
    receiver.statuses.push(410);
    await service.ended((await service.submit({ items: [{ data: '1' }] })).jobId);
    const { subject, text } = await service.nextMail('owner@example.org');
    expect(subject).toMatch(/^A webhook of .* is paused$/);
    expect(text).toContain('answered 410 (Gone), so we paused the webhook until you resume it.');
    expect(await service.admin.webhooks.list()).toMatchObject([{ failures: 1, isGone: true }]);
    // Otherwise it would be called again after 10 ms.
    await service.ended((await service.submit({ items: [{ data: '2' }] })).jobId);
    expect(await new DeliveryStore(service.admin.database).due()).toEqual([]);
    expect(await receiver.take(1)).toHaveLength(1);
  });

  it('give up after the last pause, and send again when they are asked', { tags: ['additions/webhooks'] }, async () => {
    const { webhookId } = await create();
    receiver.statuses.push(503, 503, 503);
    const { jobId } = await service.submit({ items: [{ data: '1' }] });
    await service.ended(jobId);
    const [first] = await receiver.take(3);
    const settled = () => deliveries().then(([delivery]) => delivery);
    await expect.poll(settled).toMatchObject({ attempts: 3, next_attempt_at: null, delivered_at: null });
    const { id } = (await settled())!;
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^qrpress_webhook_attempts_total\{outcome="given_up"\} [1-9]/m);
    expect(metrics).toMatch(/^qrpress_webhook_attempts_total\{outcome="failed"\} (?:[2-9]|\d\d)/m);
    const store = new DeliveryStore(service.admin.database);
    const later = Date.now() + 3_600_000;
    const due = (time: number | null) =>
      service.admin.database.updateTable('webhook_deliveries').set({ next_attempt_at: time }).execute();
    await due(later);
    expect(await store.figures()).toMatchObject({ waiting: 1, overdueSeconds: 0 });
    expect(await store.figures(later + 5_000)).toMatchObject({ overdueSeconds: 5 });
    expect((await store.figures(later)).oldestSeconds).toBeGreaterThanOrEqual(3_600);
    await due(null);
    expect(await store.figures()).toEqual({ waiting: 0, oldestSeconds: 0, overdueSeconds: 0 });
    expect(await store.sendAgain(webhookId, id)).toBe(true);
    expect(await store.sendAgain(webhookId, id)).toBe(false);
    const [again] = await receiver.take(1);
    expect([again!.headers['webhook-id'], again!.body]).toEqual([first!.headers['webhook-id'], first!.body]);
    await expect.poll(settled).toMatchObject({ delivered_at: expect.any(Number) });
  });

  it('tell once of each time that the balance falls below what was set', {
    tags: ['additions/webhook-secrets'],
  }, async () => {
    const account = await service.createAccount(10);
    const { secret } = await create(['credits.low'], { ...service, ...account });
    const { database, ledger } = service.admin;
    await database
      .updateTable('organisations')
      .set({ low_balance: 8 })
      .where('id', '=', account.organisationId)
      .execute();
    const spend = async (credits: number) => {
      const items = Array.from({ length: credits }, () => ({ data: '1' }));
      const response = await service.fetch('/api/v1/jobs', {
        method: 'POST',
        headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ items }),
      });
      expect(response.status).toBe(202);
    };
    await spend(2);
    await spend(1);
    await spend(1);
    await ledger.grant(account.organisationId, 4, 'more');
    await spend(4);
    const told = (await receiver.take(2)).map((call) => verified(call, secret));
    expect(told.map(({ type, data }) => [type, data])).toEqual(
      [7, 6].map((balance) => ['credits.low', { organisationId: account.organisationId, balance, threshold: 8 }]),
    );
    const subjects = [await service.nextMail('owner@example.org'), await service.nextMail('owner@example.org')];
    expect(subjects.map(({ subject }) => subject)).toEqual(
      [7, 6].map((balance) => `Example has ${balance} credits left`),
    );
    await ledger.grant(account.organisationId, 4, 'more');
    await service.admin.operators.takeBack(COMMAND_LINE, { ...account, credits: 5, reason: 'a slip' });
    const [taken] = await receiver.take(1);
    expect(verified(taken!, secret).data).toMatchObject({ balance: 5, threshold: 8 });
    expect((await service.nextMail('owner@example.org')).subject).toBe('Example has 5 credits left');
  });

  it('sign with both secrets for a day after one was replaced', { tags: ['additions/webhook-secrets'] }, async () => {
    const { webhookId, secret } = await create();
    const owner = { previous_secret: secret, previous_secret_until: Date.now() + 60_000 };
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { database } = service.admin;
    const change = (row: object) => database.updateTable('webhooks').set(row).where('id', '=', webhookId).execute();
    await change({ ...owner, secret: next });
    await service.ended((await service.submit({ items: [{ data: '1' }] })).jobId);
    const [both] = await receiver.take(1);
    expect([verified(both!, secret).type, verified(both!, next).type]).toEqual(['job.complete', 'job.complete']);
    await change({ previous_secret_until: Date.now() - 1 });
    await service.ended((await service.submit({ items: [{ data: '1' }] })).jobId);
    const [one] = await receiver.take(1);
    expect(verified(one!, next).type).toBe('job.complete');
    expect(() => verified(one!, secret)).toThrow();
  });

  it('wait in the outbox while the service is down, and are delivered by the next start', async () => {
    const { webhookId } = await create();
    const { database } = service.admin;
    const now = Date.now();
    // As a process left it that was killed in the middle of a call.
    const row = { id: '0'.repeat(26), webhook_id: webhookId, event: 'job.complete', body: '{}' };
    const lease = { attempts: 0, next_attempt_at: now - 1, delivered_at: null, last_outcome: null, created_at: now };
    await database
      .insertInto('webhook_deliveries')
      .values({ ...row, ...lease })
      .execute();
    const [sent] = await receiver.take(1);
    expect(sent!.body).toBe('{}');
  });
});
