/** `--labels` of `render` and `submit`: the same file, from a sheet's name or its sizes. */

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { MAIN, qrpress } from '../support/command-line.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const env = { QRPRESS_RENDER_THREADS: '1' };
const ITEMS = [1, 2, 3].map((number) => ({ data: `https://example.org/${number}`, caption: `Room ${number}` }));

describe('--labels', { timeout: 120_000 }, () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService(sqlite);
    folder = await mkdtemp(join(tmpdir(), 'qrpress-labels-'));
    await writeFile(join(folder, 'items.json'), JSON.stringify({ items: ITEMS }));
    await writeFile(join(folder, 'one.json'), '{"labelWidth": 62, "labelHeight": 29}');
    await writeFile(
      join(folder, 'grid.json'),
      '{"maker": "us", "pageWidth": 100, "pageHeight": 90, "labelWidth": 48, "labelHeight": 40, "columns": 2, "rows": 2, "gapX": 1}',
    );
    await writeFile(join(folder, 'wrong.json'), '{"labelWidth": 62, "height": 29}');
    await writeFile(join(folder, 'texts.json'), '{"labelWidth": "62", "labelHeight": "29"}');
    await writeFile(join(folder, 'marks.json'), '{"labelWidth": 62, "labelHeight": 29, "cutMarks": "true"}');
    await writeFile(join(folder, 'some.json'), '{"labelWidth": 62, "labelHeight": 29, "from": 1, "to": 2}');
    await writeFile(join(folder, 'beyond.json'), '{"labelWidth": 62, "labelHeight": 29, "from": 3}');
    await writeFile(join(folder, 'object.json'), '{"labelWidth": 62, "labelHeight": 29, "toString": 1}');
    await writeFile(
      join(folder, 'look.json'),
      '{"labelWidth": 62, "labelHeight": 29, "caption": "none", "captionSize": 9, "shiftY": -0.5}',
    );
    await writeFile(join(folder, 'place.json'), '{"labelWidth": 62, "labelHeight": 29, "caption": 1}');
    await writeFile(join(folder, 'null.json'), 'null');
    await writeFile(join(folder, 'list.json'), '[]');
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const run = (command: string, ...words: string[]) =>
    qrpress([command, 'items.json', ...words], {
      cwd: folder,
      env: { ...env, QRPRESS_URL: service.url, QRPRESS_KEY: service.key },
    });

  it('draws what the service draws, also from a file of sizes', { tags: ['additions/labels'] }, async () => {
    const client = new Client({ url: service.url, key: service.key });
    const { jobId } = await client.createJob({ items: ITEMS });
    await service.ended(jobId);
    const sizes = { pageWidth: 100, pageHeight: 90, labelWidth: 48, labelHeight: 40, columns: 2, rows: 2, gapX: 1 };
    for (const [words, options] of [
      [['avery-l7160', '--first', '21', '--cut-marks'], { sheet: 'avery-l7160', first: 21, cutMarks: true }],
      [['one.json', '--size', '12.5'], { sheet: 'single', labelWidth: 62, labelHeight: 29, size: 12.5 }],
      [['grid.json'], { sheet: 'custom', ...sizes }],
      [
        ['avery-l4732', '--caption-place', 'below', '--caption-size', '7.5', '--shift-x=-1.5', '--shift-y', '2'],
        { sheet: 'avery-l4732', caption: 'below', captionSize: 7.5, shiftX: -1.5, shiftY: 2 },
      ],
      [
        ['look.json'],
        { sheet: 'single', labelWidth: 62, labelHeight: 29, caption: 'none', captionSize: 9, shiftY: -0.5 },
      ],
      [['some.json'], { sheet: 'single', labelWidth: 62, labelHeight: 29, from: 1, to: 2 }],
    ] as const) {
      const expected = Buffer.from(await new Response(await client.labels(jobId, options)).arrayBuffer());
      expect(await run('render', '--labels', ...words, '--out', 'labels.pdf')).toMatchObject({ code: 0 });
      expect((await readFile(join(folder, 'labels.pdf'))).equals(expected)).toBe(true);
      expect(await run('submit', '--labels', ...words, '--out', 'submitted.pdf')).toMatchObject({ code: 0 });
      expect((await readFile(join(folder, 'submitted.pdf'))).equals(expected)).toBe(true);
    }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [MAIN, 'render', 'items.json', '--labels', 'one.json', '--out', '-'],
      { cwd: folder, env: { PATH: process.env['PATH'], QRPRESS_RENDER_THREADS: '1' }, encoding: 'buffer' },
    );
    await run('render', '--labels', 'one.json', '--out', 'labels.pdf');
    expect(stdout.equals(await readFile(join(folder, 'labels.pdf')))).toBe(true);
    expect((await client.labelSheets()).map(({ name }) => name)).toContain('avery-l7160');
    expect((await readdir(folder)).filter((name) => /part|^\./.test(name))).toEqual([]);
  });

  it('says when modules are narrow, and refuses what cannot be read before it is paid', async () => {
    const narrow = await run('render', '--labels', 'avery-l7160', '--size', '7', '--out', 'labels.pdf');
    expect(narrow.stderr).toMatch(/^warning: The modules of item 0 are 0\.28 mm wide\./);
    const wide = await run('render', '--labels', 'avery-l7160', '--out', 'labels.pdf', '--json');
    expect(wide.stderr).toBe('');
    expect(JSON.parse(wide.stdout)).toEqual({
      total: 3,
      completed: 3,
      failed: 0,
      archive: 'labels.pdf',
      archiveBytes: (await readFile(join(folder, 'labels.pdf'))).length,
    });
    const balance = await service.balance();
    for (const command of ['render', 'submit']) {
      const { code, stderr } = await run(command, '--labels', 'avery-l7160', '--size', '5', '--out', 'small.pdf');
      expect(code).toBe(1);
      expect(stderr).toContain('/size: the modules of item 0 would be 0.2 mm wide');
    }
    expect(await service.balance()).toBe(balance);
  });

  it('says which caption has a word that is broken, of the items that are printed', async () => {
    const items = ['Hall', 'Donaudampfschifffahrtsgesellschaft'.repeat(3)].map((caption) => ({
      data: caption,
      caption,
    }));
    await writeFile(join(folder, 'words.json'), JSON.stringify({ items }));
    const words = ['render', 'words.json', '--labels', 'avery-l7160', '--out', 'labels.pdf'];
    const notices = async (...more: string[]) => (await qrpress([...words, ...more], { cwd: folder, env })).stderr;
    expect(await notices()).toMatch(
      /^warning: A word in the caption of item 1 is longer than its line, and is broken\./,
    );
    expect(await notices('--items', '0')).toBe('');
  });

  it('says that labels are not read back where the body asks for it', async () => {
    await writeFile(join(folder, 'verified.json'), JSON.stringify({ verify: 'all', items: ITEMS }));
    const words = ['render', 'verified.json', '--labels', 'one.json', '--out', 'labels.pdf'];
    const notices = async (...more: string[]) => (await qrpress([...words, ...more], { cwd: folder, env })).stderr;
    expect(await notices()).toMatch(/^Labels are not read back: /);
    expect(await notices('--verify', 'none')).toBe('');
  });

  it.each([
    [['--first', '2', '--out', 'a.pdf'], 2, '--first needs --labels'],
    [['--cut-marks', '--out', 'a.pdf'], 2, '--cut-marks needs --labels'],
    [['--caption-place', 'none', '--out', 'a.pdf'], 2, '--caption-place needs --labels'],
    [['--shift-x', '1', '--out', 'a.pdf'], 2, '--shift-x needs --labels'],
    [['--labels', 'one.json', '--caption-place', 'above', '--out', 'a.pdf'], 2, 'Allowed choices are below, beside'],
    [['--labels', 'place.json', '--out', 'a.pdf'], 2, 'caption must be one of below, beside, none, auto, not 1'],
    [['--labels', 'wrong.json', '--out', 'a.pdf'], 2, 'a sheet has no "height"'],
    [['--labels', 'texts.json', '--out', 'a.pdf'], 2, 'labelWidth must be a number, not "62"'],
    [['--labels', 'marks.json', '--out', 'a.pdf'], 2, 'cutMarks must be true or false, not "true"'],
    [['--labels', 'object.json', '--out', 'a.pdf'], 2, 'a sheet has no "toString"'],
    [['--labels', 'beyond.json', '--out', 'a.pdf'], 1, '/from: must be a whole number from 0 to 2, not "3"'],
    [['--labels', 'null.json', '--out', 'a.pdf'], 2, 'a sheet is a JSON object'],
    [['--labels', 'list.json', '--out', 'a.pdf'], 2, 'a sheet is a JSON object'],
    [['--labels', 'none.json', '--out', 'a.pdf'], 2, 'no such file'],
    [['--labels', 'avery', '--out', 'a.pdf'], 2, 'There is no sheet avery. The sheets are avery-l4731, avery-l4732, '],
    [
      ['--labels', 'single', '--out', 'a.pdf'],
      2,
      'For other sizes name a JSON file with them, such as {"labelWidth": 62, ',
    ],
    [
      ['--labels', 'one.json', '--labels', 'grid.json', '--out', 'a.pdf'],
      2,
      "option '--labels <sheet>' is given twice",
    ],
    [['--labels', 'one.json', '--verify', '--out', 'a.pdf'], 2, 'Labels are not read back: leave out --verify, or '],
    [['--labels', 'avery-l7160', '--first', '22', '--out', 'a.pdf'], 2, '/first: must be a whole number from 1 to 21'],
    [['--labels', 'one.json', '--shift-y=-15', '--out', 'a.pdf'], 1, '/shiftY: must be at least -'],
    [['--labels', 'avery-l7160', '--out', './'], 2, 'is a folder'],
  ] as const)('refuses %j', async (words, code, message) => {
    const refusal = await run('render', ...words);
    expect(refusal.code).toBe(code);
    expect(refusal.stderr).toContain(message);
    expect(refusal.stderr.includes('\nUsage: qrpress render ')).toBe(code === 2);
  });
});
