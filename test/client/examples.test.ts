/** The programs of `docs/guides/clients.md`, each run by its language where that is installed. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { commandsOf } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

const run = promisify(execFile);

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

it.each(CLIENTS)(
  '%s',
  async (file, program, ...words) => {
    if (!(await isInstalled(program))) {
      return;
    }
    const out = join(folder, `${file}.zip`);
    const environment = { ...process.env, QRPRESS_URL: service.url, QRPRESS_KEY: service.key, GOCACHE: folder };
    const language = extname(file).slice(1);
    const [text = ''] = commandsOf('docs/guides/clients.md', 'test/client/examples.test.ts', language);
    await writeFile(join(folder, file), text);
    await run(program, [...words, join(folder, file), out], { cwd: folder, env: environment });
    expect([...(await unzip(await readFile(out))).keys()]).toEqual(['example.org-1.png', 'example.org-2.png']);
  },
  PATIENCE_MS,
);
