/** `verify`: what was drawn is read back, and the status says how much of it could not be read. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, JobResource, ManifestLine } from '../../src/contract/response-schema.js';
import { dataUrl, paintedPng } from '../support/png.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const DISC = dataUrl(paintedPng(64, '<circle cx="32" cy="32" r="32" fill="#c03010"/>'));

describeOnDatabases('verify', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ data: `https://example.org/${index}` }));
  const verified = async (body: object): Promise<JobResource> => {
    const { jobId } = await service.submit(body);
    return service.ended(jobId);
  };

  it('reads every code of a job back, also of a small one', { tags: ['additions/verify'] }, async () => {
    const job = await verified({ verify: 'all', style: { scale: 2 }, items: [...items(3), { data: 'Grüße, 世界' }] });
    expect(job).toMatchObject({ status: 'complete', completed: 4, verified: 4, unread: 0 });
    expect(job).toMatchObject({ leastUnusedErrorCorrection: 1, leastUnusedItem: 0 });
    expect(job).not.toHaveProperty('unreadItems');
  });

  it('reads a thousand codes of a larger job', { tags: ['additions/verify'] }, async () => {
    const body = [{ verify: 'sample', style: { scale: 1 } }, ...items(1_500)].map((line) => JSON.stringify(line));
    const { jobId } = await service.submit(body.join('\n'), { 'content-type': 'application/x-ndjson' });
    expect(await service.ended(jobId)).toMatchObject({ completed: 1_500, verified: 1_000, unread: 0 });
  });

  it('spreads the thousand over all chunks, and names the first code of the least', async () => {
    const chunked = await startTestService(kind, { chunkItems: 400 });
    try {
      const body = [{ verify: 'sample', style: { scale: 1 } }, ...items(1_500)].map((line) => JSON.stringify(line));
      const { jobId } = await chunked.submit(body.join('\n'), { 'content-type': 'application/x-ndjson' });
      const least = { leastUnusedErrorCorrection: 1, leastUnusedItem: 1 };
      expect(await chunked.ended(jobId)).toMatchObject({ verified: 1_000, unread: 0, ...least });
      const manifest = await (await chunked.fetch(`/api/v1/jobs/${jobId}/manifest`)).text();
      const lines = manifest.trimEnd().split('\n');
      const read = lines.flatMap((line, index) => (line.includes('"unusedErrorCorrection":1') ? [index] : []));
      expect(read).toEqual(Array.from({ length: 1_000 }, (_, place) => Math.ceil(1.5 * (place + 1)) - 1));
    } finally {
      await chunked.close();
    }
  });

  it('says which codes could not be read', { tags: ['additions/verify'] }, async () => {
    const job = await verified({ verify: 'all', style: { scale: 2, foreground: '#fefefe' }, items: items(120) });
    expect(job).toMatchObject({ status: 'complete', completed: 120, failed: 0, verified: 120, unread: 120 });
    expect(job.unreadItems).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it.each([
    ['SVG files alone', { format: 'svg' }],
    ['light codes on dark', { style: { foreground: '#ffffff', background: '#202020' } }],
    ['a transparent background', { style: { foreground: '#ffe000', background: 'transparent' } }],
    ['a transparent foreground', { style: { foreground: 'transparent' } }],
    ['a caption, and no quiet zone', { style: { margin: 0, caption: { text: 'Hall 1' } } }],
  ])('reads %s', async (_, look) => {
    const job = await verified({ ...look, verify: 'sample', items: items(2) });
    expect(job).toMatchObject({ status: 'complete', verified: 2, unread: 0 });
  });

  it('says how much error correction is left', { tags: ['additions/verify'] }, async () => {
    const logo = { dataUrl: DISC, sizeRatio: 0.2 };
    const body = { verify: 'all', style: { scale: 3, ecLevel: 'H', logo }, format: 'both', items: items(3) };
    const { jobId } = await service.submit(body);
    const job = await service.ended(jobId);
    expect(job).toMatchObject({ verified: 3, unread: 0 });
    const { leastUnusedErrorCorrection: least = 1, leastUnusedItem: item = -1 } = job;
    expect(least).toBeGreaterThan(0.25);
    expect(least).toBeLessThan(1);
    const response = await service.fetch(`/api/v1/jobs/${jobId}/manifest`);
    const lines = (await response.text()).trimEnd().split('\n');
    const unused = lines.map((line) => (JSON.parse(line) as ManifestLine).unusedErrorCorrection ?? -1);
    expect(Math.min(...unused)).toBe(least);
    expect(unused.indexOf(least)).toBe(item);
    const csv = await service.fetch(`/api/v1/jobs/${jobId}/manifest`, { headers: { accept: 'text/csv' } });
    const rows = (await csv.text()).trimEnd().split('\r\n').slice(1);
    expect(rows.map((row) => Number(row.split(',').at(-1)))).toEqual(unused.flatMap((each) => [each, each]));
  });

  it('says it of no item that was not read', { tags: ['additions/verify'] }, async () => {
    const job = await verified({ verify: 'all', style: { scale: 2, foreground: '#fefefe' }, items: items(2) });
    expect(job).not.toHaveProperty('leastUnusedErrorCorrection');
    expect(job).not.toHaveProperty('leastUnusedItem');
    const response = await service.fetch(`/api/v1/jobs/${job.id}/manifest`);
    const manifest = await response.text();
    expect(manifest).not.toContain('unusedErrorCorrection');
    expect(manifest.match(/"unread":true/g)).toHaveLength(2);
  });

  it('leaves a quarter of every code that no warning names', { tags: ['additions/verify'] }, async () => {
    const texts = Array.from({ length: 40 }, (_, index) => ({ data: 'a'.repeat(1 + 9 * index) }));
    let fewLeft = 0;
    for (const ecLevel of ['L', 'M', 'Q', 'H'] as const) {
      for (const sizeRatio of [0.1, 0.2, 0.3]) {
        const logo = { dataUrl: DISC, sizeRatio };
        const { jobId, warnings = [] } = await service.submit({
          verify: 'all',
          format: 'both',
          style: { scale: 2, ecLevel, logo },
          items: texts,
        });
        const { items: warned = 0, first = Number.POSITIVE_INFINITY } =
          warnings.find(({ code }) => code === 'logo_covers_too_much') ?? {};
        await service.ended(jobId);
        const manifest = await (await service.fetch(`/api/v1/jobs/${jobId}/manifest`)).text();
        const lines = manifest
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as ManifestLine);
        const short = lines.filter(({ unusedErrorCorrection = 0 }) => unusedErrorCorrection < 0.25);
        expect(short.length, `level ${ecLevel}, ${sizeRatio}`).toBeLessThanOrEqual(warned);
        expect(short[0]?.index ?? first, `level ${ecLevel}, ${sizeRatio}`).toBeGreaterThanOrEqual(first);
        fewLeft += short.length;
      }
    }
    expect(fewLeft).toBeGreaterThan(0);
  });

  it('is not told of where it was not asked for', { tags: ['additions/verify'] }, async () => {
    for (const verify of [undefined, 'none']) {
      const job = await verified({ verify, items: items(1) });
      expect(job).not.toHaveProperty('verified');
      expect(job).not.toHaveProperty('unread');
    }
  });

  it('is checked by a dry run, which reads nothing', { tags: ['additions/verify'] }, async () => {
    const validate = (verify: unknown) =>
      service.fetch('/api/v1/jobs/validate', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ verify, items: items(1) }),
      });
    expect((await validate('all')).status).toBe(200);
    const refused = await validate('some');
    expect(refused.status).toBe(400);
    const { error, issues } = (await refused.json()) as ErrorBody;
    expect({ error, path: issues?.[0]?.path }).toEqual({ error: 'invalid_input', path: '/verify' });
  });
});
