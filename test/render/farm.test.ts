/** The farm with its real process, the compiled one: what it is asked for, and what its death means. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../src/render/engine-error.js';
import { Farm } from '../../src/render/farm.js';
import { FarmCrashError } from '../../src/render/farm-crash-error.js';
import { CHUNK_ITEMS, type PressRoom, pressRoom } from './press-room.js';

let room: PressRoom;
let crashes: FarmCrashError[];
let farm: Farm;

beforeEach(async () => {
  room = await pressRoom();
  crashes = [];
  farm = new Farm({ threads: 2, chunkItems: CHUNK_ITEMS, onCrash: (error) => crashes.push(error) });
});
afterEach(async () => {
  await farm.close();
  await room.remove();
});

/** The id of the farm's process. */
function farmProcess(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  for (const line of processes.split('\n')) {
    const [pid, parent, ...words] = line.trim().split(/\s+/);
    if (parent === String(process.pid) && words.join(' ').includes('farm-process.js')) {
      return Number(pid);
    }
  }
  throw new Error('The farm has no process');
}

/** Kills the farm's process with the work that `start` begins in its hands. */
function killed(start: () => Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const pid = farmProcess();
  // Stopped, it cannot be done with the work before it is killed.
  process.kill(pid, 'SIGSTOP');
  const work = Promise.allSettled(start());
  process.kill(pid, 'SIGKILL');
  return work;
}

describe('a job', () => {
  it('becomes an archive: check, chunks in any order, tail', async () => {
    const items = Array.from({ length: 2_500 }, (_, index) => ({ data: `https://example.org/${index}` }));
    const report = await farm.check(await room.ndjson({ format: 'svg' }, items));
    if (!('chunks' in report)) throw new Error(JSON.stringify(report));
    expect(report).toMatchObject({ total: 2_500, sendEmail: false });
    expect(report.chunks.map(({ firstItem, itemCount }) => [firstItem, itemCount])).toEqual([
      [0, 1_000],
      [1_000, 1_000],
      [2_000, 500],
    ]);

    const chunks = report.chunks.map((chunk) => room.chunk(chunk));
    const rendered = await Promise.all(chunks.toReversed().map((chunk) => farm.renderChunk(chunk)));
    expect(rendered.map(({ completed, failed }) => [completed, failed])).toEqual([
      [500, 0],
      [1_000, 0],
      [1_000, 0],
    ]);

    const tail = await farm.finishArchive(room.parts(chunks, rendered.toReversed()));
    expect(tail.entries).toBe(2_500);
    const names = await room.archiveNames(chunks, tail.archiveBytes);
    expect(names).toHaveLength(2_500);
    expect(names.slice(0, 2)).toEqual(['example.org-0-0.svg', 'example.org-1-1.svg']);

    const whole = await readFile(room.path('tail'));
    expect(whole.equals(await room.tailInPieces(farm, chunks, rendered.toReversed()))).toBe(true);
  });

  it('that cannot be read is no crash, and no fault of the caller', async () => {
    const request = { bodyPath: room.path('absent'), form: 'json', spoolPath: room.path('spool') } as const;
    await expect(farm.check(request)).rejects.toMatchObject({ name: 'EngineError', code: 'io' });
    await expect(farm.check(request)).rejects.toBeInstanceOf(EngineError);
    expect(crashes).toEqual([]);
  });
});

describe('a killed process', () => {
  it('takes the tasks in flight with it, and is replaced', async () => {
    const body = await room.ndjson({}, [{ data: 'a' }]);
    await farm.describe();
    const results = await killed(() => [farm.check(body), farm.describe()]);
    expect(crashes).toHaveLength(1);
    expect(crashes[0]).toMatchObject({ taskStarted: true, tasksLost: 2 });
    expect(crashes[0]?.message).toContain('SIGKILL');
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([crashes[0], crashes[0]]);

    expect(await farm.check(body)).toMatchObject({ total: 1 });
  });

  it('that had not started says so', async () => {
    const waiting = farm.describe();
    process.kill(farmProcess(), 'SIGKILL');
    await expect(waiting).rejects.toMatchObject({ name: 'FarmCrashError', taskStarted: false });
    expect((await farm.describe()).cpuPath).not.toBe('');
  });
});

describe('close', () => {
  it('finishes what was asked for, takes no more, and ends the process', async () => {
    const body = await room.ndjson({}, [{ data: 'a' }]);
    const work = farm.check(body);
    const pid = farmProcess();
    const closed = farm.close();
    await expect(farm.describe()).rejects.toThrow('closed');
    await closed;
    expect(await work).toMatchObject({ total: 1 });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(crashes).toEqual([]);
  });

  it('while the process is down finishes as well', async () => {
    await farm.describe();
    await killed(() => [farm.describe()]);
    expect(crashes).toHaveLength(1);
    const waiting = farm.describe();
    await farm.close();
    expect((await waiting).version).not.toBe('');
  });
});

it("reads the operator's fonts after its own, and names the files that are none", async () => {
  const { fonts } = await farm.describe();
  const fontDir = room.path('fonts');
  await mkdir(fontDir);
  await cp(fileURLToPath(new URL('../../fonts/NotoSansThai.ttf', import.meta.url)), join(fontDir, 'Own.ttf'));
  await writeFile(join(fontDir, 'broken.otf'), 'no font');
  await writeFile(join(fontDir, 'README.md'), 'not looked at');
  const other = new Farm({ threads: 2, chunkItems: CHUNK_ITEMS, fontDir });
  const description = await other.describe();
  await other.close();
  expect(description.fonts).toBe(fonts + 1);
  expect(description.rejectedFonts).toEqual([expect.stringMatching(/broken\.otf: not an OpenType font/)]);
});

it('without its fonts says so to whoever asks for something', async () => {
  const other = new Farm({ threads: 1, chunkItems: CHUNK_ITEMS, fontDir: room.path('missing') });
  const refused = { code: 'fonts', message: expect.stringContaining(room.path('missing')) };
  await expect(other.describe()).rejects.toMatchObject(refused);
  await expect(other.check(await room.ndjson({}, [{ data: 'a' }]))).rejects.toMatchObject(refused);
  await other.close();
});

it('ends with its parent, however that dies', async () => {
  const script = `
    const { Farm } = await import(${JSON.stringify(new URL('../../dist/render/farm.js', import.meta.url).href)});
    await new Farm({ threads: 1, chunkItems: ${CHUNK_ITEMS} }).describe();
    console.log('ready');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  // The farm's process holds the parent's standard error as well: `close` comes when both are gone.
  const [, signal] = await once(parent, 'close');
  expect(signal).toBe('SIGKILL');
});
