/** Warnings beside the answers to a job and to a dry run: told before a credit moves, and never a refusal. */

import { readFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { JobCreatedSchema, type Warning } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

/** The cities that the project carries, without the style. */
const CITIES = readFileSync(new URL('../../examples/cities.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1);

test('each warning has a row on the page of troubles', () => {
  const page = readFileSync(new URL('../../docs/make/trouble.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## Warnings'));
  const named = [...table.matchAll(/\| (`[^|]*`) \|$/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  );
  expect(named).toEqual(JobCreatedSchema.properties.warnings.items.properties.code.enum);
});

describeOnDatabases('warnings', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  const answers = async (body: object, key?: string) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify(body),
    };
    const validated = await service.fetch('/api/v1/jobs/validate', request);
    const accepted = await service.fetch('/api/v1/jobs', request);
    expect([validated.status, accepted.status]).toEqual([200, 202]);
    const [first, second] = [await validated.json(), await accepted.json()] as { warnings?: Warning[] }[];
    expect(first?.warnings).toEqual(second?.warnings);
    return second?.warnings;
  };

  it('are absent where there is nothing to warn of', async () => {
    expect(await answers({ items: [{ data: 'one' }, { data: 'two' }] })).toBeUndefined();
  });

  it('name the kind, the number of items and the first of them, and are repeated with the answer', async () => {
    const logo = createCanvas(40, 40);
    logo.getContext('2d').fillRect(0, 0, 40, 40);
    const body = {
      style: {
        ecLevel: 'L',
        foreground: '#eeeeee',
        background: '#dddddd',
        margin: 1,
        scale: 2,
        dpi: 600,
        logo: { dataUrl: logo.toDataURL('image/png'), sizeRatio: 0.3 },
      },
      items: [{ data: 'https://example.org/0' }, { data: 'same' }, { data: 'same' }],
    };
    const warnings = await answers(body, 'warned');
    expect(warnings?.map(({ code, items, first }) => [code, items, first])).toEqual([
      ['logo_covers_too_much', 3, 0],
      ['low_contrast', 3, 0],
      ['light_on_dark', 3, 0],
      ['low_contrast_in_red_light', 3, 0],
      ['small_quiet_zone', 3, 0],
      ['small_modules', 3, 0],
      ['duplicate_data', 2, 1],
    ]);
    expect(await answers(body, 'warned')).toEqual(warnings);
  });

  it('tell of GS1 Digital Links that are wrong, or too small in print', async () => {
    const items = [
      { data: 'https://example.org/' },
      { data: 'https://id.example/01/09506000134353' },
      { data: 'https://id.example/01/09506000134352/21/A/10/B' },
      { data: 'https://id.example/01/09506000134352/10/A?17=261231' },
    ];
    const warnings = await answers({ style: { dpi: 700 }, items });
    expect(warnings?.map(({ code, items: count, first }) => [code, count, first])).toEqual([
      ['gs1_check_digit', 1, 1],
      ['gs1_syntax', 1, 2],
      ['gs1_module_size', 3, 1],
    ]);
    expect(await answers({ items: [items[0], items[3]] })).toBeUndefined();
  });

  it('tell of what is right and not meant', { tags: ['additions/warnings'] }, async () => {
    const found = async (style: object, ...data: string[]) => {
      const warnings = await answers({ style, items: data.map((each) => ({ data: each })) });
      return warnings?.map(({ code, items, first }) => `${code} ${items} ${first}`);
    };
    const unseen = ['low_contrast 1 0', 'low_contrast_in_red_light 1 0'];
    expect(await found({ foreground: '#ffffff', background: 'transparent' }, 'a')).toEqual(unseen);
    expect(await found({ foreground: 'transparent', background: '#ffffff' }, 'a')).toEqual(unseen);
    expect(await found({ foreground: 'transparent', background: '#000000' }, 'a')).toEqual(['light_on_dark 1 0']);
    expect(await found({ foreground: '#ff0000' }, 'a')).toEqual(['low_contrast_in_red_light 1 0']);
    expect(await found({ scale: 2, caption: { text: 'Gate 7' } }, 'a', 'b')).toEqual(['small_caption 2 0']);
    expect(await found({}, 'fine', 'NULL', 'https://example.org/a ', 'a\u200bb')).toEqual([
      'suspicious_data 3 1',
      // The bytes of U+200B and the letter are a pair of Shift_JIS.
      'ambiguous_charset 1 3',
    ]);
    // Programs have data of all kinds.
    const links = ['https://example.org/1', 'htps://example.org/2', 'laden.example/karte', 'https://laden,example'];
    expect(await found({}, ...links, 'siehe Aushang')).toBeUndefined();
    const texts = ['Äpfel 1', 'Größe 7', 'Café 12', 'Zürich', '50 °C', '東京 1', 'https://example.org/é'];
    expect(await found({}, ...texts, 'Łódź', 'plain')).toEqual(['ambiguous_charset 7 0']);
    expect(await found({ eci: true }, ...texts)).toBeUndefined();
  });

  it('have the size in print beside them, where the style has a density', async () => {
    const validated = async (style: object) => {
      const items = [{ data: 'x'.repeat(100) }, { data: 'a' }];
      const response = await service.fetch('/api/v1/jobs/validate', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ style, items }),
      });
      return (await response.json()) as { printedWidthMm?: object };
    };
    // Versions 1 and 6: 21 and 41 modules, and eight of the quiet zone.
    expect((await validated({ dpi: 300 })).printedWidthMm).toEqual({ minimum: 24.55, maximum: 41.49 });
    expect((await validated({ dpi: 300, version: 'same' })).printedWidthMm).toEqual({ minimum: 41.49, maximum: 41.49 });
    expect(await validated({})).not.toHaveProperty('printedWidthMm');
  });

  it('are told of 34,006 cities with a logo at level M before they are paid for', async () => {
    const logo = createCanvas(40, 40);
    logo.getContext('2d').fillRect(0, 0, 40, 40);
    const style = { ecLevel: 'M', logo: { dataUrl: logo.toDataURL('image/png'), sizeRatio: 0.25 } };
    // Each city has 17 labels, six have one more.
    const labels = Array.from({ length: 34_006 }, (_, index) => {
      const city = JSON.parse(CITIES[index % CITIES.length] as string) as { data: string };
      return { ...city, data: `${city.data}?label=${Math.floor(index / CITIES.length) + 1}` };
    });
    const before = await service.balance();
    const response = await service.fetch('/api/v1/jobs/validate', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: [{ style }, ...labels].map((line) => JSON.stringify(line)).join('\n'),
    });
    const { total, warnings } = (await response.json()) as { total: number; warnings: Warning[] };
    expect({ total, warnings }).toEqual({
      total: 34_006,
      warnings: [
        {
          code: 'logo_covers_too_much',
          message: expect.stringContaining('or ecLevel') as string,
          items: 34_006,
          first: 0,
        },
      ],
    });
    expect(await service.balance()).toBe(before);
  });
});
