/** `submit`: what it takes, how it splits what is too much for a job, and how it goes on after it was stopped. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { submit, type SubmitOptions, type SubmittedJob } from '../../src/cli/submit.js';
import { qrpress } from '../support/command-line.js';
import { sqlite } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { startTestService, type TestService } from '../support/service.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A job that is small enough for a test to be over it. */
const LIMITS = { jsonItems: 2, jsonBodyBytes: 1_000, ndjsonItems: 2, ndjsonBodyBytes: 10_000 };

// Every submit starts an engine.
describe('qrpress submit', { timeout: 120_000 }, () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService(sqlite);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-submit-test-'));
    await mkdir(join(folder, 'tmp'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs the program in `folder`. */
  function program(url: string, ...words: string[]) {
    const env = {
      PATH: process.env['PATH'],
      TMPDIR: join(folder, 'tmp'),
      QRPRESS_URL: url,
      QRPRESS_KEY: service.key,
    };
    return spawn(process.execPath, [MAIN, 'submit', ...words], { env, cwd: folder });
  }

  /** Submits in this process, where the limits of a job can be others. */
  async function submitted(name: string, body: string, others: Partial<SubmitOptions> = {}) {
    const file = join(folder, name);
    await writeFile(file, body);
    const notices: string[] = [];
    const report = await submit(file, {
      url: service.url,
      key: service.key,
      out: join(folder, 'codes.zip'),
      chunkItems: 1_000,
      fontDir: undefined,
      onNotice: (notice) => notices.push(notice),
      ...others,
    });
    return { jobs: 'jobs' in report ? report.jobs : [report], report, notices };
  }

  const namesIn = async (path: string) => [...(await unzip(await readFile(path))).keys()];

  it('takes a spreadsheet from standard input, and pays for it once', async () => {
    const before = await service.balance();
    const words = ['-', '--column', 'data=Ziel', '--column', 'filename=Ort', '--out', 'codes.zip', '--json'];
    for (const attempt of [1, 2]) {
      const child = program(service.url, ...words);
      child.stdin.end('Ort;Ziel;Preis\nHall 1;https://example.org/1;3\nHall 2;https://example.org/2;4\n');
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      expect(errors).toContain('Preis');
      expect(JSON.parse(output)).toMatchObject({ total: 2, completed: 2, creditsCharged: 2, archive: 'codes.zip' });
      expect(await namesIn(join(folder, 'codes.zip'))).toEqual(['Hall 1-0.png', 'Hall 2-1.png']);
      expect(errors.includes('made earlier')).toBe(attempt === 2);
    }
    expect(await service.balance()).toBe(before - 2);
    expect((await readdir(folder)).toSorted()).toEqual(['codes.zip', 'tmp']);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  it('puts codes together from columns, and refuses a row that lacks a value', async () => {
    const words = ['-', '--data', 'https://id.example/{sku}', '--filename', '{room}', '--out', 'codes.zip', '--json'];
    const outcomes: unknown[] = [];
    for (const rows of ['1 2;Hall\n', ';Hall\n']) {
      const child = program(service.url, ...words);
      child.stdin.end(`sku;room\n${rows}`);
      const [, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      outcomes.push([code, errors.includes('Row 2, column A (sku): the cell is empty')]);
    }
    expect(outcomes).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(await namesIn(join(folder, 'codes.zip'))).toEqual(['Hall-0.png']);
  });

  it('splits what is over the limits of a job', async () => {
    const lines = ['{"format":"svg"}', ...[1, 2, 3, 4, 5].map((item) => `{"data":"line ${item}"}`)];
    const { jobs, report, notices } = await submitted('items.ndjson', lines.join('\n'), { limits: LIMITS });
    expect(report).toMatchObject({ total: 5, completed: 5, failed: 0, creditsCharged: 5 });
    expect(notices).toContain('The file is over the limits of a job: it becomes 3 jobs.');
    expect(jobs.map(({ archive, total }) => [archive, total])).toEqual(
      [2, 2, 1].map((total, index) => [join(folder, `codes-${index + 1}.zip`), total]),
    );
    expect(await namesIn(join(folder, 'codes-2.zip'))).toEqual(['line 3-0.svg', 'line 4-1.svg']);

    const items = [1, 2, 3].map((item) => ({ data: `member ${item}` }));
    const json = await submitted('items.json', JSON.stringify({ format: 'svg', items }), { limits: LIMITS });
    expect(json.jobs.map(({ total }) => total)).toEqual([2, 1]);
    expect(await namesIn(join(folder, 'codes-2.zip'))).toEqual(['member 3-0.svg']);

    const marked = await submitted('items.json', `\uFEFF${JSON.stringify({ items })}`, { limits: LIMITS });
    expect(marked.jobs.map(({ total }) => total)).toEqual([2, 1]);

    const sheet = await submitted('items.csv', 'url\nrow 2\nrow 3\nrow 4\n', { limits: LIMITS });
    expect(sheet.jobs.map(({ total }) => total)).toEqual([2, 1]);
    expect((await submitted('few.csv', 'url\nrow 2\nrow 3\n', { limits: LIMITS })).jobs).toHaveLength(1);
  });

  it('tells what is wrong by the lines and rows of the whole file, before anything is paid for', async () => {
    const before = await service.balance();
    const lines = ['{}', '{"data":"1"}', '{"data":"2"}', '{"data":"3"}', '{"data":""}'];
    await expect(submitted('items.ndjson', lines.join('\n'), { limits: LIMITS })).rejects.toMatchObject({
      members: { issues: [expect.objectContaining({ line: 5 })] },
    });
    const long = 'x'.repeat(2_900);
    const limits = { ...LIMITS, ndjsonBodyBytes: 100_000 };
    const style = { file: 'style.json', value: { ecLevel: 'H' } };
    await expect(submitted('items.csv', `url\nrow 2\nrow 3\nrow 4\n${long}\n`, { limits, style })).rejects.toThrow(
      /Row 5, column A/,
    );
    expect(await service.balance()).toBe(before);
  });

  it('makes no job of blank lines, and counts them where it names a line', async () => {
    const before = await service.balance();
    const lines = ['{}', '', '{"data":"line 3"}', ' ', '{"data":"line 5"}', '', '{"data":"line 7"}', '\t', '', ''];
    const { jobs } = await submitted('items.ndjson', lines.join('\n'), { limits: LIMITS });
    expect(jobs.map(({ total }) => total)).toEqual([2, 1]);
    const few = await submitted('few.ndjson', `{}\r\n{"data":"1"}\r\n${'\r\n'.repeat(9)}`, { limits: LIMITS });
    expect(few.jobs.map(({ total }) => total)).toEqual([1]);
    const paid = 4;
    await expect(submitted('none.ndjson', `{}${'\n'.repeat(9)}`, { limits: LIMITS })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const faulty = [...lines.slice(0, 7), '', '', '{"data":""}'].join('\n');
    await expect(submitted('faulty.ndjson', faulty, { limits: LIMITS })).rejects.toMatchObject({
      members: { issues: [expect.objectContaining({ line: 10 })] },
    });
    expect(await service.balance()).toBe(before - paid);
  });

  it('leaves out the rows that cannot be codes when told so, names them once, and pays for the others', async () => {
    const before = await service.balance();
    const long = 'x'.repeat(3_000);
    const sheet = `url,filename\na,One\n,two\n${long},three\nb,Two\n`;
    await expect(submitted('items.csv', sheet)).rejects.toThrow(/Row 3, column A/);
    const { jobs, report, notices } = await submitted('items.csv', sheet, { skipFaulty: true });
    expect(report).toMatchObject({ total: 2, completed: 2, creditsCharged: 2, skippedRows: 2 });
    expect(notices.map((notice) => notice.replace(/, column.*/, ''))).toEqual([
      'Row 3',
      'Row 4',
      '2 faulty rows are skipped.',
    ]);
    expect(await namesIn(join(folder, 'codes.zip'))).toEqual(['One-0.png', 'Two-1.png']);
    const again = await submitted('items.csv', sheet, { skipFaulty: true });
    expect(again.jobs[0]?.jobId).toBe(jobs[0]?.jobId);
    expect(await service.balance()).toBe(before - 2);
  });

  it('leaves out faulty rows of several jobs, and names the first hundred together', async () => {
    const long = 'x'.repeat(3_000);
    const limits = { ...LIMITS, ndjsonItems: 100, ndjsonBodyBytes: 1_000_000 };
    const rows = Array.from({ length: 150 }, (_, row) => (row % 50 === 0 ? `row ${row},` : `${long},`));
    const sheet = `url,note\n,empty\n${rows.join('\n')}\n`;
    const { jobs, report, notices } = await submitted('items.csv', sheet, { skipFaulty: true, limits });
    expect(jobs.map(({ total }) => total)).toEqual([2, 1]);
    expect(report).toMatchObject({ total: 3, skippedRows: 148 });
    const named = notices.filter((notice) => notice.startsWith('Row ')).map((notice) => /\d+/.exec(notice)?.[0]);
    expect([named.length, new Set(named).size, named[0], named[1]]).toEqual([100, 100, '2', '4']);
    expect(notices.slice(-3, -1)).toEqual(['and 48 more', '148 faulty rows are skipped.']);
  });

  it('has no faulty rows of a body to leave out', async () => {
    await expect(submitted('items.ndjson', '{}\n{"data":""}\n', { skipFaulty: true })).rejects.toThrow(
      'is not a spreadsheet, so --skip-faulty cannot be used',
    );
  });

  it('keeps the mode of the file that it replaces, and follows links', async () => {
    await writeFile(join(folder, 'tmp', 'codes.zip'), '', { mode: 0o600 });
    await symlink(join('tmp', 'codes.zip'), join(folder, 'codes.zip'));
    await submitted('items.json', '{"items":[{"data":"through a link"}]}');
    expect(await namesIn(join(folder, 'tmp', 'codes.zip'))).toEqual(['through a link.png']);
    expect((await stat(join(folder, 'tmp', 'codes.zip'))).mode & 0o777).toBe(0o600);
    expect((await lstat(join(folder, 'codes.zip'))).isSymbolicLink()).toBe(true);
    expect(await readdir(join(folder, 'tmp'))).toEqual(['codes.zip']);
  });

  it('refuses an output that cannot be written before it pays', async () => {
    const before = await service.balance();
    const body = '{"items":[{"data":"not paid"}]}';
    await writeFile(join(folder, 'items.json'), body);
    const cases: [out: string, sentence: string][] = [
      ['items.json', 'items.json, which this command reads'],
      ['-', 'submit cannot write to standard output'],
      ['absent/', 'absent/ is a folder'],
      ['tmp', 'tmp is a folder'],
      ['', '--out is empty'],
    ];
    for (const [out, sentence] of cases) {
      for (const labels of [[], ['--labels', 'avery-l7160']]) {
        const surroundings = { env: { QRPRESS_URL: service.url, QRPRESS_KEY: service.key }, cwd: folder };
        const { code, stderr } = await qrpress(['submit', 'items.json', '--out', out, ...labels], surroundings);
        expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
      }
    }
    // Only a file of several jobs is written under names with numbers.
    await writeFile(join(folder, 'codes-2.ndjson'), '{}\n{"data":"1"}\n{"data":"2"}\n{"data":"3"}\n');
    const others = { limits: LIMITS, out: join(folder, 'codes.ndjson') };
    const lines = await readFile(join(folder, 'codes-2.ndjson'), 'utf8');
    await expect(submitted('codes-2.ndjson', lines, others)).rejects.toThrow('which this command reads');
    expect(await service.balance()).toBe(before);
    expect((await readdir(folder)).toSorted()).toEqual(['codes-2.ndjson', 'items.json', 'tmp']);
  });

  it('makes another job where the earlier one is gone', async () => {
    const body = '{"items":[{"data":"twice"}]}';
    const [first] = (await submitted('items.json', body)).jobs as [SubmittedJob];
    expect((await service.fetch(`/api/v1/jobs/${first.jobId}`, { method: 'DELETE' })).status).toBe(204);
    const [second] = (await submitted('items.json', body)).jobs as [SubmittedJob];
    expect(second.jobId).not.toBe(first.jobId);
  });

  it('goes on with a download where it stopped', async () => {
    const body = '{"items":[{"data":"resumed"}]}';
    const [{ jobId, archive }] = (await submitted('items.json', body)).jobs as [SubmittedJob];
    const whole = await readFile(archive);
    const partPath = `${archive}.${jobId}.part`;
    // Other bytes than the archive's show that these were not fetched again.
    await writeFile(partPath, Buffer.alloc(100, 'x'));
    await submitted('items.json', body);
    expect(await readFile(archive)).toEqual(Buffer.concat([Buffer.alloc(100, 'x'), whole.subarray(100)]));
    // All of it, and more: nothing can be gone on with.
    await writeFile(partPath, Buffer.alloc(whole.length, 'x'));
    await submitted('items.json', body);
    expect(await readFile(archive)).toEqual(whole);
    expect(await readdir(folder)).not.toContain(`codes.zip.${jobId}.part`);
  });

  it('writes each byte at its place, also where another process goes on with the same download', async () => {
    const proxy = await FaultyProxy.open(service.url);
    try {
      const body = '{"items":[{"data":"two processes"}]}';
      const [{ jobId, archive }] = (await submitted('items.json', body)).jobs as [SubmittedJob];
      const whole = await readFile(archive);
      const partPath = `${archive}.${jobId}.part`;
      await writeFile(partPath, whole.subarray(0, 100));
      proxy.chooseFault = ({ url }) => {
        // The other process writes this after this one has looked at the file.
        if (url.endsWith('/download')) appendFileSync(partPath, whole.subarray(100, 200));
        return undefined;
      };
      await submitted('items.json', body, { url: proxy.origin });
      expect((await readFile(archive)).equals(whole)).toBe(true);
    } finally {
      await proxy.close();
    }
  });

  it('saves the whole archive behind a proxy that removes lengths', async () => {
    const proxy = await FaultyProxy.open(service.url);
    try {
      proxy.takesLengths = true;
      const body = '{"items":[{"data":"no length"}]}';
      const [{ jobId, archive, archiveBytes }] = (await submitted('items.json', body, { url: proxy.origin })).jobs as [
        SubmittedJob,
      ];
      const whole = await readFile(archive);
      expect([whole.length, await namesIn(archive)]).toEqual([archiveBytes, ['no length.png']]);
      await writeFile(`${archive}.${jobId}.part`, whole.subarray(0, 100));
      await rm(archive);
      await submitted('items.json', body, { url: proxy.origin });
      expect(await readFile(archive)).toEqual(whole);
    } finally {
      await proxy.close();
    }
  });

  it('says how many credits of a cancelled job were returned', async () => {
    const cancelled = { id: 'j', status: 'failed', reason: 'cancelled', total: 5, completed: 2, failed: 0 };
    const state = JSON.stringify({ ...cancelled, jobId: 'j', creditsCharged: 5, creditsRefunded: 3 });
    const double = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'x-double': '1' }).end(state));
    }).listen(0, '127.0.0.1');
    await once(double, 'listening');
    const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`;
    await expect(submitted('items.json', '{"items":[{"data":"1"}]}', { url })).rejects.toThrow(
      'job j was cancelled; 3 of its 5 credits were returned',
    );
    double.close();
  });

  it('leaves nothing behind when it is interrupted, and says how to go on', async () => {
    let looks = 0;
    const slow = createServer((request, response) => {
      looks += Number(request.method === 'GET');
      request.resume().once('end', () => {
        response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-type': 'application/json' });
        response.end('{"jobId":"j","total":1,"status":"processing","completed":0,"failed":0}');
        if (looks > 0) child.kill('SIGINT');
      });
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    await writeFile(join(folder, 'items.json'), '{"items":[{"data":"1"}]}');
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const child = program(url, 'items.json', '--out', 'codes.zip');
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number]>]);
    slow.close();
    expect(code).toBe(130);
    expect(errors).toContain('The same command goes on where it stopped.');
    expect((await readdir(folder)).toSorted()).toEqual(['items.json', 'tmp']);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });
});
