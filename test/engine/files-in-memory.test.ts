/** The files in memory that small jobs are drawn in: a container usually has 64 MB for those of all threads. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { CHUNK_ITEMS, type EngineFixture, engineProcess, openEngineFixture } from './engine-fixture.js';

const IN_LITTLE_MEMORY = ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /dev/shm && exec "$@"', 'sh'];

/** True where a program may have a file system of its own. */
const canMount = process.platform === 'linux' && spawnSync('unshare', [...IN_LITTLE_MEMORY, 'true']).status === 0;

let fixture: EngineFixture;
beforeEach(async () => {
  fixture = await openEngineFixture();
});
afterEach(() => fixture.remove());

it.runIf(existsSync('/dev/shm'))('hold nothing of a job whose pictures are large', async () => {
  const engine = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
  const items = Array.from({ length: 100 }, (_, item) => ({ data: `${'A'.repeat(300)}${item}` }));
  const body = Buffer.from(JSON.stringify({ format: 'both', style: { scale: 30 }, items }));
  const checked = await engine.check({ ...(await fixture.json({})), body, drawIfSmall: true });
  expect(checked).toMatchObject({ total: 100, drawn: undefined });
  const descriptors = `/proc/${engineProcess()}/fd`;
  const bytes: number[] = [];
  for (const descriptor of await readdir(descriptors)) {
    const path = `${descriptors}/${descriptor}`;
    if ((await readlink(path).catch(() => '')).startsWith('/dev/shm/qrpress-')) bytes.push((await stat(path)).size);
  }
  expect(bytes).toHaveLength(6);
  expect(Math.max(...bytes)).toBeLessThan(131_072);
  await engine.close();
});

it.runIf(canMount)('do without room: a body is checked on the disk then', async () => {
  const program = fileURLToPath(new URL('check-body.js', import.meta.url));
  // The folder for temporary files may be below /dev/shm, where the program sees its own files alone.
  const folder = await mkdtemp('/var/tmp/qrpress-test-');
  const paths = [join(folder, 'body'), join(folder, 'spool')];
  const output = execFileSync('unshare', [...IN_LITTLE_MEMORY, process.execPath, program, ...paths], {
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  expect(JSON.parse(output)).toEqual({ total: 500 });
});
