/**
 * Sheets of labels that have a name, as a printer shows them: rasterised, measured and read. Every sheet in `npm run nightly`, each
 * twelfth one otherwise.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { LABEL_SHEETS } from '../../src/contract/label-sheets.js';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { sqlite } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { startTestService, type TestService } from '../support/service.js';
import { IS_NIGHTLY } from '../support/nightly.js';
import { codeIn, inkIn, labelBox, MISSING_TOOLS, printed } from '../support/sheet.js';

/** As many as the largest sheet has. */
const ITEMS = Array.from({ length: 189 }, (_, index) => ({ data: `https://example.org/a/${index}` }));
const TESTED_SHEETS = LABEL_SHEETS.filter((_, index) => IS_NIGHTLY || index % 12 === 0);
/** A symbol of version 2, without and with its quiet zone. */
const [MODULES, WITH_QUIET_ZONE] = [25, 33];

describeUnless(MISSING_TOOLS, 'sheets of labels on paper', () => {
  let service: TestService;
  let job: JobCreated;
  beforeAll(async () => {
    service = await startTestService(sqlite, { chunkItems: 10 });
    job = await service.submit({ items: ITEMS });
    await service.ended(job.jobId);
  });
  afterAll(() => service.close());

  const file = async (query: Record<string, string>, { jobId } = job) => {
    const response = await service.fetch(`/api/v1/jobs/${jobId}/labels.pdf?${new URLSearchParams(query).toString()}`);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  it.each(TESTED_SHEETS.map((each) => [each.name, each] as const))(
    'every code of %s reads, in its place',
    { tags: ['additions/labels', 'additions/label-sheets'], timeout: 60_000 },
    async (name, geometry) => {
      const count = geometry.columns * geometry.rows;
      const dpi = geometry.labelHeight < 22 && geometry.pageHeight > 290 ? 600 : 300;
      const { pages, complaints } = await printed(await file({ sheet: name, to: String(count - 1) }), dpi);
      expect(complaints).toBe('');
      const [page, ...others] = pages;
      expect(others).toEqual([]);
      const pxPerMm = dpi / 25.4;
      expect(page!.width / pxPerMm).toBeCloseTo(geometry.pageWidth, 0);
      const edge = (Math.min(geometry.labelWidth, geometry.labelHeight) * MODULES) / WITH_QUIET_ZONE;
      for (let label = 0; label < count; label += 1) {
        const box = labelBox(page!, geometry, label);
        expect(await codeIn(page!, box), `label ${label}`).toBe(ITEMS[label]!.data);
        const ink = inkIn(page!, box)!;
        const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
        const distances = [middle.x - ink.left, ink.right - middle.x, middle.y - ink.top, ink.bottom - middle.y].map(
          (distance) => distance / pxPerMm - edge / 2,
        );
        // A tenth of a millimetre, and the rest of the pixel at the edge.
        for (const error of distances) expect(Math.abs(error)).toBeLessThan(0.1 + (dpi === 300 ? 0.5 / pxPerMm : 0));
      }
    },
  );

  it('begins at a free label, and goes on on further sheets', { tags: ['additions/labels'] }, async () => {
    const { pages, complaints } = await printed(
      await file({ sheet: 'avery-l7160', first: '20', from: '3', to: '26' }),
      150,
    );
    expect(complaints).toBe('');
    expect(pages.length).toBe(3);
    const geometry = LABEL_SHEETS.find(({ name }) => name === 'avery-l7160')!;
    for (let label = 0; label < 19; label += 1)
      expect(inkIn(pages[0]!, labelBox(pages[0]!, geometry, label))).toBe(undefined);
    for (let place = 19; place < 19 + 24; place += 1) {
      const page = pages[Math.floor(place / 21)]!;
      expect(await codeIn(page, labelBox(page, geometry, place % 21))).toBe(ITEMS[3 + place - 19]!.data);
    }
  });

  it('draws every code in the size that is asked for, and cut marks', { tags: ['additions/labels'] }, async () => {
    const query = {
      sheet: 'custom',
      pageWidth: '100',
      pageHeight: '100',
      labelWidth: '40',
      labelHeight: '30',
      columns: '2',
      rows: '3',
      gapX: '4',
      gapY: '1',
      size: '15',
      to: '5',
    };
    const { pages, complaints } = await printed(await file({ ...query, cutMarks: 'true' }), 600);
    expect(complaints).toBe('');
    const geometry = {
      pageWidth: 100,
      pageHeight: 100,
      labelWidth: 40,
      labelHeight: 30,
      columns: 2,
      rows: 3,
      left: 8,
      top: 4,
      gapX: 4,
      gapY: 1,
    };
    const pxPerMm = 600 / 25.4;
    for (let label = 0; label < 6; label += 1) {
      const box = labelBox(pages[0]!, geometry, label);
      const inner = { left: box.left + 50, top: box.top + 50, right: box.right - 50, bottom: box.bottom - 50 };
      const ink = inkIn(pages[0]!, inner)!;
      expect((ink.right - ink.left) / pxPerMm).toBeCloseTo(15, 1);
      expect((ink.bottom - ink.top) / pxPerMm).toBeCloseTo(15, 1);
      expect(await codeIn(pages[0]!, inner)).toBe(ITEMS[label]!.data);
      for (const [x, y] of [
        [box.left, box.top],
        [box.right, box.top],
        [box.left, box.bottom],
        [box.right, box.bottom],
      ] as const) {
        const mark = inkIn(pages[0]!, { left: x - 30, top: y - 30, right: x + 30, bottom: y + 30 })!;
        expect((mark.left + mark.right) / 2).toBeCloseTo(x, -0.6);
        expect((mark.top + mark.bottom) / 2).toBeCloseTo(y, -0.6);
      }
    }
    const plain = await printed(await file(query), 150);
    const corner = labelBox(plain.pages[0]!, geometry, 0);
    expect(inkIn(plain.pages[0]!, { left: 0, top: 0, right: corner.left + 20, bottom: corner.top + 20 })).toBe(
      undefined,
    );
  });

  it('draws captions beside codes that are as high as their labels, and moves the page', {
    tags: ['additions/labels'],
  }, async () => {
    const captions = ['A-0001', 'Raum 東ホール', undefined, 'قاعة المؤتمرات'];
    const items = captions.map((caption, index) => ({ data: ITEMS[index]!.data, ...(caption && { caption }) }));
    const captioned = await service.submit({ items });
    await service.ended(captioned.jobId);
    for (const [name, dpi] of [
      ['avery-l7160', 300],
      ['avery-l4731', 600],
    ] as const) {
      const geometry = LABEL_SHEETS.find((each) => each.name === name)!;
      const pxPerMm = dpi / 25.4;
      const edge = (geometry.labelHeight * MODULES) / WITH_QUIET_ZONE;
      const { pages, complaints } = await printed(await file({ sheet: name }, captioned), dpi);
      expect(complaints).toBe('');
      const moved = await printed(await file({ sheet: name, shiftX: '1.5', shiftY: '-0.5' }, captioned), dpi);
      for (const [label, caption] of captions.entries()) {
        const box = labelBox(pages[0]!, geometry, label);
        const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
        const code = { ...box, right: box.left + (box.bottom - box.top) };
        expect(await codeIn(pages[0]!, caption === undefined ? box : code)).toBe(ITEMS[label]!.data);
        const ink = inkIn(pages[0]!, caption === undefined ? box : code)!;
        expect((ink.bottom - ink.top) / pxPerMm).toBeCloseTo(edge, 0);
        const text = inkIn(pages[0]!, { ...box, left: code.right });
        if (caption === undefined) {
          expect((ink.left + ink.right) / 2 / pxPerMm).toBeCloseTo(middle.x / pxPerMm, 0);
        } else {
          // In the middle of the label's height, and whole.
          expect(Math.abs((text!.top + text!.bottom) / 2 - middle.y) / pxPerMm).toBeLessThan(1);
          expect(text!.right).toBeLessThan(box.right - 0.5 * pxPerMm);
        }
        const all = inkIn(pages[0]!, box)!;
        const shifted = inkIn(moved.pages[0]!, {
          left: box.left + 1.5 * pxPerMm,
          right: box.right + 1.5 * pxPerMm,
          top: box.top - 0.5 * pxPerMm,
          bottom: box.bottom - 0.5 * pxPerMm,
        })!;
        expect(Math.abs(shifted.left - all.left - 1.5 * pxPerMm)).toBeLessThan(2);
        expect(Math.abs(shifted.top - all.top + 0.5 * pxPerMm)).toBeLessThan(2);
      }
    }
  });

  it('draws colours, captions and a logo with the codes', { tags: ['additions/labels'] }, async () => {
    const logo =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    for (const style of [
      { ecLevel: 'H', logo: { dataUrl: logo, sizeRatio: 0.2 }, caption: { text: 'Raum 東ホール' } },
      { foreground: '#ffffff', background: '#12365a', caption: { text: 'White', colour: '#ffff00' } },
      { foreground: 'transparent', background: '#a03010', logo: { dataUrl: logo } },
      { background: 'transparent', margin: 0, caption: { text: 'two\nlines', fontSize: 40 } },
    ]) {
      const styled = await service.submit({ items: ITEMS.slice(0, 4), style, format: 'svg' });
      await service.ended(styled.jobId);
      const query = {
        sheet: 'custom',
        pageWidth: '100',
        pageHeight: '100',
        labelWidth: '50',
        labelHeight: '50',
        columns: '2',
        rows: '2',
      };
      const { pages, complaints } = await printed(await file(query, styled));
      expect(complaints).toBe('');
      const geometry = {
        pageWidth: 100,
        pageHeight: 100,
        labelWidth: 50,
        labelHeight: 50,
        columns: 2,
        rows: 2,
        left: 0,
        top: 0,
        gapX: 0,
        gapY: 0,
      };
      for (let label = 0; label < 4; label += 1) {
        const box = labelBox(pages[0]!, geometry, label);
        expect(await codeIn(pages[0]!, box), JSON.stringify(style)).toBe(ITEMS[label]!.data);
      }
    }
  });
});
