import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const NDJSON_TYPE = { 'content-type': 'application/x-ndjson' };
const item = { data: 'https://example.org/1' };

describeOnDatabases('POST /api/v1/jobs', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  describe('accepts', () => {
    it('a JSON body, and charges a credit per item', {
      tags: ['1/jobs', '1/credits', '2.7/created', 'signed-urls/form'],
    }, async () => {
      const before = await service.balance();
      const response = await service.post({ items: [item, { data: '2', filename: 'two' }] });
      expect(response.status).toBe(202);
      const job = (await response.json()) as JobCreated;
      expect(job).toEqual({
        jobId: expect.stringMatching(/^[\w-]+$/),
        total: 2,
        creditsCharged: 2,
        statusUrl: expect.stringMatching(/^\/d\/[\w-]+\/status\?exp=[1-9]\d*&t=[\w-]{43}$/),
        downloadUrl: expect.stringMatching(/^\/d\/[\w-]+\?exp=[1-9]\d*&t=[\w-]{43}$/),
      });
      expect(job.statusUrl).not.toContain(job.jobId);
      expect(response.headers.get('location')).toBe(`/api/v1/jobs/${job.jobId}`);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await service.balance()).toBe(before - 2);
      await service.ended(job.jobId);
    });

    it('links that are valid for 90 days', { tags: ['2.7/signed-urls'] }, async () => {
      const { jobId, statusUrl } = await service.submit({ items: [item] });
      const expiry = Number(new URLSearchParams(statusUrl.split('?')[1]).get('exp'));
      expect(Math.abs(expiry - (Date.now() / 1000 + 90 * 86_400))).toBeLessThan(60);
      await service.ended(jobId);
    });

    it.each([
      ['an NDJSON body', ...ndjson({}, item, item), 2],
      ['a last line with an end', '{}\n{"data":"1"}\n', NDJSON_TYPE, 1],
      ['CRLF and blank lines', '{}\r\n\r\n{"data":"1"}\r\n\r\n{"data":"2"}', NDJSON_TYPE, 2],
      ['a byte order mark', '\ufeff{}\n{"data":"1"}', NDJSON_TYPE, 1],
      [
        'parameters of the type',
        '{"items":[{"data":"1"}]}',
        { 'content-type': 'Application/JSON; charset="UTF-8"' },
        1,
      ],
      ['a JSON byte order mark', '\ufeff{"items":[{"data":"1"}]}', JSON_TYPE, 1],
    ])(
      '%s',
      { tags: ['2.2/item-lines', '4.2/create-job', 'requests/malformed-json', 'requests/ndjson'] },
      async (_, body, headers, total) => {
        const job = await service.submit(body, headers);
        expect(job.total).toBe(total);
        expect(await service.ended(job.jobId)).toMatchObject({
          status: 'complete',
          completed: total,
          failed: 0,
        });
      },
    );

    it.each([
      ['gzip', gzipSync('{"items":[{"data":"1"}]}')],
      ['x-gzip', gzipSync('{"items":[{"data":"1"}]}')],
      ['identity', Buffer.from('{"items":[{"data":"1"}]}')],
      ['br', brotliCompressSync('{"items":[{"data":"1"}]}')],
      ['GZIP', Buffer.concat([gzipSync('{"items":['), gzipSync('{"data":"1"}]}')])],
    ])('content coding %s', { tags: ['requests/content-encoding'] }, async (coding, body) => {
      const job = await service.submit(body, { ...JSON_TYPE, 'content-encoding': coding });
      await service.ended(job.jobId);
    });
  });

  describe('refuses, and leaves no charge and no file', () => {
    const refused = async (body: Parameters<TestService['post']>[0], headers?: Record<string, string>) => {
      const [balance, files] = [await service.balance(), (await service.files()).toSorted()];
      const response = await service.post(body, headers);
      const error = await errorOf(response);
      expect(error.requestId).toBe(response.headers.get('x-request-id'));
      expect(await service.balance()).toBe(balance);
      expect((await service.files()).toSorted()).toEqual(files);
      return {
        status: response.status,
        error,
        issues: error.issues?.map(({ path, code }) => `${path} ${code}`),
      };
    };

    it.each([
      ['{', ' invalid_json'],
      ['', ' invalid_json'],
      ['[]', ' wrong_type'],
      ['{}', '/items required'],
      ['{"items":[]}', '/items too_short'],
      ['{"items":{}}', '/items wrong_type'],
      ['{"items":[{}]}', '/items/0/data required'],
      ['{"items":[1]}', '/items/0 wrong_type'],
      ['{"items":[{"data":""}]}', '/items/0/data too_short'],
      ['{"items":[{"data":1}]}', '/items/0/data wrong_type'],
      ['{"items":[{"data":"1","fileName":"a"}]}', '/items/0/fileName unknown_member'],
      ['{"items":[{"data":"1"}],"colour":"red"}', '/colour unknown_member'],
      ['{"items":[{"data":"1"}],"format":"gif"}', '/format invalid_value'],
      ['{"items":[{"data":"1"}],"style":{"scale":41}}', '/style/scale too_large'],
      ['{"items":[{"data":"1","data":"2"}]}', '/items/0/data duplicate_member'],
      ['{"items":[{"data":"1"}],"format":"png","format":"svg"}', '/format duplicate_member'],
      ['{"items":[{"data":"\\ud800"}]}', '/items/0/data invalid_unicode'],
      [
        '{"items":[{"data":"1"}],"style":{"foreground":"transparent","background":"transparent"}}',
        '/style/background conflict',
      ],
    ])(
      '%s with %s',
      { tags: ['2.1/items', '4.2/create-job', 'requests/malformed-json', 'requests/surrogates'] },
      async (body, issue) => {
        const { status, error, issues } = await refused(body, JSON_TYPE);
        expect([status, error.error]).toEqual([400, 'invalid_input']);
        expect(issues).toEqual([issue]);
        expect(error['issueCount']).toBe(1);
      },
    );

    it('too many characters: invalid_input; too many bytes for the symbol: data_too_long', {
      tags: ['2.3/data'],
    }, async () => {
      const characters = await refused({ items: [{ data: 'x'.repeat(2_954) }] });
      expect([characters.status, characters.issues]).toEqual([400, ['/items/0/data too_long']]);
      const bytes = await refused({ items: [item, { data: 'é'.repeat(2_000) }] });
      expect([bytes.status, bytes.error.error]).toEqual([400, 'data_too_long']);
      expect(bytes.issues).toEqual(['/items/1/data data_too_long']);
    });

    it('pictures above the pixel cap: qr_too_large', async () => {
      const { status, error, issues } = await refused({
        items: [{ data: 'x'.repeat(1_000) }],
        style: { scale: 40 },
      });
      expect([status, error.error]).toEqual([400, 'qr_too_large']);
      expect(issues).toEqual(['/items/0/data qr_too_large']);
    });

    it('everything that is wrong at once, a hundred issues at most', {
      tags: ['7/invalid-input', 'errors/issues'],
    }, async () => {
      const { error, issues } = await refused({
        items: Array.from({ length: 150 }, () => ({ data: '' })),
        format: 1,
      });
      expect(error['issueCount']).toBe(151);
      expect(issues).toHaveLength(100);
      expect(issues?.[0]).toBe('/format wrong_type');
      expect(issues?.[99]).toBe('/items/98/data too_short');
    });

    it('20,001 items in a JSON body', { tags: ['2.1/items'] }, async () => {
      const { status, issues } = await refused({
        items: Array.from({ length: 20_001 }, () => ({ data: '1' })),
      });
      expect([status, issues]).toEqual([400, ['/items too_long']]);
    });

    it.each([
      ['', 1],
      ['\n{"data":"1"}', 1],
      ['[]\n{"data":"1"}', 1],
      ['{"format":"gif"}\n{"data":"1"}', 1],
      ['{"items":[]}\n{"data":"1"}', 1],
      ['{"format":"png","format":"png"}\n{"data":"1"}', 1],
    ])('the meta line of %j', { tags: ['2.2/meta-line', '7/lines', 'requests/meta-line'] }, async (body, line) => {
      const { status, error } = await refused(body, NDJSON_TYPE);
      expect([status, error.error, error['line']]).toEqual([400, 'invalid_meta_line', line]);
    });

    it.each([
      ['{}\n{"data":"1"}\n{"data":', 3],
      ['{}\n\n{"data":"1","data":"2"}', 3],
      ['{}\n{"data":"\\udc00"}', 2],
    ])('the line of %j', { tags: ['7/lines', 'requests/surrogates', 'errors/details'] }, async (body, line) => {
      const { status, error } = await refused(body, NDJSON_TYPE);
      expect([status, error.error, error['line']]).toEqual([400, 'invalid_json_line', line]);
      expect(error.message).not.toBe('');
    });

    it('NDJSON items that break a rule, with their lines', { tags: ['errors/issues'] }, async () => {
      const { status, error } = await refused(...ndjson({}, item, { data: '' }, { data: '1', x: 1 }));
      expect([status, error.error]).toEqual([400, 'invalid_input']);
      expect(error.issues).toEqual([
        { path: '/data', code: 'too_short', line: 3, message: expect.any(String) },
        { path: '/x', code: 'unknown_member', line: 4, message: expect.any(String) },
      ]);
    });

    it('an NDJSON job without items', { tags: ['requests/ndjson'] }, async () => {
      const { status, error } = await refused('{}\n', NDJSON_TYPE);
      expect([status, error.error]).toEqual([400, 'invalid_input']);
    });

    it.each([
      ['text/plain', {}],
      ['', {}],
      ['application/jsonx', {}],
      ['application/json; charset=latin1', {}],
      ['application/json', { 'content-encoding': 'compress' }],
      ['application/json', { 'content-encoding': 'gzip, br' }],
    ])(
      'content type %j with %j',
      { tags: ['4.2/create-job', 'requests/content-types'] },
      async (contentType, headers) => {
        const body = Buffer.from('{"items":[{"data":"1"}]}');
        const { status, error } = await refused(body, {
          ...(contentType && { 'content-type': contentType }),
          ...headers,
        });
        expect([status, error.error]).toEqual([415, 'unsupported_media_type']);
      },
    );

    it.each([
      ['no gzip', 'gzip', Buffer.from('{"items":[{"data":"1"}]}')],
      ['half of one', 'gzip', gzipSync('{"items":[{"data":"1"}]}').subarray(0, -5)],
      ['nothing', 'gzip', Buffer.alloc(0)],
      ['something behind it', 'gzip', Buffer.concat([gzipSync('{"items":[{"data":"1"}]}'), Buffer.alloc(5)])],
      ['no brotli', 'br', Buffer.from('{"items":[{"data":"1"}]}')],
      ['two brotli streams', 'br', Buffer.concat([brotliCompressSync('{"items":['), brotliCompressSync(']}')])],
    ])('a coded body that is %s', { tags: ['requests/content-encoding'] }, async (_, coding, body) => {
      const { status, error, issues } = await refused(body, { ...JSON_TYPE, 'content-encoding': coding });
      expect([status, error.error, issues]).toEqual([400, 'invalid_input', [' invalid_encoding']]);
    });

    it('1,000,001 items in an NDJSON body', { tags: ['1/items', '7/too-many-items', 'errors/details'] }, async () => {
      const { status, error } = await refused(`{}${'\n{"data":"1"}'.repeat(1_000_001)}`, NDJSON_TYPE);
      expect([status, error.error, error['limit']]).toEqual([400, 'too_many_items', 1_000_000]);
    });

    it.each([
      ['application/json', 25_000_000],
      ['application/x-ndjson', 100_000_000],
    ])(
      '%s of more than %d bytes once it is decoded',
      { tags: ['4.2/create-job', 'requests/content-encoding'] },
      async (contentType, limit) => {
        const body = gzipSync(Buffer.alloc(limit + 1, ' '), { level: 1 });
        const headers = { 'content-type': contentType, 'content-encoding': 'gzip' };
        const { status, error } = await refused(body, headers);
        expect([status, error.error, error['limit']]).toEqual([413, 'payload_too_large', limit]);
      },
    );

    it('what costs more than there is', { tags: ['2.10/payment', '7/others', 'errors/details'] }, async () => {
      const { key, organisationId } = await service.createAccount(1);
      const response = await service.post({ items: [item, item] }, { ...JSON_TYPE, authorization: `Bearer ${key}` });
      expect(response.status).toBe(402);
      expect(await errorOf(response)).toMatchObject({
        error: 'insufficient_credits',
        message: 'The job needs 2 credits; 1 is available.',
        required: 2,
        balance: 1,
      });
      expect(await service.admin.ledger.balance(organisationId)).toBe(1);
    });
  });

  it('lets as many of 64 racing jobs through as there are credits for', { tags: ['2.10/payment'] }, async () => {
    const { key, organisationId } = await service.createAccount(50);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${key}` };
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => service.post({ items: [item, item] }, headers)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(25);
    expect(statuses.filter((status) => status === 402)).toHaveLength(39);
    expect(await service.admin.ledger.balance(organisationId)).toBe(0);
    await Promise.all(
      responses
        .filter(({ status }) => status === 202)
        .map(async (response) => service.ended(((await response.json()) as { jobId: string }).jobId)),
    );
  });
});
