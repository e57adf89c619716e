/** Captions over HTTP: what is drawn under a code, what an item inherits, and what is refused before a charge. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { decodePng, pixelsOf, rasterise, sizeOf, unzip } from '../support/decode.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

/** A symbol of version 1 is this wide at scale 10 and margin 4; a line of Latin at 16 px takes 23 px, between gaps of 4 and 8 px. */
const SIDE = 290;
const LINE = 23;
const GAPS = 12;

describeOnDatabases('Captions', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  /** The pictures of a job, by name. */
  const picturesOf = async (...job: Parameters<TestService['submit']>): Promise<Map<string, Buffer>> => {
    const { jobId, downloadUrl } = await service.submit(...job);
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete', failed: 0 });
    return unzip(Buffer.from(await (await fetch(service.url + downloadUrl)).arrayBuffer()));
  };
  const pictureOf = async (body: object, name = 'a.png'): Promise<Buffer> => {
    const picture = (await picturesOf(body)).get(name);
    if (picture === undefined) throw new Error(`${name} is not in the archive`);
    return picture;
  };

  it.each([
    ['Shelf 7, row B', 1],
    ['Lavāsān, IR', 1],
    ['two\nlines', 2],
    ['a text that is by far too long for the width of its picture', 2],
  ])(
    'draws %j under the code, in PNG and SVG alike',
    { tags: ['2.6/caption', 'picture/size'] },
    async (caption, lines) => {
      const plain = await pictureOf({ items: [{ data: 'A', filename: 'a' }] });
      const pictures = await picturesOf({ format: 'both', items: [{ data: 'A', filename: 'a', caption }] });
      const [png, svg] = [...pictures.values()] as [Buffer, Buffer];
      const painted = rasterise(svg);
      for (const picture of [png, painted]) {
        expect(sizeOf(picture)).toEqual({ width: SIDE, height: SIDE + GAPS + LINE * lines });
        expect((await decodePng(picture)).text).toBe('A');
        expect(pixelsOf(picture).subarray(0, plainBytes).equals(pixelsOf(plain))).toBe(true);
      }
      const [ink, paintedInk] = [inkBelow(png), inkBelow(painted)];
      expect(ink).toBeGreaterThan(20 * caption.length);
      expect(Math.abs(ink - paintedInk)).toBeLessThan(0.05 * ink);
      expect(svg.toString()).toContain(`<title>${caption}</title>`);
    },
  );

  it.each(['東京都', 'عربي 12', 'हिन्दी', 'ไทยง่าย', 'ខ្មែរ', '😀 👨‍👩‍👧', 'e\u0301\u0323'])(
    'draws %s',
    { tags: ['2.6/caption-look', 'picture/caption'] },
    async (caption) => {
      const png = await pictureOf({ items: [{ data: 'A', filename: 'a', caption }] });
      expect(inkBelow(png)).toBeGreaterThan(30);
      expect((await decodePng(png)).text).toBe('A');
    },
  );

  it("gives items the job's caption, their own, or none", { tags: ['2.3/caption', 'picture/caption'] }, async () => {
    const style = { caption: { text: "the job's", fontSize: 32, colour: '#cc0000' } };
    const [body, headers] = ndjson(
      { style },
      { data: 'A', filename: 'inherits' },
      { data: 'A', filename: 'own', caption: 'ABC' },
      { data: 'A', filename: 'none', caption: '' },
      { data: 'A', filename: 'blank', caption: ' ' },
    );
    const pictures = [...(await picturesOf(body, headers)).values()] as [Buffer, Buffer, Buffer, Buffer];
    const [inherits, own, none, blank] = pictures;
    // 8 and 16 px around a line of 35 + 10.
    expect(pictures.map((png) => sizeOf(png).height)).toEqual([359, 359, SIDE, SIDE]);
    expect(inkBelow(inherits)).toBeGreaterThan(1.5 * inkBelow(own));
    for (const png of [inherits, own]) {
      expect(colourBelow(png)).toEqual([0xcc, 0, 0]);
    }
    expect(none.equals(blank)).toBe(true);
  });

  it('gives items with a caption the size and colour of a style without a text, and the defaults without a style', {
    tags: ['2.3/caption', '2.6/caption'],
  }, async () => {
    const items = [
      { data: 'A', filename: 'a' },
      { data: 'A', filename: 'b', caption: 'Own' },
    ];
    const styled = await picturesOf({ style: { caption: { fontSize: 64 }, foreground: '#004488' }, items });
    expect(sizeOf(styled.get('a.png') as Buffer).height).toBe(SIDE);
    expect(sizeOf(styled.get('b.png') as Buffer).height).toBe(SIDE + 16 + 69 + 19 + 32);
    expect(colourBelow(styled.get('b.png') as Buffer)).toEqual([0, 0x44, 0x88]);
    const plain = await picturesOf({ items });
    expect(sizeOf(plain.get('b.png') as Buffer).height).toBe(SIDE + GAPS + LINE);
    const transparent = await picturesOf({ style: { foreground: 'transparent' }, items });
    expect(colourBelow(transparent.get('b.png') as Buffer)).toEqual([0, 0, 0]);
  });

  it.each([
    [1, 6, 1],
    [1, 16, 2],
    [5, 16, 8],
    [20, 64, 128],
    [40, 6, 24],
  ])(
    'scales with the image: scale %i, font size %i is %i px',
    { tags: ['2.6/caption-look', 'picture/caption'] },
    async (scale, fontSize, fontSizePx) => {
      const caption = { text: 'A', fontSize };
      const png = await pictureOf({ style: { scale, caption }, items: [{ data: 'A', filename: 'a' }] });
      const gaps = Math.ceil(fontSizePx / 4) + Math.ceil(fontSizePx / 2);
      const line = Math.ceil(1.069 * fontSizePx) + Math.ceil(0.293 * fontSizePx);
      expect(sizeOf(png)).toEqual({ width: 29 * scale, height: 29 * scale + gaps + line });
    },
  );

  describe('refuses before a charge', () => {
    const refused = async (...request: Parameters<TestService['post']>) => {
      const balance = await service.balance();
      const response = await service.post(...request);
      const { error, issues, line } = await errorOf(response);
      expect(response.status).toBe(400);
      expect(await service.balance()).toBe(balance);
      const said = issues?.map((issue) => [issue.path, issue.code, issue.line].join(' ').trimEnd());
      return { error, line, issues: said };
    };
    const item = { data: 'A', caption: '\u{10ffff}' };

    it('characters without a glyph: invalid_input', { tags: ['picture/no-glyph'] }, async () => {
      const style = { caption: { text: 'a\u{e000}' } };
      expect(await refused({ style, items: [{ data: 'A' }, item, {}] })).toEqual({
        error: 'invalid_input',
        issues: ['/style/caption/text no_glyph', '/items/1/caption no_glyph', '/items/2/data required'],
      });
      expect(await refused(...ndjson({}, { data: 'A' }, item))).toEqual({
        error: 'invalid_input',
        issues: ['/caption no_glyph 3'],
      });
      expect(await refused(...ndjson({ style }, { data: 'A' }))).toEqual({
        error: 'invalid_meta_line',
        line: 1,
        issues: ['/style/caption/text no_glyph 1'],
      });
    });

    it('captions that are too long', async () => {
      const caption = '😀'.repeat(121);
      expect(await refused({ style: { caption: { text: caption } }, items: [{ data: 'A', caption }] })).toEqual({
        error: 'invalid_input',
        issues: ['/style/caption/text too_long', '/items/0/caption too_long'],
      });
      await picturesOf({ items: [{ data: 'A', caption: caption.slice(2) }] });
    });

    it('a picture that its caption makes too high: qr_too_large', { tags: ['requests/pixel-cap'] }, async () => {
      // 29 modules of 40 px, and lines of 256 px text: 274 + 76 px each, between gaps of 64 and 128 px.
      const style = { scale: 40, caption: { fontSize: 64 } };
      const lines = (count: number) => Array.from({ length: count }, () => 'A').join('\n');
      const own = { data: 'A', filename: 'a', caption: lines(8) };
      expect(await refused({ style, items: [own] })).toEqual({
        error: 'qr_too_large',
        issues: ['/items/0/caption qr_too_large'],
      });
      const inherited = { scale: 40, caption: { fontSize: 64, text: lines(8) } };
      expect(await refused(...ndjson({ style: inherited }, { data: 'A', caption: '' }, { data: 'A' }))).toEqual({
        error: 'qr_too_large',
        issues: ['/data qr_too_large 3'],
      });
      const png = await pictureOf({ style, items: [{ ...own, caption: lines(7) }] });
      expect(sizeOf(png)).toEqual({ width: 1160, height: 1160 + 192 + 7 * 350 });
    });
  });
});

const plainBytes = SIDE * SIDE * 4;

/** The area below the code of a picture on white, in full pixels of black. */
function inkBelow(png: Buffer): number {
  const band = pixelsOf(png).subarray(plainBytes);
  let ink = 0;
  for (let at = 0; at < band.length; at += 4) {
    ink += 255 - Math.min(band[at] ?? 0, band[at + 1] ?? 0, band[at + 2] ?? 0);
  }
  return ink / 255;
}

/** The colour below the code that differs most from white. */
function colourBelow(png: Buffer): number[] {
  const band = pixelsOf(png).subarray(plainBytes);
  let darkest = [255, 255, 255];
  const sum = (colour: number[]) => colour.reduce((total, channel) => total + channel, 0);
  for (let at = 0; at < band.length; at += 4) {
    const colour = [...band.subarray(at, at + 3)];
    if (sum(colour) < sum(darkest)) darkest = colour;
  }
  return darkest;
}
