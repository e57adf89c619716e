/** Tasks that kill the engine's process: whoever is to blame is told so, and nobody else is held up. */

import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { RenderChunkRequest } from '../../src/engine/engine.js';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { textOf } from './carried-text.js';

const PROGRAM = fileURLToPath(new URL('scripted-process.js', import.meta.url));

let supervisor: EngineSupervisor;
let crashes: EngineCrash[];
beforeEach(() => {
  crashes = [];
  supervisor = new EngineSupervisor({
    threads: 2,
    chunkItems: 10,
    program: PROGRAM,
    onCrash: (crash) => crashes.push(crash),
  });
});
afterEach(() => supervisor.close());

const check = async (body: string) =>
  textOf(await supervisor.check({ bodyPath: body, form: 'json', spoolPath: '/nowhere/spool' }));
const render = async (spool: string) =>
  textOf(await supervisor.renderChunk({ spoolPath: spool } as RenderChunkRequest));
const CRASH = { name: 'EngineError', code: 'crash', message: expect.stringContaining('SIGKILL') as string };

test.each([
  ['a body', () => check('kill')],
  ['a chunk', () => render('kill')],
])('%s that kills the process is tried twice more, alone, and refused', async (_, killer) => {
  await supervisor.describe();
  await expect(killer()).rejects.toMatchObject(CRASH);
  expect(crashes.map(({ tasksLost }) => tasksLost)).toEqual([1, 1, 1]);
  expect(await check('next')).toBe('next');
});

test('a task whose process is killed from outside twice is done all the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-crashes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const task = `killed 2 ${join(folder, 'kills')}`;
  expect(await render(task)).toBe(task);
  expect(crashes.map(({ tasksLost }) => tasksLost)).toEqual([1, 1]);
});

test('what was under way beside it is done all the same', async () => {
  await supervisor.describe();
  const others = [check('slow 1'), render('slow 2'), check('slow 3'), render('slow 4')];
  await expect(check('kill')).rejects.toMatchObject(CRASH);
  expect(await Promise.all(others)).toEqual(['slow 1', 'slow 2', 'slow 3', 'slow 4']);
});

test.each([
  ['body', check],
  ['chunk', render],
])(
  'a %s sent again and again holds nobody up',
  async (_, send) => {
    const over = new AbortController();
    let killed = 0;
    const attack = (async () => {
      while (!over.signal.aborted) {
        await expect(send('kill')).rejects.toMatchObject(CRASH);
        killed += 1;
      }
    })();
    for (let round = 0; round < 10; round += 1) {
      expect(await Promise.all([check('slow body'), render('slow chunk')])).toEqual(['slow body', 'slow chunk']);
    }
    over.abort();
    await attack;
    expect(killed).toBeGreaterThan(2);
  },
  60_000,
);

test('two that kill it at once are both found', async () => {
  await supervisor.describe();
  const killers = [check('kill 1'), render('kill 2')];
  const other = check('slow');
  const results = await Promise.allSettled(killers);
  expect(results.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual([
    'crash',
    'crash',
  ]);
  expect(await other).toBe('slow');
});

test('a process that does not start any more is told once, refuses tasks at once, and is told when it runs again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-crashes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.mjs');
  const stand = () => writeFile(program, `import ${JSON.stringify(PROGRAM)};`);
  await stand();
  const told: string[] = [];
  let onUp = () => undefined as void;
  const up = new Promise<void>((resolve) => (onUp = resolve));
  const broken = new EngineSupervisor({
    threads: 1,
    chunkItems: 10,
    program,
    onDown: (death) => told.push(death),
    onUp,
  });
  try {
    await broken.describe();
    await writeFile(program, 'process.exit(7);');
    await expect(broken.check({ bodyPath: 'kill', form: 'json', spoolPath: '' })).rejects.toMatchObject({
      code: 'down',
    });
    await expect(broken.describe()).rejects.toMatchObject({ code: 'down' });
    expect([told, broken.load.isUp]).toEqual([['exit code 7'], false]);
    await stand();
    await up;
    expect(broken.load.isUp).toBe(true);
    expect(textOf(await broken.describe())).toBe('describe');
    expect(told).toHaveLength(1);
  } finally {
    await broken.close();
  }
});

// Only there is a process confined by its environment. The text of one variable has at most 128 KB.
const canRefuse = process.platform === 'linux';

test.runIf(canRefuse)(
  'a process that the system refuses to start is tried again, as one that ends at once',
  async () => {
    const deaths: string[] = [];
    const folders = { readable: [`/${'long'.repeat(50_000)}`], writable: [] };
    const onCrash = ({ death }: EngineCrash) => void deaths.push(death);
    const other = new EngineSupervisor({ threads: 1, chunkItems: 10, program: PROGRAM, folders, onCrash });
    const next = other.check({ bodyPath: 'next', form: 'json', spoolPath: '/nowhere/spool' });
    expect(textOf(await next)).toBe('next');
    expect(deaths).toEqual(['spawn E2BIG', 'spawn E2BIG']);
    await other.close();
  },
);

test('a process that does not start is told as such', async () => {
  const absent = new EngineSupervisor({ threads: 1, chunkItems: 10, program: '/nowhere/program.js' });
  await expect(absent.describe()).rejects.toMatchObject({ name: 'EngineError', code: 'down' });
  await absent.close();
});
