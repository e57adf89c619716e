import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { AdmissionControl } from '../../src/admission/admission-control.js';
import { render } from '../../src/cli/render.js';
import { ApiError } from '../../src/contract/errors.js';
import type { JobCreated } from '../../src/contract/response-schema.js';
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

  it('answers the archive', { tags: ['1/jobs', '1/bodies', '4.4/download'] }, async () => {
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
    ['Summer 2026', 'filename="Summer 2026.zip"'],
    ['CON', 'filename="_CON.zip"'],
    ['=1+1', 'filename="_1+1.zip"'],
    ['Übersicht', 'filename="qrpress-ID.zip"; filename*=UTF-8\'\'%C3%9Cbersicht.zip'],
    ['漢'.repeat(100), `filename="qrpress-ID.zip"; filename*=UTF-8''${encodeURIComponent('漢'.repeat(83))}.zip`],
  ])('names the file after the job %s', { tags: ['additions/job-members'] }, async (name, expected) => {
    const created = await service.submit({ name, items: [{ data: 'a' }] });
    await service.ended(created.jobId);
    const response = await service.fetch(created.downloadUrl, { method: 'HEAD' });
    const disposition = response.headers.get('content-disposition');
    expect(disposition).toBe(`attachment; ${expected.replace('ID', created.jobId)}`);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=100-', 100, undefined],
    ['bytes=-22', -22, undefined],
    ['bytes=0-99999999999', 0, undefined],
    ['bytes=-99999999999', 0, undefined],
    ['BYTES=5-6', 5, 7],
  ])('answers the range %s', { tags: ['4.4/download', 'downloads/ranges'] }, async (range, start, end) => {
    const response = await get({ range });
    const expected = whole.subarray(start, end);
    const first = start < 0 ? whole.length + start : start;
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${whole.length}`);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
  });

  it.each([
    'bytes=0-0,2-2',
    'bytes=0-5,5-6',
    'bytes=3-4,,99999999999-',
    'bytes=0-1;5-6',
    'bytes=0-1,a-b',
    'bytes=,',
    'bytes=0x0-0x5',
    'bytes=+1-5',
    'bytes=1.0-5',
    'bytes=0-1,items=0-1',
    'bytes=6-5',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'items=0-1',
    'bytes 0-1',
  ])('answers the whole to %s', { tags: ['downloads/ranges'] }, async (range) => {
    const response = await get({ range });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-range')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true);
  });

  it('answers 416 to a range beyond the end', async () => {
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
      const response = await get({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
      expect(await errorOf(response)).toMatchObject({ error: 'range_not_satisfiable' });
    }
  });

  it('answers a range only of the version that If-Range names', { tags: ['downloads/if-range'] }, async () => {
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

  it('refuses whoever wants another version', { tags: ['downloads/conditions'] }, async () => {
    const status = async (headers: Record<string, string>, method?: 'HEAD') => {
      const response = await get(headers, method);
      await response.arrayBuffer();
      return response.status;
    };
    for (const tags of [etag, '*', `"other", ${etag}`]) {
      expect([tags, await status({ 'if-match': tags })]).toEqual([tags, 200]);
    }
    expect(await status({ 'if-match': etag, range: 'bytes=0-9' })).toBe(206);
    expect(await status({ 'if-match': etag, 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-unmodified-since': lastModified })).toBe(200);
    expect(await status({ 'if-unmodified-since': 'never' })).toBe(200);
    expect(await status({ 'if-match': etag, 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
    for (const wanted of [
      { 'if-match': '"other"' },
      { 'if-match': `W/${etag}` },
      { 'if-match': '"other"', 'if-none-match': etag },
      { 'if-match': '"other"', range: 'bytes=0-9' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ]) {
      const response = await get(wanted);
      expect([wanted, response.status, response.headers.get('etag')]).toEqual([wanted, 412, null]);
      expect(await errorOf(response)).toMatchObject({ error: 'precondition_failed' });
      expect(await status(wanted, 'HEAD')).toBe(412);
    }
  });

  it('takes no place where it sends no file: that may end a slow download of somebody else', async () => {
    const taken = vi.spyOn(AdmissionControl.prototype, 'take');
    onTestFinished(() => taken.mockRestore());
    const of = async (address: string, headers: Record<string, string>) => {
      const response = await service.fetch(address, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const jobPath = `/api/v1/jobs/${job.jobId}`;
    for (const address of [path, `${jobPath}/manifest`]) {
      const tag = (await service.fetch(address, { method: 'HEAD' })).headers.get('etag') ?? '';
      taken.mockClear();
      expect(await of(address, { 'if-none-match': tag })).toBe(304);
      expect(await of(address, { 'if-match': '"other"' })).toBe(412);
    }
    expect(await of(`${jobPath}/items/2.png`, {})).toBe(404);
    expect(taken).not.toHaveBeenCalled();
    // An error has no validators of the file.
    taken.mockImplementation(() => {
      throw new ApiError('unavailable', 'Too many files are being downloaded.', {}, { 'Retry-After': '1' });
    });
    const refused = await service.fetch(path);
    expect([refused.status, refused.headers.get('etag'), refused.headers.get('accept-ranges')]).toEqual([
      503,
      null,
      null,
    ]);
  });

  it('answers 304 to whoever has this version', { tags: ['downloads/conditions'] }, async () => {
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
    expect(await status({ 'if-none-match': etag, range: 'bytes=0-1' })).toBe(304);
    expect(await status({ 'if-modified-since': 'never' })).toBe(200);
    expect((await get({ 'if-none-match': etag }, 'HEAD')).status).toBe(304);
    expect((await get({ 'if-none-match': etag })).headers.get('etag')).toBe(etag);
    // The form of C's asctime does not say that it means Greenwich.
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(lastModified) ?? [];
    const asctime = `${lastModified.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
    expect(await status({ 'if-modified-since': asctime })).toBe(304);
    vi.unstubAllEnvs();
  });

  it('answers HEAD without a body, and without a range', async () => {
    const response = await get({ range: 'bytes=0-9' }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(whole.length));
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  it('answers 404 to an unknown job, and asks for a key', { tags: ['1/key'] }, async () => {
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

describeOnDatabases('an archive of several segments', (kind) => {
  const items = Array.from({ length: 250 }, (_, index) => ({ data: `https://example.org/${index}` }));
  let service: TestService;
  let path: string;
  let expected: Buffer;
  beforeAll(async () => {
    service = await startTestService(kind, { chunkItems: 100 });
    const { jobId } = await service.submit({ items });
    await service.ended(jobId);
    path = `/api/v1/jobs/${jobId}/download`;
    const input = join(service.config.dataDir, 'items.json');
    const out = join(service.config.dataDir, 'expected.zip');
    await writeFile(input, JSON.stringify({ items }));
    await render(input, { out, threads: 1, fontDir: undefined });
    expected = await readFile(out);
  });
  afterAll(() => service.close());

  it('is the one that the same items in one segment make, byte for byte', async () => {
    const response = await service.fetch(path);
    expect(expected.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });

  it('has any range of its central directory', async () => {
    const directory = expected.readUInt32LE(expected.length - 6);
    const ranges = [directory - 5, directory, directory + 4_000].flatMap((start) =>
      [start, start + 7_000, expected.length - 5, expected.length - 1].map((end) => ({ start, end })),
    );
    for (const { start, end } of ranges) {
      const response = await service.fetch(path, { headers: { range: `bytes=${start}-${end}` } });
      expect(response.status).toBe(206);
      expect(expected.subarray(start, end + 1).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    }
  });

  it('is cut off, not ended, where a directory is lost', async () => {
    const [index = ''] = await readdir(service.config.dataDir, { recursive: true }).then((names) =>
      names.filter((name) => name.endsWith('segment-000001-1.index')),
    );
    await rm(join(service.config.dataDir, index));
    await expect(service.fetch(path).then((response) => response.arrayBuffer())).rejects.toThrow('terminated');
  });

  it('is an error that says so, where its files are lost', async () => {
    await rm(join(service.config.dataDir, 'storage', 'jobs'), { recursive: true });
    for (const address of [path, path.replace('download', 'manifest')]) {
      const response = await service.fetch(address);
      expect(response.status).toBe(500);
      const message = expect.stringContaining('lost the files of this job');
      expect(await errorOf(response)).toMatchObject({ error: 'internal_error', message });
      expect(service.log.join('')).toContain(`files of the job ${path.split('/')[4]} are gone`);
    }
  });
});
