import { crc32 } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { JobCreated, ManifestLine } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

const ITEMS = [
  { data: 'https://example.org/a', reference: 'row "1", first' },
  { data: '=HYPERLINK("x")', filename: '=b', caption: '+own', reference: '@2' },
  { data: 'three\nlines\r\n', filename: 'ä', caption: '' },
];
const STYLE = { caption: { text: 'shared' } };

describeOnDatabases('GET /api/v1/jobs/{jobId}/manifest', (kind) => {
  let service: TestService;
  let job: JobCreated;
  let files: Map<string, Buffer>;
  beforeAll(async () => {
    service = await startTestService(kind);
    job = await service.submit({ items: ITEMS, format: 'both', style: STYLE });
    await service.ended(job.jobId);
    files = await filesOf(job);
  });
  afterAll(() => service.close());

  const get = (accept?: string, { jobId } = job, init: RequestInit = {}) =>
    service.fetch(`/api/v1/jobs/${jobId}/manifest`, { ...init, ...(accept && { headers: { accept } }) });

  async function filesOf({ downloadUrl }: JobCreated) {
    const zip = await fromBufferPromise(Buffer.from(await (await service.fetch(downloadUrl)).arrayBuffer()));
    const found = new Map<string, Buffer>();
    for await (const entry of zip.eachEntry()) {
      const parts: Buffer[] = [];
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
      found.set(entry.fileName, Buffer.concat(parts));
    }
    return found;
  }

  const fileLine = (name: string) => {
    const bytes = files.get(name) ?? Buffer.of();
    return { name, bytes: bytes.length, crc32: crc32(bytes).toString(16).padStart(8, '0') };
  };
  const lines = async (response: Response) =>
    (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ManifestLine);

  it('tells every item in order, with what the archive holds of it', { tags: ['additions/manifest'] }, async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="qrpress-${job.jobId}.ndjson"`,
      vary: 'Accept',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    const [a, b, c] = ITEMS;
    expect(await lines(response)).toEqual([
      {
        index: 0,
        reference: a!.reference,
        data: a!.data,
        caption: 'shared',
        status: 'completed',
        files: [fileLine('example.org-a.png'), fileLine('example.org-a.svg')],
      },
      {
        index: 1,
        reference: '@2',
        data: b!.data,
        caption: '+own',
        status: 'completed',
        files: [fileLine('_b.png'), fileLine('_b.svg')],
      },
      { index: 2, data: c!.data, status: 'completed', files: [fileLine('ä.png'), fileLine('ä.svg')] },
    ]);
  });

  it('is CSV where that is asked for, without formulas but for @image', { tags: ['additions/manifest'] }, async () => {
    const response = await get('text/csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const text = await response.text();
    expect(
      text.startsWith('index,reference,data,caption,status,@image,name,bytes,crc32,unusedErrorCorrection\r\n'),
    ).toBe(true);
    const rows = parse(text, { columns: true, record_delimiter: '\r\n' });
    const row = (index: number, item: object, name: string) => {
      const { bytes, crc32: checksum } = fileLine(name);
      const file = { '@image': name, name, bytes: String(bytes), crc32: checksum, unusedErrorCorrection: '' };
      return { index: String(index), reference: '', caption: '', status: 'completed', ...item, ...file };
    };
    const [a, b, c] = [
      { reference: ITEMS[0]!.reference, data: ITEMS[0]!.data, caption: 'shared' },
      { reference: "'@2", data: `'${ITEMS[1]!.data}`, caption: "'+own" },
      { data: ITEMS[2]!.data },
    ];
    expect(rows).toEqual([
      row(0, a, 'example.org-a.png'),
      row(0, a, 'example.org-a.svg'),
      row(1, b, '_b.png'),
      row(1, b, '_b.svg'),
      row(2, c, 'ä.png'),
      row(2, c, 'ä.svg'),
    ]);
  });

  it.each([
    ['*/*', 'application/x-ndjson'],
    ['application/*', 'application/x-ndjson'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['application/json, text/csv;q=0.1', 'text/csv'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['text/csv; header=present', 'text/csv'],
    ['text/csv;charset=utf-8;HEADER="present"', 'text/csv'],
    ['application/x-ndjson;charset="UTF-8"', 'application/x-ndjson'],
  ])('chooses by Accept: %s', async (accept, type) => {
    const response = await get(accept);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    await response.body?.cancel();
  });

  it.each(['application/json', 'text/html', 'application/x-ndjson;q=0', 'text/csv; header=absent'])(
    'has no %s',
    { tags: ['additions/manifest'] },
    async (accept) => {
      const response = await get(accept);
      expect(response.status).toBe(406);
      const message = expect.stringContaining(`or text/csv with its header row, not only ${accept}.`);
      expect(await errorOf(response)).toMatchObject({ error: 'not_acceptable', message });
    },
  );

  it.each(['application/x-ndjson', 'text/csv'])(
    'is an error where the store is away, and not half of it: %s',
    async (accept) => {
      const away = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      vi.spyOn(service.admin.storage, 'materialise').mockRejectedValueOnce(away);
      const response = await get(accept);
      expect(response.status).toBe(503);
      expect(await errorOf(response)).toMatchObject({ error: 'unavailable' });
      vi.restoreAllMocks();
    },
  );

  it('spans chunks, and streams', async () => {
    const items = Array.from({ length: 2_500 }, (_, index) => ({ data: `${index}`, reference: `R${index}` }));
    const chunked = await startTestService(kind, { chunkItems: 1_000 });
    try {
      const { jobId } = await chunked.submit(...ndjson({ format: 'svg' }, ...items));
      await chunked.ended(jobId);
      const told = await lines(await chunked.fetch(`/api/v1/jobs/${jobId}/manifest`));
      expect(told.map(({ index, reference, data }) => [index, reference, data])).toEqual(
        items.map(({ data, reference }, index) => [index, reference, data]),
      );
      expect(told.at(-1)?.files).toEqual([expect.objectContaining({ name: '2499-2499.svg' })]);
      expect(await chunked.files()).not.toContain('manifest');
    } finally {
      await chunked.close();
    }
  });

  it('is answered to HEAD without a body, and with 304 to who has it', async () => {
    const head = await get('text/csv', job, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const etag = head.headers.get('etag') ?? '';
    const again = await service.fetch(`/api/v1/jobs/${job.jobId}/manifest`, {
      headers: { accept: 'text/csv', 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    const other = await service.fetch(`/api/v1/jobs/${job.jobId}/manifest`, { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  it('is not there before the job is complete, nor for others', async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ data: `${index}` }));
    const early = await service.submit({ items });
    const response = await get(undefined, early);
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toMatchObject({ error: 'not_ready' });
    const { key } = await service.createAccount(0);
    const headers = { authorization: `Bearer ${key}` };
    expect((await service.fetch(`/api/v1/jobs/${job.jobId}/manifest`, { headers })).status).toBe(404);
    await service.ended(early.jobId);
  });

  it('tells of items that were not drawn', async () => {
    const lost = await service.submit({ items: [{ data: '1', reference: 'lost' }] });
    await service.ended(lost.jobId);
    const chunk = { status: 'failed' as const, segment_bytes: 0, failed_items: 1 };
    const { database } = service.admin;
    await database.updateTable('chunks').set(chunk).where('job_id', '=', lost.jobId).execute();
    expect(await lines(await get(undefined, lost))).toEqual([
      { index: 0, reference: 'lost', data: '1', status: 'failed', files: [] },
    ]);
    const csv = await (await get('text/csv', lost)).text();
    expect(csv.split('\r\n')[1]).toBe('0,lost,1,,failed,,,,,');
  });
});
