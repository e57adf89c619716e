/** The S3 store: what every store does, and what networks and services make special. */

import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isGuarded, type S3Patience } from '../../src/storage/s3-connection.ts';
import { S3Store } from '../../src/storage/s3-store.ts';
import type { BucketLocation } from '../../src/storage/storage-location.ts';
import type { Disturbance, PassingRequest } from '../support/disturbed-line.ts';
import { describeWithObjectStore, ObjectStore, SECRET_KEY } from '../support/object-store.ts';
import { conformance } from './conformance.ts';

/** Much of this is waiting for timeouts, and more of it for a busy machine. */
vi.setConfig({ testTimeout: 90_000 });

const MEBIBYTE = 1024 * 1024;

/** Long enough for two busy cores, short enough to wait for. */
const PATIENCE: S3Patience = { connectMs: 2_000, idleMs: 1_500, answerMs: 10_000, attempts: 3, checkMs: 1_000 };

const SLOW_DOWN: Disturbance = { kind: 'answer', status: 503, code: 'SlowDown' };
const INTERNAL_ERROR: Disturbance = { kind: 'answer', status: 500, code: 'InternalError' };

describeWithObjectStore('the S3 store', () => {
  let service: ObjectStore;
  let location: BucketLocation;
  beforeAll(async () => {
    service = await ObjectStore.start();
  });
  beforeEach(async () => {
    service.line.reset();
    location = { ...(await service.createBucket()), prefix: 'some/where' };
  });
  afterAll(() => service.stop());

  const objects = async () => {
    const answer = await service.ask('GET', `/${location.bucket}?list-type=2`);
    return [...answer.matchAll(/<Key>some\/where\/([^<]+)<\/Key>/g)].map(([, key]) => key!);
  };
  const unfinishedUploads = async () =>
    [...(await service.ask('GET', `/${location.bucket}?uploads`)).matchAll(/<UploadId>/g)].length;

  conformance(async () => ({
    store: new S3Store(location),
    idle: () => service.line.quiet(),
    traces: objects,
    remove: async () => undefined,
  }));

  describe('on a line that is disturbed', () => {
    let folder: string;
    let store: S3Store;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'qrpress-s3-'));
      store = new S3Store(location, PATIENCE);
    });
    afterEach(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });

    const path = () => join(folder, 'file');
    const put = async (content: Buffer, key = 'a') => {
      await writeFile(path(), content);
      await store.adopt([{ key, path: path() }]);
    };
    const whole = (content: Buffer, key = 'a') => buffer(store.read(key, 0, content.length - 1));
    /** Disturbs the first so many requests that are so. */
    const disturb = (times: number, disturbance: Disturbance, isMeant: (passing: PassingRequest) => boolean) => {
      let left = times;
      service.line.disturb = (passing) => {
        if (left === 0 || !isMeant(passing)) {
          return undefined;
        }
        left -= 1;
        return disturbance;
      };
    };

    /** Uploaded in two parts, read in several pieces. */
    const PARTS = randomBytes(49 * MEBIBYTE);
    /** Uploaded in one request, read in one piece. */
    const PIECE = randomBytes(MEBIBYTE);
    const always = Number.POSITIVE_INFINITY;
    const isUpload = ({ method }: PassingRequest) => method === 'PUT';
    const isBeginning = ({ method, url }: PassingRequest) => method === 'POST' && url.includes('uploads');
    const isCompletion = ({ method, url }: PassingRequest) => method === 'POST' && url.includes('uploadId');
    const isRead = ({ method }: PassingRequest) => method === 'GET';

    test.for<[string, Disturbance]>([
      ['an error', INTERNAL_ERROR],
      ['a request to slow down', SLOW_DOWN],
      ['a broken connection', { kind: 'refuse' }],
      ['an answer that is lost', { kind: 'lose' }],
      ['silence', { kind: 'silence' }],
    ])('adopts in spite of %s', async ([, disturbance]) => {
      for (const isMeant of [isUpload, isBeginning]) {
        disturb(1, disturbance, isMeant);
        await put(PARTS);
        service.line.reset();
        expect((await whole(PARTS)).equals(PARTS)).toBe(true);
      }
      disturb(2, disturbance, isUpload);
      await put(Buffer.from('small'));
      expect(await store.size('a')).toBe(5);
    });

    test('leaves content unsigned that nobody can change on its way, and signs everything else', async () => {
      await put(PARTS);
      await put(Buffer.from('small'), 'b');
      await store.size('b');
      const contentHashes = service.line.passed.map(
        ({ method, headers }) => `${method} ${String(headers['x-amz-content-sha256'])}`,
      );
      expect(contentHashes.filter((hash) => hash === 'PUT UNSIGNED-PAYLOAD')).toHaveLength(3);
      expect(contentHashes.filter((hash) => /^(?:POST|HEAD) [0-9a-f]{64}$/.test(hash))).toHaveLength(3);
      expect(contentHashes).toHaveLength(6);
    });

    test.for<[string, string, boolean]>([
      ['https:', 'bucket.s3.eu-central-1.amazonaws.com', true],
      ['http:', 'localhost', true],
      ['http:', '127.0.0.1', true],
      ['http:', '[::1]', true],
      ['http:', '10.0.0.1', false],
      ['http:', '127.example.org', false],
      ['http:', 'localhost.example.org', false],
    ])('over %s//%s leaves content unsigned: %s', ([protocol, hostname, isUnsigned]) => {
      expect(isGuarded({ protocol, hostname })).toBe(isUnsigned);
    });

    test.for<[string, Disturbance]>([
      ['errors', INTERNAL_ERROR],
      ['silence', { kind: 'silence' }],
    ])(
      'rejects when all that is uploaded meets %s; the file stays, and nothing half-written',
      async ([, disturbance]) => {
        disturb(always, disturbance, isUpload);
        await expect(put(PARTS)).rejects.toThrow('S3: upload a: ');
        service.line.reset();
        await access(path());
        expect(await store.size('a')).toBeUndefined();
        expect(await unfinishedUploads()).toBe(0);
        await store.adopt([{ key: 'a', path: path() }]);
        expect((await whole(PARTS)).equals(PARTS)).toBe(true);
      },
    );

    test('adopts again where nobody knows whether it was done', async () => {
      disturb(always, { kind: 'lose' }, isCompletion);
      await put(PARTS).catch(() => undefined);
      service.line.reset();
      await store.adopt([{ key: 'a', path: path() }]);
      expect((await whole(PARTS)).equals(PARTS)).toBe(true);
      expect(await unfinishedUploads()).toBe(0);
    });

    test.for<[string, Disturbance]>([
      ['a connection that breaks', { kind: 'reset', bytes: 300_000 }],
      ['a body that stalls', { kind: 'stall', bytes: 300_000 }],
      ['a body that is cut short', { kind: 'curtail', bytes: 300_000 }],
    ])('reads on after %s, from the byte that was reached, and only of that object', async ([, disturbance]) => {
      await put(PIECE);
      service.line.reset();
      disturb(2, disturbance, isRead);
      expect((await whole(PIECE)).equals(PIECE)).toBe(true);
      const [first, second, third] = service.line.passed;
      expect(first?.headers['if-match']).toBeUndefined();
      const reached = [second, third].map((passing) => Number(/^bytes=(\d+)-/.exec(passing?.headers.range ?? '')?.[1]));
      expect(reached[0]).toBeGreaterThan(0);
      expect(reached[0]).toBeLessThanOrEqual(300_000);
      expect(reached[1]).toBeGreaterThan(reached[0]!);
      expect(second?.headers['if-match']).toMatch(/^".+"$/);
      expect(third?.headers['if-match']).toBe(second?.headers['if-match']);
    });

    test.for<[string, Disturbance]>([
      ['an error', INTERNAL_ERROR],
      ['a request to slow down', SLOW_DOWN],
      ['a broken connection', { kind: 'refuse' }],
      ['silence', { kind: 'silence' }],
      ['a body that comes slowly', { kind: 'trickle', bytes: 5_000 }],
    ])('reads in spite of %s', async ([, disturbance]) => {
      await put(PIECE);
      disturb(2, disturbance, isRead);
      expect((await whole(PIECE)).equals(PIECE)).toBe(true);
      disturb(2, disturbance, isRead);
      const found = await store.materialise('a', join(folder, 'scratch'), [{ offset: 0, bytes: 1 }]);
      await access(found);
    });

    test('has the whole of a blob in a file in spite of connections that break, also after others were given up', async () => {
      await put(PARTS);
      const materialise = (name: string) => store.materialise('a', join(folder, name));
      const breaks: Disturbance = { kind: 'reset', bytes: 1_500_000 };
      disturb(always, breaks, isRead);
      const givenUp = await Promise.allSettled(['a', 'b', 'c'].map(materialise));
      expect(givenUp.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await service.line.quiet();
      disturb(2, breaks, isRead);
      for (const found of await Promise.all(['d', 'e', 'f'].map(materialise))) {
        expect((await readFile(found)).equals(PARTS)).toBe(true);
      }
    });

    test.for<[string, Disturbance, RegExp]>([
      ['errors', INTERNAL_ERROR, /^S3: GET a: InternalError: disturbed$/],
      ['broken connections', { kind: 'reset', bytes: 10 }, /aborted|ECONNRESET/],
      ['stalls', { kind: 'stall', bytes: 10 }, /1500 ms of inactivity/],
      ['bodies that are cut short', { kind: 'curtail', bytes: 10 }, /sent less than it announced/],
      ['silence', { kind: 'silence' }, /1500 ms of inactivity/],
    ])('ends a stream that meets nothing but %s', async ([, disturbance, reason]) => {
      await put(PIECE);
      service.line.reset();
      disturb(always, disturbance, isRead);
      await expect(whole(PIECE)).rejects.toThrow(reason);
      expect(service.line.passed).toHaveLength(PATIENCE.attempts);
      await service.line.quiet();
    });

    test('takes nothing for a range that is none', async () => {
      await put(PIECE);
      disturb(always, { kind: 'ignore range' }, isRead);
      await expect(buffer(store.read('a', 1, 100))).rejects.toThrow('another range than was asked for');
      await service.line.quiet();
    });

    test('ends a stream whose object was replaced before it was read', async () => {
      await put(PARTS);
      const stream = store.read('a', 0, PARTS.length - 1);
      await new Promise((resolve) => stream.once('readable', resolve));
      await put(randomBytes(PARTS.length));
      await expect(buffer(stream)).rejects.toThrow('PreconditionFailed');
    });

    test('cuts blobs of any size from a file that stays, and begins no more after one has failed', async () => {
      await writeFile(path(), PARTS);
      const half = PARTS.length / 2;
      const ranges = [
        { offset: 0, bytes: 100 },
        { offset: half, bytes: half },
      ];
      await store.cut!(path(), [
        { key: 'first', ranges },
        { key: 'all', ranges: [ranges[0]!, { offset: 0, bytes: PARTS.length }] },
      ]);
      const header = PARTS.subarray(0, 100);
      expect(
        (await whole(Buffer.alloc(100 + half), 'first')).equals(Buffer.concat([header, PARTS.subarray(half)])),
      ).toBe(true);
      expect((await whole(Buffer.alloc(100 + PARTS.length), 'all')).equals(Buffer.concat([header, PARTS]))).toBe(true);
      await access(path());

      const many = Array.from({ length: 50 }, (_, index) => ({ key: `piece-${index}`, ranges }));
      service.line.reset();
      disturb(always, { kind: 'answer', status: 403, code: 'AccessDenied' }, isUpload);
      await expect(store.cut!(path(), many)).rejects.toThrow(/^S3: upload piece-\d: AccessDenied/);
      expect(service.line.passed.length).toBeLessThan(many.length);
      const tried = service.line.passed.length;
      await service.line.quiet();
      expect(service.line.passed).toHaveLength(tried);
    });

    test('holds no connection for readers who do not read on, and never more than 64', async () => {
      await put(PARTS);
      const patient = new S3Store(location);
      const streams = Array.from({ length: 150 }, () => patient.read('a', 0, PARTS.length - 1));
      await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('readable', resolve))));
      await service.line.quiet();
      expect(service.line.mostAtOnce).toBeLessThanOrEqual(64);
      for (const stream of streams) {
        stream.destroy();
      }
      await patient.close();
    });

    test('gives back the connection of every kind of request', async () => {
      await put(Buffer.from('content'));
      for (let times = 0; times < 70; times += 1) {
        expect(await store.size('a')).toBe(7);
        expect(await store.size('absent')).toBeUndefined();
        expect(await store.list('jobs')).toEqual([]);
        await store.deleteAll('jobs');
        await expect(buffer(store.read('absent', 0, 0))).rejects.toThrow('NoSuchKey');
      }
      expect(service.line.mostAtOnce).toBe(1);
      await store.close();
      await vi.waitFor(() => expect(service.line.connections).toBe(0));
    });

    test('deletes what a killed process was uploading', async () => {
      await service.ask('POST', `/${location.bucket}/some/where/jobs/a/tail?uploads`);
      await service.ask('POST', `/${location.bucket}/some/where/jobs/ab/tail?uploads`);
      await store.deleteAll('jobs/a');
      expect(await unfinishedUploads()).toBe(1);
    });

    test('looks for some seconds only once whether it can be written to', async () => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
      try {
        await store.check();
        service.line.reset();
        service.line.disturb = () => ({ kind: 'answer', status: 403, code: 'AccessDenied' });
        await store.check();
        expect(service.line.passed).toEqual([]);
        clock.mockReturnValue(5_000);
        await expect(store.check()).rejects.toThrow('S3: write .probe: AccessDenied');
        service.line.reset();
        await expect(store.check()).rejects.toThrow('AccessDenied');
        clock.mockReturnValue(10_000);
        await store.check();
      } finally {
        clock.mockRestore();
      }
    });

    test('says in time that it cannot be written to where nothing answers', async () => {
      service.line.disturb = () => ({ kind: 'silence' });
      await expect(store.check()).rejects.toThrow('not written to within 1000 ms');
      await service.line.quiet();
    });

    test('says in no error what it signs with', async () => {
      service.line.disturb = () => ({ kind: 'answer', status: 403, code: 'SignatureDoesNotMatch' });
      const error = await store.size('a').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(new RegExp(`${SECRET_KEY}|Signature=|tests`));
    });

    test('rejects in time when nobody is there', async () => {
      const absent = new S3Store({ ...location, endpoint: 'http://127.0.0.1:9' }, PATIENCE);
      await expect(absent.size('a')).rejects.toThrow('ECONNREFUSED');
      await absent.close();
    });
  });
});
