import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('GET /api/v1/jobs/{jobId}/items/{index}', (kind) => {
  let service: TestService;
  let job: JobCreated;
  beforeAll(async () => {
    service = await startTestService(kind, { chunkItems: 1_000 });
    const items = Array.from({ length: 2_100 }, (_, index) => ({ data: `${index}`, caption: `c${index}` }));
    job = await service.submit({ items, format: 'both' });
    await service.ended(job.jobId);
  });
  afterAll(() => service.close());

  const get = (picture: string, { jobId } = job, init: RequestInit = {}) =>
    service.fetch(`/api/v1/jobs/${jobId}/items/${picture}`, init);

  it('answers the very bytes of the archive', { tags: ['additions/pictures'] }, async () => {
    const zip = await fromBufferPromise(Buffer.from(await (await service.fetch(job.downloadUrl)).arrayBuffer()));
    const wanted = new Set([0, 999, 1_000, 2_099].flatMap((index) => [`${index}.png`, `${index}.svg`]));
    for await (const entry of zip.eachEntry()) {
      if (wanted.delete(entry.fileName)) {
        const parts: Buffer[] = [];
        for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
        const response = await get(entry.fileName);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe(
          entry.fileName.endsWith('.png') ? 'image/png' : 'image/svg+xml',
        );
        expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat(parts))).toBe(true);
      }
    }
    expect([...wanted]).toEqual([]);
  });

  it.each(['2100.png', '-1.png', '1.5.png', '01.png', 'x.svg', '1.gif', '1', '99999999999.png'])(
    'has no %s',
    { tags: ['additions/pictures'] },
    async (picture) => {
      const response = await get(picture);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ error: 'not_found' });
    },
  );

  it('has no picture of another format, nor of another organisation', async () => {
    const png = await service.submit({ items: [{ data: '1' }] });
    await service.ended(png.jobId);
    expect((await get('0.png', png)).status).toBe(200);
    expect((await get('0.svg', png)).status).toBe(404);
    const { key } = await service.createAccount(0);
    expect((await get('0.png', png, { headers: { authorization: `Bearer ${key}` } })).status).toBe(404);
  });

  it('is answered to HEAD without a body, and with 304 to who has it', async () => {
    const whole = await get('7.png');
    const head = await get('7.png', job, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength));
    const etag = head.headers.get('etag') ?? '';
    expect((await get('7.png', job, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get('8.png', job, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('is not there before the job is complete', async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ data: `${index}` }));
    const early = await service.submit({ items });
    const response = await get('0.png', early);
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toMatchObject({ error: 'not_ready' });
    await service.ended(early.jobId);
  });
});
