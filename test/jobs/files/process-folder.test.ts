import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRowId } from '../../../src/database/row-id.js';
import { ProcessFolder } from '../../../src/jobs/files/process-folder.js';

let root: string;
let own: ProcessFolder;
let other: ChildProcess;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'qrpress-work-'));
  own = new ProcessFolder(root);
  await own.create();
  other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(other, 'spawn');
});
afterEach(async () => {
  other.kill();
  await rm(root, { recursive: true });
});

/** The folder that a process of this host has. */
async function folderOf(pid: number): Promise<ProcessFolder> {
  const folder = new ProcessFolder(root, own.name.replace(/-\d+-[^-]+$/, `-${pid}-${newRowId()}`));
  await folder.create();
  return folder;
}

const namesLeftBehind = async (isSole: boolean) => (await own.leftBehind(isSole)).map(({ name }) => name);

test('belongs to nobody once its process is gone, and not before', async () => {
  const { name } = await folderOf(other.pid!);
  expect(await namesLeftBehind(true)).toEqual([]);
  other.kill();
  await once(other, 'exit');
  expect(await namesLeftBehind(false)).toEqual([name]);
});

test('of a process that had this one’s id belongs to nobody', async () => {
  const { name } = await folderOf(process.pid);
  expect(await namesLeftBehind(false)).toEqual([name]);
});

test('of a process elsewhere belongs to nobody after a day of silence, or where there is no elsewhere', async () => {
  const name = `elsewhere-1-${newRowId()}`;
  await mkdir(join(root, name));
  expect(await namesLeftBehind(true)).toEqual([name]);
  const daysAgo = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(root, name), daysAgo, daysAgo);
  expect(await namesLeftBehind(false)).toEqual([name]);
  await new ProcessFolder(root, name).touch();
  expect(await namesLeftBehind(false)).toEqual([]);
});

test('is there again after its next touch, if another process took it for that of a dead one', async () => {
  await own.remove();
  await own.touch();
  await writeFile(own.drafts.bodyPath(newRowId()), 'body');
  expect((await readdir(own.path)).toSorted()).toEqual(['drafts', 'scratch']);
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
  await own.removeUnlessNeeded();
  expect(await readdir(own.path)).toEqual(['drafts']);
  await rm(draft);
  await own.removeUnlessNeeded();
  expect(await readdir(root)).toEqual([]);
});
