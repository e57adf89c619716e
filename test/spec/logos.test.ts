/** Logos over HTTP: where they lie, that the codes under them are read, and what is refused before a charge. */

import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { decodePng, pixelsOf, rasterise, sizeOf, unzip } from '../support/decode.js';
import { dataUrl, lengthened, paintedPng } from '../support/png.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

/** Version 5 at level H: 37 modules, 45 with the margin. */
const DATA = 'https://example.org/a/place/in/the/north?x=1';
const MODULES = 37;
const RED = [0xe0, 0x10, 0x20];
const red = dataUrl(paintedPng(64, '<rect width="64" height="64" fill="#e01020"/>'));

describeOnDatabases('Logos', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  /** A PNG and an SVG, painted, of one item. */
  const picturesOf = async (style: object, item: object = {}): Promise<Buffer[]> => {
    const { jobId, downloadUrl } = await service.submit({
      format: 'both',
      style: { ecLevel: 'H', ...style },
      items: [{ data: DATA, filename: 'a', ...item }],
    });
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete', failed: 0 });
    const entries = await unzip(Buffer.from(await (await fetch(service.url + downloadUrl)).arrayBuffer()));
    return [entries.get('a.png') as Buffer, rasterise(entries.get('a.svg') as Buffer)];
  };

  it.each([
    [0.05, 10],
    [undefined, 10],
    [0.2, 3],
    [0.25, 7],
    [0.3, 20],
  ])(
    'of ratio %s stand in the middle at scale %i',
    { tags: ['2.5/logo', 'picture/logo'] },
    async (sizeRatio, scale) => {
      const logo = { dataUrl: red, ...(sizeRatio !== undefined && { sizeRatio }) };
      for (const picture of await picturesOf({ scale, logo })) {
        const side = (MODULES + 8) * scale;
        expect(sizeOf(picture)).toEqual({ width: side, height: side });
        expect(await decodePng(picture)).toEqual({ text: DATA, errorCorrectionLevel: 'H' });
        const edge = Math.round(MODULES * scale * (sizeRatio ?? 0.2));
        const box = boxOf(picture, RED);
        for (const [from, to] of [box.columns, box.rows]) {
          expect(Math.abs(to - from - edge)).toBeLessThanOrEqual(1);
          expect(Math.abs(from + to - side)).toBeLessThanOrEqual(2);
        }
      }
    },
  );

  it('keep their aspect ratio, on cleared modules in the colour of the background', {
    tags: ['picture/logo'],
  }, async () => {
    const wide = dataUrl(paintedPng(256, '<rect y="96" width="256" height="64" fill="#e01020"/>'));
    for (const picture of await picturesOf({ logo: { dataUrl: wide, sizeRatio: 0.25 }, background: '#fff0d0' })) {
      const { columns, rows } = boxOf(picture, RED);
      expect((columns[1] - columns[0]) / (rows[1] - rows[0])).toBeCloseTo(4, 0);
      // Above the bar, the file is transparent. The module that the bar touches is cleared, all of it.
      expect(colourAt(picture, 225, rows[0] - 3)).toEqual([0xff, 0xf0, 0xd0]);
      expect((await decodePng(picture)).text).toBe(DATA);
    }
  });

  it('go with transparent colours and captions', { tags: ['picture/logo'] }, async () => {
    const logo = { dataUrl: red };
    for (const style of [{ background: 'transparent' }, { foreground: 'transparent', background: '#ffd000' }]) {
      const pictures = await picturesOf({ ...style, logo }, { caption: 'Below' });
      expect(pictures.map((picture) => sizeOf(picture).height)).toEqual([485, 485]);
      for (const picture of pictures) expect(colourAt(picture, 225, 225)).toEqual(RED);
    }
  });

  it('give the same bytes in every job', async () => {
    const logo = { dataUrl: dataUrl(paintedPng(100, '<circle cx="50" cy="50" r="45" fill="#0066cc"/>')) };
    const [first, second] = [await picturesOf({ logo }), await picturesOf({ logo })];
    expect(first).toEqual(second);
  });

  describe('are refused before a charge', () => {
    const refused = async (...request: Parameters<TestService['post']>) => {
      const balance = await service.balance();
      const response = await service.post(...request);
      const { error, issues, line } = await errorOf(response);
      expect(response.status).toBe(400);
      expect(await service.balance()).toBe(balance);
      return { error, line, issues: issues?.map(({ path, code }) => `${path} ${code}`) };
    };
    const png = paintedPng(64, '<circle cx="32" cy="32" r="30"/>');

    it.each([
      ['a remote URL', 'https://example.org/logo.png'],
      ['another media type', 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='],
      ['another kind of file', 'data:image/png;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='],
      ['nothing', 'data:image/png;base64,'],
      ['no base64', 'data:image/png;base64,%%%%'],
      ['base64 with a line end', `${red.slice(0, 80)}\n${red.slice(80)}`],
      ['half a file', dataUrl(png.subarray(0, png.length / 2))],
      ['a file without its end', dataUrl(png.subarray(0, -12 - 20))],
      ['a damaged file', dataUrl(Buffer.concat([png.subarray(0, 20), Buffer.from([9]), png.subarray(21)]))],
      ['a picture of 4,097 pixels', dataUrl(resized(png, 4_097))],
    ])('%s', { tags: ['2.5/logo'] }, async (_, url) => {
      const style = { logo: { dataUrl: url } };
      const issues = ['/style/logo/dataUrl invalid_logo'];
      expect(await refused({ style, items: [{ data: 'A' }] })).toEqual({ error: 'invalid_input', issues });
      const [body, headers] = ndjson({ style }, { data: 'A' });
      expect(await refused(body, headers)).toEqual({ error: 'invalid_meta_line', line: 1, issues });
    });

    it('with everything else that is wrong', async () => {
      const style = { logo: { dataUrl: 'data:image/png;base64,AAAA' }, caption: { text: '\u{e000}' } };
      expect(await refused({ style, items: [{}] })).toEqual({
        error: 'invalid_input',
        issues: ['/style/logo/dataUrl invalid_logo', '/style/caption/text no_glyph', '/items/0/data required'],
      });
    });

    it('data URLs of more than 524,288 characters', { tags: ['2.5/logo'] }, async () => {
      // Of base64 there are four characters for three bytes, and so the longest of a whole file has 524,286.
      const longest = dataUrl(lengthened(png, 393_198));
      expect(longest).toHaveLength(524_286);
      const pictures = await picturesOf({ logo: { dataUrl: longest } });
      for (const picture of pictures) expect(await decodePng(picture)).toMatchObject({ text: DATA });
      const style = { logo: { dataUrl: dataUrl(lengthened(png, 393_199)) } };
      expect(await refused({ style, items: [{ data: 'A' }] })).toEqual({
        error: 'invalid_input',
        issues: ['/style/logo/dataUrl too_long'],
      });
    });
  });
});

/** The file with another width in its header, under a right CRC. */
function resized(png: Buffer, width: number): Buffer {
  const header = Buffer.from(png.subarray(12, 29));
  header.writeUInt32BE(width, 4);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(header));
  return Buffer.concat([png.subarray(0, 12), header, crc, png.subarray(33)]);
}

function colourAt(png: Buffer, x: number, y: number): number[] {
  const at = 4 * (y * sizeOf(png).width + x);
  return [...pixelsOf(png).subarray(at, at + 3)];
}

/** The columns and rows, from the first to behind the last, in which a picture has exactly that colour. */
function boxOf(png: Buffer, colour: number[]): { columns: [number, number]; rows: [number, number] } {
  const { width } = sizeOf(png);
  const pixels = pixelsOf(png);
  const [columns, rows] = [[], []] as [number[], number[]];
  for (let at = 0; at < pixels.length; at += 4) {
    if (colour.every((channel, index) => pixels[at + index] === channel)) {
      columns.push((at / 4) % width);
      rows.push(Math.floor(at / 4 / width));
    }
  }
  const range = (places: number[]): [number, number] => [
    places.reduce((least, place) => Math.min(least, place), Number.POSITIVE_INFINITY),
    places.reduce((most, place) => Math.max(most, place), 0) + 1,
  ];
  return { columns: range(columns), rows: range(rows) };
}
