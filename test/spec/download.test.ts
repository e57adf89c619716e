import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { JobCreated } from '../../src/intake/responses.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('GET /api/v1/jobs/{jobId}/download', (kind) => {
  let service: TestService;
  let job: JobCreated;
  let path: string;
  let whole: Buffer;
  let etag: string;
  let lastModified: string;
  beforeAll(async () => {
    service = await startTestService(kind);
    job = await service.submit({
      items: [{ data: 'https://example.org/a' }, { data: 'b', filename: 'bee' }],
      format: 'both',
    });
    await service.ended(job.jobId);
    path = `/api/v1/jobs/${job.jobId}/download`;
    const response = await service.fetch(path);
    whole = Buffer.from(await response.arrayBuffer());
    etag = response.headers.get('etag') ?? '';
    lastModified = response.headers.get('last-modified') ?? '';
  });
  afterAll(() => service.close());

  const get = (headers: Record<string, string> = {}, method = 'GET') => service.fetch(path, { method, headers });

  it('answers the archive', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="qrpress-${job.jobId}.zip"`,
      etag: expect.stringMatching(/^"[^"]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
    const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
    const names: string[] = [];
    for await (const entry of zip.eachEntry()) {
      names.push(entry.fileName);
    }
    expect(names).toEqual(['example.org-a.png', 'example.org-a.svg', 'bee.png', 'bee.svg']);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=100-', 100, undefined],
    ['bytes=-22', -22, undefined],
    ['bytes=0-99999999999', 0, undefined],
    ['bytes=-99999999999', 0, undefined],
    ['BYTES=5-6', 5, 7],
  ])('answers the range %s', async (range, start, end) => {
    const response = await get({ range });
    const expected = whole.subarray(start, end);
    const first = start < 0 ? whole.length + start : start;
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${whole.length}`);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
  });

  it.each(['bytes=0-1,5-6', 'bytes=6-5', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes 0-1'])(
    'answers the whole to %s',
    async (range) => {
      const response = await get({ range });
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true);
    },
  );

  it('answers 416 to a range beyond the end', async () => {
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
      const response = await get({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
      expect(await errorOf(response)).toMatchObject({ error: 'range_not_satisfiable' });
    }
  });

  it('answers a range only of the version that If-Range names', async () => {
    const status = async (ifRange: string) => {
      const response = await get({ range: 'bytes=0-9', 'if-range': ifRange });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await status(etag)).toBe(206);
    expect(await status(lastModified)).toBe(206);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${etag}`)).toBe(200);
    expect(await status('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(200);
    expect(await status('nonsense')).toBe(200);
  });

  it('answers 304 to whoever has this version', async () => {
    const status = async (headers: Record<string, string>) => {
      const response = await get(headers);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-none-match': `"other", W/${etag}` })).toBe(304);
    expect(await status({ 'if-none-match': '*' })).toBe(304);
    expect(await status({ 'if-none-match': '"other"' })).toBe(200);
    expect(await status({ 'if-modified-since': lastModified })).toBe(304);
    expect(await status({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
    expect(await status({ 'if-none-match': '"other"', 'if-modified-since': lastModified })).toBe(200);
    expect((await get({ 'if-none-match': etag })).headers.get('etag')).toBe(etag);
  });

  it('answers HEAD without a body, and without a range', async () => {
    const response = await get({ range: 'bytes=0-9' }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(whole.length));
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  it('answers 404 to an unknown job, and asks for a key', async () => {
    expect((await service.fetch('/api/v1/jobs/unknown/download')).status).toBe(404);
    expect((await fetch(service.url + path)).status).toBe(401);
  });

  it('survives clients that go away in the middle', async () => {
    const controller = new AbortController();
    const response = await service.fetch(path, { signal: controller.signal });
    controller.abort();
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await get()).status).toBe(200);
    expect(service.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
