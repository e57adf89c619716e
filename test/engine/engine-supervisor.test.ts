/** The supervisor with its real process, the compiled one: what it is asked for, and what its death means. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../src/engine/engine.js';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { CHUNK_ITEMS, type EngineFixture, engineProcess, openEngineFixture } from './engine-fixture.js';

let fixture: EngineFixture;
let crashes: EngineCrash[];
let supervisor: EngineSupervisor;

beforeEach(async () => {
  fixture = await openEngineFixture();
  crashes = [];
  supervisor = new EngineSupervisor({ threads: 2, chunkItems: CHUNK_ITEMS, onCrash: (crash) => crashes.push(crash) });
});
afterEach(async () => {
  await supervisor.close();
  await fixture.remove();
});

/** Kills the engine's process with the work that `start` begins in its hands. */
function killed(start: () => Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const pid = engineProcess();
  // Stopped, it cannot be done with the work before it is killed.
  process.kill(pid, 'SIGSTOP');
  const work = Promise.allSettled(start());
  process.kill(pid, 'SIGKILL');
  return work;
}

describe('a job', () => {
  it('becomes an archive: check, chunks in any order, end', async () => {
    const items = Array.from({ length: 2_500 }, (_, index) => ({ data: `https://example.org/${index}` }));
    const report = await supervisor.check(await fixture.ndjson({ format: 'svg' }, items));
    if (!('chunks' in report)) throw new Error(JSON.stringify(report));
    expect(report).toMatchObject({ total: 2_500, sendEmail: false });
    expect(report.chunks.map(({ firstItem, itemCount }) => [firstItem, itemCount])).toEqual([
      [0, 1_000],
      [1_000, 1_000],
      [2_000, 500],
    ]);

    const chunks = report.chunks.map((chunk) => fixture.chunk(chunk));
    const rendered = await Promise.all(chunks.toReversed().map((chunk) => supervisor.renderChunk(chunk)));
    expect(rendered.map(({ completed, failed }) => [completed, failed])).toEqual([
      [500, 0],
      [1_000, 0],
      [1_000, 0],
    ]);

    const finished = await supervisor.finishArchive(fixture.parts(chunks, rendered.toReversed()));
    expect(finished.entries).toBe(2_500);
    const names = await fixture.archiveNames(chunks, finished.archiveBytes);
    expect(names).toHaveLength(2_500);
    expect(names.slice(0, 2)).toEqual(['example.org-0-0.svg', 'example.org-1-1.svg']);

    const whole = await readFile(fixture.path('end'));
    expect(whole.equals(await fixture.endInPieces(supervisor, chunks, rendered.toReversed()))).toBe(true);
  });

  it('that cannot be read is no crash, and no fault of the caller', async () => {
    const request = { bodyPath: fixture.path('absent'), form: 'json', spoolPath: fixture.path('spool') } as const;
    await expect(supervisor.check(request)).rejects.toMatchObject({ name: 'EngineError', code: 'io' });
    await expect(supervisor.check(request)).rejects.toBeInstanceOf(EngineError);
    expect(crashes).toEqual([]);
  });
});

describe('a killed process', () => {
  it('is replaced, and what was in its hands is done by others', async () => {
    const body = await fixture.ndjson({}, [{ data: 'a' }]);
    await supervisor.describe();
    const results = await killed(() => [supervisor.check(body), supervisor.describe()]);
    expect(crashes).toEqual([{ death: 'signal SIGKILL', tasksLost: 2 }]);
    expect(results).toMatchObject([{ status: 'fulfilled', value: { total: 1 } }, { status: 'fulfilled' }]);
  });

  it('that had not started is started again', async () => {
    const waiting = supervisor.describe();
    process.kill(engineProcess(), 'SIGKILL');
    expect((await waiting).cpuPath).not.toBe('');
    // While `engineProcess` looked for it, it may have started, and then it has the task when it is said to be dead.
    expect(crashes).toMatchObject([{ death: 'signal SIGKILL' }]);
  });
});

describe('a stopped process', () => {
  it('is replaced within seconds, and what it had is done by others', { timeout: 20_000 }, async () => {
    const body = await fixture.ndjson({}, [{ data: 'a' }]);
    await supervisor.describe();
    process.kill(engineProcess(), 'SIGSTOP');
    const results = await Promise.all([supervisor.check(body), supervisor.describe()]);
    expect(results).toMatchObject([{ total: 1 }, {}]);
    expect(crashes).toEqual([{ death: 'no sign of life', tasksLost: 2 }]);
  });

  it('does not keep the service from its end', { timeout: 20_000 }, async () => {
    await supervisor.describe();
    process.kill(engineProcess(), 'SIGSTOP');
    await supervisor.close();
    expect(crashes).toEqual([]);
  });
});

describe('close', () => {
  it('finishes what was asked for, takes no more, and ends the process', async () => {
    const body = await fixture.ndjson({}, [{ data: 'a' }]);
    const work = supervisor.check(body);
    const pid = engineProcess();
    const closed = supervisor.close();
    await expect(supervisor.describe()).rejects.toThrow('closed');
    await closed;
    expect(await work).toMatchObject({ total: 1 });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(crashes).toEqual([]);
  });

  it('while the process is down finishes as well', async () => {
    await supervisor.describe();
    await killed(() => [supervisor.describe()]);
    expect(crashes).toHaveLength(1);
    const waiting = supervisor.describe();
    await supervisor.close();
    expect((await waiting).version).not.toBe('');
  });
});

it("reads the operator's fonts after its own, and names the files that are none", async () => {
  const { fonts } = await supervisor.describe();
  const fontDir = fixture.path('fonts');
  await mkdir(fontDir);
  await cp(fileURLToPath(new URL('../../fonts/NotoSansThai.ttf', import.meta.url)), join(fontDir, 'Own.ttf'));
  await writeFile(join(fontDir, 'broken.otf'), 'no font');
  await writeFile(join(fontDir, 'README.md'), 'not looked at');
  const other = new EngineSupervisor({ threads: 2, chunkItems: CHUNK_ITEMS, fontDir });
  const description = await other.describe();
  await other.close();
  expect(description.fonts).toBe(fonts + 1);
  expect(description.rejectedFonts).toEqual([expect.stringMatching(/broken\.otf: not an OpenType font/)]);
});

it('without its fonts says so to whoever asks for something', async () => {
  const other = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS, fontDir: fixture.path('missing') });
  const refused = { code: 'fonts', message: expect.stringContaining(fixture.path('missing')) };
  await expect(other.describe()).rejects.toMatchObject(refused);
  await expect(other.check(await fixture.ndjson({}, [{ data: 'a' }]))).rejects.toMatchObject(refused);
  await other.close();
});

it('ends with its parent, however that dies', async () => {
  const script = `
    const { EngineSupervisor } = await import(${JSON.stringify(new URL('../../dist/engine/engine-supervisor.js', import.meta.url).href)});
    await new EngineSupervisor({ threads: 1, chunkItems: ${CHUNK_ITEMS} }).describe();
    console.log('ready');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  // The engine's process holds the parent's standard error as well: `close` comes when both are gone.
  const [, signal] = await once(parent, 'close');
  expect(signal).toBe('SIGKILL');
});
