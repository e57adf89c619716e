/** The studio through its forms: previews that are what a job draws, and files that become jobs. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { auditEntries } from '../../src/accounts/audit-store.js';
import { type Style, StyleSchema } from '../../src/contract/request-schema.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { IdempotencyStore, requestInProgress } from '../../src/jobs/idempotency-store.js';
import type { Preview } from '../../src/site/studio/preview.js';
import type { StudioCheck } from '../../src/site/studio/studio-check.js';
import { UnreadableItemsError, writeStudioBody } from '../../src/site/studio/studio-body.js';
import { curlOf, FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { decodePng, discLogo, rasterise, sizeOf, unzip } from '../support/decode.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';
import { textCell, workbookOf } from '../support/workbook.js';

const SPREADSHEETS = new URL('../spreadsheets/files/', import.meta.url);
const RISKY = 'Scans here, but not with every scanner: see the warning.';
const CITIES = new URL('../../examples/cities.ndjson', import.meta.url);

// The tests of jobs run on every database, so that one is enough here.
let service: TestService;
let ada: SignedUp;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
// Another person for each twenty tests, since each one may send sixty forms a minute.
let tests = 0;
beforeEach(async () => {
  tests += 1;
  if (tests % 20 !== 1) return;
  ada = await signUp(service);
  await ada.visitor.get(`${ada.base}/studio`);
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => service.close());

async function preview(fields: Record<string, string>, items: object[] = []): Promise<Preview> {
  const { html, status } = await ada.visitor.request(`${ada.base}/studio/preview`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json', 'x-form-token': ada.visitor.csrf },
    body: JSON.stringify({ fields: { ...FIRST_STYLE, ...fields }, items }),
  });
  expect(status).toBe(200);
  return JSON.parse(html) as Preview;
}

const fileOf = (content: string | Uint8Array, name: string): File =>
  new File([typeof content === 'string' ? content : Uint8Array.from(content)], name);

/** Sends the form as a browser with scripts does, and returns where it led and the page. */
async function submit(
  fields: Record<string, string>,
  file?: { name: string; content: string | Uint8Array<ArrayBuffer> | Buffer },
  logo?: Buffer,
) {
  return ada.visitor.upload(
    `${ada.base}/studio`,
    { ...FIRST_STYLE, seen: '1', ...fields },
    { file: fileOf(file?.content ?? '', file?.name ?? ''), ...(logo && { logo: fileOf(logo, 'logo.png') }) },
  );
}

/** The pictures of a job that a form led to. */
async function archiveOf(location: string): Promise<Map<string, Buffer>> {
  await service.ended(location.split('/').at(-1) ?? '');
  const { location: link } = await ada.visitor.get(`${location}/download`);
  return unzip(Buffer.from(await (await fetch(service.url + link)).arrayBuffer()));
}

it('says in whole per cent how much of a code each level restores', async () => {
  const { html } = await ada.visitor.get(`${ada.base}/studio`);
  const levels = [...html.matchAll(/([LMQH]): restores (\S+) %/g)].map(([, level, percent]) => [level, percent]);
  expect(levels).toEqual([
    ['L', '7'],
    ['M', '15'],
    ['Q', '25'],
    ['H', '30'],
  ]);
});

it('previews what the job draws, byte for byte', async () => {
  const fields = { foreground: '#1b3a5c', ecLevel: 'Q', scale: '6', dpi: '600', caption: 'Hello' };
  const { samples, warnings, problems } = await preview(fields, [{ data: 'one' }, { data: 'two', caption: 'Two' }]);
  expect({ warnings, problems }).toEqual({ warnings: [], problems: [] });
  const { location } = await submit(fields, {
    name: 'codes.ndjson',
    content: '{"data":"one"}\n{"data":"two","caption":"Two"}\n',
  });
  const pictures = [...(await archiveOf(location)).values()].map((png) => png.toString('base64'));
  expect(samples.map(({ picture }) => picture.replace('data:image/png;base64,', ''))).toEqual(pictures);
  expect(samples.every((sample) => sample.scans)).toBe(true);
});

it.each([
  ['a narrow quiet zone', { margin: '1' }, /quiet zone/],
  ['little contrast', { foreground: '#bbbbbb' }, /contrast/],
  ['light on dark', { foreground: '#ffffff', background: '#000000' }, /The code is lighter than its background/],
])('warns of %s, and asks before such codes are made', async (_, fields, warning) => {
  const { warnings, notes, risks, reading } = await preview(fields);
  expect([...warnings, ...notes].join(' ')).toMatch(warning);
  expect(risks.join(' ')).toMatch(warning);
  expect(reading).toBe(RISKY);
});

it('says that a code without contrast does not scan', async () => {
  const { samples, notes } = await preview({ foreground: '#fefefe' });
  expect(samples[0]?.scans).toBe(false);
  expect(notes).toEqual(['The sample code does not scan: choose other colours, or a smaller logo.']);
  const { reading, risks } = await preview({ foreground: '#bbbbbb' });
  expect(risks).toEqual([expect.stringMatching(/^The contrast of .* scanners need at least 3:1\.$/)]);
  expect([reading, (await preview({})).reading]).toEqual([RISKY, 'Scans, with room to spare.']);
});

it.each([
  ['shows its text', ['Table 4']],
  ['opens a web page', ['https://example.org/a']],
  ['fills in a payment in a banking app', ['BCD\n002\n1\nSCT\n\nAda Ek\nDE89370400440532013000']],
])('says that on phones, the code %s', async (action, texts) => {
  const { actions } = await preview({}, itemsOf(texts));
  expect(actions).toBe(`On phones, the code ${action}.`);
});

it('says which typed lines phones take for something else', async () => {
  const { actions } = await preview(
    {},
    itemsOf(['https://example.org/a', 'Plumber 087-1234567', 'https://example.org/b']),
  );
  expect(actions).toBe('On phones, 2 codes open a web page, and 1 shows its text (line 2).');
});

function itemsOf(texts: string[]): object[] {
  return texts.map((data, line) => ({ data, place: `Line ${line + 1}` }));
}

it('names the codes that do not scan', async () => {
  const logo = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40H0z"/></svg>'),
  );
  const fields = { ecLevel: 'L', logoPercent: '25', logo: `data:image/png;base64,${logo.toString('base64')}` };
  const items = [1, 40].map((count) => ({ data: 'https://example.org/'.repeat(count), place: `Row ${count}` }));
  const { samples, notes } = await preview(fields, items);
  const unread = items.filter((_, index) => samples[index]?.scans === false).map(({ place }) => place);
  expect(unread).toHaveLength(1);
  expect(notes).toEqual([`${unread[0]} does not scan: choose other colours, or a smaller logo.`]);
  const named = items.map((item, index) => ({ ...item, caption: index === 0 ? 'Hall 4\nWest' : undefined }));
  expect((await preview({ foreground: '#fefefe' }, named)).notes).toEqual([
    'Of the codes that were tried, these do not scan: Row 1 (Hall 4 West), Row 40. Choose other colours, or a smaller logo.',
  ]);
});

it('scans a transparent code on white and on the colour of the page', async () => {
  const on = (background: string, foreground = '#000000') => preview({ transparent: '1', background, foreground });
  for (const background of ['#ffffff', '#ffe9a8']) {
    const { reading, notes } = await on(background);
    const where = background === '#ffffff' ? '' : ' and on the colour of your page';
    expect([reading, notes]).toEqual([`Scans on white${where}, with room to spare.`, []]);
  }
  const dark = await on('#101010');
  expect([dark.samples[0]?.scans, dark.notes[0]]).toEqual([false, expect.stringContaining('does not scan on #101010')]);
  const light = await on('#101010', '#fefefe');
  expect(light.notes[0]).toContain('does not scan on white');
  const faint = await on('#333333');
  expect([faint.reading, faint.notes[0], faint.warnings]).toEqual([
    RISKY,
    'On #333333: The contrast of foreground and background is 1.6:1; scanners need at least 3:1.',
    [],
  ]);
  expect(faint.risks).toEqual([faint.notes[0]]);
});

it('scans the first code as the job draws it, at any scale', async () => {
  const logo = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M2 0l2 4h-4z" fill="#c00"/></svg>'),
  );
  const dataUrl = `data:image/png;base64,${logo.toString('base64')}`;
  const unused = [];
  // The screen shows no more than 8 pixels per module.
  for (const scale of ['8', '20']) {
    const fields = { scale, logoPercent: '16' };
    const { samples } = await preview({ ...fields, logo: dataUrl }, [{ data: 'https://example.org/room/1' }]);
    const { location } = await submit(
      { ...fields, verify: 'all', items: 'https://example.org/room/1' },
      undefined,
      logo,
    );
    const jobId = location.split('/').at(-1) ?? '';
    await service.ended(jobId);
    const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, `scan ${scale}`);
    const status = await service.fetch(`/api/v1/jobs/${jobId}`, { headers: { authorization: `Bearer ${key}` } });
    const { leastUnusedErrorCorrection } = (await status.json()) as { leastUnusedErrorCorrection: number };
    expect((samples[0]?.unusedThousandths ?? 0) / 1_000).toBe(leastUnusedErrorCorrection);
    unused.push(leastUnusedErrorCorrection);
  }
  // The scales were chosen so that they differ.
  expect(new Set(unused).size).toBe(2);
  const look = { scale: '20', logoPercent: '16', logo: dataUrl };
  const [short, long] = [{ data: 'https://example.org/room/1' }, { data: `https://example.org/${'long/'.repeat(20)}` }];
  const ofSame = await preview({ ...look, version: 'same' }, [short, long]);
  const ofVersion = await preview({ ...look, version: '7' }, [short]);
  expect(ofSame.print?.sentence).toContain('Now 89.7 mm at 300 dpi');
  expect(ofSame.samples[0]).toEqual(ofVersion.samples[0]);
});

it('says of each code what the scan check of its job says', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle cx="100" cy="100" r="95"/></svg>';
  const dataUrl = `data:image/png;base64,${rasterise(Buffer.from(svg)).toString('base64')}`;
  const items = [1, 2, 3].map((code) => ({ data: `https://go.example.com/${code}` }));
  const look = { foreground: '#ffd400', ecLevel: 'H' };
  const scanned = [];
  // A scanner that divides a picture into squares of 8 pixels sees no pale modules that fill one each.
  for (const scale of [8, 10]) {
    const { samples } = await preview({ ...look, scale: String(scale), logoPercent: '20', logo: dataUrl }, items);
    const style = { ...look, scale, logo: { dataUrl, sizeRatio: 0.2 } };
    const { jobId } = await service.submit({ style, items, verify: 'all' });
    const { verified = 0, unread = 0 } = await service.ended(jobId);
    expect(samples.filter(({ scans }) => scans)).toHaveLength(verified - unread);
    scanned.push(verified - unread);
  }
  expect(scanned).toEqual([0, 3]);
});

it('says that a caption takes no columns', async () => {
  const { notes } = await preview({ caption: '{Name} {Price}' });
  expect(notes).toEqual([
    'The caption says “{Name}” as it stands. To put in a column of your list, use Combine columns.',
  ]);
  expect((await preview({ caption: 'Hall {4' })).notes).toEqual([]);
});

it('says in words what the first code says', async () => {
  const said = async (data: string) => (await preview({}, [{ data }, { data: 'two' }])).says;
  expect(await said('https://example.org/1')).toEqual([{ label: 'Link or text', value: 'https://example.org/1' }]);
  expect(await said('WIFI:T:WPA;S:Guests;P:welcome-1;;')).toEqual([
    { label: 'Network', value: 'Guests' },
    { label: 'Password', value: 'welcome-1' },
    { label: 'Encryption', value: 'WPA' },
  ]);
  expect(await said('BCD\n002\n1\nSCT\n\nACME\nDE89370400440532013000\nEUR1029.11\n\n\nMay')).toEqual([
    { label: 'Payee', value: 'ACME' },
    { label: 'IBAN', value: 'DE89370400440532013000' },
    { label: 'Amount in euros', value: '1029.11' },
    { label: 'Text for the payee', value: 'May' },
  ]);
});

it('says why a job would be refused', async () => {
  const { problems } = await preview({ scale: '40', ecLevel: 'H' }, [{ data: 'x'.repeat(900) }]);
  expect(problems.join()).toMatch(/4,?096/);
  const long = await preview({}, [{ data: 'one' }, { data: 'x'.repeat(3_000) }]);
  expect(long.problems).toEqual(['Code 2 is too long: 3,000 characters; at most 2,953 fit.']);
  const placed = [
    { data: 'one', place: 'Line 1' },
    { data: 'x'.repeat(2_400), place: 'Line 7' },
  ];
  expect((await preview({}, placed)).problems).toEqual([
    'Line 7 is too long for a QR code: 2,400 of 2,331 bytes. Shorten it, or use a link.',
  ]);
  expect((await preview({ version: '2' }, [{ data: 'x'.repeat(40), place: 'Row 3' }])).problems).toEqual([
    'Row 3 is too long for a QR code of version 2: 40 of 26 bytes. Shorten it, or use a link.',
  ]);
  expect((await preview({ foreground: 'red' })).problems).toEqual(['Choose a colour such as #1b3a5c.']);
});

it('shows the same request for a shell', async () => {
  const { curl } = await preview({ foreground: '#1b3a5c', caption: "it's" });
  expect(curl).toContain(
    String.raw`{"format":"png","style":{"foreground":"#1b3a5c","caption":{"text":"it'\''s","fontSize":28}}}`,
  );
});

it('draws a logo in the preview and in the job alike', async () => {
  const logo = rasterise(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20" fill="#c00"/></svg>',
    ),
  );
  const fields = { ecLevel: 'Q', scale: '8', dpi: '300', logoPercent: '25' };
  const dataUrl = `data:image/png;base64,${logo.toString('base64')}`;
  const { samples, problems, warnings } = await preview({ ...fields, logo: dataUrl }, [{ data: 'one' }]);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('The logo is too large for')]);
  expect(samples[0]?.scans).toBe(true);
  const { location } = await submit({ ...fields, items: 'one' }, undefined, logo);
  const [png] = [...(await archiveOf(location)).values()];
  expect(samples[0]?.picture).toBe(`data:image/png;base64,${png?.toString('base64')}`);
});

it('says of which codes a logo covers too much, and in which it is cut off so that it does not', async () => {
  const disc = discLogo();
  const look = { ecLevel: 'M', logo: `data:image/png;base64,${disc.toString('base64')}` };
  const [short, long] = ['A1', `https://a.example/${'path/'.repeat(9)}`];
  const items = [long, short].map((data, at) => ({ data, place: `Line ${at + 1}` }));
  const found = await preview({ ...look, logoPercent: '18' }, items);
  expect(found.warnings).toEqual([
    'The edge of the logo is cut off, so that it does not hide too much. To show all of it, use error correction H, or a logo of 15 %. See line 2.',
  ]);
  expect((await preview({ ...look, logoPercent: '15' }, items)).warnings).toEqual([]);
  expect((await preview({ ...look, logoPercent: '18', ecLevel: 'H' }, items)).warnings).toEqual([]);
  const large = await preview({ ...look, logoPercent: '30' }, items);
  expect(large.logoRisks).toEqual(large.warnings);
  const { html: list } = await ada.visitor.upload(
    `${ada.base}/studio/check`,
    { ...FIRST_STYLE, ecLevel: 'M', logoPercent: '18', columns: 'data=0' },
    { file: fileOf(`text\n${long}\n${short}\n${long}\n`, 'l.csv'), logo: fileOf(disc, 'logo.png') },
  );
  const { warnings, logoRisks } = JSON.parse(list) as StudioCheck;
  expect({ warnings, logoRisks }).toEqual({
    warnings: [expect.stringMatching(/a logo of 15 %\. 1 of 3 codes is affected: row 3\.$/)],
    logoRisks: [],
  });
  const { html } = await submit({ items: short, ecLevel: 'M', logoPercent: '18', seen: '' }, undefined, disc);
  expect(html).toContain('<li>The edge of the logo is cut off');
});

it('gives pictures with a logo twice the pixels for a width in print', async () => {
  const logo = rasterise(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>',
    ),
  );
  const dataUrl = `data:image/png;base64,${logo.toString('base64')}`;
  const ordered = async (fields: Record<string, string>) => (await preview({ widthMm: '50', ...fields })).print;
  const [plain, withLogo] = [await ordered({}), await ordered({ logo: dataUrl, logoPercent: '20' })];
  expect([plain?.neededDpi, withLogo?.neededDpi]).toEqual([302, 604]);
  expect(withLogo?.sentence).toMatch(/^All pictures are 50 mm wide/);
  // A printer that was chosen stays.
  expect((await ordered({ logo: dataUrl, logoPercent: '20', dpi: '300' }))?.scale).toBe(17);
});

it('names the width for which a picture is too high with its caption, and finds the level of a logo in spite of it', async () => {
  const long = [{ data: `https://a.example/${'path/'.repeat(148)}`, place: 'Line 1' }];
  const { problems } = await preview({ widthMm: '40 cm', caption: 'Hall 4' }, long);
  expect(problems).toEqual(['With its caption, a code of 400 mm is too high for one picture. Type a smaller width.']);
  const square = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40H0z"/></svg>'),
  );
  const logo = `data:image/png;base64,${square.toString('base64')}`;
  const ofWidth = async (widthMm: string) =>
    (await preview({ widthMm, ecLevel: 'L', logo, logoPercent: '25' }, long)).neededLevel;
  expect(await ofWidth('400')).toBe(await ofWidth('40'));
  expect(await ofWidth('40')).toMatch(/^[MQH]$/);
});

it('raises the level for a logo to one at which its edge is whole, be it transparent or not', async () => {
  const circle = (ground: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">${ground}<circle cx="100" cy="100" r="98" fill="#0a4"/></svg>`;
    return `data:image/png;base64,${rasterise(Buffer.from(svg)).toString('base64')}`;
  };
  // At Q, the edge would be cut off.
  const items = [{ data: `https://a.example/${'x'.repeat(60)}`, place: 'Line 1' }];
  const levelOf = async (logo: string) => (await preview({ ecLevel: 'M', logo, logoPercent: '30' }, items)).neededLevel;
  const whole = await levelOf(circle('<path d="M0 0h200v200H0z" fill="#fff"/>'));
  expect([whole, await levelOf(circle(''))]).toEqual(['H', 'H']);
});

it('states the width that the pictures have, to a tenth of a millimetre', async () => {
  const same = { version: 'same', sides: '29 29' };
  const said = async (fields: Record<string, string>) => (await preview({ ...same, ...fields })).print?.sentence ?? '';
  // 37 modules of 11 pixels are 17.23 mm.
  expect(await said({ widthMm: '17.3', dpi: '600' })).toMatch(
    /^At 600 dpi, the widest picture can be 17\.2 mm or 18\.8 mm, not 17\.3 mm: .* “\d+ dpi, for this width” gives 17\.3 mm\./,
  );
  expect(await said({ widthMm: '17.2', dpi: '600' })).toMatch(/^All pictures are 17\.2 mm wide/);
  expect(await said({ widthMm: '17.3' })).toMatch(/^All pictures are 17\.3 mm wide/);
});

it.each([
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['an SVG drawing', Buffer.from('<?xml version="1.0"?><svg/>')],
])('says which kind of picture a logo is: %s', async (kind, logo) => {
  const page = await submit({ items: 'one' }, undefined, logo);
  expect(page.status).toBe(422);
  expect(page.html).toContain(`The logo must be a PNG file; this is ${kind}. Save it as PNG and choose it again.`);
});

it('tells the size of the first code as the job draws it', async () => {
  const items = [{ data: 'one' }, { data: 'a text for which a larger code is needed' }];
  const { size, print } = await preview({ scale: '20', margin: '2', dpi: '600' }, items);
  expect(size).toEqual({ widthPx: 500, heightPx: 500 });
  // 25 and 33 modules.
  expect(print?.sentence).toMatch(/^Now 21.2 mm to 27.9 mm at 600 dpi, with the empty border\./);
  // Another code of the file is larger still.
  const { size: same } = await preview({ margin: '0', version: 'same', sides: '21 45' }, items);
  expect(same).toEqual({ widthPx: 450, heightPx: 450 });
});

it('begins with one of the ready-made styles', async () => {
  const { html } = await ada.visitor.get(`${ada.base}/studio?style=blue`);
  expect(controlsOf(html)).toMatchObject({ foreground: '#14406b', background: '#ffffff' });
  expect(html).toMatch(/value="blue"[^>]* aria-current="true"/);
});

it('leads to the labels of a job whose person chose a label sheet', async () => {
  // oxlint-disable-next-line unicorn/no-thenable -- the name of a field
  const { location } = await submit({ items: 'for a label', then: 'labels' });
  const [path = '', query] = location.split('?');
  expect(query).toBe('then=labels');
  await service.ended(path.split('/').at(-1) ?? '');
  expect((await ada.visitor.get(location)).location).toBe(`${path}/labels`);
  expect((await ada.visitor.get(path)).status).toBe(200);
});

it('says that a logo is no PNG', async () => {
  const page = await submit({ items: 'one' }, undefined, Buffer.from('not a picture'));
  expect(page.status).toBe(422);
  const problem = 'The logo must be a PNG file; this is another kind of file.';
  expect(page.html).toContain(problem);
  expect((await preview({ logo: 'data:image/png;base64,AAAA' })).problems).toEqual([problem]);
});

it('names the caption that no font can draw', async () => {
  const caption = 'Room \u{e000}';
  const problem = 'The caption: no font has the character U+E000.';
  expect((await preview({ caption })).problems).toEqual([problem]);
});

/** Values of a page's controls, as a browser would send them. */
function controlsOf(html: string): Record<string, string> {
  const [look = ''] = html.split('data-look')[1]?.split('</section>') ?? [];
  const inputs = [...look.matchAll(/<input[^>]* name="(\w+)"(?![^>]*type="file")[^>]*>/g)]
    .filter(([tag]) => !tag.includes('type="checkbox"') || tag.includes(' checked'))
    .map(([tag, name]) => [name, /value="([^"]*)"/.exec(tag)?.[1] ?? '']);
  const selects = [...look.matchAll(/<select[^>]* name="(\w+)">(.*?)<\/select>/gs)].map(([, name, options = '']) => [
    name,
    /value="([^"]*)" selected/.exec(options)?.[1] ?? '',
  ]);
  return Object.fromEntries([...inputs, ...selects]) as Record<string, string>;
}

it('has a control for every member of the style', async () => {
  const { html } = await ada.visitor.get(`${ada.base}/studio`);
  const names = new Set([...html.matchAll(/ name="(\w+)"/g)].map(([, name]) => name));
  expect(Object.keys(StyleSchema.properties).filter((name) => !names.has(name))).toEqual([]);
});

it('tells at once all that is wrong with the look and with the list, without scripts', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const send = async (logo: Buffer, fields: Record<string, string> = {}) => {
    const form = new FormData();
    const { csrf, submission } = visitor;
    for (const [name, value] of Object.entries({ csrf, submission, ...FIRST_STYLE, ...fields }))
      form.append(name, value);
    form.append(
      'file',
      new Blob([`url;caption\nhttps://example.org/1;a\n;b\nhttps://example.org/3;${'x'.repeat(300)}`]),
      'list.csv',
    );
    form.append('logo', new Blob([Uint8Array.from(logo)]), 'logo.png');
    const { html } = await visitor.request(`${base}/studio`, {
      method: 'POST',
      headers: { origin: service.url },
      body: form,
    });
    const alert = /role="alert"[\s\S]*?<\/ul>/.exec(html)?.[0] ?? '';
    return [...alert.matchAll(/<li>(.+?)<\/li>/g)].map(([, text = '']) => text.replaceAll(/<[^>]+>/g, ''));
  };
  const ofList = [
    'Row 3, column A (url): the cell is empty, but the row is not. Fill it, or delete the row.',
    'Row 4, column B (caption) is too long: 300 characters; at most 120 fit.',
  ];
  const damaged = 'The logo is a damaged PNG file. Save it as PNG again, or choose another picture.';
  expect(await send(Buffer.concat([start, Buffer.alloc(50)]))).toEqual([damaged, ...ofList]);
  expect(await send(Buffer.from('ffd8ffe000104a46', 'hex'), { widthMm: 'wide' })).toEqual([
    'The logo must be a PNG file; this is a JPEG. Save it as PNG and choose it again.',
    'Type a width such as 30 mm, 3 cm or 1.2 in.',
    ...ofList,
  ]);
});

it.each([
  ['#ffffff', '#ffffff', true],
  ['#fdf5f0', '#fdf5f0', true],
  ['none', '#ffffff', true],
  ['#ffffff', '#14406b', false],
  ['#cc0000', '#ffffff', false],
])('says without scripts whether a logo of %s is seen on %s', async (fill, background, isUnseen) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle cx="20" cy="20" r="15" fill="${fill}"/></svg>`;
  const foreground = background === '#14406b' ? '#ffffff' : '#000000';
  const { html } = await submit(
    { items: 'one\ntwo', foreground, background, seen: '' },
    undefined,
    rasterise(Buffer.from(svg)),
  );
  expect(html).toContain('No codes are made yet.');
  expect(html.includes('<li>Codes hardly show this logo')).toBe(isUnseen);
});

it.each([
  [16, '100', 'The logo has 16 × 16 pixels: at 16 mm it prints coarse. Choose a picture with more pixels.'],
  [100, '200', 'The logo has 100 × 100 pixels: at 31 mm it prints coarse. Choose a picture with more pixels.'],
  [200, '100', undefined],
  [16, '100 mm on labels', undefined],
])('says with and without scripts whether a logo of %d pixels prints coarse at %s', async (side, typed, sentence) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle cx="50%" cy="50%" r="45%"/></svg>`;
  const logo = rasterise(Buffer.from(svg));
  const [widthMm = '', then = ''] = typed.split(' mm on ');
  // oxlint-disable-next-line unicorn/no-thenable -- the name of a field
  const fields = { widthMm, then, ecLevel: 'H' };
  const { print } = await preview({ ...fields, logo: `data:image/png;base64,${logo.toString('base64')}` });
  expect(print?.logoProblem).toBe(sentence ?? '');
  const { html } = await submit({ ...fields, items: 'https://example.org/', seen: '' }, undefined, logo);
  expect(/<li>(The logo has [^<]*)/.exec(html)?.[1]).toBe(sentence);
});

it('starts with captions that can be read in print, and leaves those of a job as they are', async () => {
  const sizeIn = async (query = '') => {
    const { html } = await ada.visitor.get(`${ada.base}/studio${query}`);
    return / name="fontSize"[^>]* value="(\d+)"/.exec(html)?.[1];
  };
  expect([await sizeIn(), await sizeIn('?style=wine')]).toEqual(['28', '28']);
  const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'small');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { jobId } = await service.submit('{"items":[{"data":"1","caption":"one"}]}', headers);
  expect(await sizeIn(`?job=${jobId}`)).toBe('16');
});

it.each([3, 200])('makes %d codes again with the style of a job', async (items) => {
  const logo = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z" fill="#c00"/></svg>'),
  );
  // Every member: the compiler asks for a new one, here and on the job's page.
  const style: Required<Style> = {
    ecLevel: 'H',
    scale: 7,
    margin: 6,
    foreground: '#1b3a5c',
    background: '#fff4e6',
    dpi: 450,
    eci: true,
    version: 'same',
    caption: { text: 'Grüße', colour: '#7a0010', fontSize: 21 },
    logo: { dataUrl: `data:image/png;base64,${logo.toString('base64')}`, sizeRatio: 0.27 },
  };
  const shown: Record<keyof Style, string> = {
    ecLevel: '<dd>H</dd>',
    scale: '7 px per module',
    margin: '6 modules',
    foreground: 'Foreground </span>#1b3a5c',
    background: 'Background </span>#fff4e6',
    dpi: '450 dpi',
    eci: 'Marked as UTF-8',
    version: 'All codes the same size',
    caption: 'Caption </span>#7a0010',
    logo: '27 % of the code',
  };
  const { key } = await service.admin.keys.create(COMMAND_LINE, ada.organisationId, 'again');
  await service.admin.ledger.grant(ada.organisationId, 2 * items, 'again');
  const lines = Array.from({ length: items }, (_, item) => `{"data":"café ${item}"}\n`).join('');
  const posted = await service.submit(`${JSON.stringify({ style })}\n${lines}`, {
    authorization: `Bearer ${key}`,
    'content-type': 'application/x-ndjson',
  });
  const path = `${ada.base}/jobs/${posted.jobId}`;
  const first = await archiveOf(path);
  const { html } = await ada.visitor.get(path);
  for (const text of [`href="${ada.base}/studio?job=${posted.jobId}"`, ...Object.values(shown)]) {
    expect(html).toContain(text);
  }
  const controls = controlsOf((await ada.visitor.get(`${ada.base}/studio?job=${posted.jobId}`)).html);
  const keptLogo = expect.stringMatching(`^job:${posted.jobId}:`) as string;
  expect(controls).toMatchObject({ keptLogo, dpi: '450', captionColour: '#7a0010' });
  const { location } = await submit(controls, { name: 'again.ndjson', content: lines });
  // The names of an API's NDJSON job end in a number, those of the studio's are as given.
  expect([...(await archiveOf(location)).values()]).toEqual([...first.values()]);
});

it('tells layout programs how large pictures are, where no resolution was chosen too', async () => {
  const { location } = await submit({}, { name: 'one.ndjson', content: '{"data":"one"}\n' });
  const [png = Buffer.of()] = (await archiveOf(location)).values();
  const density = png.subarray(png.indexOf('pHYs') + 4);
  // Pixels per metre: 300 per inch.
  expect([density.readUInt32BE(0), density.readUInt32BE(4), density[8]]).toEqual([11_811, 11_811, 1]);
  const again = await ada.visitor.get(location.replace('/jobs/', '/studio?job='));
  expect(controlsOf(again.html)).toMatchObject({ dpi: '' });
});

it.each([
  ['follows from the width', '', ''],
  ['was chosen', '300', '300'],
])('makes a job again in the width that was ordered for it, where its resolution %s', async (_, dpi, again) => {
  const [short, long] = ['https://example.org/1', `https://example.org/${'long/'.repeat(9)}`];
  const send = async (fields: Record<string, string>) => {
    const { html, location } = await submit({ ...fields, seen: '' });
    const [, seen] = /name="seen" value="(\w+)"/.exec(html) ?? [];
    return seen === undefined ? location : (await submit({ ...fields, seen })).location;
  };
  const controls = async (path: string) =>
    controlsOf((await ada.visitor.get(path.replace('/jobs/', '/studio?job='))).html);
  const widthOf = async (path: string) =>
    /<dt>Width in print<\/dt><dd>([^<]+) at/.exec((await ada.visitor.get(path)).html)?.[1];
  const path = await send({ widthMm: '3,3 cm', dpi, items: short });
  const pictures = [...(await archiveOf(path)).values()];
  const shown = await controls(path);
  expect(shown).toMatchObject({ widthMm: '3,3 cm', dpi: again, scale: '10' });
  const same = await send({ ...shown, items: short });
  expect([...(await archiveOf(same)).values()]).toEqual(pictures);
  expect(await controls(same)).toEqual(shown);
  const other = await send({ ...shown, items: long });
  await archiveOf(other);
  if (dpi === '') expect(await widthOf(other)).toBe('33 mm');
  // No width was ordered.
  const plain = await send({ items: short });
  await archiveOf(plain);
  expect(await controls(plain)).toMatchObject({ widthMm: '', dpi: '' });
});

it('keeps styles with their logos, for the whole organisation and nobody else', async () => {
  const { visitor, base } = ada;
  const logo = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v2H0z"/></svg>'),
  );
  const save = async (fields: Record<string, string>) => {
    return visitor.upload(
      `${base}/studio/styles`,
      { ...FIRST_STYLE, seen: '1', ...fields },
      { logo: fileOf(logo, 'logo.png') },
    );
  };
  expect((await save({ styleName: ' ' })).html).toContain('Type a name for the style first.');
  const { location } = await save({ styleName: 'Shelf labels', scale: '4' });
  // The same name again: it is asked for.
  const again = { styleName: 'Shelf labels', scale: '5', background: '#eeeeee', widthMm: '27,5' };
  const question = await save(again);
  expect([question.status, question.html]).toEqual([422, expect.stringContaining('Replace it for everybody?')]);
  const [, replace = ''] = /name="replace" value="(\w{26})"/.exec(question.html) ?? [];
  expect((await save({ ...again, replace })).location).toBe(location);
  const { html } = await visitor.get(location);
  expect(html).toContain('The style is saved.');
  const [, id = ''] = /style=(\w{26})/.exec(location) ?? [];
  const controls = controlsOf(html);
  const keptLogo = expect.stringMatching(`^style:${id}:`) as string;
  expect(controls).toMatchObject({ scale: '5', background: '#eeeeee', widthMm: '27,5', keptLogo });
  expect(html).toContain('Keep the logo of “<bdi>Shelf labels</bdi>”');
  const [kept, without] = [await preview(controls), await preview({ ...controls, keptLogo: '' })];
  const own = { ...controls, keptLogo: '', logo: `data:image/png;base64,${logo.toString('base64')}` };
  expect(kept.samples).toEqual((await preview(own)).samples);
  expect(kept.samples).not.toEqual(without.samples);

  const other = await signUp(service);
  expect((await other.visitor.get(`${other.base}/studio?style=${id}`)).status).toBe(404);
  await other.visitor.get(`${other.base}/studio`);
  await other.visitor.post(`${other.base}/studio/styles/${id}/delete`);
  expect((await visitor.get(`${base}/studio`)).html).toContain('Shelf labels');
  await visitor.post(`${base}/studio/styles/${id}/delete`);
  expect((await visitor.get(`${base}/studio`)).html).not.toContain('Shelf labels');
  const gone = await visitor.get(location);
  expect(gone.status).toBe(404);
  expect(gone.html).toContain('<p>This style was deleted. A list that waits in this tab is still in the studio.</p>');
  expect(gone.html).toContain(`href="${base}/studio">Open the studio</a>`);
  const entries = await auditEntries(service.admin.database, ada.organisationId, 50);
  const ofStyles = entries.filter(({ action }) => action.startsWith('style-'));
  expect(ofStyles.map(({ action, subject }) => [action, subject])).toEqual([
    ['style-deleted', 'Shelf labels'],
    ['style-changed', 'Shelf labels'],
    ['style-saved', 'Shelf labels'],
  ]);
});

it('keeps the whole form when a style is saved or chosen on a page without scripts', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const logo = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v2H0z"/></svg>'),
  );
  const send = (to: string, fields: Record<string, string>, files = {}) =>
    visitor.upload(`${base}/studio${to}`, { ...FIRST_STYLE, ...fields }, files);
  const list = fileOf(Buffer.from('url\na\nb\n'), 'shelves.csv');
  const typed = { name: 'Doors', caption: 'Hall 4', 'column-0': 'data' };
  const style = { styleName: 'Blue', foreground: '#14406b', caption: 'Ask us', widthMm: '30' };
  const saved = await send('/styles', { ...typed, ...style }, { file: list, logo: fileOf(logo, 'logo.png') });
  expect([saved.status, saved.html]).toEqual([200, expect.stringContaining('The style is saved.')]);
  expect(saved.html).toMatch(/name="name" maxlength="\d+" value="Doors"/);
  expect(controlsOf(saved.html)).toMatchObject({ foreground: '#14406b', widthMm: '30' });
  for (const name of ['shelves.csv', 'logo.png']) expect(saved.html).toContain(`Keep “<bdi>${name}</bdi>”`);
  expect(saved.html).toContain('<input type="hidden" name="column-0" value="data">');
  const [, id = ''] = /name="style" value="(\w{26})"/.exec(saved.html) ?? [];

  const lines = { ...typed, items: 'one\ntwo' };
  const wine = await send('/look', { ...lines, style: 'wine', transparent: '1' }, { logo: fileOf(logo, 'logo.png') });
  expect(controlsOf(wine.html)).toMatchObject({ caption: 'Hall 4', foreground: '#6b1f3a' });
  expect(wine.html).toMatch(/>one\r?\ntwo<\/textarea>/);
  expect(wine.html).toContain('Keep “<bdi>logo.png</bdi>”');
  expect(wine.html).toMatch(/value="wine"[^>]* aria-current="true"/);
  const blue = await send('/look', { ...lines, style: id, chosen: 'wine' }, { logo: fileOf(logo, 'other.png') });
  const keptLogo = expect.stringMatching(`^style:${id}:`) as string;
  const chosen = { caption: 'Hall 4', widthMm: '30', foreground: '#14406b', keptLogo };
  expect(controlsOf(blue.html)).toMatchObject(chosen);
  expect(blue.html).toContain(`name="chosen" value="${id}"`);
  expect(blue.html).not.toContain('other.png');
  // Nobody typed a caption that was that of the style before.
  const plain = await send('/styles', { styleName: 'Plain' });
  const [, other = ''] = /name="style" value="(\w{26})" [^>]*aria-current/.exec(plain.html) ?? [];
  const third = await send('/look', { style: other, chosen: id, caption: 'Ask us', widthMm: '40' });
  expect(controlsOf(third.html)).toMatchObject({ caption: '', widthMm: '40' });
  const gone = await send('/look', { ...lines, style: 'gone' });
  const reason = '<a href="#start">This style was deleted. Choose another one.</a>';
  expect([gone.status, gone.html]).toEqual([404, expect.stringContaining(reason)]);
  expect(gone.html).toMatch(/>one\r?\ntwo<\/textarea>/);
});

it('says that a page without scripts does not keep a form through a sign-in', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  await visitor.post('/account/sign-out');
  await visitor.get('/account/sign-in');
  for (const [path, isSaid] of [
    [`${base}/studio`, true],
    [`${base}/keys`, false],
  ] as const) {
    const { html } = await visitor.get(`/account/sign-in?next=${encodeURIComponent(path)}&done=session-over`);
    expect(html.includes('Your list and the look are not kept without scripts.')).toBe(isSaid);
  }
});

it('leaves a logo to its file, whatever a caption says', async () => {
  const logo = { dataUrl: 'data:image/png;base64,AAAA', sizeRatio: 0.25 };
  const text = '"dataUrl":"data:image/png;base64,"';
  const [command = ''] = curlOf(service.url, { style: { caption: { text }, logo } }).split('; cat');
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-shell-'));
  try {
    await writeFile(join(folder, 'logo.png'), Buffer.from('BBBB', 'base64'));
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^\(/, '')], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      style: { caption: { text }, logo: { dataUrl: 'data:image/png;base64,BBBB', sizeRatio: 0.25 } },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it.each([
  ['commas', 'Data,Filename\nhttps://example.org/1,first\n"two, quoted",\n', ['first.png', 'two, quoted.png']],
  ['semicolons', '\uFEFFfilename;data\na;1\nb;2\n', ['a.png', 'b.png']],
])('makes a job of a CSV file with %s', async (_, content, names) => {
  const { status, location } = await submit({}, { name: 'codes.CSV', content });
  expect(status).toBe(303);
  expect([...(await archiveOf(location)).keys()]).toEqual(names);
});

it('makes a job of typed lines, charged to who typed them', async () => {
  const before = await service.admin.ledger.balance(ada.organisationId);
  const { location } = await submit({ items: 'https://example.org/a\r\n\r\nhttps://example.org/b' });
  const [png] = [...(await archiveOf(location)).values()];
  expect((await decodePng(png as Buffer)).text).toBe('https://example.org/a');
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before - 2);
  expect((await ada.visitor.get(`${ada.base}/jobs`)).html).toContain('Ada');
});

it('makes a job of the example, with its own style instead of that of the file', async () => {
  await service.admin.ledger.grant(ada.organisationId, 2_000, 'for the example');
  const content = await readFile(CITIES, 'utf8');
  const { location } = await submit({ format: 'svg' }, { name: 'cities.ndjson', content });
  const pictures = await archiveOf(location);
  expect(pictures.size).toBe(2_000);
  expect([...pictures.keys()].every((name) => name.endsWith('.svg'))).toBe(true);
});

it('makes one job of a form that is sent twice', async () => {
  const fields = { items: 'once', submission: 'the-same-form' };
  const [first, second] = [await submit(fields), await submit(fields)];
  expect(first.status).toBe(303);
  expect(second.location).toBe(first.location);

  await ada.visitor.post(`${ada.base}/jobs/delete`, { jobs: first.location.split('/').at(-1) ?? '' });
  const third = await submit(fields);
  expect(third.status).toBe(422);
  expect(third.html).toContain('its job was deleted. Open the studio again');
});

it('tells whoever sends a form twice at once where its job will be', async () => {
  const claim = vi.spyOn(IdempotencyStore.prototype, 'claim').mockRejectedValueOnce(requestInProgress());
  const page = await submit({ items: 'twice' });
  claim.mockRestore();
  expect(page.status).toBe(409);
  expect(page.html).toContain('This form is being sent already. Look for its job in the list of jobs.');
  expect(page.headers.get('Retry-After')).toBe('1');
});

it('does not lead to the job of a form that was sent before with another file', async () => {
  const submission = 'the-same-form-again';
  const first = await submit({ submission }, { name: 'a.csv', content: 'data\nfirst\n' });
  const second = await submit({ submission }, { name: 'a.csv', content: 'data\nsecond\n' });
  expect(first.status).toBe(303);
  expect(second.location).not.toBe(first.location);
  expect(second.status).not.toBe(500);
});

it.each([
  ['nothing at all', {}, undefined, 422, 'Add a file or a few lines to start'],
  ['a CSV file without data', {}, { name: 'a.csv', content: 'Artikel\nx\n' }, 422, 'Which column holds'],
  ['a line that is no JSON', {}, { name: 'a.ndjson', content: '{"data":"x"}\nnonsense\n' }, 422, 'Line 2 is not JSON'],
  [
    'an unknown member',
    {},
    { name: 'a.ndjson', content: '{"data":"x"}\n{"data":"x","fileName":"y"}\n' },
    422,
    'Line 2: fileName: unknown member',
  ],
  [
    'a JSON request',
    {},
    { name: 'a.JSON', content: '{"items":[{"data":"x"}]}' },
    422,
    'choose a spreadsheet, an NDJSON or a text file',
  ],
  ['more than the credits pay for', { items: 'x\n'.repeat(6_000) }, undefined, 402, 'credits'],
  ['an impossible style', { items: 'x', margin: '99' }, undefined, 422, 'from 0 to 16'],
])('refuses %s and keeps the choices', async (_, fields, file, status, message) => {
  const page = await submit({ foreground: '#123456', ...fields }, file);
  expect(page.status).toBe(status);
  expect(page.html).toContain(message);
  expect(page.html).toContain('value="#123456"');
  expect(await service.files()).not.toContainEqual(expect.stringMatching(/\.(body)$/));
});

it('takes no more files than it has fields for', async () => {
  const files = Object.fromEntries([0, 1, 2, 3, 4].map((place) => [`file${place}`, fileOf('', 'a.csv')]));
  expect((await ada.visitor.upload(`${ada.base}/studio`, {}, files)).status).toBe(400);
});

it('takes sixty forms a minute from a person, and says when to come again', async () => {
  const hasty = await signUp(service);
  await hasty.visitor.get(`${hasty.base}/studio`);
  const statuses: number[] = [];
  for (let sent = 0; sent < 61; sent += 1) {
    const page = await hasty.visitor.post(`${hasty.base}/studio`);
    statuses.push(page.status);
    if (page.status === 429) expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(statuses).toEqual([...Array(60).fill(422), 429]);
});

it('refuses a form and a preview without the token of the page', async () => {
  expect((await submit({ items: 'x', csrf: 'forged' })).status).toBe(403);
  const forged = await ada.visitor.request(`${ada.base}/studio/preview`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(forged.status).toBe(403);
});

it('changes typed lines as a warning advises, and in no other way', async () => {
  const items = 'Menu: https://example.org/m\nOur links\n';
  const change = (name: string, lines = items) =>
    ada.visitor.upload(`${ada.base}/studio/lines`, { items: lines, change: name }, {});
  const { status, html } = await change('addresses');
  expect(status).toBe(200);
  const said = '1 line without an address is left out: “Our links”.';
  expect(JSON.parse(html)).toEqual({ lines: 'https://example.org/m\n', said });
  const link = 'https://example.org/minutes-and-agendas/2027/the-pa';
  const joined = await change('join', `${link}\r\nth/to/page.html\r\n`);
  expect(JSON.parse(joined.html)).toEqual({ lines: `${link}th/to/page.html\n`, said: '' });
  // As long as captions may be.
  const words = `Ä${'a'.repeat(119)}`;
  const [kept, left] = await Promise.all(
    [words, `${words}a`].map(async (caption) => change('captions', `${caption}: ${link}`)),
  );
  expect(JSON.parse(kept?.html ?? '').lines).toBe(`data\tcaption\n${link}\t${words}`);
  expect(JSON.parse(left?.html ?? '').lines).toBe(`data\tcaption\n${link}\t`);
  expect((await change('ftp')).status).toBe(400);
});

it('reads no file whose first line does not end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-studio-'));
  const path = join(folder, 'items');
  await writeFile(path, `{"data":"${'x'.repeat(3_000_000)}`);
  const body = writeStudioBody({ path, name: 'items.ndjson' }, {}, join(folder, 'body'));
  await expect(body).rejects.toBeInstanceOf(UnreadableItemsError);
  await rm(folder, { recursive: true });
});

it('takes the items of an NDJSON file as they are, behind the style of the studio', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-studio-'));
  const [path, body] = [join(folder, 'items'), join(folder, 'body')];
  const items = '{"data":"1"}\r\n\n{"data":"€"}';
  for (const head of ['', '\uFEFF', '{"format":"svg"}\n', '\uFEFF{"format":"svg"}\r\n']) {
    await writeFile(path, head + items);
    await writeStudioBody({ path, name: 'items.ndjson' }, { format: 'png' }, body);
    expect(await readFile(body, 'utf8')).toBe(`{"format":"png"}\n${items}`);
    await rm(body);
  }
  await rm(folder, { recursive: true });
});

/** Sends the form to be checked, as the page does when a file is chosen. @param content default: that of the example */
async function check(name: string, fields: Record<string, string> = {}, content?: string): Promise<StudioCheck> {
  const file = fileOf(content ?? (await readFile(new URL(name, SPREADSHEETS))), name);
  const { html, status } = await ada.visitor.upload(
    `${ada.base}/studio/check`,
    { ...FIRST_STYLE, ...fields },
    { file },
  );
  expect(status).toBe(200);
  return JSON.parse(html) as StudioCheck;
}

it.each<[name: string, said: string, content?: string]>([
  ['logo.gif', 'a picture', 'GIF87a,\u0001,\u0001\0\0'],
  ['logo.webp', 'a picture', 'RIFF\u0010\u0001\0\0WEBPVP8 '],
  ['logo.bmp', 'a picture', 'BM6\u0001\0\0\0\0\0\0'],
  ['logo.tif', 'a picture', 'II*\0\b\0\0\0'],
  ['photo.heic', 'a picture', '\0\0\0\u0018ftypheic\0\0'],
  ['logo.svg', 'a picture', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'],
  ['drawing.svg', 'a picture', '<?xml version="1.0"?>\n<!-- a,b -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['film.mp4', 'a film or a sound', '\0\0\0\u0018ftypisom\0\0'],
  ['program.bin', 'neither text nor a workbook', '\u007fELF\u0002\u0001\u0001\0\0\0\u0003\0\u0003'],
  ['document.docx.xlsx', 'a Word document (.docx)'],
  ['libreoffice.ods', 'an OpenDocument file (.ods)'],
  ['archive.xlsx', 'a ZIP archive, and no workbook'],
])('knows that %s is no list, and what it is', async (name, said, content) => {
  expect(await check(name, {}, content)).toMatchObject({
    isNoList: true,
    problems: [expect.stringMatching(`^The file is ${said.replaceAll(/[().]/g, '\\$&')}. Save it as CSV or XLSX.`)],
  });
});

it('checks a spreadsheet before it is paid for, and keeps nothing of it', async () => {
  const before = await service.admin.ledger.balance(ada.organisationId);
  const found = await check('openpyxl.xlsx');
  expect(found).toMatchObject({
    total: 5,
    problems: [],
    notices: [expect.stringContaining('as in English')],
  });
  const second = { data: '01067', filename: 'zip', caption: '2026-01-31 13:05:09', place: 'Row 3' };
  expect(found.items[1]).toEqual(second);
  expect(found.table?.columns.map(({ role }) => role)).toEqual(['data', 'filename', 'caption', undefined]);
  expect(found.table?.firstRows[0]).toEqual({ row: 2, cells: ['4006381333931', 'ean', '2026-01-31', '5'] });
  expect(await service.admin.ledger.balance(ada.organisationId)).toBe(before);
  expect(await service.files()).not.toContainEqual(expect.stringMatching(/\.(body|spool|upload)$/));
});

it('shows the first codes of an NDJSON file, whether or not its last line ends', async () => {
  for (const end of ['', '\n']) {
    const found = await check('items.ndjson', {}, `{"format":"svg"}\n{"data":"1"}\n\n{"data":"2"}${end}`);
    const items = [
      { data: '1', place: 'Line 2' },
      { data: '2', place: 'Line 4' },
    ];
    expect(found).toMatchObject({ total: 2, items });
  }
});

/** A workbook whose rows are much work: each shows a number in the longest format. */
function workbookOfLongFormats(): Promise<Buffer> {
  const rows = Array.from({ length: 1_000_000 }, () => '<row><c s="1"><v>7</v></c></row>').join('');
  const xfs = '<cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs>';
  const formats = `<numFmts><numFmt numFmtId="200" formatCode="${'#'.repeat(255)}"/></numFmts>`;
  return workbookOf(`<row>${textCell('data')}</row>${rows}`, `<styleSheet>${formats}${xfs}</styleSheet>`);
}

it('asks once whether codes take the texts of links or their addresses', async () => {
  const asked = await check('links.xlsx');
  const question = '3 cells are links whose text is not the address. Should the codes have the texts or the addresses?';
  expect(asked.table).toMatchObject({ asksForLinks: true, linkCells: 3, question });
  expect(asked.problems[0]).toContain('the cell shows Open and is a link to https://example.org/1');
  const addresses = await check('links.xlsx', { links: 'address' });
  expect(addresses.table).toMatchObject({ asksForLinks: false, linkCells: 3 });
  expect(addresses.table?.question).toBeUndefined();
  expect(addresses.items.map(({ data }) => data)).toEqual([
    'https://example.org/1',
    'https://example.org/2',
    'https://www.example.org/3?x=1',
  ]);
  expect((await check('links.xlsx', { links: 'text' })).items[0]?.data).toBe('Open');
});

it('opens the first sheet that has what the codes need', async () => {
  const { table, items } = await check('cover.xlsx');
  expect(table).toMatchObject({ sheet: 'Codes', fittingSheets: ['Codes'] });
  expect(table?.sheets.length).toBeGreaterThan(1);
  expect(items[0]?.data).toBe('a');
});

it('stops reading a spreadsheet when the person leaves', async () => {
  // The service asks its engine whether it runs.
  const describe = vi.spyOn(EngineSupervisor.prototype, 'describe');
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const reading = vi.spyOn(describe.mock.contexts[0] as EngineSupervisor, 'readSpreadsheet');
  const leaving = new AbortController();
  const file = fileOf(await workbookOfLongFormats(), 'long.xlsx');
  const { signal } = leaving;
  const answer = ada.visitor
    .upload(`${ada.base}/studio/check`, FIRST_STYLE, { file }, { signal })
    .catch((error: Error) => error.name);
  await expect.poll(() => reading.mock.results.length, { interval: 1 }).toBe(1);
  leaving.abort();
  await expect(reading.mock.results[0]?.value).rejects.toMatchObject({ code: 'cancelled' });
  expect(await answer).toBe('AbortError');
  // The request ends, and removes its files, a moment after the engine's answer.
  const left = async () =>
    expect(await service.files()).not.toContainEqual(expect.stringMatching(/\.(body|spool|upload)$/));
  await vi.waitFor(left, { timeout: 20_000 });
});

it('warns of all codes of a file, and says how many modules they have', async () => {
  const { warnings, sides } = await check('openpyxl.xlsx', { margin: '1', dpi: '600', scale: '5' });
  expect(warnings).toEqual([
    'The quiet zone is 1 module wide; scanners need 4. All codes are affected.',
    'In print a module is 0.211 mm wide; scanners need at least 0.250 mm. All codes are affected.',
  ]);
  // Version 1 has 21 modules.
  expect(sides?.least).toBe(21);
  expect((await check('openpyxl.xlsx', { margin: '4' })).sides).toEqual(sides);
});

it('says of all codes of a file how phones take them, and names the fewer ones', async () => {
  const rows = ['https://example.org/1', 'Key for the shed', 'https://example.org/2', 'Ladder', 'tel:+49711123456'];
  const said = await check('rows.csv', {}, ['Link,Name', ...rows.map((text) => `${text},a`)].join('\n'));
  expect(said.actions).toBe(
    'On phones, 2 codes open a web page, 1 calls a number (row 6), and 2 show their text (row 3 and row 5).',
  );
  const calls = await check('calls.csv', {}, `Link\n${'tel:112\n'.repeat(4)}a\nb\nc\nd\ne`);
  expect(calls.actions).toBe(
    'On phones, 4 codes call a number (the first is row 2), and 5 show their text (the first is row 6).',
  );
  expect((await check('errors.xlsx')).actions).toBe('');
});

it('says what is wrong with a spreadsheet by row and column', async () => {
  const { total, problems } = await check('errors.xlsx');
  expect(total).toBe(0);
  expect(problems).toEqual([
    'Row 2, column A (data): the cell shows the error #DIV/0!. Correct it.',
    'Row 3, column B (caption): the cell shows the error #N/A. Correct it.',
  ]);
  const narrow = await check('quoted-newlines.csv', { scale: '40', ecLevel: 'H', margin: '16' });
  expect(narrow.problems).toEqual([]);
});

it('finds the place of what only the check of the job can know', async () => {
  const content = `data;filename\na;1\n\n${'x'.repeat(2_000)};2\n`;
  const page = await submit({ ecLevel: 'H', scale: '1' }, { name: 'codes.csv', content });
  expect(page.html).toContain('Row 4, column A (data): the text does not fit into a code.');
});

it('lets the person say which column is which', async () => {
  const unknown = await check('unknown-names.csv');
  expect(unknown.table).toMatchObject({
    asksForColumns: true,
    question: 'Which column holds the link or text? Pick it below.',
  });
  const chosen = await check('unknown-names.csv', { columns: 'data=1,caption=0' });
  expect(chosen.items).toEqual([{ data: 'u', caption: 'c', place: 'Row 2' }]);
  expect((await check('no-header.csv')).table).toMatchObject({ asksForHeader: false, hasNoHeader: true });
  expect((await check('no-header.csv', { headless: '0' })).table).toMatchObject({
    asksForHeader: true,
    hasNoHeader: false,
  });
  const headless = await check('no-header.csv', { columns: 'data=0,filename=1', headless: '1' });
  expect(headless.items.map(({ data }) => data)).toEqual(['https://example.org/1', 'https://example.org/2']);
  expect((await check('sheets.xlsx', { sheet: 'Second' })).items).toEqual([{ data: 'Second', place: 'Row 2' }]);
});

it('puts codes together by patterns and as kinds', async () => {
  const patterns = { dataPattern: 'https://id.example/{Ziel}', captionPattern: '{A} · {B}' };
  const found = await check('title-unknown.csv', patterns);
  expect(found.problems).toEqual([]);
  expect(found.items[0]).toMatchObject({ data: 'https://id.example/u' });
  const missing = await check('title-unknown.csv', { dataPattern: '{Raum}' });
  expect(missing.problems).toEqual([expect.stringContaining('There is no column Raum.')]);
  expect(missing.table?.columns.length).toBeGreaterThan(1);
  // The column that is missing is that of a pattern.
  expect(missing.table?.question).toBeUndefined();
  // A cell that two patterns need is named once, and they as the page calls them.
  const both = { dataPattern: 'x{A}', filenamePattern: '{A}' };
  const empty = await check('gap.csv', both, 'a,b\n1,2\n,3\n');
  expect(empty.problems).toEqual(['Row 3, column A (a): the cell is empty, but the pattern “Link or text” needs it.']);
  const asked = await check('title-unknown.csv', { kind: 'email' });
  const question = 'Which column holds “To”? Pick it below.';
  expect(asked).toMatchObject({ total: 0, table: { asksForColumns: true, asksForField: 'to', question } });
  const wrong = await check('title-unknown.csv', { kind: 'email', columns: 'to=0,filename=1' });
  expect(wrong.problems[0]).toMatch(/^Row \d+, column A .*: this is no address/);
  expect(wrong.table?.question).toBeUndefined();
  const open = await check('title-unknown.csv', { kind: 'wifi', columns: 'ssid=0,reference=1' });
  expect(open).toMatchObject({ total: 0, table: { asksForColumns: true, asksForField: 'password' } });
  const contact = await check('title-unknown.csv', { kind: 'contact', columns: 'lastName=0,reference=1' });
  expect(contact.items[0]).toMatchObject({ data: expect.stringContaining('\r\nN:') as string });
  expect(contact.table?.columns[0]).toMatchObject({ field: 'lastName' });
  // Names that the form does not know are left out, as columns for other roles are.
  const odd = await check('title-unknown.csv', { kind: 'letter', columns: 'data=0,ssid=1', dataPattern: ' ' });
  expect(odd).toMatchObject({ problems: [], total: found.total });
});

it('makes a job of a workbook, and of a text file with a code on each line', async () => {
  const content = await readFile(new URL('libreoffice.xlsx', SPREADSHEETS));
  const { location } = await submit({}, { name: 'codes.xlsx', content });
  const pictures = [...(await archiveOf(location)).values()];
  const texts = await Promise.all(pictures.map(async (png) => (await decodePng(png)).text));
  expect(texts).toEqual(['https://example.org/map?q=52,13', '4006381333931', '01067']);
  const lines = await submit({}, { name: 'codes.txt', content: 'one, "two"\n\n three \n' });
  const [first, second] = [...(await archiveOf(lines.location)).values()] as [Buffer, Buffer];
  expect([(await decodePng(first)).text, (await decodePng(second)).text]).toEqual(['one, "two"', 'three']);
});

it('asks before codes that may not scan, without scripts', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const send = (fields: Record<string, string>) =>
    visitor.upload(`${base}/studio`, { ...FIRST_STYLE, items: 'one', ...fields });
  const asked = async (fields: Record<string, string>) => {
    const { html } = await send(fields);
    const [, risks = ''] = /Make codes that may not scan\?<\/strong><\/p><ul>(.*?)<\/ul>/.exec(html) ?? [];
    expect(html).toContain('data-make>Make them anyway</button>');
    expect(html.split('scanners need at least').length).toBe(2);
    const { location } = await send({ ...fields, seen: /name="seen" value="(\w+)"/.exec(html)?.[1] ?? '' });
    await service.ended(location.split('/').at(-1) ?? '');
    const [top = ''] = (await visitor.get(location)).html.split('<div class="beside">');
    return [[...risks.matchAll(/<li>(.*?)<\/li>/g)].map(([, risk]) => risk), top];
  };
  const [blank, topOfBlank] = await asked({ foreground: '#ffffff' });
  expect(blank).toEqual([
    'Line 1 does not scan: choose other colours, or a smaller logo.',
    'The contrast of foreground and background is 1.0:1; scanners need at least 3:1.',
  ]);
  expect(topOfBlank).toContain('no scanner can read these codes: <a href="#warnings">the contrast is too low</a>');
  const [small, topOfSmall] = await asked({ widthMm: '3' });
  expect(small).toEqual([
    expect.stringMatching(/^In print a module is 0\.1\d\d mm wide; scanners need at least 0\.250 mm\.$/),
  ]);
  expect(topOfSmall).toContain(
    'In print, many scanners can’t read these codes: <a href="#warnings">they are too small</a>',
  );
  const fine = await send({});
  expect(fine.location).toContain('/jobs/');
});

it('shows the first code before several are made, and again in another look, without scripts', async () => {
  const logo = rasterise(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4H0z" fill="#c00"/></svg>'),
  );
  const send = (fields: Record<string, string>) =>
    submit({ items: 'one\ntwo', caption: 'Hall 4', scale: '6', dpi: '300', seen: '', ...fields }, undefined, logo);
  const shownOn = (html: string) => {
    const [, alt, picture = ''] = /<img alt="([^"]+)"[^>]* src="data:image\/png;base64,([^"]+)"/.exec(html) ?? [];
    const [, reading = ''] = /data-reading role="status">(.*?\.) To see/.exec(html) ?? [];
    return {
      alt,
      png: Buffer.from(picture, 'base64'),
      reading,
      actions: /data-actions role="status">(.*?)</.exec(html)?.[1],
      seen: /name="seen" value="(\w+)"/.exec(html)?.[1] ?? '',
    };
  };
  const [black, blue] = [await send({}), await send({ foreground: '#14406b' })].map(({ html }) => shownOn(html));
  expect(black).toMatchObject({
    alt: 'The first code',
    reading: 'First code. Scans, but only just: make the logo smaller.',
    actions: 'On phones, all 2 codes show their text.',
  });
  expect((await decodePng(black?.png as Buffer)).text).toBe('one');
  expect(blue?.png).not.toEqual(black?.png);
  // The price was shown, and this look was not.
  const other = shownOn((await send({ foreground: '#14406b', seen: black?.seen ?? '' })).html);
  expect(other.png).toEqual(blue?.png);
  const { location } = await send({ foreground: '#14406b', seen: other.seen });
  expect([...(await archiveOf(location)).values()][0]).toEqual(other.png);
  const unread = shownOn((await send({ foreground: '#fefefe' })).html);
  expect(unread).toMatchObject({
    alt: 'The first code, which does not scan',
    reading: 'First code. Does not scan.',
  });
});

it('shows a picture of a dense code that is no larger than the page needs, without scripts', async () => {
  const [long, short] = ['7'.repeat(2_000), 'short'];
  const { html } = await submit({ items: `${long}\n${short}`, seen: '' });
  const [, picture = ''] = / src="data:image\/png;base64,([^"]+)"/.exec(html) ?? [];
  const png = Buffer.from(picture, 'base64');
  expect(sizeOf(png).width).toBeLessThanOrEqual(480);
  expect((await decodePng(png)).text).toBe(long);
});

it('checks a list whose width is typed at a scale that suits its codes, whatever list the scale of the form was found for', async () => {
  const list = `text\n${'Water it. '.repeat(24)}\n${'Plant it in shade. '.repeat(40)}\n`;
  const checked = (fields: Record<string, string>) =>
    check('care.csv', { columns: 'data=0', scale: '40', ...fields }, list);
  expect(await checked({ widthMm: '80' })).toMatchObject({ total: 2, problems: [] });
  // A person chose it.
  const { problems } = await checked({});
  expect(problems).toEqual([expect.stringMatching(/^Row 3.*px wide; at most 4096 px are allowed/)]);
  const { status } = await submit({ items: list.split('\n')[2] ?? '', scale: '40', widthMm: '80', seen: '' });
  expect(status).toBe(303);
});

it('names the columns that are in no code before codes are made, with scripts and without', async () => {
  // As Outlook writes them: some columns are empty.
  const outlook =
    'First Name,Last Name,Business Phone,Assistant,Birthday,Anniversary,Account,Hobby,Gender,Initials,Keywords,Sensitivity\r\n' +
    'Anna,Müller,+49 89 123456,Bea,1980-01-31,,4711,Chess,,A. M.,VIP,Normal\r\n';
  const told = 'Not in the codes: Assistant, Birthday, Account, Hobby, Initials, Keywords, Sensitivity.';
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const send = (to: string, kind: string, content: string) =>
    visitor.upload(`${base}${to}`, { ...FIRST_STYLE, kind }, { file: fileOf(content, 'contacts.csv') });
  const shown = await send('/studio', 'contact', outlook);
  expect(shown.html.split(told)).toHaveLength(2);
  expect(shown.html).toContain('No codes are made yet.');
  const notices = async (kind: string, content: string) =>
    (JSON.parse((await send('/studio/check', kind, content)).html) as StudioCheck).notices;
  expect(await notices('contact', outlook)).toEqual([told]);
  for (const [kind, header, row] of [
    ['event', 'Event,Date,Price', 'Ball,2026-01-31,5'],
    ['payment', 'Payee,IBAN,Amount,Price', 'ACME,BE68539007547034,5,5'],
    ['wifi', 'SSID,Password,Price', 'Guests,welcome-1,5'],
    ['geo', 'Latitude,Longitude,Price', '52.5,13.4,5'],
    ['digital-link', 'GTIN,Price', '4006381333931,5'],
    ['email', 'Email,Subject,Price', 'a@example.org,Hello,5'],
    ['sms', 'Phone,Message,Price', '+49170123456,Hello,5'],
  ] as const) {
    expect(await notices(kind, `${header}\n${row}\n`), kind).toEqual(
      expect.arrayContaining(['Not in the codes: Price.']),
    );
  }
});

it('makes codes of the width in print that is typed on a page without scripts, or says what can be had', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const send = (fields: Record<string, string>) =>
    visitor.upload(`${base}/studio`, { ...FIRST_STYLE, items: 'one\ntwo', ...fields });
  const shown = await send({ widthMm: '30' });
  expect(shown.html).toContain('<p>In print, all pictures are 30 mm wide.</p>');
  const seen = /name="seen" value="(\w+)"/.exec(shown.html)?.[1] ?? '';
  const { location } = await send({ widthMm: '30', seen });
  expect((await visitor.get(location)).html).toContain('30 mm');
  for (const widthMm of ['30 mm', '3 cm', '3,0cm']) {
    expect((await send({ widthMm })).html).toContain('all pictures are 30 mm wide.');
  }
  expect((await send({ widthMm: '30', dpi: '600' })).html).toContain('all pictures are 29.5 mm wide.');
  const captioned = await send({ widthMm: '30', caption: 'Hall 4', fontSize: '16' });
  expect(captioned.html).toMatch(/<li>The caption is too small to read in print: at least 5 pt, size \d+\.<\/li>/);
  // Without a width, too: 2.7 points at 300 dpi.
  const unsized = await send({ caption: 'Hall 4', fontSize: '28', scale: '4' });
  expect(unsized.html).toMatch(/<li>The caption is too small to read in print: at least 5 pt, size 52\.<\/li>/);
  const live = await preview({ caption: 'Hall 4', fontSize: '28', scale: '4' });
  expect(live.print?.captionProblem).toBe('The caption is too small to read in print: at least 5 pt, size 52.');
  // Labels have texts of their own.
  // oxlint-disable-next-line unicorn/no-thenable -- the name of a field
  const labelled = await send({ widthMm: '30', caption: 'Hall 4', fontSize: '16', then: 'labels' });
  expect(labelled.html).not.toContain('The caption is too small');
  const narrow = await send({ widthMm: '24', dpi: '150' });
  expect(narrow.html).toContain('Make codes of another width?');
  expect(narrow.html).toMatch(
    /At 150 dpi, the widest picture can be (.+ mm) or .+ mm, not 24 mm: .+ It will be \1\. “300 dpi \(usual\)” gives 24 mm\./,
  );
  const button = '<button class="compact" form="studio-form" name="noPrinter" value="1">Use 300 dpi (usual)</button>';
  const wide = await send({ widthMm: '400', dpi: '600' });
  expect([wide.status, wide.html]).toEqual([422, expect.stringContaining(button)]);
  expect(narrow.html).toContain(button);
  const exact = await send({ widthMm: '24', dpi: '150', noPrinter: '1' });
  expect(exact.html).toContain('all pictures are 24 mm wide.');
  expect(controlsOf(exact.html)['dpi'] ?? '').toBe('');
  expect(exact.html).not.toContain(button);
  for (const [widthMm, problem] of [
    ['wide', 'Type a width such as 30 mm, 3 cm or 1.2 in.'],
    ['0,1', '0.1 mm is too small'],
    ['9000', '9,000 mm is too wide'],
  ] as const) {
    const refused = await send({ widthMm });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(problem);
    expect(refused.html).toContain(`value="${widthMm}" aria-describedby="widthMm-error size" aria-invalid="true"`);
  }
});
