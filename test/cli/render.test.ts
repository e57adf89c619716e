/** The places that `render` writes to, and what it leaves behind: nothing. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN, qrpress } from '../support/command-line.js';
import { unzip } from '../support/decode.js';

const BODY = '{"format":"both"}\n{"data":"1","filename":"one"}\n{"data":"2","filename":"two"}\n';

describe('qrpress render', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-render-'));
    await writeFile(join(folder, 'items.ndjson'), BODY);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const env = () => ({ QRPRESS_RENDER_THREADS: '1', TMPDIR: join(folder, 'tmp') });
  const renderFile = (name: string, ...words: string[]) =>
    qrpress(['render', join(folder, name), ...words], { env: env() });
  const render = (...words: string[]) => renderFile('items.ndjson', ...words);
  /** In a process of its own: its standard output is the archive. */
  const renderApart = (words: string[], others: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [MAIN, 'render', ...words], {
      env: { PATH: process.env['PATH'], ...env(), ...others },
      encoding: 'buffer',
      maxBuffer: 100_000_000,
      timeout: 50_000,
      killSignal: 'SIGKILL',
    });

  it('writes the same archive to a file and to standard output, and the pictures to a folder', async () => {
    await mkdir(join(folder, 'tmp'));
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', 'mine.txt'), 'stays');
    expect(await render('--out', join(folder, 'codes.zip'))).toMatchObject({ code: 0 });
    const archive = await readFile(join(folder, 'codes.zip'));
    const streamed = await renderApart([join(folder, 'items.ndjson'), '--out', '-', '--json']);
    expect(streamed.stdout.equals(archive)).toBe(true);
    expect(JSON.parse(/^\{.*\}$/m.exec(streamed.stderr.toString())?.[0] ?? '')).toMatchObject({ total: 2 });
    await render('--out', `${join(folder, 'out')}/`);
    await render('--out', `${join(folder, 'new', 'deep')}/`);
    const names = ['one-0.png', 'one-0.svg', 'two-1.png', 'two-1.svg'];
    expect((await readdir(join(folder, 'out'))).toSorted()).toEqual(['mine.txt', ...names]);
    expect((await readdir(join(folder, 'new', 'deep'))).toSorted()).toEqual(names);
    expect(archive.includes(await readFile(join(folder, 'out', 'one-0.png')))).toBe(true);
    expect((await readdir(folder)).toSorted()).toEqual(['codes.zip', 'items.ndjson', 'new', 'out', 'tmp']);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  }, 120_000);

  it('warns of codes that may not scan, and says which it could not read back', async () => {
    await mkdir(join(folder, 'tmp'));
    await writeFile(join(folder, 'style.json'), '{"foreground":"#fefefe","scale":2}');
    const words = ['--out', join(folder, 'codes.zip'), '--style', join(folder, 'style.json'), '--verify'];
    const { stdout, stderr } = await render(...words, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ completed: 2, verified: 2, unread: 2, unreadItems: [0, 1] });
    expect(stderr).toMatch(/^warning: The contrast .* \(low_contrast: 2 of 2 items, the first at index 0\)$/m);
    const sample = await render('--out', join(folder, 'codes.zip'), '--verify=sample');
    expect(sample.stdout).toContain('2 codes read back, 0 unreadable\n');
  }, 120_000);

  it('names the style file for what is wrong in it, and skips its byte order mark', async () => {
    await mkdir(join(folder, 'tmp'));
    await writeFile(join(folder, 'items.csv'), 'url\nhttps://example.org/1\n');
    await writeFile(join(folder, 'items.json'), '{"items":[{"data":"1"}]}');
    const [style, out] = [join(folder, 'style.json'), join(folder, 'codes.zip')];
    const styled = (name: string) => renderFile(name, '--style', style, '--out', out);
    await writeFile(style, '{"scale":41,"margin":-1}');
    for (const name of ['items.csv', 'items.json', 'items.ndjson']) {
      const { code, stderr } = await styled(name);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^error: the style [^\n]*style\.json is wrong: scale: [^\n]*; margin: [^\n]*\nUsage: qrpress render /,
      );
    }
    await writeFile(style, '{"scale":4,"scale":5}');
    expect(await styled('items.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('an object has a member more than once'),
    });
    await writeFile(style, '\uFEFF{"scale":4}');
    expect((await styled('items.csv')).stdout).toContain('1 of 1 item');
  }, 60_000);

  it('replaces the settings of a body behind its byte order mark, and hides nothing that the check refuses', async () => {
    await mkdir(join(folder, 'tmp'));
    const drawn = (name: string) => renderFile(name, '--format', 'svg', '--out', join(folder, 'codes.zip'));
    await writeFile(join(folder, 'items.json'), '\uFEFF{"items":[{"data":"1"}]}');
    await writeFile(join(folder, 'items.ndjson'), `\uFEFF${BODY}`);
    for (const [name, pictures] of [
      ['items.json', ['1.svg']],
      ['items.ndjson', ['one-0.svg', 'two-1.svg']],
    ] as const) {
      await drawn(name);
      expect([...(await unzip(await readFile(join(folder, 'codes.zip')))).keys()]).toEqual(pictures);
    }
    await writeFile(join(folder, 'items.json'), '{"items":[{"data":"abc\xe9"}]}', 'latin1');
    expect(await drawn('items.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('byte 23 is not UTF-8'),
    });
    await writeFile(join(folder, 'items.json'), String.raw`{"items":[{"data":"a\":","data":":b"}]}`);
    expect(await drawn('items.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/items/0/data: the object has this member more than once'),
    });
  }, 60_000);

  it('takes columns of a spreadsheet, whatever its threads draw at once', async () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => `${row};https://example.org/${row}`);
    await writeFile(join(folder, 'sheet.txt'), `Nr;Ziel\n${rows.join('\n')}\n`);
    await mkdir(join(folder, 'tmp'));
    const archives = [];
    for (const threads of ['1', '3']) {
      const words = [join(folder, 'sheet.txt'), '--column', 'data=Ziel', '--column', 'filename=Nr', '--out', '-'];
      const { stdout } = await renderApart(words, { QRPRESS_RENDER_THREADS: threads });
      archives.push(stdout);
    }
    const [one, three] = archives as [Buffer, Buffer];
    expect(three.equals(one)).toBe(true);
    expect([...(await unzip(one)).keys()].at(-1)).toBe('4999.png');
  }, 120_000);

  it('says what is wrong with its input, and ends with 1, though threads of the engine are still loading', async () => {
    await writeFile(join(folder, 'items.ndjson'), '{}\n{"data":""}\n');
    await mkdir(join(folder, 'tmp'));
    const refused = Array.from({ length: 3 }, () =>
      renderApart([join(folder, 'items.ndjson'), '--out', join(folder, 'codes.zip')], { QRPRESS_RENDER_THREADS: '4' })
        .then(() => ({ code: 0, stderr: '' }))
        .catch((failure: { code: number | null; stderr: Buffer }) => failure),
    );
    for (const { stderr, ...end } of await Promise.all(refused)) {
      expect(stderr.toString()).toContain('must have at least 1 character');
      expect(stderr.toString()).not.toMatch(/Check failed|Native stack trace/);
      expect(end).toMatchObject({ code: 1 });
    }
    expect((await readdir(folder)).toSorted()).toEqual(['items.ndjson', 'tmp']);
  }, 120_000);

  it.runIf(process.platform === 'linux')(
    'says that a folder cannot be made where no file system takes one',
    async () => {
      await mkdir(join(folder, 'tmp'));
      // Node's own way to make folders with their parents does not end there.
      const out = '/proc/qrpress/pictures/';
      const error = await render('--out', out);
      expect(error).toMatchObject({ code: 1 });
      expect(error.stderr).toContain('cannot make the folder /proc/qrpress: no such file or directory');
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    },
    60_000,
  );

  it('says that there is no such folder before it reads its input', async () => {
    await writeFile(join(folder, 'file'), '');
    await writeFile(join(folder, 'items.ndjson'), '{}\n{"data":""}\n');
    for (const out of ['file/', 'file/new/']) {
      const error = await render('--out', join(folder, out));
      expect(error).toMatchObject({ code: 1 });
      expect(error.stderr).toMatch(/^cannot read .*\/file\/(?:new\/)?: not a directory\n$/);
    }
  }, 60_000);

  it('names a line that is no item by its number', async () => {
    await writeFile(join(folder, 'items.ndjson'), '{}\nnope\n');
    const error = await render('--out', join(folder, 'codes.zip'));
    expect(error.stderr).toContain('\n  line 2: expected a value, found `n` at line 2, column 1\n');
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const child = spawn(process.execPath, [MAIN, 'render', '-', '--out', join(folder, 'codes.zip')], {
      env: { PATH: process.env['PATH'], ...env() },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    // It copies its input into its folder, and waits for more of it.
    child.stdin.write('{}');
    const isReading = async () => {
      const scratch = (await readdir(folder)).find((name) => name.startsWith('.qrpress-'));
      return scratch !== undefined && (await readdir(join(folder, scratch))).length > 0;
    };
    while (!(await isReading())) {
      expect(child.exitCode).toBeNull();
    }
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(130);
    expect(await readdir(folder)).toEqual(['items.ndjson']);
  }, 120_000);

  it('keeps the mode of the file that it replaces, and follows links', async () => {
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', 'old.zip'), '', { mode: 0o600 });
    await symlink(join('out', 'old.zip'), join(folder, 'first'));
    await symlink('first', join(folder, 'second'));
    await symlink(join('out', 'new.pdf'), join(folder, 'dangling'));
    await render('--out', join(folder, 'second'));
    await render('--out', join(folder, 'dangling'), '--labels', 'avery-l7160');
    const written = await stat(join(folder, 'out', 'old.zip'));
    expect(written.mode & 0o777).toBe(0o600);
    expect(written.size).toBeGreaterThan(100);
    expect((await readFile(join(folder, 'out', 'new.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    for (const name of ['first', 'second', 'dangling']) {
      expect((await lstat(join(folder, name))).isSymbolicLink()).toBe(true);
    }
    expect((await readdir(join(folder, 'out'))).toSorted()).toEqual(['new.pdf', 'old.zip']);
  }, 60_000);

  it('refuses an output that is an input, a pipe, or no file where it has to be one', async () => {
    const path = (name: string) => join(folder, name);
    await promisify(execFile)('mkfifo', [path('pipe')]);
    await link(path('items.ndjson'), path('hard'));
    await symlink('items.ndjson', path('soft'));
    await writeFile(path('style.json'), '{}');
    await writeFile(path('sizes.json'), '{"labelWidth": 62, "labelHeight": 29}');
    const before = (await readdir(folder)).toSorted();
    const labels = ['--labels', path('sizes.json')];
    const cases: [out: string, words: string[], sentence: string][] = [
      [path('items.ndjson'), [], 'items.ndjson, which this command reads'],
      [path('hard'), [], 'items.ndjson, which this command reads'],
      [path('soft'), labels, 'items.ndjson, which this command reads'],
      [path('style.json'), ['--style', path('style.json')], 'style.json, which this command reads'],
      [path('sizes.json'), labels, 'sizes.json, which this command reads'],
      [path('pipe'), [], 'pipe is a pipe or a device'],
      [path('pipe'), labels, 'pipe is a pipe or a device'],
      [path('absent/'), labels, 'absent/ is a folder'],
      [folder, labels, 'is a folder'],
      ['', [], '--out is empty'],
      ['', labels, '--out is empty'],
    ];
    for (const [out, words, sentence] of cases) {
      const error = await render('--out', out, ...words);
      expect([error, error.stderr]).toEqual([expect.objectContaining({ code: 2 }), expect.stringContaining(sentence)]);
    }
    expect((await readdir(folder)).toSorted()).toEqual(before);
    expect((await lstat(path('pipe'))).isFIFO()).toBe(true);
    expect(await readFile(path('items.ndjson'), 'utf8')).toBe(BODY);
  }, 60_000);

  it('refuses wrong arguments with the usage of the command', async () => {
    const error = await render();
    expect(error).toMatchObject({ code: 2 });
    expect(error.stderr).toMatch(/^error: .+\nUsage: qrpress render \[options\] <file>; --help says more\n$/);
  });
});
