import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const item = { data: 'https://example.org/1' };

describeOnDatabases('POST /api/v1/jobs/validate', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  const validate = (body: string, headers: Record<string, string> = JSON_TYPE) =>
    service.fetch('/api/v1/jobs/validate', { method: 'POST', headers, body });

  it('says what the job would cost, and does nothing', { tags: ['requests/dry-run'] }, async () => {
    for (const [body, headers, total] of [
      [JSON.stringify({ items: [item, item] }), JSON_TYPE, 2],
      [...ndjson({ format: 'both' }, item, item, item), 3],
    ] as const) {
      const response = await validate(body, headers);
      expect(response.status).toBe(200);
      const balance = await service.balance();
      const warnings = [expect.objectContaining({ code: 'duplicate_data', items: total, first: 0 })];
      expect(await response.json()).toEqual({ total, creditsRequired: total, balance, sufficient: true, warnings });
    }
    expect(await service.balance()).toBe(100_000);
    expect(await service.files()).toEqual([]);
    expect(await service.admin.database.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  it('says when the credits do not suffice', { tags: ['requests/dry-run'] }, async () => {
    const { key } = await service.createAccount(1);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${key}` };
    const response = await validate(JSON.stringify({ items: [item, { data: 'another' }] }), headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ total: 2, creditsRequired: 2, balance: 1, sufficient: false });
    const exact = await validate(JSON.stringify({ items: [item] }), headers);
    expect(await exact.json()).toMatchObject({ sufficient: true });
  });

  it.each<[string, Record<string, string>]>([
    ['{', JSON_TYPE],
    ['{"items":[{"data":""}],"format":"gif"}', JSON_TYPE],
    [JSON.stringify({ items: [{ data: 'ü'.repeat(2_000) }] }), JSON_TYPE],
    [JSON.stringify({ items: [{ data: 'x'.repeat(1_000) }], style: { scale: 40 } }), JSON_TYPE],
    ['[]\n{"data":"1"}', { 'content-type': 'application/x-ndjson' }],
    ['{}\n{"data":', { 'content-type': 'application/x-ndjson' }],
    ['{}', { 'content-type': 'text/plain' }],
    ['{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['{}', { ...JSON_TYPE, 'idempotency-key': 'a b' }],
    ['{}', { ...JSON_TYPE, authorization: 'Bearer wrong' }],
  ])('refuses %j as a job is refused, and leaves nothing', { tags: ['requests/dry-run'] }, async (body, headers) => {
    const [asked, posted] = [await validate(body, headers), await service.post(body, headers)];
    expect(asked.status).toBeGreaterThanOrEqual(400);
    expect(asked.status).toBe(posted.status);
    const { requestId: _, ...refusal } = await errorOf(asked);
    expect(await errorOf(posted)).toMatchObject(refusal);
    expect(await service.files()).toEqual([]);
  });

  it('has a bucket of its own, as large as that of a job', { tags: ['requests/dry-run'] }, async () => {
    const response = await validate('{}');
    expect(response.headers.get('ratelimit-policy')).toBe('"jobs-validate";q=1000000;w=60');
    const posted = await service.post('{}');
    expect(posted.headers.get('ratelimit-policy')).toBe('"jobs-create";q=1000000;w=60');
  });

  it('uses no Idempotency-Key up', async () => {
    const headers = { ...JSON_TYPE, 'idempotency-key': 'dry' };
    expect((await validate('{"items":[{"data":"1"}]}', headers)).status).toBe(200);
    const response = await service.post('{"items":[{"data":"2"}]}', headers);
    expect(response.status).toBe(202);
    expect(response.headers.has('idempotent-replayed')).toBe(false);
  });
});
