/** The page of a job's labels: what a person chooses there, with links and fields alone. */

import { once } from 'node:events';
import { Resvg } from '@resvg/resvg-js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { JobOutput } from '../../src/jobs/job-output.js';
import { describeOnDatabases } from '../support/databases.js';
import { dataUrl, paintedPng } from '../support/png.js';
import { startTestService, type TestService } from '../support/service.js';
import { MISSING_TOOLS, printed } from '../support/sheet.js';
import { type SignedUp, signUp } from '../support/visitor.js';

/** A logo with an outline. */
const DISC = '<circle cx="30" cy="30" r="28" fill="#c33"/><rect x="10" y="10" width="20" height="10" fill="#06c"/>';

describeOnDatabases("a job's labels on its page", (kind) => {
  let service: TestService;
  let ada: SignedUp;
  let jobId: string;
  let key: string;
  beforeAll(async () => {
    service = await startTestService(kind);
    ada = await signUp(service);
    ({ key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'test'));
    const items = [1, 2, 3].map((number) => ({ data: `https://example.org/${number}` }));
    const created = await service.submit({ items, name: 'Rooms' }, headers());
    ({ jobId } = created);
    const status = async () => {
      const response = await service.fetch(`/api/v1/jobs/${jobId}`, { headers: headers() });
      return ((await response.json()) as { status: string }).status;
    };
    await vi.waitFor(async () => expect(await status()).toBe('complete'), { timeout: 20_000 });
  });
  afterAll(() => service.close());

  const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const page = () => `${ada.base}/jobs/${jobId}/labels`;
  /** The picture of the first sheet on a page. */
  const drawn = async (html: string) => {
    const [, path = ''] = /<image href="([^"]+)"/.exec(html) ?? [];
    const picture = await ada.visitor.get(path.replaceAll('&amp;', '&'));
    expect(picture.headers.get('content-type')).toBe('image/svg+xml');
    return picture.html;
  };
  /** Every code begins with the edge of a finder pattern. */
  const codesIn = (svg: string) => svg.split('d="M0 0h7').length - 1;
  const states = (html: string) => [...html.matchAll(/<rect class="(used|taken|free)"/g)].map(([, state]) => state);

  it('draws the first sheet, on which a link chooses the first free label', {
    tags: ['additions/labels'],
  }, async () => {
    expect((await ada.visitor.get(`${ada.base}/jobs/${jobId}`)).html).toContain(`href="${page()}"`);
    const { html } = await ada.visitor.get(page());
    expect(states(html)).toEqual(['taken', 'taken', 'taken', ...Array.from({ length: 18 }, () => 'free')]);
    const [, fifth = ''] = /href="([^"]+)" aria-label="Begin at label 5"/.exec(html) ?? [];
    const chosen = await ada.visitor.get(fifth.replaceAll('&amp;', '&'));
    expect(states(chosen.html).slice(0, 8)).toEqual([
      'used',
      'used',
      'used',
      'used',
      'taken',
      'taken',
      'taken',
      'free',
    ]);
    expect(chosen.html).toMatch(/name="first"[^>]* value="5"/);
  });

  it.each([
    ['from=1&to=2', '2-3'],
    ['printRows=1%2C+3', '1, 3'],
    ['printRows=2-&from=0', '2-'],
    ['printRows=2+–+3', '2 – 3'],
  ])('draws the codes that are chosen with %s', { tags: ['additions/labels'] }, async (query, list) => {
    const { html } = await ada.visitor.get(`${page()}?${query}&first=2`);
    expect(states(html).slice(0, 4)).toEqual(['used', 'taken', 'taken', 'free']);
    expect(codesIn(await drawn(html))).toBe(2);
    expect(/>Codes to print<.*?value="([^"]*)"/.exec(html)?.[1]).toBe(list);
  });

  it('takes the rows of the person’s own list, and says which there are', async () => {
    const { database } = service.admin;
    const placed = (places: string | null) =>
      database.updateTable('jobs').set({ source_places: places }).where('id', '=', jobId).execute();
    await placed('{"unit":"row","runs":[[2,1],[5,2]]}');
    const typed = async (rows: string) => {
      const { html } = await ada.visitor.get(`${page()}?printRows=${rows}`);
      const [, fault] = /id="printRows-error"[^>]*>([^<]*)</.exec(html) ?? [];
      expect(html).toContain('>Rows to print<');
      return fault || states(html).filter((state) => state === 'taken').length;
    };
    expect(await typed('2-5')).toBe(2);
    expect(await typed('5;6')).toBe(2);
    // Row 1 has the names of the columns.
    expect(await typed('1-5')).toBe('This job has rows 2 to 6, and no row 1.');
    expect(await typed('2-7')).toBe('This job has rows 2 to 6, and no row 7.');
    expect(await typed('3-4')).toBe('Row 3-4 has no code in this job.');
    expect(await typed('5-2')).toBe('“5-2” is the wrong way round. Write 2-5.');
    expect((await ada.visitor.get(page())).html).toContain(
      '>Rows of your list, 2 to 6, such as 6. Leave empty for all.<',
    );
    expect((await ada.visitor.get(`${page()}?from=1`)).html).toMatch(/name="printRows" value="5-6"/);
    await placed(null);
  });

  it('leaves out a code that does not fit', { tags: ['additions/labels'] }, async () => {
    const items = ['a', 'b'.repeat(900), 'c'].map((data) => ({ data }));
    const { jobId: uneven } = await service.submit({ items }, headers());
    await service.ended(uneven);
    const { html } = await ada.visitor.get(`${ada.base}/jobs/${uneven}/labels.pdf?sheet=avery-5160&first=4`);
    const [, href = ''] = /href="([^"]+)">Leave code 2 out</.exec(html) ?? [];
    const left = await ada.visitor.get(href.replaceAll('&amp;', '&'));
    expect(left.html).toMatch(/name="printRows" value="1, 3"/);
    expect(states(left.html).slice(2, 6)).toEqual(['used', 'taken', 'taken', 'free']);
    expect(codesIn(await drawn(left.html))).toBe(2);
  });

  it('leaves out all codes that do not fit at once, and says so where none does', async () => {
    const items = Array.from({ length: 6 }, (_, item) => ({ data: item % 3 === 0 ? 'a' : 'b'.repeat(900) }));
    const { jobId: uneven } = await service.submit({ items }, headers());
    await service.ended(uneven);
    const labels = `${ada.base}/jobs/${uneven}/labels`;
    const { html } = await ada.visitor.get(`${labels}?sheet=avery-5160`);
    expect(html).toMatch(/id="sheet-error"[^>]*>4 of 6 codes do not fit\. Code 2 is too dense/);
    const [, href = ''] = /href="([^"]+)">Leave out the 4 that do not fit</.exec(html) ?? [];
    const left = await ada.visitor.get(href.replaceAll('&amp;', '&'));
    expect(left.html).toMatch(/name="printRows" value="1, 4"/);
    expect(codesIn(await drawn(left.html))).toBe(2);
    const none = await ada.visitor.get(`${labels}?sheet=single&labelWidth=5&labelHeight=5`);
    expect(none.html).toMatch(/id="sheet-error"[^>]*>None of the 6 codes fits\. Code 2 is too dense/);
    expect(none.html).not.toContain('>Leave out');
  });

  it('draws what the file has: captions where they stand, cut marks, and no code that does not fit', {
    tags: ['additions/labels'],
  }, async () => {
    const items = [{ data: 'https://example.org/1', caption: 'Hall' }];
    const created = await service.submit({ items, name: 'Halls' }, headers());
    await service.ended(created.jobId);
    const labels = `${ada.base}/jobs/${created.jobId}/labels`;
    const pictureOf = async (query: string) => drawn((await ada.visitor.get(`${labels}?${query}`)).html);
    // The letters of a caption are curves: a module has none.
    const firstLetter = (svg: string) => /matrix\((\S+) \S+ \S+ \S+ (\S+) (\S+)\)" fill="#000" d="M[^"]*C/.exec(svg);
    const code = (svg: string) => /matrix\((\S+) \S+ \S+ \S+ (\S+) (\S+)\)" fill="#000" d="M0 0h7/.exec(svg);
    const place = async (caption: string) => {
      const svg = await pictureOf(`caption=${caption}`);
      const [, , x = '', y = ''] = firstLetter(svg) ?? [];
      const [, module = '', left = '', top = ''] = code(svg) ?? [];
      const edge = 20 * Number(module);
      return { isBeside: Number(x) > Number(left) + edge, isBelow: Number(y) > Number(top) + edge };
    };
    expect(await place('beside')).toEqual({ isBeside: true, isBelow: false });
    expect(await place('below')).toMatchObject({ isBelow: true });
    expect(firstLetter(await pictureOf('caption=none'))).toBeNull();
    expect(await pictureOf('')).not.toContain('stroke-width');
    expect(await pictureOf('cutMarks=true')).toMatch(/fill="none" stroke="#000" stroke-width="0\.198/);
    const misfit = await ada.visitor.get(`${labels}?size=30`);
    expect(misfit.html).not.toContain('<image');
    expect(states(misfit.html)[0]).toBe('taken');
    expect((await ada.visitor.get(`${labels}.svg?sheet=none`)).status).toBe(400);
  });

  it('gives all labels one place and one size of the text, whichever of them are printed', {
    tags: ['additions/labels'],
  }, async () => {
    const short = ['Küchenstuhl 2', 'Überseekoffer 5', 'Żółta łódź 7', 'Œuvre – café crème 8'];
    const jobOf = async (captions: string[]) => {
      const items = captions.map((caption, item) => ({ data: `https://example.org/${item}`, caption }));
      const created = await service.submit({ items }, headers());
      await service.ended(created.jobId);
      return `${ada.base}/jobs/${created.jobId}/labels.svg?sheet=avery-l7651`;
    };
    const look = async (path: string) => {
      const { html } = await ada.visitor.get(path);
      const each = (shape: string) => [
        ...html.matchAll(new RegExp(`matrix\\((\\S+) \\S+ \\S+ \\S+ (\\S+) \\S+\\)" fill="#000" d="${shape}`, 'g')),
      ];
      const sizes = (shape: string) => [...new Set(each(shape).map(([, size]) => size))];
      return { modules: sizes('M0 0h7'), letters: sizes('M[^"]*C'), left: each('M0 0h7').map(([, , x]) => x) };
    };
    const beside = await jobOf(short);
    const whole = await look(beside);
    expect([whole.modules.length, whole.letters.length]).toEqual([1, 1]);
    expect(await look(`${beside}&printRows=3`)).toMatchObject({ letters: whole.letters, left: whole.left.slice(0, 1) });
    // The words of one text find room beside smaller codes, which are still larger than those above the texts.
    const smaller = await jobOf([...short, 'Besprechungsraum im Erdgeschoss, Vorderhaus, dritte Tür links']);
    const [ofSmaller, ofBelow] = [await look(smaller), await look(`${smaller}&caption=below`)].map(({ modules }) =>
      Math.min(...modules.map(Number)),
    );
    expect(ofSmaller).toBeGreaterThan(ofBelow ?? Infinity);
    expect(ofSmaller).toBeLessThan(Number(whole.modules[0]));
    // One word finds none.
    const below = await jobOf([...short, 'Donaudampfschifffahrtsamt']);
    const { left, letters } = await look(below);
    expect(letters.length).toBe(1);
    expect(Number(left[0])).toBeGreaterThan(Number(whole.left[0]));
    expect((await look(`${below}&printRows=3`)).left).toEqual(left.slice(0, 1));
    // Of many texts a long one has smaller letters alone.
    const many = await look(await jobOf([...Array<string>(20).fill('Żółta łódź'), 'Küchenstuhl']));
    expect([many.modules.length, many.letters.length]).toEqual([1, 2]);
  });

  it('draws all 189 codes of the largest sheet with a name in 300 kB, and says how many it draws of a larger one', {
    tags: ['additions/labels'],
  }, async () => {
    const other = await signUp(service);
    const made = await service.admin.keys.create(COMMAND_LINE, other.organisationId, 'test');
    await service.admin.database
      .updateTable('organisations')
      .set({ balance: 400 })
      .where('id', '=', other.organisationId)
      .execute();
    const items = Array.from({ length: 310 }, (_, item) => ({ data: `https://example.org/${item}` }));
    const many = await service.submit({ items }, { ...headers(), authorization: `Bearer ${made.key}` });
    await service.ended(many.jobId);
    const labels = `${other.base}/jobs/${many.jobId}/labels`;
    expect((await other.visitor.get(`${other.base}/jobs/${many.jobId}`)).html).toContain(
      'codes 1 to 240 of 310, on 15 pages of paper or more',
    );
    const { html } = await other.visitor.get(`${labels}.svg?sheet=avery-l4731`);
    expect(codesIn(html)).toBe(189);
    expect(html.length).toBeLessThan(300_000);
    const own =
      'sheet=custom&pageWidth=297&pageHeight=420&labelWidth=12&labelHeight=12&columns=20&rows=20&caption=none';
    expect(codesIn((await other.visitor.get(`${labels}.svg?${own}`)).html)).toBe(300);
    const words = 'The drawing shows the first 300 codes alone.';
    expect((await other.visitor.get(`${labels}?${own}`)).html).toContain(words);
    expect((await other.visitor.get(`${labels}?${own}&first=101`)).html).not.toContain(words);
    expect((await other.visitor.get(`${labels}?sheet=avery-l4731`)).html).not.toContain(words);
  });

  it('draws no more of a dense sheet than browsers show at once', { timeout: 60_000 }, async () => {
    const items = Array.from({ length: 100 }, (_, item) => ({ data: `${item}`.padEnd(2_900, 'x') }));
    const created = await service.submit({ items, style: { ecLevel: 'L', scale: 1 } }, headers());
    await service.ended(created.jobId);
    const sheet = 'sheet=custom&pageWidth=2000&pageHeight=2000&labelWidth=180&labelHeight=180&columns=10&rows=10';
    const { html, status } = await ada.visitor.get(`${ada.base}/jobs/${created.jobId}/labels.svg?${sheet}`);
    expect(status).toBe(200);
    expect(html.length).toBeLessThan(5_500_000);
    expect(codesIn(html)).toBeGreaterThan(10);
    expect(html).toMatch(/<\/svg>$/);
  });

  it('sends the file of the API, to be kept or printed', { tags: ['additions/labels'] }, async () => {
    const query = '?sheet=avery-5160&first=3&size=&labelWidth=20&cutMarks=true';
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const kept = await fetch(`${service.url}${page()}.pdf${query}`, { headers: { cookie } });
    expect(kept.headers.get('content-disposition')).toBe('attachment; filename="Rooms.pdf"');
    const shown = await fetch(`${service.url}${page()}.pdf${query}&show=1`, { headers: { cookie } });
    expect(shown.headers.get('content-disposition')).toBe('inline; filename="Rooms.pdf"');
    const parameters = 'sheet=avery-5160&first=3&cutMarks=true';
    const api = await service.fetch(`/api/v1/jobs/${jobId}/labels.pdf?${parameters}`, { headers: headers() });
    const bytes = Buffer.from(await api.arrayBuffer());
    expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('says how far codes can be moved before the paper cuts them off', { tags: ['additions/labels'] }, async () => {
    const single = 'sheet=single&labelWidth=57&labelHeight=32';
    for (const path of [page(), `${page()}.pdf`]) {
      const { html, status } = await ada.visitor.get(`${path}?${single}&shiftX=-20&shiftY=5`);
      expect(status).toBe(422);
      const faultOf = (name: string) => new RegExp(`id="${name}-error"[^>]*>([^<]*)<`).exec(html)?.[1];
      const words = 'or codes are cut off at the edge of the paper.';
      expect(faultOf('shiftX')).toBe(`At most 16.3 mm to the left, ${words}`);
      expect(faultOf('shiftY')).toBe(`At most 3.8 mm down, ${words}`);
      expect(html).toMatch(/<details open><summary>The codes are not in the middle/);
      expect(html).toContain('Correct first: <a href="#shiftX">Move right</a>');
      expect(html).not.toMatch(/scans from about|<image/);
    }
    const { html } = await ada.visitor.get(`${page()}?${single}&shiftX=-16.3&shiftY=3.8`);
    expect(codesIn(await drawn(html))).toBe(1);
    expect(html).toContain('scans from about');
  });

  it('complains of no field that a page without scripts shows for the first time', async () => {
    const { html } = await ada.visitor.get(page());
    expect(html).toMatch(/<noscript><input type="hidden" name="shown" value="avery-l7160">/);
    const custom = `${page()}?sheet=custom&pageWidth=210&pageHeight=297&labelWidth=`;
    const chosen = await ada.visitor.get(`${custom}&shown=avery-l7160`);
    expect(chosen.status).toBe(200);
    expect(chosen.html).not.toContain('aria-invalid');
    expect(chosen.html).toContain('Your sheet appears here once its sizes are typed.');
    const sent = await ada.visitor.get(`${custom}&shown=custom`);
    expect([sent.status, sent.html.match(/aria-invalid/g)]).toEqual([422, Array(4).fill('aria-invalid')]);
    // The sizes of a label were there before.
    const other = await ada.visitor.get(`${custom}&shown=single`);
    expect(other.html.match(/aria-invalid/g)).toHaveLength(2);
  });

  it('measures no code for a person who has left', async () => {
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const path of [page(), `${page()}.pdf`]) {
      const client = new AbortController();
      const measure = vi.spyOn(JobOutput.prototype, 'openLabels').mockImplementation(async (_job, _layout, signal) => {
        client.abort();
        await once(signal as AbortSignal, 'abort');
        throw (signal as AbortSignal).reason;
      });
      await expect(fetch(service.url + path, { headers: { cookie }, signal: client.signal })).rejects.toThrow();
      await vi.waitFor(() => expect(measure.mock.settledResults.map(({ type }) => type)).toEqual(['rejected']), {
        timeout: 20_000,
      });
      measure.mockRestore();
    }
  });

  it('gives the file a name that says what it is', { tags: ['additions/labels'] }, async () => {
    const created = await service.submit({ items: [{ data: 'a' }], name: 'Rooms \u202Efdp.exe ..' }, headers());
    await service.ended(created.jobId);
    const sheet = 'labels.pdf?sheet=avery-l7160';
    const named = `attachment; filename="Rooms -fdp.exe.pdf"`;
    const api = await service.fetch(`/api/v1/jobs/${created.jobId}/${sheet}`, { headers: headers() });
    expect(api.headers.get('content-disposition')).toBe(named);
    const own = await ada.visitor.get(`${ada.base}/jobs/${created.jobId}/${sheet}`);
    expect(own.headers.get('content-disposition')).toBe(named);
  });

  it.skipIf(MISSING_TOOLS).each([
    ['a logo', { ecLevel: 'H', logo: { dataUrl: dataUrl(paintedPng(60, DISC)), sizeRatio: 0.25 } }],
    ['colours', { foreground: '#1b3a5c', background: '#f4efe6', caption: { colour: '#6b1f3a' } }],
    ['light modules that are painted', { foreground: 'transparent', background: '#203040' }],
  ])('draws the page that is printed, with %s', { tags: ['additions/labels'] }, async (_name, style) => {
    const items = [1, 2, 3].map((number) => ({ data: `https://example.org/${number}`, caption: `Hall ${number}` }));
    const created = await service.submit({ items, style }, headers());
    await service.ended(created.jobId);
    const labels = `${ada.base}/jobs/${created.jobId}/labels`;
    const query = 'sheet=avery-l7163&first=2&cutMarks=true&shiftX=3&shiftY=-1.5';
    const svg = await drawn((await ada.visitor.get(`${labels}?${query}`)).html);
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const file = await fetch(`${service.url}${labels}.pdf?${query}`, { headers: { cookie } });
    const [sheet] = (await printed(new Uint8Array(await file.arrayBuffer()), 200)).pages;
    const { width = 0, height = 0, grey = Buffer.alloc(0) } = sheet ?? {};
    const picture = new Resvg(svg, { background: '#fff', fitTo: { mode: 'width', value: width } }).render();
    const { pixels } = picture;
    expect(Math.abs(picture.height - height)).toBeLessThanOrEqual(1);
    const others = Array.from({ length: width * Math.min(height, picture.height) }, (_, at) => {
      const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
      return Math.abs(0.299 * red + 0.587 * green + 0.114 * blue - (grey[at] ?? 0)) > 96;
    }).filter(Boolean).length;
    const inked = grey.filter((level) => level < 128).length;
    expect(inked).toBeGreaterThan(1_000);
    // Edges alone differ.
    expect(others / inked).toBeLessThan(0.05);
  });

  it('prints one label as a test', { tags: ['additions/labels'] }, async () => {
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const items = ['a', 'b'.repeat(200), 'c'].map((data) => ({ data }));
    const { jobId: mixed } = await service.submit({ items }, headers());
    await service.ended(mixed);
    // The code with the narrowest squares is tested, or the first of equal ones, whatever the page showed before.
    for (const [job, range, item] of [
      [jobId, '', 0],
      [jobId, '&from=1', 1],
      [mixed, '', 1],
      [mixed, '&printRows=3', 2],
    ] as const) {
      const labels = `${ada.base}/jobs/${job}/labels`;
      const { html } = await ada.visitor.get(`${labels}?first=3${range}`);
      expect(html).toContain(`The test is code ${item + 1}, which has the narrowest squares.`);
      const one = await fetch(`${service.url}${labels}.pdf?first=3${range}&test=1`, { headers: { cookie } });
      expect(one.headers.get('content-disposition')).toMatch(/^inline/);
      const query = `sheet=avery-l7160&first=3&from=${item}&to=${item}`;
      const api = await service.fetch(`/api/v1/jobs/${job}/labels.pdf?${query}`, { headers: headers() });
      expect(Buffer.from(await one.arrayBuffer()).equals(Buffer.from(await api.arrayBuffer()))).toBe(true);
    }
  });

  it('says from where the codes scan, and when modules are narrow', { tags: ['additions/labels'] }, async () => {
    const { html } = await ada.visitor.get(`${page()}?size=11.3`);
    expect(html).toContain('The codes are 11.3 mm wide: each <strong>scans from about 11 cm</strong>.');
    expect(html).not.toContain('have trouble');
    const whole = await ada.visitor.get(page());
    expect(whole.html).toMatch(/The codes are [\d.]+ mm wide: each <strong>scans from about \d+ cm<\/strong>\./);
    const items = ['Hall', 'Caption of many words '.repeat(5)].map((caption) => ({
      data: 'https://example.org/',
      caption,
    }));
    const { jobId: captioned } = await service.submit({ items }, headers());
    await service.ended(captioned);
    const labels = `${ada.base}/jobs/${captioned}/labels`;
    const even = await ada.visitor.get(`${labels}?caption=below`);
    expect(even.html).toContain(
      'All codes have one size: code 2 has no room for a larger one. For larger codes, choose',
    );
    expect(even.html).toMatch(/The codes are [\d.]+ mm wide: each <strong>/);
    // In the size of the second, the first would be too fine as well.
    const uneven = await ada.visitor.get(`${labels}?caption=below&sheet=single&labelWidth=30&labelHeight=28`);
    expect(uneven.html).toMatch(
      /The smallest code, of code 2, is [\d.]+ mm wide and <strong>scans from about \d+ cm<\/strong>\./,
    );
    expect(uneven.html).not.toContain('All codes have one size');
    const { jobId: dense } = await service.submit({ items: [{ data: 'a'.repeat(1_500) }] }, headers());
    await service.ended(dense);
    const fine = await ada.visitor.get(
      `${ada.base}/jobs/${dense}/labels?sheet=single&labelWidth=80&labelHeight=80&size=50.05`,
    );
    expect(fine.html).toContain('50 mm wide: each <strong>scans from about 28 cm</strong>.');
    const narrow = await ada.visitor.get(`${page()}?size=7`);
    expect(narrow.status).toBe(200);
    expect(narrow.html).toContain('The squares of code 1 are only 0.28 mm wide. Below 0.33 mm some printers');
    const { database } = service.admin;
    const placed = (places: string | null) =>
      database.updateTable('jobs').set({ source_places: places }).where('id', '=', jobId).execute();
    await placed('{"unit":"row","runs":[[2,3]]}');
    expect((await ada.visitor.get(`${page()}?size=7`)).html).toContain('The squares of row 2 are only');
    expect((await ada.visitor.get(`${page()}?size=5`)).html).toContain('Row 2 is too dense for this size');
    await placed(null);
  });

  it('says beside the drawing that codes of neighbouring labels are close', async () => {
    const sheet = 'sheet=custom&pageWidth=100&pageHeight=100&labelWidth=15&labelHeight=15&rows=2&gapX=3&gapY=0&first=1';
    const words = /neighbouring labels are only ([\d.]+) mm apart: a scanner may read the one beside/;
    const apart = async (query: string) => words.exec((await ada.visitor.get(`${page()}?${sheet}${query}`)).html)?.[1];
    expect(await apart('&columns=2&size=10')).toBeUndefined();
    expect(await apart('&columns=2&size=11.2')).toBe('3.8');
    // The second label alone is beside the first.
    expect(await apart('&columns=2&size=11.2&to=1')).toBeUndefined();
    expect(await apart('&columns=1&size=11.2')).toBe('3.8');
  });

  it('offers what makes codes larger that all have one size, and nothing else', async () => {
    const isLong = (item: number) => item % 12 === 4;
    const items = Array.from({ length: 48 }, (_, item) => ({
      data: `https://example.org/${item}`,
      caption: isLong(item) ? `Caption of many words ${item} `.repeat(4) : `Shelf ${item}`,
    }));
    const { jobId: uneven } = await service.submit({ items }, headers());
    await service.ended(uneven);
    const labels = `${ada.base}/jobs/${uneven}/labels`;
    const { html } = await ada.visitor.get(`${labels}?caption=below`);
    const offers = [...html.matchAll(/, or <a href="([^"]+)">([^<]+)<\/a> \(([\d.]+) mm\)/g)];
    expect(offers.map(([, , words]) => words)).toEqual([
      'put the texts to the right of the codes',
      'leave out code 5, code 17, code 29 and code 41',
    ]);
    for (const [, href = '', , width] of offers) {
      const followed = await ada.visitor.get(href.replaceAll('&amp;', '&'));
      expect(followed.html).toContain(`The codes are ${width} mm wide: each <strong>`);
    }
    // The others have no more room than the dense one, whichever is left out.
    const dense = Array.from({ length: 8 }, (_, item) => ({
      data: `https://example.org/${item === 2 ? 'x'.repeat(180) : item}`,
    }));
    const { jobId: mostlyShort } = await service.submit({ items: dense }, headers());
    await service.ended(mostlyShort);
    const short = await ada.visitor.get(`${ada.base}/jobs/${mostlyShort}/labels?sheet=zweckform-3474&caption=none`);
    expect(short.html).toContain('For larger codes, choose a larger label.');
  });

  it('blames the size that was chosen where a text finds no room beside it, and offers one that fits', async () => {
    const caption = 'Storage hall 12, shelf 34, left. '.repeat(3);
    const { jobId: captioned } = await service.submit({ items: [{ data: 'a', caption }] }, headers());
    await service.ended(captioned);
    const labels = `${ada.base}/jobs/${captioned}/labels`;
    const { html } = await ada.visitor.get(`${labels}?sheet=avery-l7651&size=30`);
    expect(/id="size-error"[^>]*>([^<]*)</.exec(html)?.[1]).toBe(
      'The text of code 1 finds no room next to a code of 30 mm in 7 points. Choose a smaller code, smaller letters or larger labels.',
    );
    const [, href = '', size] = /href="([^"]+)">Make the codes ([\d.]+) mm wide</.exec(html) ?? [];
    expect((await ada.visitor.get(href.replaceAll('&amp;', '&'))).html).toContain(`The codes are ${size} mm wide`);
  });

  it('reads lengths with their unit', async () => {
    const sizes = 'sheet=single&labelWidth=60+mm&labelHeight=4%2C5cm&size=1+in&captionSize=8+pt&shiftX=-1mm';
    const { status, html } = await ada.visitor.get(`${page()}?${sizes}`);
    expect(status).toBe(200);
    for (const [name, value] of [
      ['labelWidth', '60'],
      ['labelHeight', '45'],
      ['size', '25.4'],
      ['captionSize', '8'],
      ['shiftX', '-1'],
    ]) {
      expect(html).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`));
    }
  });

  const custom = 'sheet=custom&pageHeight=100&labelWidth=40&labelHeight=30&columns=2&rows=3';
  it.each([
    ['size=5', 'size', 'None of the 3 codes fits. Code 1 is too dense for this size: it needs 6.3 mm.'],
    ['size=30', 'size', 'None of the 3 codes fits. At most 28.8 mm fits the label of code 1.'],
    ['size=60', 'size', 'None of the 3 codes fits. At most 28.8 mm fits the label of code 1.'],
    [
      'sheet=single&labelWidth=7&labelHeight=7',
      'sheet',
      'None of the 3 codes fits. Code 1 is too dense for this label: with its white border it needs 8.3 mm. Choose a larger label or shorter links.',
    ],
    ['first=99', 'first', 'This sheet has labels 1 to 21.'],
    [
      'sheet=custom&pageWidth=50&pageHeight=50&labelWidth=50&labelHeight=50&columns=1&rows=1&first=2',
      'first',
      'This sheet has one label.',
    ],
    [custom, 'pageWidth', 'Type the page width.'],
    ['sheet=custom', 'columns', 'Type how many labels stand side by side.'],
    [`${custom}&pageWidth=70`, 'columns', 'The labels take 80 mm with their gaps and margin; the page has 70 mm.'],
    [
      `${custom}&pageWidth=wide`,
      'pageWidth',
      'Page width must be a number from 1 to 2000 mm with at most 3 decimals, not &quot;wide&quot;.',
    ],
    [
      'captionSize=99',
      'captionSize',
      'Size of the text must be a number from 4 to 72 points with at most 1 decimal, not &quot;99&quot;.',
    ],
    ['sheet=none', 'sheet', 'Choose a sheet from the list.'],
    ['sheet=__proto__', 'sheet', 'Choose a sheet from the list.'],
    ['sheet=constructor', 'sheet', 'Choose a sheet from the list.'],
    ['from=9', 'trouble', 'From must be a whole number from 0 to 2, not &quot;9&quot;.'],
  ])('says at its field what is wrong with %s', { tags: ['additions/labels'] }, async (query, field, words) => {
    // The form is what answers where the file cannot be made, and says it at its field and at the buttons.
    for (const path of [page(), `${page()}.pdf`]) {
      const { status, html } = await ada.visitor.get(`${path}?${query}`);
      expect(status, path).toBe(422);
      const at =
        field === 'trouble' ? /id="trouble"[^>]*><p [^>]*>([^<]*)</ : new RegExp(`id="${field}-error"[^>]*>([^<]*)<`);
      expect(at.exec(html)?.[1]?.replaceAll('&#39;', "'"), path).toBe(words);
      expect(html.split(words).length).toBeLessThanOrEqual(3);
      expect(html).toMatch(/Correct first: <a href="#\w+">[^<]+<\/a>\. /);
      expect(html).not.toContain('cannot be made');
    }
  });

  it.each([
    [
      'sheet=single&labelWidth=40&labelHeight=12&caption=beside',
      'caption',
      'The text of code 2 finds no room in 7 points. Choose smaller letters or larger labels.',
    ],
    [
      'sheet=single&labelWidth=40&labelHeight=20&caption=below',
      'caption',
      'Code 2: its code finds only 3.3 mm next to its text, and needs 5.3 mm. Shorten the text, choose smaller letters, or a larger label.',
    ],
    [
      'sheet=single&labelWidth=40&labelHeight=40&caption=below&size=20',
      'size',
      'At most 17.7 mm fits the label of code 2.',
    ],
    [
      'captionSize=72',
      'captionSize',
      'None of the 2 codes fits. The text of code 1 finds no room in 72 points. Choose smaller letters or larger labels.',
    ],
  ])('names the code whose text finds no room with %s', async (query, field, words) => {
    const items = [
      { data: 'a', caption: 'Hall' },
      { data: 'b', caption: 'Caption of many words '.repeat(5) },
    ];
    const { jobId: captioned } = await service.submit({ items }, headers());
    await service.ended(captioned);
    const { html } = await ada.visitor.get(`${ada.base}/jobs/${captioned}/labels?${query}`);
    expect(Array.from(html.matchAll(/id="(\w+)-error"[^>]*>([^<]+)</g), ([, at, said]) => [at, said])).toEqual([
      [field, words],
    ]);
    const [, shown] = /href="[^"]*\?from=(\d)#codes">Show (code \d)</.exec(html)?.slice(1) ?? [];
    expect(words.toLowerCase()).toContain(shown);
  });

  it('says at once all that is wrong', async () => {
    const wrong = async (query: string) => {
      const { html } = await ada.visitor.get(`${page()}?${query}`);
      return Array.from(html.matchAll(/id="(\w+)-error"[^>]*>[^<]/g), ([, name]) => name);
    };
    expect(await wrong('first=22&printRows=2-60&size=50&captionSize=99')).toEqual([
      'first',
      'printRows',
      'size',
      'captionSize',
    ]);
    expect(await wrong('first=22&size=50')).toEqual(['first', 'size']);
    expect(await wrong('first=22&printRows=x&size=20')).toEqual(['first', 'printRows']);
  });

  it('says which rows are named more than once, and printed once', async () => {
    const { html } = await ada.visitor.get(`${page()}?printRows=2,2,2`);
    expect(states(html).filter((state) => state === 'taken').length).toBe(1);
    expect(html).toContain('Code 2 is named more than once, but printed once. Print the file again for more.');
    const { html: several } = await ada.visitor.get(`${page()}?printRows=1-3,2-3`);
    expect(several).toContain('Codes 2 to 3 are named more than once');
    expect((await ada.visitor.get(`${page()}?printRows=1-2,3`)).html).not.toContain('named more than once');
  });

  it('shows that there is no file while something is wrong', async () => {
    const disabled = async (query: string) =>
      (await ada.visitor.get(`${page()}?${query}`)).html.match(/data-download[^>]* data-off/g)?.length;
    expect(await disabled('sheet=single&labelWidth=5&labelHeight=5')).toBe(3);
    expect(await disabled('')).toBeUndefined();
  });

  it('warns of what printers leave blank, where codes or texts stand there', {
    tags: ['additions/labels'],
  }, async () => {
    const warning = async (query: string) =>
      /Codes or texts are ([\d.]+) mm from the edge of the paper\. Many printers/.exec(
        (await ada.visitor.get(`${page()}?${query}`)).html,
      )?.[1];
    expect(await warning('')).toBeUndefined();
    // Three labels of 70 mm fill the page from side to side.
    expect(await warning('sheet=zweckform-3474')).toBeUndefined();
    const low = 'sheet=custom&pageWidth=210&pageHeight=297&labelWidth=70&labelHeight=25&columns=3&rows=11';
    const { jobId: captioned } = await service.submit({ items: [{ data: 'a', caption: 'Hall' }] }, headers());
    await service.ended(captioned);
    const { html } = await ada.visitor.get(`${ada.base}/jobs/${captioned}/labels?${low}&caption=beside`);
    expect(html).toMatch(/Codes or texts are 3\.\d mm from the edge of the paper\./);
    expect(await warning('sheet=zweckform-3474&size=27&shiftX=-18')).toMatch(/^3\.\d$/);
    // A printer of labels has no such edge.
    expect(await warning('sheet=single&labelWidth=40&labelHeight=30&size=22')).toBeUndefined();
  });

  it('offers the size of the text, or its place, with which a long text fits', async () => {
    const long =
      'Karl-Theodor Maria Nikolaus Johann Jacob Philipp Franz Joseph Sylvester Freiherr von und zu Guttenberg';
    const items = ['Ada', long, 'Uwe'].map((caption) => ({ data: 'https://example.org/members/1', caption }));
    const { jobId: named } = await service.submit({ items }, headers());
    await service.ended(named);
    const labels = `${ada.base}/jobs/${named}/labels`;
    const { html } = await ada.visitor.get(`${labels}?sheet=avery-l7651`);
    expect(html).toContain('The text of code 2 finds no room in 7 points.');
    const [, smaller = '', size] = /href="([^"]+)">Print all texts in (\d) points</.exec(html) ?? [];
    const fitting = await ada.visitor.get(smaller.replaceAll('&amp;', '&'));
    expect(codesIn(await drawn(fitting.html))).toBe(3);
    expect(fitting.html).toContain(`Texts of ${size} points are small: many people cannot read less than 7.`);
    const narrow = `${labels}?sheet=single&labelWidth=90&labelHeight=12`;
    const below = await ada.visitor.get(`${narrow}&caption=below`);
    const [, beside = ''] = /href="([^"]+)">Put the texts to the right of the codes</.exec(below.html) ?? [];
    expect(codesIn(await drawn((await ada.visitor.get(beside.replaceAll('&amp;', '&'))).html))).toBe(1);
    // Nothing that concerns texts helps a code that is too dense without one.
    const dense = await ada.visitor.get(`${labels}?sheet=single&labelWidth=60&labelHeight=8`);
    expect(dense.html).toMatch(/Code \d is too dense for this label/);
    expect(dense.html).not.toContain('It fits:');
  });

  it('draws all codes in one size, also those with two lines below them', { tags: ['additions/labels'] }, async () => {
    const items = ['Ada', 'Wilhelmine Straßburger-Baumgärtner und Töchter, Königsberg', 'Uwe'].map((caption, item) => ({
      data: `https://example.org/${'x'.repeat(20 * item)}`,
      caption,
    }));
    const { jobId: named } = await service.submit({ items }, headers());
    await service.ended(named);
    const labels = `${ada.base}/jobs/${named}/labels`;
    const edges = async (query: string) => {
      const { html } = await ada.visitor.get(`${labels}.svg?${query}`);
      const matrices = [...html.matchAll(/matrix\((\S+) \S+ \S+ \S+ \S+ \S+\)" fill="#000" d="M0 0h7/g)];
      return matrices.map(([, module]) => Number(module));
    };
    // Versions 2, 3 and 4.
    const modules = await edges('caption=below');
    const sizes = modules.map((module, item) => Math.round(module * ([25, 29, 33][item] ?? 0) * 10));
    expect(new Set(sizes).size, sizes.join(' ')).toBe(1);
    // Whichever are printed.
    expect(await edges('caption=below&printRows=3')).toEqual(modules.slice(2));
  });

  it('draws no cut marks on a page of one label', async () => {
    const { html } = await ada.visitor.get(`${page()}?sheet=single&labelWidth=40&labelHeight=30&cutMarks=true`);
    expect(await drawn(html)).not.toContain('stroke-width');
  });

  it('leads to other colours where codes are too pale', async () => {
    const created = await service.submit({ style: { foreground: '#eeeeee' }, items: [{ data: 'a' }] }, headers());
    await service.ended(created.jobId);
    const { html } = await ada.visitor.get(`${ada.base}/jobs/${created.jobId}/labels`);
    expect(html).toContain(
      `too pale for paper. Make them again in other colours. <a href="${ada.base}/studio?job=${created.jobId}">Make again<`,
    );
  });

  it('offers the sheets of a maker by the width of their labels', async () => {
    const { html } = await ada.visitor.get(page());
    expect(html).toContain('>L7160: 63.5 × 38.1 mm, 3 × 7, Avery</option>');
    expect(html).toContain('>22806: 50.8 × 50.8 mm, 3 × 4, Letter, Avery</option>');
    const [, herma = ''] = /<optgroup label="Herma">(.*?)<\/optgroup>/s.exec(html) ?? [];
    const widths = [...herma.matchAll(/: ([\d.]+) × /g)].map(([, width]) => Number(width));
    expect(widths).toEqual([48.3, 48.3, 66, 70, 105, 105, 105]);
  });

  it('begins one’s own sheet with the sizes of A4, and says whether a size is missing or wrong', async () => {
    const valueOf = (html: string, name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
    const { html } = await ada.visitor.get(page());
    expect([valueOf(html, 'pageWidth'), valueOf(html, 'pageHeight'), valueOf(html, 'labelWidth')]).toEqual([
      '210',
      '297',
      '',
    ]);
    // The example of the docs.
    const typed = 'labelWidth=50&labelHeight=30&columns=4&rows=9';
    const own = await ada.visitor.get(`${page()}?sheet=custom&pageWidth=210&pageHeight=297&${typed}`);
    expect(states(own.html).length).toBe(36);
    const bare = await ada.visitor.get(`${page()}?sheet=custom`);
    expect(valueOf(bare.html, 'pageWidth')).toBe('');
    expect(bare.html).toContain('Your sheet appears here once its sizes are typed.');
    const wrong = await ada.visitor.get(`${page()}?${custom}&pageWidth=70`);
    expect(wrong.html).toContain('Correct what is marked to see the sheet.');
  });

  it('says that codes missing from the ZIP file are on the labels', async () => {
    const { database } = service.admin;
    const complete = async (failed: number) => {
      await database.updateTable('chunks').set({ failed_items: failed }).where('job_id', '=', jobId).execute();
      await database
        .updateTable('jobs')
        .set({ completed: 3 - failed, failed })
        .where('id', '=', jobId)
        .execute();
    };
    await complete(1);
    const text = (await ada.visitor.get(page())).html.replaceAll(/<[^>]+>/g, '');
    await complete(0);
    expect(text).toContain(
      '1 code is missing from the ZIP file and refunded: 1 of codes 1 to 3. It is on these labels all the same.',
    );
    expect((await ada.visitor.get(page())).html).not.toContain('missing from the ZIP');
  });

  it('says which codes do not scan, and leaves them out', async () => {
    const { database } = service.admin;
    const read = (unread: number, items: number[], verified = 3) =>
      database
        .updateTable('jobs')
        .set({ verify_items: verified, verified, unread, unread_items: JSON.stringify(items) })
        .where('id', '=', jobId)
        .execute();
    const notice = async (query = '') => {
      const { html } = await ada.visitor.get(page() + query);
      const said = /<span id="unread" data-live>(.*?)<\/span>/.exec(html)?.[1] ?? '';
      return { html, said, words: said.replaceAll(/<[^>]+>/g, '') };
    };
    await read(1, [0]);
    // The other codes have the same squares.
    expect((await notice()).html).toContain('The test is code 2, which has the narrowest squares of those that scan.');
    const cookie = [...ada.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const pdf = async (query: string) =>
      Buffer.from(await (await fetch(`${service.url}${page()}.pdf?${query}`, { headers: { cookie } })).arrayBuffer());
    expect((await pdf('test=1')).equals(await pdf('from=1&to=1'))).toBe(true);
    await read(2, [0, 2]);
    const { html, said, words } = await notice();
    expect(words).toBe('2 of these codes do not scan. Show them, or leave them out.');
    expect(html).toMatch(/The codes are [\d.]+ mm wide\. The test is/);
    const [shown = '', out = ''] = Array.from(said.matchAll(/href="([^"]+)"/g), ([, href]) => href);
    expect((await ada.visitor.get(shown.replaceAll('&amp;', '&'))).html).toContain('Only the 2 codes that do not scan');
    const left = await notice(out.replaceAll('&amp;', '&').replace(page(), ''));
    expect(left.html).toMatch(/name="printRows" value="2"/);
    expect(left.words).toBe('2 codes of this job do not scan, and are not on these labels. Show them.');
    expect(left.html).toContain('mm wide: each <strong>scans from about');
    expect((await notice('?from=2')).words).toBe('1 of these codes does not scan. Show it.');
    expect((await notice('?size=60')).words).toBe('2 of these codes do not scan. Show them, or leave them out.');
    // Of more than are listed, nobody knows which are on the labels.
    await read(2, [0], 2);
    expect((await notice('?from=1')).words).toBe(
      '2 of the codes of this job do not scan. Show them. Only 2 codes were checked.',
    );
    await read(0, [], 0);
    expect((await notice()).html).not.toContain('not scan');
  });

  it('leads to the page of a job that is not complete, which leads back once it is', async () => {
    const { database } = service.admin;
    const end = (status: 'processing' | 'complete') =>
      database.updateTable('jobs').set({ status }).where('id', '=', jobId).execute();
    await end('processing');
    const { location } = await ada.visitor.get(page());
    expect((await ada.visitor.get(location)).html).toContain('The labels can be printed once all codes are made.');
    await end('complete');
    expect((await ada.visitor.get(location)).location).toBe(page());
  });

  it('says which codes have a word that no line holds', async () => {
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(3);
    const items = ['Hall', long, 'Hall', long, long].map((caption) => ({ data: 'a', caption }));
    const { jobId: captioned } = await service.submit({ items }, headers());
    await service.ended(captioned);
    const labels = `${ada.base}/jobs/${captioned}/labels`;
    expect((await ada.visitor.get(labels)).html).toContain(
      'In 3 texts a word is longer than its line, and is broken: code 2 and codes 4 to 5.',
    );
    expect((await ada.visitor.get(`${labels}?printRows=1-3`)).html).toContain(
      'A word in the text of code 2 is longer than its line, and is broken. Choose a larger label, or shorter words.',
    );
    const advice = async (caption: string, query: string) => {
      const created = await service.submit({ items: [{ data: 'a', caption }] }, headers());
      await service.ended(created.jobId);
      const { html } = await ada.visitor.get(`${ada.base}/jobs/${created.jobId}/labels?${query}`);
      return /is broken\. Choose (.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');
    };
    expect(await advice('Donaudampfschifffahrtsgesellschaft', 'caption=beside')).toBe(
      'Below the code, a smaller Size of the text, a larger label, or shorter words. Codes of 14 mm keep all words whole',
    );
    const narrow = 'sheet=single&labelWidth=30&labelHeight=30&caption=below';
    expect(await advice('Donaudampfschifffahrtsgesellschaft', narrow)).toBe(
      'a smaller Size of the text, a larger label, or shorter words.',
    );
  });

  it('offers smaller texts where they take the room of codes whose size is typed', async () => {
    const items = ['Ada Byron, Analytical Engines Ltd', 'Grace Hopper'].map((caption) => ({ data: 'a', caption }));
    const { jobId: captioned } = await service.submit({ items }, headers());
    await service.ended(captioned);
    const badges = `${ada.base}/jobs/${captioned}/labels?sheet=single&labelWidth=60&labelHeight=40&size=20`;
    const { html } = await ada.visitor.get(`${badges}&captionSize=24`);
    const [, offered = ''] = /It fits: .*<a href="([^"]+)">Print all texts in \d+ points<\/a>/.exec(html) ?? [];
    const fitting = await ada.visitor.get(offered.replaceAll('&amp;', '&'));
    expect(fitting.html).toContain('The codes are 20 mm wide');
    // No text takes the room of this one.
    const large = await ada.visitor.get(badges.replace('size=20', 'size=50'));
    expect(large.html).not.toContain('Print all texts');
    const [, smaller = ''] = /<a href="([^"]+)">Make the codes [\d.]+ mm wide<\/a>/.exec(large.html) ?? [];
    expect((await ada.visitor.get(smaller.replaceAll('&amp;', '&'))).html).toContain('The codes are');
  });

  it('offers the largest size of codes at which the words beside them stay whole', async () => {
    const items = ['Hall', 'Donaudampfschifffahrt'].map((caption) => ({
      data: 'https://example.org/halls/1',
      caption,
    }));
    const { jobId: captioned } = await service.submit({ items }, headers());
    await service.ended(captioned);
    const labels = `${ada.base}/jobs/${captioned}/labels`;
    const { html } = await ada.visitor.get(`${labels}?caption=beside&captionSize=12`);
    const [, offered = '', size] =
      /is broken.*<a href="([^"]+)">Codes of (\d+) mm keep all words whole</.exec(html) ?? [];
    const whole = await ada.visitor.get(offered.replaceAll('&amp;', '&'));
    expect(whole.html).toContain(`The codes are ${size} mm wide`);
    expect(whole.html).not.toContain('is broken');
    const larger = `${labels}?caption=beside&captionSize=12&size=${Number(size) + 1}`;
    expect((await ada.visitor.get(larger)).html).toContain('is broken');
  });

  it('asks for a gap that was left out, and says that the codes have no captions', async () => {
    const size =
      'sheet=custom&pageWidth=210&pageHeight=297&labelWidth=60&labelHeight=40&columns=3&rows=6&left=8&top=28';
    const { html } = await ada.visitor.get(`${page()}?${size}`);
    expect(html).toContain(
      'You typed a margin of 8 mm on the left, and 22 mm are left on the right. If there is a gap between your labels, type it at <em>Gap across</em>: about 7 mm.',
    );
    expect(html).not.toContain('at the top');
    expect(html).toContain('The codes have no captions, so that the labels have no text.');
    const centred = await ada.visitor.get(`${page()}?${size.replace(/&left.*/, '')}`);
    expect(centred.html).toContain(
      'The labels touch each other in the middle of the page, and 15 mm are free on the left',
    );
    const typed = await ada.visitor.get(`${page()}?${size}&gapX=7&caption=none`);
    expect(typed.html).not.toContain('is a gap');
    expect(typed.html).not.toContain('have no captions');
  });

  it('takes decimals with a comma, and is for members alone', { tags: ['additions/labels'] }, async () => {
    const comma = await ada.visitor.get(`${page()}?sheet=single&labelWidth=38,1&labelHeight=21,25`);
    expect(comma.status).toBe(200);
    expect(comma.html).toMatch(/name="labelWidth"[^>]* value="38.1"/);
    // A page of one label has no other to start at, whatever the sheet had that was chosen before.
    expect((await ada.visitor.get(`${page()}?sheet=single&labelWidth=38&labelHeight=21&first=9`)).status).toBe(200);
    const other = await signUp(service);
    for (const path of [page(), `${page()}.svg`]) {
      expect((await other.visitor.get(path)).status).toBe(404);
    }
  });
});
