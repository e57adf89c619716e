/** The programs of `docs/guides/clients.md`, each run by its language: they repeat what failed, and make one job. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { itWith } from '../packages/tool.js';
import { DATABASES } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { FaultyProxy, faultsOfFirstTwo, idempotencyKeys } from '../support/faulty-proxy.js';
import { snippetsOf } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

const run = promisify(execFile);

/** Time for a compiler that starts cold. */
const PATIENCE_MS = 120_000;

const CLIENTS: [file: string, program: string, ...words: string[]][] = [
  ['qrpress.php', 'php'],
  ['qrpress.go', 'go', 'run'],
  ['Qrpress.cs', 'dotnet', 'run'],
];

let service: TestService;
let proxy: FaultyProxy;
let folder: string;
beforeAll(async () => {
  service = await startTestService(DATABASES[0]!);
  proxy = await FaultyProxy.open(service.url);
  folder = await mkdtemp(join(tmpdir(), 'qrpress-clients-'));
});
afterAll(async () => {
  await proxy.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

for (const [file, program, ...words] of CLIENTS) {
  const runs = async (path: string) => {
    proxy.reset();
    proxy.chooseFault = faultsOfFirstTwo(proxy);
    const out = join(folder, `${file}.zip`);
    const environment = { ...process.env, QRPRESS_URL: proxy.origin, QRPRESS_KEY: service.key, GOCACHE: folder };
    const [text = ''] = snippetsOf('clients', extname(file).slice(1));
    await writeFile(join(folder, file), text);
    await run(path, [...words, join(folder, file), out], { cwd: folder, env: environment });
    expect([...(await unzip(await readFile(out))).keys()]).toEqual(['example.org-1.png', 'example.org-2.png']);
    const [key, ...again] = idempotencyKeys(proxy);
    expect(key).toBeTruthy();
    expect(again).toEqual([key, key]);
  };
  // Debian has no .NET, and Go is large.
  itWith(program, file, runs, { optional: program !== 'php', timeout: PATIENCE_MS });
}
