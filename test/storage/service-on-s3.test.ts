/** The whole service with its blobs in a bucket: a job's life, killed in its middle, from the request to its expiry. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated, JobResource, ManifestLine } from '../../src/contract/response-schema.js';
import type { BucketLocation } from '../../src/storage/storage-location.js';
import { describeWithObjectStore, ObjectStore, SECRET_KEY } from '../support/object-store.js';
import { errorOf } from '../support/service.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Several chunks. */
const ITEMS = 10_000;
const BODY = ['{}', ...Array.from({ length: ITEMS }, (_, index) => `{"data":"${index}"}`)].join('\n');

/** More than a job has whose files are rows of the database. */
const ITEMS_TO_DELETE = 101;

describeWithObjectStore('a service with its blobs in a bucket', () => {
  let service: ObjectStore;
  let location: BucketLocation;
  let dataDir: string;
  let admin: AdminContext;
  let environment: Record<string, string>;
  let key: string;
  let running: ChildProcess | undefined;
  let origin: string;
  /** All that the programs wrote. */
  let written = '';

  beforeAll(async () => {
    service = await ObjectStore.start();
    location = await service.createBucket();
    dataDir = await mkdtemp(join(tmpdir(), 'qrpress-on-s3-'));
    environment = {
      QRPRESS_DATA_DIR: dataDir,
      QRPRESS_STORAGE_URL: `s3://${location.bucket}/codes?endpoint=${location.endpoint}`,
      QRPRESS_PORT: '0',
      QRPRESS_RENDER_THREADS: '1',
      QRPRESS_CHUNK_ITEMS: '4000',
      QRPRESS_RATE_LIMIT_READ: '100000',
    };
    admin = await openAdminContext(readConfig(environment));
    const organisation = { name: 'Example', ownerEmail: 'owner@example.org', credits: ITEMS + 2 * ITEMS_TO_DELETE };
    ({ key } = await admin.keys.create(COMMAND_LINE, await admin.organisations.create(organisation), 'test'));
    await start();
  });
  afterAll(async () => {
    running?.kill('SIGKILL');
    await admin.close();
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  const qrpress = (words: string[], changes: Record<string, string> = {}) => {
    const { PATH, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
    const program = spawn(process.execPath, [MAIN, ...words], {
      env: { PATH, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...environment, ...changes },
    });
    program.stderr.setEncoding('utf8').on('data', (part: string) => {
      written += part;
    });
    return program;
  };

  /** Runs a command to its end. */
  async function run(words: string[], changes?: Record<string, string>): Promise<{ code: unknown; output: string }> {
    const program = qrpress(words, changes);
    const [output, [code]] = await Promise.all([text(program.stdout), once(program, 'exit')]);
    written += output;
    return { code, output };
  }

  async function start(): Promise<void> {
    const program = qrpress(['serve']);
    running = program;
    const port = await new Promise<number>((resolve, reject) => {
      createInterface(program.stdout).on('line', (line) => {
        written += line;
        const entry = JSON.parse(line) as { msg?: string; port?: number };
        if (entry.msg === 'listening') {
          resolve(entry.port!);
        }
      });
      program.once('exit', () => reject(new Error(`the service ended before it listened: ${written}`)));
    });
    origin = `http://127.0.0.1:${port}`;
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const exit = once(running!, 'exit');
    running!.kill(signal);
    await exit;
  }

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(origin + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  const post = (body = BODY) =>
    ask('/api/v1/jobs', { method: 'POST', body, headers: { 'content-type': 'application/x-ndjson' } });
  const objects = async () =>
    [...(await service.ask('GET', `/${location.bucket}?list-type=2`)).matchAll(/<Key>([^<]+)<\/Key>/g)].map(
      ([, name]) => name!,
    );

  test('takes a job through a kill to its archive, serves any part of that, and deletes all in the end', async () => {
    const accepted = await post();
    expect(accepted.status).toBe(202);
    const job = (await accepted.json()) as JobCreated;
    await stop('SIGKILL');
    await start();
    await vi.waitFor(
      async () => {
        const state = (await (await ask(`/api/v1/jobs/${job.jobId}`)).json()) as JobResource;
        expect(state).toMatchObject({ status: 'complete', completed: ITEMS, failed: 0, creditsCharged: ITEMS });
      },
      { timeout: 60_000, interval: 50 },
    );

    // Nothing of it is on this machine.
    await vi.waitFor(
      async () => {
        const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
        expect(files.filter((name) => !/^qrpress\.db|^secrets|lock$/.test(name))).toEqual([]);
      },
      { timeout: 20_000 },
    );
    // A worker that asks for a chunk of it makes the bucket read no more than that.
    const spools = (await objects()).filter((name) => name.includes('/spool'));
    expect(spools.map((name) => name.replace(/^.*\//, '')).toSorted()).toEqual([
      'spool-000000',
      'spool-000001',
      'spool-000002',
    ]);
    const segments = (await objects()).filter((name) => name.endsWith('.zip')).toSorted();
    expect(segments.length).toBeGreaterThan(1);

    const path = `/api/v1/jobs/${job.jobId}/download`;
    const archive = Buffer.from(await (await ask(path)).arrayBuffer());
    const pictures = new Set<string>();
    for await (const entry of (await fromBufferPromise(archive)).eachEntry()) {
      pictures.add(entry.fileName);
    }
    expect(pictures.size).toBe(ITEMS);

    const border = (await admin.storage.size(segments[0]!.replace(/^codes\//, '')))!;
    const head = await ask(path, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(archive.length));
    for (const [from, to] of [
      [border - 1, border],
      [border - 100_000, border + 100_000],
      [archive.length - 30, archive.length - 1],
    ] as const) {
      const part = await ask(path, { headers: { range: `bytes=${from}-${to}` } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(archive.subarray(from, to + 1))).toBe(true);
    }
    // The manifest is read from the same objects.
    const told = await (await ask(`/api/v1/jobs/${job.jobId}/manifest`)).text();
    const lines = told.trimEnd().split('\n');
    expect(lines.length).toBe(ITEMS);
    const last = JSON.parse(lines.at(-1)!) as ManifestLine;
    expect(last).toMatchObject({ index: ITEMS - 1, data: `${ITEMS - 1}`, files: [{ name: [...pictures].at(-1) }] });
    const picture = await ask(`/api/v1/jobs/${job.jobId}/items/${ITEMS - 1}.png`);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([bytes.length, archive.includes(bytes)]).toEqual([last.files[0]!.bytes, true]);

    // Of a job that is deleted nothing stays in the bucket.
    const toDelete = await post(`{}${'\n{"data":"1"}'.repeat(ITEMS_TO_DELETE)}`);
    expect(toDelete.status).toBe(202);
    const { jobId } = (await toDelete.json()) as JobCreated;
    const status = async () => ((await (await ask(`/api/v1/jobs/${jobId}`)).json()) as JobResource).status;
    await vi.waitFor(async () => expect(await status()).toBe('complete'), { timeout: 30_000 });
    expect((await objects()).filter((name) => name.includes(jobId)).length).toBeGreaterThan(0);
    expect((await ask(`/api/v1/jobs/${jobId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await objects()).filter((name) => name.includes(jobId))).toEqual([]);

    expect(await run(['admin', 'verify'])).toMatchObject({ code: 0 });

    // The bucket goes away in the middle of a download, which is cut off, and taken up when it is back.
    service.proxy.chooseFault = ({ url }) =>
      url.includes('segment-000001') ? { kind: 'answer', status: 403, code: 'AccessDenied' } : undefined;
    const received: Uint8Array[] = [];
    await expect(collect((await ask(path)).body!, received)).rejects.toThrow('terminated');
    service.proxy.reset();
    const begun = Buffer.concat(received);
    expect(begun.length).toBeGreaterThan(0);
    const rest = await ask(path, {
      headers: { range: `bytes=${begun.length}-`, 'if-range': head.headers.get('etag')! },
    });
    expect(rest.status).toBe(206);
    expect(Buffer.concat([begun, Buffer.from(await rest.arrayBuffer())]).equals(archive)).toBe(true);

    await stop('SIGTERM');
    await admin.database.updateTable('jobs').set({ expires_at: 1 }).execute();
    await start();
    await vi.waitFor(async () => expect(await objects()).toEqual(['codes/id']), { timeout: 30_000 });
    expect(await run(['admin', 'verify'])).toMatchObject({ code: 0 });
  }, 180_000);

  test('is examined by doctor, which says where the bucket cannot be written to', async () => {
    expect((await run(['doctor'])).output).toMatch(/storage\b.*can be written to/);
    const absent = await run(['doctor'], {
      QRPRESS_STORAGE_URL: `s3://no-such-bucket?endpoint=${location.endpoint}`,
    });
    expect(absent.code).toBe(1);
    expect(absent.output).toMatch(/NoSuchBucket.*check QRPRESS_STORAGE_URL/);
  }, 120_000);

  test('refuses jobs and downloads while its bucket is away, and says why to its operator alone', async () => {
    const { jobId } = (await (await post(BODY.split('\n', ITEMS_TO_DELETE + 1).join('\n'))).json()) as JobCreated;
    await vi.waitFor(async () => expect((await ask(`/api/v1/jobs/${jobId}/download`)).status).toBe(200), {
      timeout: 30_000,
    });
    service.proxy.chooseFault = () => ({ kind: 'answer', status: 403, code: 'AccessDenied' });
    await stop('SIGTERM');
    await start();
    const refused = await post();
    expect(refused.status).toBe(503);
    expect(await saidBy(refused)).not.toMatch(/S3|AccessDenied|bucket/);
    for (const part of ['download', 'manifest', 'items/7.png']) {
      const cut = await ask(`/api/v1/jobs/${jobId}/${part}`);
      expect([part, cut.status, cut.headers.get('retry-after')]).toEqual([part, 503, '5']);
      expect(await saidBy(cut)).not.toMatch(/S3|AccessDenied|bucket/);
    }
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    expect(written).toContain('AccessDenied');
    service.proxy.reset();
  }, 120_000);

  test('writes nowhere what it signs with', () => {
    expect(written).not.toContain(SECRET_KEY);
    expect(written).not.toContain('Signature=');
  });
});

/** What a refusal says, without its id, which may have any letters. */
async function saidBy(response: Response): Promise<string> {
  return JSON.stringify({ ...(await errorOf(response)), requestId: '' });
}

/** Takes what comes, also when it breaks off. */
async function collect(body: ReadableStream<Uint8Array>, chunks: Uint8Array[]): Promise<void> {
  for await (const chunk of body) {
    chunks.push(chunk);
  }
}
