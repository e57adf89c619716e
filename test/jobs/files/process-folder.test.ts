import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRowId } from '../../../src/database/row-id.js';
import { ProcessFolder } from '../../../src/jobs/files/process-folder.js';
import { inOwnPids, lacksOwnPids } from '../../support/own-pids.js';

const PROGRAM = `
const { ProcessFolder } = await import(process.argv[1]);
const folder = new ProcessFolder(process.argv[2]);
await folder.create();
process.stdout.write(folder.name);
process.stdin.resume();
`;
const MODULE = fileURLToPath(new URL('../../../dist/jobs/files/process-folder.js', import.meta.url));

let root: string;
let own: ProcessFolder;
const others: ChildProcess[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'qrpress-work-'));
  own = new ProcessFolder(root);
  await own.create();
});
afterEach(async () => {
  for (const other of others.splice(0)) other.stdin?.destroy();
  own.release();
  await rm(root, { recursive: true });
});

/** A process with a folder of its own. It ends when its input does. */
async function startOther(words = [process.execPath]): Promise<{ name: string; end: () => Promise<void> }> {
  const [command, ...rest] = [...words, '--input-type=module', '-e', PROGRAM, MODULE, root];
  const other = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  others.push(other);
  const [name] = (await once(other.stdout, 'data')) as [Buffer];
  const exit = once(other, 'exit');
  return {
    name: name.toString(),
    end: async () => {
      other.stdin.destroy();
      await exit;
    },
  };
}

async function namesLeftBehind(isOnlyProcess: boolean, by = own, now = Date.now()): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of by.leftBehind(isOnlyProcess, now)) names.push(name);
  return names;
}

test('belongs to nobody once its process is gone, and not before', async () => {
  const { name, end } = await startOther();
  expect(await namesLeftBehind(true)).toEqual([]);
  await end();
  expect(await namesLeftBehind(false)).toEqual([name]);
});

test.skipIf(lacksOwnPids)('of a process in another container of this host belongs to that process', async () => {
  const { name, end } = await startOther(inOwnPids(process.execPath));
  expect(await namesLeftBehind(true)).toEqual([]);
  expect(existsSync(join(root, name, 'drafts'))).toBe(true);
  await end();
  expect(await namesLeftBehind(false)).toEqual([name]);
});

test('is settled by one process', async () => {
  const { name, end } = await startOther();
  await end();
  const third = new ProcessFolder(root);
  await third.create();
  for await (const dead of own.leftBehind(false, Date.now())) {
    expect(dead.name).toBe(name);
    expect(await namesLeftBehind(false, third)).toEqual([]);
  }
  expect(await namesLeftBehind(false, third)).toEqual([name]);
  third.release();
});

test('of a process elsewhere belongs to nobody after a day of silence, or where there is no elsewhere', async () => {
  const name = `elsewhere-00000000-1-${newRowId()}`;
  await mkdir(join(root, name));
  expect(await namesLeftBehind(true)).toEqual([name]);
  const daysAgo = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(root, name), daysAgo, daysAgo);
  // A clock that is in doubt says nothing about silence.
  expect(await namesLeftBehind(false, own, 0)).toEqual([]);
  expect(await namesLeftBehind(false)).toEqual([name]);
  const elsewhere = new ProcessFolder(root, name);
  await elsewhere.touch();
  elsewhere.release();
  expect(await namesLeftBehind(false)).toEqual([]);
});

test('is there again after its next touch, and locked, if somebody deleted it', async () => {
  await rm(root, { recursive: true });
  await own.touch();
  await writeFile(own.drafts.bodyPath(newRowId()), 'body');
  expect((await readdir(own.path)).toSorted()).toEqual(['drafts', 'scratch']);
  const second = new ProcessFolder(root);
  await second.create();
  expect(await namesLeftBehind(true, second)).toEqual([]);
  second.release();
});

test('is made again after a try that failed between its old lock and a new one', async () => {
  const lock = `${own.path}.lock`;
  await rm(root, { recursive: true });
  await mkdir(lock, { recursive: true });
  await expect(own.create()).rejects.toThrow();
  await rm(lock, { recursive: true });
  await own.create();
  expect(await readdir(root)).toEqual([own.name, `${own.name}.lock`]);
});

test('is made again at once while it is watched', async () => {
  let remade = 0;
  own.watch(
    () => {
      remade += 1;
    },
    () => undefined,
  );
  await rm(own.drafts.path, { recursive: true });
  await expect.poll(() => existsSync(own.drafts.path)).toBe(true);
  expect(remade).toBe(0);
  for (const time of [1, 2]) {
    await rm(own.path, { recursive: true, maxRetries: 10 });
    await expect.poll(() => remade).toBeGreaterThanOrEqual(time);
    await expect.poll(async () => (await readdir(own.path)).toSorted()).toEqual(['drafts', 'scratch']);
    remade = time;
  }
});

test('leaves alone what no process made', async () => {
  await writeFile(join(root, 'notes'), 'x');
  await mkdir(join(root, 'a folder'));
  expect(await namesLeftBehind(true)).toEqual([]);
});

test('is removed at the end, unless a draft is still to be settled', async () => {
  await writeFile(join(own.scratch, 'half'), 'x');
  const draft = own.drafts.bodyPath(newRowId());
  await writeFile(draft, 'x');
  await own.close();
  expect(await readdir(own.path)).toEqual(['drafts']);
  await rm(draft);
  await own.close();
  expect(await readdir(root)).toEqual([]);
});
