/** The programs of `docs/build/clients.md` and `examples/clients`, each run by its language: they repeat what failed, and make one job. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../../src/client/client.js';
import { itWith, ROOT } from '../packages/tool.js';
import { sqlite } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { FaultyProxy, faultsOfFirstTwo, idempotencyKeys } from '../support/faulty-proxy.js';
import { snippetsOf } from '../support/pages.js';
import { startTestService, type TestService } from '../support/service.js';

const run = promisify(execFile);

/** Time for a compiler that starts cold. */
const PATIENCE_MS = 120_000;

const PAGE = 'docs/build/clients.md';
const python = snippetsOf(PAGE, 'clients', 'py');

const CLIENTS: [file: string, program: string, ...words: string[]][] = [
  ['qrpress.php', 'php'],
  ['qrpress.go', 'go', 'run'],
  ['Qrpress.cs', 'dotnet', 'run'],
];

let service: TestService;
let proxy: FaultyProxy;
let folder: string;
beforeAll(async () => {
  service = await startTestService(sqlite);
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
    await run(path, [...words, join(ROOT, 'examples/clients', file), out], { cwd: folder, env: environment });
    expect([...(await unzip(await readFile(out))).keys()]).toEqual(['example.org-1.png', 'example.org-2.png']);
    const [key, ...again] = idempotencyKeys(proxy);
    expect(key).toBeTruthy();
    expect(again).toEqual([key, key]);
  };
  // Debian has no .NET, and Go is large.
  itWith(program, file, runs, { optional: ['go', 'dotnet'].includes(program), timeout: PATIENCE_MS });
}

it('save an archive in Python although the connection breaks twice, and go on with what an earlier run left', async () => {
  proxy.reset();
  await writeFile(join(folder, 'qrpress.py'), python.join());
  const downloads = () => proxy.passed.filter(({ url }) => url.endsWith('/download'));
  proxy.chooseFault = ({ url }) =>
    url.endsWith('/download') && downloads().length < 3 ? { kind: 'reset', bytes: 400 } : undefined;
  const program = `
import os
from qrpress import Client
client = Client(os.environ["QRPRESS_URL"], os.environ["QRPRESS_KEY"])
job = client.create_job(({"data": str(number)} for number in range(3000)), {"format": "svg"})["jobId"]
assert client.wait(job)["completed"] == 3000
client.download(job, "many.zip")
assert len(list(client.manifest(job))) == 3000
whole = open("many.zip", "rb").read()
for length in (1, 1000, len(whole)):
    with open(f"again.zip.{job}.part", "wb") as part:
        part.write(whole[:length])
    client.download(job, "again.zip")
    assert open("again.zip", "rb").read() == whole
`;
  const environment = { ...process.env, QRPRESS_URL: proxy.origin, QRPRESS_KEY: service.key };
  await run('python3', ['-c', program], { cwd: folder, env: environment });
  expect((await unzip(await readFile(join(folder, 'many.zip')))).size).toBe(3000);
  const ranges = downloads().map(({ headers }) => headers.range);
  expect(ranges.slice(0, 3)).toEqual(['bytes=0-', 'bytes=399-', 'bytes=798-']);
});

itWith('php', 'save a whole archive in PHP although the connection breaks', async (path) => {
  proxy.reset();
  const downloads = () => proxy.passed.filter(({ url }) => url.endsWith('/download'));
  proxy.chooseFault = ({ url }) =>
    url.endsWith('/download') && downloads().length < 3 ? { kind: 'reset', bytes: 400 } : undefined;
  const environment = { ...process.env, QRPRESS_URL: proxy.origin, QRPRESS_KEY: service.key };
  const out = join(folder, 'whole.zip');
  await run(path, [join(ROOT, 'examples/clients/qrpress.php'), out], { cwd: folder, env: environment });
  expect((await unzip(await readFile(out))).size).toBe(2);
  expect(downloads()).toHaveLength(3);
});

itWith('php', 'wait in PHP where a proxy wrote a date', async (path) => {
  const times: number[] = [];
  const double = createServer((_, response) => {
    times.push(performance.now());
    const date = new Date(Date.now() + 1_000).toUTCString();
    response.writeHead(times.length === 1 ? 429 : 404, times.length === 1 ? { 'retry-after': date } : {}).end();
  });
  double.listen(0, '127.0.0.1');
  await once(double, 'listening');
  const environment = { ...process.env, QRPRESS_URL: `http://127.0.0.1:${(double.address() as AddressInfo).port}` };
  const failed = run(path, [join(ROOT, 'examples/clients/qrpress.php')], { cwd: folder, env: environment });
  await expect(failed).rejects.toThrow();
  double.close();
  expect(times).toHaveLength(2);
  expect(times[1]! - times[0]!).toBeGreaterThan(900);
});

it('make one job in Python although its answer breaks off, and find it by its key', async () => {
  proxy.reset();
  await writeFile(join(folder, 'qrpress.py'), python.join());
  proxy.chooseFault = () => (proxy.passed.length === 1 ? { kind: 'reset', bytes: 10 } : undefined);
  const program = `
import os
from qrpress import Client
client = Client(os.environ["QRPRESS_URL"], os.environ["QRPRESS_KEY"])
first, again = [client.create_job([{"data": "1"}], key="order-1")["jobId"] for _ in range(2)]
assert first == again
`;
  const environment = { ...process.env, QRPRESS_URL: proxy.origin, QRPRESS_KEY: service.key };
  await run('python3', ['-c', program], { cwd: folder, env: environment });
  expect(idempotencyKeys(proxy)).toEqual(['order-1', 'order-1', 'order-1']);
});

it('wait in Python where a proxy wrote a date, and keep a file whose download is refused', async () => {
  await writeFile(join(folder, 'qrpress.py'), python.join());
  await writeFile(join(folder, 'old.zip'), 'old');
  const times: number[] = [];
  const double = createServer((request, response) => {
    times.push(performance.now());
    if (request.url?.endsWith('/download')) {
      response.writeHead(404).end('{"error":"not_found"}');
    } else if (times.length === 1) {
      response.writeHead(503, { 'retry-after': new Date().toUTCString() }).end();
    } else {
      response.end('{"status":"complete"}');
    }
  });
  double.listen(0, '127.0.0.1');
  await once(double, 'listening');
  const program = `
import sys
from qrpress import Client, QrpressError
client = Client(sys.argv[1], "k")
assert client.wait("j")["status"] == "complete"
try:
    client.download("j", "old.zip")
except QrpressError as error:
    print(error.status, error.code, error.body)
`;
  const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`;
  const { stdout } = await run('python3', ['-c', program, url], { cwd: folder });
  double.close();
  expect(times[1]! - times[0]!).toBeGreaterThan(900);
  expect(stdout).toBe("404 not_found {'error': 'not_found'}\n");
  expect(await readFile(join(folder, 'old.zip'), 'utf8')).toBe('old');
});

it('cancel, delete and print in Python, and wait for a minute while nobody answers', async () => {
  await writeFile(join(folder, 'qrpress.py'), python.join());
  const program = `
import os, time
from qrpress import Client, QrpressError
client = Client(os.environ["QRPRESS_URL"], os.environ["QRPRESS_KEY"])
first, again = [client.create_job([{"data": "1"}], key="order-2") for _ in range(2)]
assert [first["isReplayed"], again["isReplayed"]] == [False, True]
job = first["jobId"]
client.wait(job)
labels = f"/api/v1/jobs/{job}/labels.pdf?sheet=avery-l7160"
assert client.call(labels, read=lambda answer: answer.read())[:5] == b"%PDF-"
try:
    client.call(f"/api/v1/jobs/{job}/cancel", method="POST")
except QrpressError as error:
    assert error.code == "not_cancellable"
client.call(f"/api/v1/jobs/{job}", method="DELETE", read=lambda answer: answer.read())
pauses = []
time.sleep = pauses.append
try:
    Client("http://127.0.0.1:1", "k").wait("j")
except OSError:
    assert 55 < sum(pauses) < 70, pauses
`;
  const environment = { ...process.env, QRPRESS_URL: service.url, QRPRESS_KEY: service.key };
  await run('python3', ['-c', program], { cwd: folder, env: environment });
});

it('say in TypeScript what the service refused, and name every method', async () => {
  const [program = ''] = snippetsOf(PAGE, 'clients', 'ts');
  const environment = { ...process.env, QRPRESS_URL: service.url, QRPRESS_KEY: service.key };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    env: environment,
  });
  expect(stdout).toMatch(/^400 invalid_input/);
  const page = await readFile(join(ROOT, PAGE), 'utf8');
  const methods = Object.getOwnPropertyNames(Client.prototype).filter((name) => name !== 'constructor');
  expect(methods.length).toBeGreaterThan(10);
  expect(methods.filter((name) => !page.includes(`\`${name}(`))).toEqual([]);
});
