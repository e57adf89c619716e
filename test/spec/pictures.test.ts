/** Pictures of the archive: independent readers decode the item's data from them, and they have the requested size. */

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/databases.js';
import { decodePng, rasterise, sizeOf, unzip } from '../support/decode.js';
import { ndjson, startTestService, type TestService } from '../support/service.js';

/** Modules of the symbol that holds the data below at each level: versions 3, 4, 4 and 5. */
const DATA = 'https://example.org/a/place/in/the/north?x=1';
const MODULES = { L: 29, M: 33, Q: 33, H: 37 };

describe('Pictures', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(sqlite);
  });
  afterAll(() => service.close());

  const archiveOf = async (body: object): Promise<Buffer> => {
    const { jobId, downloadUrl } = await service.submit(body);
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete', failed: 0 });
    return Buffer.from(await (await fetch(service.url + downloadUrl)).arrayBuffer());
  };

  describe.each(['L', 'M', 'Q', 'H'] as const)('at level %s', { tags: ['2.4/ec-level'] }, (ecLevel) => {
    it.each([
      { scale: 1, margin: 4 },
      { scale: 3, margin: 0 },
      { scale: 10, margin: 16, foreground: '#1b3a5c', background: '#fFe9C0' },
      { scale: 7, margin: 4, background: 'transparent' },
      { scale: 4, margin: 4, foreground: '#ffffff', background: '#000000' },
      { scale: 40, margin: 1 },
    ])('PNG and SVG decode: %j', { tags: ['1/formats', 'picture/size'] }, async (style) => {
      const entries = await unzip(
        await archiveOf({ format: 'both', style: { ...style, ecLevel }, items: [{ data: DATA, filename: 'code' }] }),
      );
      expect([...entries.keys()]).toEqual(['code.png', 'code.svg']);
      const side = (MODULES[ecLevel] + 2 * style.margin) * style.scale;
      const pictures = [entries.get('code.png'), rasterise(entries.get('code.svg') as Buffer)];
      for (const png of pictures as Buffer[]) {
        expect(sizeOf(png)).toEqual({ width: side, height: side });
        // A module of one pixel without a quiet zone is more than a reader promises.
        if (style.margin > 0 || style.scale > 1) {
          expect(await decodePng(png)).toEqual({ text: DATA, errorCorrectionLevel: ecLevel });
        }
      }
    });
  });

  it.each([
    ['digits', '0123456789'.repeat(20)],
    ['alphanumeric', 'HTTPS://EXAMPLE.ORG/A-B+C*D$E%F:'.repeat(4)],
    ['mixed modes', `tel:${'5'.repeat(60)}/ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 and more`],
    ['UTF-8', 'Lavāsān 東京 ελληνικά عربي 🗺️ café'],
    ['one character', 'a'],
    ['the most that fits', 'x'.repeat(2331)],
  ])('decodes %s', { tags: ['requests/encoding', 'picture/segmentation'] }, async (_, data) => {
    const [png] = (await unzip(await archiveOf({ style: { scale: 4 }, items: [{ data }] }))).values();
    expect((await decodePng(png as Buffer)).text).toBe(data);
  });

  it('names the encoding of text that is not ASCII, where the style asks for it', {
    tags: ['additions/eci'],
  }, async () => {
    const [text, ascii] = ['Lavāsān 東京 12345678901234567890', 'https://example.org/'];
    const items = [{ data: text }, { data: ascii }];
    const [named, plain] = (await unzip(await archiveOf({ style: { eci: true, scale: 4 }, items }))).values();
    expect((await decodePng(named as Buffer, { eci: true })).text).toBe(text);
    expect((await decodePng(plain as Buffer)).text).toBe(ascii);
    const [guessed] = (await unzip(await archiveOf({ style: { eci: false, scale: 4 }, items }))).values();
    expect((await decodePng(guessed as Buffer)).text).toBe(text);
  });

  it('counts the name of the encoding in the capacity', { tags: ['additions/eci'] }, async () => {
    // 2,952 and 2,953 bytes: the largest symbol at level L holds 2,953 without it.
    const post = (data: string, eci: boolean) =>
      service.post({ style: { ecLevel: 'L', scale: 1, eci }, items: [{ data }] });
    expect((await post('é'.repeat(1476), true)).status).toBe(202);
    expect((await post(`${'é'.repeat(1476)}a`, false)).status).toBe(202);
    const refused = await post(`${'é'.repeat(1476)}a`, true);
    expect(await refused.json()).toMatchObject({ error: 'data_too_long', issues: [{ path: '/items/0/data' }] });
  });

  it('have one size for all, or a fixed one, where the style asks for it', {
    tags: ['additions/version'],
  }, async () => {
    const items = [{ data: 'a' }, { data: DATA }, { data: 'b' }];
    const sidesOf = async (version: unknown) => {
      const entries = await unzip(await archiveOf({ style: { scale: 4, margin: 4, version }, items }));
      const texts = await Promise.all([...entries.values()].map(async (png) => (await decodePng(png)).text));
      expect(texts).toEqual(items.map(({ data }) => data));
      return [...entries.values()].map((png) => sizeOf(png).width / 4 - 8);
    };
    expect(await sidesOf('smallest')).toEqual([21, MODULES.M, 21]);
    expect(await sidesOf('same')).toEqual([MODULES.M, MODULES.M, MODULES.M]);
    expect(await sidesOf(10)).toEqual([57, 57, 57]);
  });

  it('are refused where they need more than the fixed version, or would be too large in the size of all', {
    tags: ['additions/version'],
  }, async () => {
    const refusal = async (style: object, data: string[]) =>
      (await service.post({ style, items: data.map((each) => ({ data: each })) })).json();
    expect(await refusal({ version: 2 }, ['a', DATA])).toMatchObject({
      error: 'data_too_long',
      issues: [{ path: '/items/1/data', message: expect.stringContaining('version 2') as string }],
    });
    expect(await refusal({ version: 'same', scale: 40 }, ['a', 'x'.repeat(1000), 'b'])).toMatchObject({
      error: 'qr_too_large',
      issueCount: 1,
      issues: [{ path: '/items/1/data' }],
    });
    expect(await refusal({ version: 30, scale: 40 }, ['a'])).toMatchObject({ error: 'qr_too_large' });
  });

  it('without settings are PNGs at level M, 10 px a module, a margin of 4, black on white', {
    tags: ['2.1/format', '2.4/ec-level', 'requests/defaults', 'picture/same-bytes'],
  }, async () => {
    const items = [{ data: DATA, filename: 'code' }];
    const plain = await archiveOf({ items });
    const entries = await unzip(plain);
    expect([...entries.keys()]).toEqual(['code.png']);
    const png = entries.get('code.png') as Buffer;
    const side = (MODULES.M + 2 * 4) * 10;
    expect(sizeOf(png)).toEqual({ width: side, height: side });
    expect(await decodePng(png)).toEqual({ text: DATA, errorCorrectionLevel: 'M' });
    const style = { ecLevel: 'M', scale: 10, margin: 4, foreground: '#000000', background: '#FFFFFF' };
    // The same input, to the byte.
    expect(plain.equals(await archiveOf({ format: 'png', sendEmail: false, style, items }))).toBe(true);
    expect(plain.equals(await archiveOf({ style: { ...style, background: '#fffffe' }, items }))).toBe(false);
  });

  it('unzippers agree on an archive of 70,000 entries', async () => {
    const items = Array.from({ length: 70_000 }, (_, index) => ({ data: `https://example.org/${index}` }));
    const [body, headers] = ndjson({ style: { scale: 1 } }, ...items);
    const { jobId, downloadUrl } = await service.submit(body, headers);
    await service.ended(jobId);
    const path = join(service.config.dataDir, 'seventy-thousand.zip');
    await writeFile(path, Buffer.from(await (await fetch(service.url + downloadUrl)).arrayBuffer()));
    const count = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))';
    expect(runs('python3', ['-c', count, path])).toMatch(/^(None 70000\n|absent)$/);
    expect(runs('unzip', ['-tqq', path])).toMatch(/^(|absent)$/);
    expect(runs('7z', ['t', '-bd', path])).toMatch(/Everything is Ok|^absent$/);
  });
});

/** Output of the program; `absent` where it is not installed, unless `QRPRESS_REQUIRE_ALL` is set. */
function runs(program: string, words: string[]): string {
  try {
    return execFileSync(program, words, { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || process.env['QRPRESS_REQUIRE_ALL'] === '1') {
      throw error;
    }
    return 'absent';
  }
}
