import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LabelSheet } from '../../src/contract/label-sheets.js';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

const ITEMS = Array.from({ length: 80 }, (_, index) => ({ data: `https://example.org/a/${index}` }));
const HEADER = /^%PDF-1\.7\n/;

describeOnDatabases('GET /api/v1/jobs/{jobId}/labels.pdf', (kind) => {
  let service: TestService;
  let job: JobCreated;
  beforeAll(async () => {
    service = await startTestService(kind, { chunkItems: 10 });
    job = await service.submit({ items: ITEMS, name: '東 "1/2"' });
    await service.ended(job.jobId);
  });
  afterAll(() => service.close());

  const get = (query: Record<string, string>, { jobId } = job, init: RequestInit = {}) =>
    service.fetch(`/api/v1/jobs/${jobId}/labels.pdf?${new URLSearchParams(query).toString()}`, init);
  const file = async (query: Record<string, string>, of = job) => {
    const response = await get(query, of);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  it('sends a file with the name of the job, the same every time', { tags: ['additions/labels'] }, async () => {
    const response = await get({ sheet: 'avery-l7160' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="qrpress-${job.jobId}.pdf"; filename*=UTF-8''%E6%9D%B1%20-1-2-.pdf`,
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1')).toMatch(HEADER);
    expect(bytes.equals(await file({ sheet: 'avery-l7160' }))).toBe(true);
    const again = await get({ sheet: 'avery-l7160' }, job, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    const unnamed = await service.submit({ items: ITEMS.slice(0, 1) });
    await service.ended(unnamed.jobId);
    expect((await get({ sheet: 'avery-5160' }, unnamed)).headers.get('content-disposition')).toBe(
      `attachment; filename="qrpress-${unnamed.jobId}.pdf"`,
    );
  });

  it('lists the sheets', { tags: ['additions/label-sheets'] }, async () => {
    const response = await service.fetch('/api/v1/label-sheets');
    expect(response.status).toBe(200);
    const { sheets } = (await response.json()) as { sheets: LabelSheet[] };
    expect(sheets.length).toBeGreaterThanOrEqual(24);
    expect(new Set(sheets.map(({ maker }) => maker))).toEqual(new Set(['Avery', 'Avery Zweckform', 'Herma']));
    expect(new Set(sheets.map(({ name }) => name)).size).toBe(sheets.length);
    expect(sheets).toContainEqual({
      name: 'avery-l7160',
      maker: 'Avery',
      product: 'L7160',
      pageWidth: 210,
      pageHeight: 297,
      labelWidth: 63.5,
      labelHeight: 38.1,
      columns: 3,
      rows: 7,
      left: 7.25,
      top: 15.15,
      gapX: 2.5,
      gapY: 0,
    });
    for (const sheet of sheets) {
      const { left, columns, labelWidth, gapX, pageWidth, top, rows, labelHeight, gapY, pageHeight } = sheet;
      expect(left + columns * labelWidth + (columns - 1) * gapX, sheet.name).toBeLessThanOrEqual(pageWidth + 1e-9);
      expect(top + rows * labelHeight + (rows - 1) * gapY, sheet.name).toBeLessThanOrEqual(pageHeight + 1e-9);
    }
  });

  const custom = {
    sheet: 'custom',
    pageWidth: '100',
    pageHeight: '100',
    labelWidth: '40',
    labelHeight: '30',
    columns: '2',
    rows: '3',
  };
  const sheet = 'avery-l7160';
  const wrong: [query: Record<string, string>, path: string, code: string][] = [
    [{}, '/sheet', 'required'],
    [{ sheet: 'avery' }, '/sheet', 'invalid_value'],
    [{ sheet, labelWidth: '20' }, '/labelWidth', 'conflict'],
    [{ sheet: 'single', labelWidth: '20' }, '/labelHeight', 'required'],
    [{ sheet: 'single', labelWidth: '20', labelHeight: '20', rows: '2' }, '/rows', 'conflict'],
    [{ ...custom, rows: '4' }, '/rows', 'too_large'],
    [{ ...custom, rows: '201' }, '/rows', 'too_large'],
    [{ ...custom, columns: '1.5' }, '/columns', 'invalid_value'],
    [{ ...custom, gapX: '20.001' }, '/columns', 'too_large'],
    [{ ...custom, gapX: '2001' }, '/gapX', 'too_large'],
    [{ ...custom, left: '-1' }, '/left', 'invalid_value'],
    [{ ...custom, top: '10.001' }, '/rows', 'too_large'],
    [{ ...custom, pageWidth: '2000.5' }, '/pageWidth', 'too_large'],
    [{ ...custom, pageHeight: '1e2' }, '/pageHeight', 'invalid_value'],
    [{ ...custom, labelWidth: '.5' }, '/labelWidth', 'invalid_value'],
    [{ ...custom, labelHeight: '20.0001' }, '/labelHeight', 'invalid_value'],
    [{ sheet, first: '0' }, '/first', 'too_small'],
    [{ sheet, first: '22' }, '/first', 'too_large'],
    [{ sheet, from: '80' }, '/from', 'too_large'],
    [{ sheet, from: '5', to: '4' }, '/to', 'too_small'],
    [{ sheet, to: 'last' }, '/to', 'invalid_value'],
    [{ sheet, items: '' }, '/items', 'invalid_value'],
    [{ sheet, items: '1, 2' }, '/items', 'invalid_value'],
    [{ sheet, items: '0-80' }, '/items', 'invalid_value'],
    [{ sheet, items: '5-4' }, '/items', 'invalid_value'],
    [{ sheet, items: Array(501).fill(1).join(',') }, '/items', 'invalid_value'],
    [{ sheet, items: '5', to: '4' }, '/to', 'conflict'],
    [{ sheet, size: '0.5' }, '/size', 'too_small'],
    [{ sheet, size: '28.864' }, '/size', 'too_large'],
    [{ sheet, cutMarks: 'yes' }, '/cutMarks', 'invalid_value'],
    [{ sheet, colour: 'red' }, '/colour', 'unknown_member'],
    [{ sheet, 'a/b~c': '1' }, '/a~1b~0c', 'unknown_member'],
    [{ sheet: '' }, '/sheet', 'required'],
    [{ sheet, caption: 'above' }, '/caption', 'invalid_value'],
    [{ sheet, captionSize: '3.9' }, '/captionSize', 'too_small'],
    [{ sheet, captionSize: '72.1' }, '/captionSize', 'too_large'],
    [{ sheet, captionSize: '8.25' }, '/captionSize', 'invalid_value'],
    [{ sheet, shiftX: '-20.001' }, '/shiftX', 'too_small'],
    [{ sheet, shiftY: '21' }, '/shiftY', 'too_large'],
    [{ sheet, shiftY: '1e1' }, '/shiftY', 'invalid_value'],
  ];
  it.each(wrong)('refuses %j at %s', { tags: ['additions/labels'] }, async (query, path, code) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    const { error, issues } = await errorOf(response);
    expect(error).toBe('invalid_input');
    expect(issues).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it('prints a list of items like a job that has no others', { tags: ['additions/labels'] }, async () => {
    const chosen = [...ITEMS.slice(3, 5), ...ITEMS.slice(25, 61), ...ITEMS.slice(79)];
    const some = await service.submit({ items: chosen });
    await service.ended(some.jobId);
    for (const one of [
      { sheet, first: '20' },
      { sheet: 'single', labelWidth: '40', labelHeight: '40' },
    ]) {
      const whole = await file(one, some);
      expect((await file({ ...one, items: '79,25-40,38-60,3-4,4' })).equals(whole)).toBe(true);
    }
    // What does not fit is left out as well.
    const uneven = await service.submit({ items: ['a', 'b'.repeat(900), 'c'].map((data) => ({ data })) });
    await service.ended(uneven.jobId);
    expect((await get({ sheet: 'avery-5160' }, uneven)).status).toBe(400);
    await file({ sheet: 'avery-5160', items: '0,2' }, uneven);
  });

  it('refuses codes that cannot be seen on paper, and says why', { tags: ['additions/labels'] }, async () => {
    for (const style of [
      { foreground: '#ffffff', background: 'transparent' },
      { foreground: 'transparent', background: '#ffffff' },
    ]) {
      const created = await service.submit({ style, items: [{ data: 'a' }] });
      await service.ended(created.jobId);
      const response = await get({ sheet }, created);
      expect(response.status).toBe(400);
      const { issues } = await errorOf(response);
      const message = expect.stringContaining('cannot be seen on paper') as string;
      expect(issues).toEqual([{ path: '/sheet', code: 'invalid_value', message }]);
    }
  });

  it('lists everything that is wrong, and repeated parameters', { tags: ['additions/labels'] }, async () => {
    const response = await service.fetch(`/api/v1/jobs/${job.jobId}/labels.pdf?sheet=${sheet}&size=10&size=11&first=x`);
    const { issues } = await errorOf(response);
    expect(issues?.map(({ path }) => path).toSorted()).toEqual(['/first', '/size']);
  });

  it('refuses modules that are too small, and says which size would do', { tags: ['additions/labels'] }, async () => {
    // The narrowest that are allowed: 0.25 mm.
    await file({ sheet, size: '6.25' });
    for (const [query, path] of [
      [{ sheet, size: '6.249' }, '/size'],
      [{ sheet: 'single', labelWidth: '8', labelHeight: '8' }, '/sheet'],
    ] as const) {
      const response = await get(query);
      expect(response.status).toBe(400);
      const { issues } = await errorOf(response);
      expect(issues).toEqual([
        { path, code: 'too_small', message: expect.stringContaining('a size of at least 6.25 mm') },
      ]);
    }
    await file({ sheet: 'single', labelWidth: '8.25', labelHeight: '8.25' });
  });

  it('refuses captions that find no room, at what was chosen', { tags: ['additions/labels'] }, async () => {
    const captioned = await service.submit({ items: [{ data: ITEMS[0]!.data, caption: 'Room 1' }] });
    await service.ended(captioned.jobId);
    const square = { sheet: 'single', labelWidth: '12', labelHeight: '12' };
    for (const [query, path] of [
      [{ ...square, caption: 'beside' }, '/caption'],
      [{ ...square, caption: 'beside', captionSize: '7' }, '/captionSize'],
      [{ ...square, caption: 'below' }, '/caption'],
      [{ ...square, captionSize: '9' }, '/captionSize'],
      [square, '/sheet'],
    ] as const) {
      const response = await get(query, captioned);
      expect(response.status).toBe(400);
      const { issues } = await errorOf(response);
      expect(issues?.map((issue) => issue.path)).toEqual([path]);
    }
    await file({ ...square, caption: 'none' }, captioned);
    await file({ sheet, captionSize: '4', shiftX: '-11.5', shiftY: '0.125' }, captioned);
  });

  it('moves codes as far as the edge of the page, and no farther', { tags: ['additions/labels'] }, async () => {
    const refused = async (query: Record<string, string>) => {
      const response = await get(query);
      expect(response.status).toBe(400);
      return ((await errorOf(response)).issues ?? []).map(({ path, code, message }) => `${path} ${code} ${message}`);
    };
    // Codes of 33 modules with their quiet zones, as high as the label. Their four modules at each side may be cut off.
    const single = { sheet: 'single', labelWidth: '57', labelHeight: '32' };
    await file({ ...single, shiftX: '-16.378', shiftY: '3.878' });
    await file({ ...single, shiftX: '16.378', shiftY: '-3.878' });
    expect(await refused({ ...single, shiftX: '-16.379', shiftY: '3.879' })).toEqual([
      "/shiftX too_small must be at least -16.378 mm, or codes are cut off at the page's edge",
      "/shiftY too_large must be at most 3.878 mm, or codes are cut off at the page's edge",
    ]);
    // Only labels that are printed count: the first item is alone, on a label of the second row or the last column.
    const alone = { sheet: 'avery-l7651', to: '0' };
    expect(await refused({ ...alone, shiftX: '-20', shiftY: '-20' })).toHaveLength(2);
    expect(await refused({ ...alone, first: '6', shiftX: '-20', shiftY: '-20' })).toHaveLength(1);
    await file({ ...alone, first: '10', shiftX: '-20', shiftY: '-20' });
    // The rest of the job goes on at the first label of the next page.
    expect(await refused({ sheet: 'avery-l7651', first: '65', shiftX: '-20' })).toHaveLength(1);
    // A text beside its code reaches farther than the code.
    const words = await service.submit({
      items: [{ data: 'a', caption: 'Conference room on the first floor, north' }],
    });
    await service.ended(words.jobId);
    const right = async (caption: string) => (await get({ ...single, shiftX: '12', caption }, words)).status;
    expect([await right('none'), await right('beside')]).toEqual([200, 400]);
  });

  it('answers not_ready before the job is complete, and not_found to others', {
    tags: ['additions/labels'],
  }, async () => {
    const failed = await service.submit(...ndjson({ verify: 'all' }, ...ITEMS));
    await service.fetch(`/api/v1/jobs/${failed.jobId}/cancel`, { method: 'POST' });
    const response = await get({ sheet }, failed);
    expect(response.status).toBe(409);
    expect((await errorOf(response)).error).toBe('not_ready');
    expect((await get({ sheet }, { ...job, jobId: 'none' })).status).toBe(404);
  });

  it('leaves no temporary file behind, read to the end or not', { tags: ['additions/labels'] }, async () => {
    await file({ sheet });
    const abort = new AbortController();
    const response = await get({ sheet: 'single', labelWidth: '40', labelHeight: '40' }, job, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await expect
      .poll(() => service.files().then((names) => names.filter((name) => /part-|entries/.test(name))))
      .toEqual([]);
  });
});
