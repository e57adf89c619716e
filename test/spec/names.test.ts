/** Names in the archive: what callers ask for, what they get, and that no unpacker is led out of its folder. */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { sqlite } from '../support/databases.js';
import { ndjson, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

interface NamedItem {
  data: string;
  filename?: string;
}

async function archiveOf(body: string, headers: Record<string, string>): Promise<Buffer> {
  const { jobId, downloadUrl } = await service.submit(body, headers);
  expect(await service.ended(jobId)).toMatchObject({ status: 'complete', failed: 0 });
  return Buffer.from(await (await fetch(service.url + downloadUrl)).arrayBuffer());
}

/** The names of a job's entries, in the order of the archive. */
async function namesOf(items: NamedItem[], form: 'json' | 'ndjson' = 'json', meta: object = {}): Promise<string[]> {
  const request: [string, Record<string, string>] =
    form === 'json'
      ? [JSON.stringify({ ...meta, items }), { 'content-type': 'application/json' }]
      : ndjson(meta, ...items);
  const zip = await fromBufferPromise(await archiveOf(...request));
  const names: string[] = [];
  for await (const { fileName } of zip.eachEntry()) names.push(fileName);
  return names;
}

const named = (...filenames: string[]): NamedItem[] => filenames.map((filename) => ({ data: '1', filename }));

/** Names as requested, and as they are in the archive, without their ending. */
const SANITISED: [string, string][] = [
  ['poster one', 'poster one'],
  ['', 'qr'],
  ['...', 'qr'],
  ['///', 'qr'],
  ['../../../etc/passwd', '_..-..-etc-passwd'],
  ['..\\..\\windows\\win.ini', '_..-windows-win.ini'],
  ['/etc/shadow', '_etc-shadow'],
  ['C:\\boot.ini', 'C-boot.ini'],
  ['a:stream', 'a-stream'],
  ['a*b?c"d<e>f|g', 'a-b-c-d-e-f-g'],
  ['a\u0000b\u0007c\u007fd\u0085e', 'a-b-c-d-e'],
  ['line\r\nend', 'line-end'],
  ['\u202egpj.exe', '_gpj.exe'],
  ['a\u2066b\u2069c', 'a-b-c'],
  ['a\u200eb\u200fc\u061cd', 'a-b-c-d'],
  [' . leading and trailing. - ', 'leading and trailing'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['Com1', '_Com1'],
  ['lpt9.x', '_lpt9.x'],
  ['console', 'console'],
  ['Cafe\u0301', 'Café'],
  ['logo.png', 'logo'],
  ['LOGO.SVG', 'LOGO'],
  ['photo.jpg', 'photo.jpg'],
  ['東京', '東京'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['~root', '~root'],
  ['$(reboot)', '$(reboot)'],
  ['-rf', '_rf'],
  ['=+x', '_+x'],
  ['@SUM(A1)', '_SUM(A1)'],
  ['+49 30', '_49 30'],
  ['a=b', 'a=b'],
  ['__proto__', '__proto__'],
];

describe('a filename', () => {
  it('is sanitised', { tags: ['2.3/names', 'names/sanitised'] }, async () => {
    const wanted = SANITISED.map(([filename]) => filename);
    // Each alone, as it were: an equal name before it would add a suffix.
    const names = await namesOf(named(...wanted), 'ndjson');
    expect(names).toEqual(SANITISED.map(([, name], index) => `${name}-${index}.png`));
  });

  it('is shortened to 100 characters with its ending, between graphemes', {
    tags: ['2.3/names', 'names/length'],
  }, async () => {
    const names = await namesOf(
      named('a'.repeat(97), 'b'.repeat(96), 'é'.repeat(120), `${'c'.repeat(94)}👩‍👩‍👧`, '😀'.repeat(120)),
    );
    expect(names).toEqual([
      `${'a'.repeat(96)}.png`,
      `${'b'.repeat(96)}.png`,
      `${'é'.repeat(96)}.png`,
      `${'c'.repeat(94)}.png`,
      `${'😀'.repeat(62)}.png`,
    ]);
  });

  it('has at most 255 bytes with its ending, between graphemes, and as many with a number', {
    tags: ['names/length'],
  }, async () => {
    const thai = 'กำ'.repeat(45);
    const names = await namesOf(named(thai, thai, '漢'.repeat(90)));
    expect(names).toEqual([`${'กำ'.repeat(41)}.png`, `${'กำ'.repeat(41)}-2.png`, `${'漢'.repeat(83)}.png`]);
    expect(names.every((name) => Buffer.byteLength(name) <= 255)).toBe(true);
  });

  it('comes from the data where there is none', { tags: ['2.3/filename', 'names/default'] }, async () => {
    const data = ['https://example.org/a?b=c', 'mailto:a@b', 'WIFI:T:WPA;S:net;;', '東京', '\u0000', 'x'.repeat(500)];
    expect(await namesOf(data.map((each) => ({ data: each })))).toEqual([
      'example.org-a-b=c.png',
      'mailto-a@b.png',
      'WIFI-T-WPA;S-net;;.png',
      '東京.png',
      'qr.png',
      `${'x'.repeat(96)}.png`,
    ]);
  });
});

describe('equal names', () => {
  it('of a JSON job get a number, the first that is not in use, whatever their case', {
    tags: ['2.3/suffix', 'names/suffix'],
  }, async () => {
    expect(await namesOf(named('a', 'a', 'a-2', 'A', 'b', 'a.png'))).toEqual([
      'a.png',
      'a-2.png',
      'a-2-2.png',
      'A-3.png',
      'b.png',
      'a-4.png',
    ]);
  });

  it('stay within 100 characters', { tags: ['names/length'] }, async () => {
    expect(await namesOf(named('a'.repeat(120), 'a'.repeat(120)))).toEqual([
      `${'a'.repeat(96)}.png`,
      `${'a'.repeat(94)}-2.png`,
    ]);
  });

  it('are told apart when there are 20,000 of them', { tags: ['names/suffix'] }, async () => {
    const names = await namesOf(
      Array.from({ length: 20_000 }, () => ({ data: '1', filename: 'same' })),
      'json',
      {
        style: { scale: 1 },
      },
    );
    expect(names).toEqual(['same.png', ...Array.from({ length: 19_999 }, (_, index) => `same-${index + 2}.png`)]);
  });

  it('do not occur in an NDJSON job, where every name has its index', {
    tags: ['2.3/index', 'names/index'],
  }, async () => {
    expect(await namesOf(named('a', 'a', 'a-1', 'b'), 'ndjson')).toEqual([
      'a-0.png',
      'a-1.png',
      'a-1-2.png',
      'b-3.png',
    ]);
    expect(await namesOf(named('a'.repeat(120), 'b'), 'ndjson')).toEqual([`${'a'.repeat(94)}-0.png`, 'b-1.png']);
  });
});

it('entries are in the order of the items, an item’s PNG before its SVG', { tags: ['names/order'] }, async () => {
  const items = named('c', 'a', 'b');
  const both = ['c.png', 'c.svg', 'a.png', 'a.svg', 'b.png', 'b.svg'];
  expect(await namesOf(items, 'json', { format: 'both' })).toEqual(both);
  expect(await namesOf(items, 'json', { format: 'svg' })).toEqual(['c.svg', 'a.svg', 'b.svg']);
  expect(await namesOf(named('a', 'a'), 'json', { format: 'both' })).toEqual(['a.png', 'a.svg', 'a-2.png', 'a-2.svg']);
});

describe('unpackers', () => {
  const hostile = [
    ...SANITISED.map(([filename]) => filename),
    '....//....//x',
    '.\u200b./x',
    '‥/x',
    '／etc',
    'a／..／b',
    'x\u2028y',
  ];
  const UNPACKERS: [string, (archive: string) => string[]][] = [
    ['unzip', (archive) => ['-q', archive]],
    ['7z', (archive) => ['x', '-bd', '-y', archive]],
    ['python3', (archive) => ['-m', 'zipfile', '-e', archive, '.']],
  ];

  it.for(UNPACKERS)(
    '%s stays in its folder, and finds every picture',
    { tags: ['names/sanitised'] },
    async ([program, words], { skip }) => {
      const parent = await mkdtemp(join(tmpdir(), 'qrpress-unpack-'));
      try {
        const folder = join(parent, 'a', 'b', 'c');
        await mkdir(folder, { recursive: true });
        const archive = join(parent, 'archive.zip');
        await writeFile(archive, await archiveOf(...ndjson({}, ...named(...hostile))));
        if (!unpack(program, words(archive), folder)) {
          skip(`${program} is absent`);
        }
        expect((await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isFile())).toEqual([]);
        expect(await readdir(folder)).toHaveLength(hostile.length);
        expect((await readdir(parent, { recursive: true })).filter((name) => !name.startsWith('a'))).toEqual([]);
        expect(await readdir(join(parent, 'a'))).toEqual(['b']);
        expect(await readdir(join(parent, 'a', 'b'))).toEqual(['c']);
      } finally {
        await rm(parent, { recursive: true });
      }
    },
  );
});

/** True where the program is installed and has unpacked the archive. */
function unpack(program: string, words: string[], folder: string): boolean {
  try {
    execFileSync(program, words, { cwd: folder, stdio: 'pipe', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || process.env['QRPRESS_REQUIRE_ALL'] === '1') {
      throw error;
    }
    return false;
  }
}
