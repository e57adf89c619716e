/** Downloads that are sent on to the bucket: one object, put together inside it, and URLs to that. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { render } from '../../src/commands/render.ts';
import { SignedUrls } from '../../src/http/signed-urls.ts';
import { verify } from '../../src/jobs/verify.ts';
import { S3Store } from '../../src/storage/s3-store.ts';
import type { BucketLocation } from '../../src/storage/storage-location.ts';
import { DATABASES, type DatabaseKind } from '../support/databases.ts';
import { describeWithObjectStore, ObjectStore } from '../support/object-store.ts';
import { startTestService, type TestService } from '../support/service.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const MEBIBYTE = 1024 * 1024;

const [SQLITE] = DATABASES as [DatabaseKind];

describeWithObjectStore('downloads from the bucket itself', () => {
  let objects: ObjectStore;
  let location: BucketLocation;
  beforeAll(async () => {
    objects = await ObjectStore.start();
  });
  afterAll(() => objects.stop());
  const unfinishedUploads = async () =>
    [...(await objects.ask('GET', `/${location.bucket}?uploads`)).matchAll(/<UploadId>/g)].length;

  describe('the store', () => {
    let folder: string;
    let store: S3Store;
    beforeEach(async () => {
      location = { ...(await objects.createBucket()), prefix: 'some/where', redirect: 'presigned' };
      folder = await mkdtemp(join(tmpdir(), 'qrpress-presigned-'));
      store = new S3Store(location);
    });
    afterEach(async () => {
      objects.line.reset();
      await store.close();
      await rm(folder, { recursive: true });
    });

    /** Stores blobs of these sizes; answers with all their bytes and what they are called. */
    async function fill(sizes: readonly number[]) {
      const blobs = sizes.map((bytes, index) => ({ key: `part-${index}`, bytes, content: randomBytes(bytes) }));
      for (const { key, content } of blobs) {
        const path = join(folder, key);
        await writeFile(path, content);
        await store.adopt([{ key, path }]);
      }
      return { blobs, all: Buffer.concat(blobs.map(({ content }) => content)) };
    }

    test.for<[string, number[], boolean]>([
      ['one small part', [100], true],
      ['small parts', [3, 2 * MEBIBYTE, 1], false],
      ['small parts that are more than 5 MiB', [3 * MEBIBYTE, 3 * MEBIBYTE, 3 * MEBIBYTE, 7], false],
      ['large parts', [5 * MEBIBYTE, 6 * MEBIBYTE + 1, 9], true],
      ['a small part before large ones', [9, 11 * MEBIBYTE, 6 * MEBIBYTE, 2 * MEBIBYTE, 100], true],
    ])('makes one object of %s', async ([, sizes, isCopying]) => {
      const { blobs, all } = await fill(sizes);
      const before = objects.line.passed.length;
      await store.oneObject!.compose('whole', blobs);
      const copies = objects.line.passed.slice(before).filter(({ headers }) => 'x-amz-copy-source' in headers);
      expect(copies.length > 0).toBe(isCopying);
      expect(await store.size('whole')).toBe(all.length);
      expect((await buffer(store.read('whole', 0, all.length - 1))).equals(all)).toBe(true);
      expect(await unfinishedUploads()).toBe(0);
    });

    test('leaves nothing where a part cannot be stored', async () => {
      const { blobs } = await fill([6 * MEBIBYTE, 6 * MEBIBYTE, 9]);
      objects.line.disturb = ({ url }) =>
        url.includes('partNumber=2') ? { kind: 'answer', status: 403, code: 'AccessDenied' } : undefined;
      await expect(store.oneObject!.compose('whole', blobs)).rejects.toThrow('S3: compose whole: AccessDenied');
      expect(await store.size('whole')).toBeUndefined();
      expect(await unfinishedUploads()).toBe(0);
    });
  });

  describe('the service', () => {
    const ITEMS = Array.from({ length: 6_000 }, (_, index) => ({ data: `item ${index}` }));
    const secrets = [{ id: 'a', value: 'secret-of-the-links' }];
    let service: TestService;
    beforeAll(async () => {
      location = { ...(await objects.createBucket()), prefix: 'codes', redirect: 'presigned' };
      service = await startTestService(SQLITE, { storage: location, secrets });
    });
    afterEach(() => objects.line.reset());
    afterAll(() => service.close());

    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      service.fetch(path, { headers, method, redirect: 'manual' });
    async function completeJob(items: readonly object[] = ITEMS) {
      const { jobId } = await service.submit({ items });
      expect(await service.ended(jobId)).toMatchObject({ status: 'complete' });
      return { jobId, path: `/api/v1/jobs/${jobId}/download` };
    }
    /** What the service itself sends: it streams to who names the archive's version. */
    async function streamed(path: string): Promise<Buffer> {
      const response = await get(path, { 'if-match': '*' });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    }
    async function located(response: Response): Promise<string> {
      expect(response.status).toBe(307);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toBe('');
      return response.headers.get('location')!;
    }

    test('sends a client on to the same bytes under the same name, or any range of them', async () => {
      const { jobId, path } = await completeJob();
      const input = join(service.config.dataDir, 'items.json');
      const out = join(service.config.dataDir, 'rendered.zip');
      await writeFile(input, JSON.stringify({ items: ITEMS }));
      await render(input, { out, threads: 1, chunkItems: 10_000, fontDir: undefined });
      const archive = await readFile(out);
      expect((await streamed(path)).equals(archive)).toBe(true);
      const url = await located(await get(path));
      expect(new URL(url).origin).toBe(location.endpoint);
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('300');
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/zip');
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="qrpress-${jobId}.zip"`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(archive)).toBe(true);
      const part = await service.fetch(path, { headers: { range: 'bytes=1000-2999' } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(archive.subarray(1_000, 3_000))).toBe(true);
      expect(await verify(service.backoffice)).toEqual([]);
    });

    test('checks first what it checks of every download', async () => {
      const { jobId, path } = await completeJob([{ data: 'a' }]);
      const head = await get(path, {}, 'HEAD');
      expect(head.status).toBe(200);
      const etag = head.headers.get('etag')!;
      expect(Number(head.headers.get('content-length'))).toBe((await streamed(path)).length);
      expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
      expect((await get(path, { 'if-match': '"another"' })).status).toBe(412);
      expect((await get(path, { 'if-range': etag, range: 'bytes=0-3' })).status).toBe(206);
      expect((await get(path, { authorization: 'Bearer wrong' })).status).toBe(401);
      expect((await get(`/api/v1/jobs/${'0'.repeat(26)}/download`)).status).toBe(404);

      const { token } = await service.backoffice.database
        .selectFrom('jobs')
        .select('token')
        .where('id', '=', jobId)
        .executeTakeFirstOrThrow();
      const urls = new SignedUrls(secrets);
      await located(await get(urls.sign('download', token, Date.now() + 60_000)));
      const late = await get(urls.sign('download', token, Date.now() - 1_000));
      expect(late.status).toBe(410);
      expect(late.headers.get('location')).toBeNull();

      await service.backoffice.database
        .updateTable('jobs')
        .set({ status: 'zipping' })
        .where('id', '=', jobId)
        .execute();
      expect((await get(path)).status).toBe(409);
    });

    test('streams an archive that could not be put together', async () => {
      objects.line.disturb = ({ method, url }) =>
        method === 'POST' && url.includes('archive')
          ? { kind: 'answer', status: 403, code: 'AccessDenied' }
          : undefined;
      const { path } = await completeJob([{ data: 'a' }]);
      objects.line.reset();
      expect((await get(path)).status).toBe(200);
      expect(service.log.join('')).toContain('AccessDenied');
      expect(service.log.join('')).not.toContain('X-Amz-Signature');
    });

    test('streams what ended before it was turned on, and everything once it is off again; deletes both', async () => {
      const place = { ...location, prefix: 'others' };
      const off = await startTestService(SQLITE, { storage: { ...place, redirect: undefined } });
      const reopen = (redirect: 'presigned' | undefined) =>
        startTestService(SQLITE, {
          storage: { ...place, redirect },
          databaseUrl: off.config.databaseUrl,
          dataDir: off.config.dataDir,
        });
      const ask = ({ url }: TestService, jobId: string, key: string) =>
        fetch(`${url}/api/v1/jobs/${jobId}/download`, {
          redirect: 'manual',
          headers: { authorization: `Bearer ${key}` },
        });
      const composed = async () =>
        [...(await objects.ask('GET', `/${place.bucket}?list-type=2&prefix=others/`)).matchAll(/\/archive-\d+\.zip</g)]
          .length;
      const endedJob = async (by: TestService) => {
        const { jobId } = await by.submit({ items: [{ data: 'a' }] });
        await by.ended(jobId);
        return jobId;
      };
      try {
        const earlier = await endedJob(off);
        const before = await ask(off, earlier, off.key);
        expect(before.status).toBe(200);
        const archive = Buffer.from(await before.arrayBuffer());
        expect(await composed()).toBe(0);
        await off.stop();

        const on = await reopen('presigned');
        const later = await endedJob(on);
        expect(await composed()).toBe(1);
        const again = await ask(on, earlier, off.key);
        expect(again.status).toBe(200);
        expect(Buffer.from(await again.arrayBuffer()).equals(archive)).toBe(true);
        await located(await ask(on, later, on.key));
        await on.stop();

        const offAgain = await reopen(undefined);
        const streamedAgain = await ask(offAgain, later, on.key);
        expect(streamedAgain.status).toBe(200);
        await streamedAgain.arrayBuffer();
        expect(await verify(offAgain.backoffice)).toEqual([]);
        await offAgain.backoffice.database.updateTable('jobs').set({ expires_at: 1 }).execute();
        await offAgain.stop();
        const last = await reopen(undefined);
        expect(await objects.ask('GET', `/${place.bucket}?list-type=2&prefix=others/`)).not.toContain('<Key>');
        await last.stop();
      } finally {
        await off.close();
      }
    });
  });
});
