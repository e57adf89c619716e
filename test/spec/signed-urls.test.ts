import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { SignedUrls } from '../../src/api/signed-urls.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

const SECRETS = ['the secret that signs', 'the secret before it'];

describeOnDatabases('signed URLs', (kind) => {
  let service: TestService;
  let job: JobCreated;
  beforeAll(async () => {
    service = await startTestService(kind, { secrets: SECRETS });
    job = await service.submit({ items: [{ data: '1' }] });
    await service.ended(job.jobId);
  });
  afterAll(() => service.close());

  const get = (url: string, init?: RequestInit) => fetch(service.url + url, init);
  const token = () => job.downloadUrl.slice('/d/'.length).split('?')[0] ?? '';

  it('answer the job status resource without a key', {
    tags: ['2.7/signed-urls', '4.5/signed-paths', 'signed-urls/answers'],
  }, async () => {
    const response = await get(job.statusUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const etag = response.headers.get('etag') ?? '';
    expect((await get(job.statusUrl, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(await response.json()).toEqual(await (await service.fetch(`/api/v1/jobs/${job.jobId}`)).json());
  });

  it('give the archive to whoever has the status, and the document says so', async () => {
    const { downloadUrl } = (await (await get(job.statusUrl)).json()) as JobCreated;
    expect((await get(downloadUrl, { method: 'HEAD' })).status).toBe(200);
    const document = (await (await get('/api/v1/openapi.json')).json()) as {
      paths: Record<string, { get: { description: string } }>;
    };
    expect(document.paths['/d/{token}/status']?.get.description).toContain('either link can download the archive');
  });

  it('answer the archive, its ranges and HEAD', { tags: ['4.5/signed-paths', 'signed-urls/answers'] }, async () => {
    const response = await get(job.downloadUrl);
    const whole = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toMatch(/^private/);
    const part = await get(job.downloadUrl, { headers: { range: 'bytes=0-3' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(0, 4))).toBe(true);
    const head = await get(job.downloadUrl, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(whole.length));
    const etag = response.headers.get('etag') ?? '';
    expect((await get(job.downloadUrl, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(job.downloadUrl, { headers: { range: 'bytes=99999999-' } })).status).toBe(416);
  });

  it.each<[string, (url: string) => string]>([
    ['no query', (url) => url.split('?')[0] ?? ''],
    ['no signature', (url) => url.replace(/&t=.*/, '')],
    ['no expiry', (url) => url.replace(/exp=\d+&/, '')],
    ['a later expiry', (url) => url.replace(/exp=(\d+)/, (_, exp) => `exp=${Number(exp) + 1}`)],
    ['a leading zero', (url) => url.replace('exp=', 'exp=0')],
    ['a plus sign', (url) => url.replace('exp=', 'exp=%2B')],
    ['a shorter signature', (url) => url.slice(0, -1)],
    ['padding', (url) => `${url}=`],
    [
      'an escaped signature',
      (url) => url.replace(/t=(.)/, (_, first: string) => `t=%${first.charCodeAt(0).toString(16)}`),
    ],
    ['another spelling of the last bits', (url) => url.slice(0, -1) + nextCharacter(url.slice(-1))],
    ['a second signature', (url) => `${url}&t=x`],
    ['a second expiry', (url) => `${url}&exp=1`],
    ['another token', (url) => url.replace(/^\/d\/./, '/d/_')],
  ])(
    'with %s are refused',
    { tags: ['signed-urls/form', 'signed-urls/spelling', 'signed-urls/refusals'] },
    async (_, tamper) => {
      for (const url of [job.statusUrl, job.downloadUrl]) {
        const response = await get(tamper(url));
        expect(response.status).toBe(403);
        expect(await errorOf(response)).toMatchObject({ error: 'invalid_signature' });
      }
    },
  );

  it('open only what they were signed for', { tags: ['5/signed-urls', 'signed-urls/form'] }, async () => {
    const [, query] = job.statusUrl.split('?');
    expect((await get(`/d/${token()}?${query}`)).status).toBe(403);
    expect((await get(`/api/v1/jobs/${job.jobId}?${query}`)).status).toBe(401);
  });

  it('are good when an older secret signed them, and bad when it is gone', {
    tags: ['signed-urls/rotation'],
  }, async () => {
    const sign = (value: string) => new SignedUrls([value]).sign('status', token(), Date.now() + 60_000);
    expect((await get(sign('the secret before it'))).status).toBe(200);
    expect((await get(sign('a secret long gone'))).status).toBe(403);
  });

  it('end: 410', { tags: ['signed-urls/refusals'] }, async () => {
    const url = new SignedUrls(SECRETS).sign('download', token(), Date.now() - 1_000);
    const response = await get(url);
    expect(response.status).toBe(410);
    expect(await errorOf(response)).toMatchObject({ error: 'link_expired' });
  });

  it('lead nowhere when the job is gone: 404', { tags: ['signed-urls/refusals'] }, async () => {
    const url = new SignedUrls(SECRETS).sign('status', '0'.repeat(26), Date.now() + 60_000);
    expect((await get(url)).status).toBe(404);
  });

  it('are limited per link, good ones only', { tags: ['signed-urls/rate-limits'] }, async () => {
    const other = new SignedUrls(SECRETS);
    const url = other.sign('status', 'limited', Date.now() + 60_000);
    const statuses: number[] = [];
    for (let request = 0; request < 61; request += 1) {
      statuses.push((await get(url)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 404), 429]);
    expect((await get(`${url}x`)).status).toBe(403);
    expect((await get(url)).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('never reach the log with their query', { tags: ['signed-urls/spelling'] }, () => {
    expect(service.log.some((line) => line.includes(`/d/${token()}`))).toBe(true);
    const [, signature = ''] = job.downloadUrl.split('t=');
    expect(service.log.join('')).not.toContain(signature);
    expect(service.log.join('')).not.toContain(service.key);
  });
});

/** Of base64url's alphabet: for the last character of 32 bytes, a change of the two bits that carry nothing. */
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet.charAt(alphabet.indexOf(character) ^ 1);
}
