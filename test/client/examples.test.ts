/** The examples of clients, each run by its language where that is installed. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { commandsOf } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'examples', 'clients');

/** Time for a compiler that starts cold. */
const PATIENCE_MS = 120_000;

const CLIENTS: [file: string, program: string, ...words: string[]][] = [
  ['qrpress.sh', 'sh'],
  ['qrpress.py', 'python3'],
  ['qrpress.php', 'php'],
  ['qrpress.go', 'go', 'run'],
  ['Qrpress.cs', 'dotnet', 'run'],
];

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService(DATABASES[0]!);
  folder = await mkdtemp(join(tmpdir(), 'qrpress-clients-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const isInstalled = async (program: string) =>
  run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );

it('work as README.md says', async () => {
  const [commands = ''] = commandsOf('README.md', 'test/client/examples.test.ts');
  const out = join(folder, 'readme.zip');
  const text = commands.replaceAll('codes.zip', out).replace('http://127.0.0.1:8080', service.url);
  const { stdout } = await run('bash', ['-euc', text], { cwd: ROOT, env: { ...process.env, key: service.key } });
  expect(stdout.match(/2 of 2: complete/g)).toHaveLength(2);
  expect(stdout).toContain('row 1 example.org-1.png');
  expect([...(await unzip(await readFile(out))).keys()]).toEqual(['example.org-1.png', 'example.org-2.png']);
});

it.each(CLIENTS)(
  '%s',
  async (file, program, ...words) => {
    if (!(await isInstalled(program))) {
      return;
    }
    const out = join(folder, `${file}.zip`);
    const environment = { ...process.env, QRPRESS_URL: service.url, QRPRESS_KEY: service.key, GOCACHE: folder };
    await run(program, [...words, join(FOLDER, file), out], { env: environment });
    expect([...(await unzip(await readFile(out))).keys()]).toEqual(['example.org-1.png', 'example.org-2.png']);
  },
  PATIENCE_MS,
);
