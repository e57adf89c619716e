/** The S3 store: what every store does, and what networks and services make special. */

import { randomBytes } from 'node:crypto';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isTamperProof, type S3Timeouts } from '../../src/storage/s3-connection.js';
import { S3Store } from '../../src/storage/s3-store.js';
import type { BucketLocation } from '../../src/storage/storage-location.js';
import type { Fault, PassingRequest } from '../support/faulty-proxy.js';
import { describeWithObjectStore, ObjectStore, SECRET_KEY } from '../support/object-store.js';
import { namesBelow } from '../support/names-below.js';
import { conformance } from './conformance.js';

/** Much of this is waiting for timeouts, and more of it for a busy machine. */
vi.setConfig({ testTimeout: 90_000 });

const MEBIBYTE = 1024 * 1024;

/** Long enough for two busy cores, short enough to wait for. */
const TIMEOUTS: S3Timeouts = { connectMs: 2_000, idleMs: 1_500, responseMs: 10_000, attempts: 3, checkMs: 1_000 };

/** Smaller than the store's own, so that objects in parts cost little. A service takes no part below 5 MiB but the last. */
const MAX_PART_BYTES = 8 * MEBIBYTE;

const SLOW_DOWN: Fault = { kind: 'answer', status: 503, code: 'SlowDown' };
const INTERNAL_ERROR: Fault = { kind: 'answer', status: 500, code: 'InternalError' };

describeWithObjectStore('the S3 store', () => {
  let service: ObjectStore;
  let location: BucketLocation;
  beforeAll(async () => {
    service = await ObjectStore.start();
  });
  beforeEach(async () => {
    service.proxy.reset();
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
    idle: () => service.proxy.quiet(),
    traces: objects,
    remove: async () => undefined,
  }));

  describe('behind a proxy that fails', () => {
    let folder: string;
    let store: S3Store;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'qrpress-s3-'));
      store = new S3Store(location, TIMEOUTS, MAX_PART_BYTES);
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
    /** Lets the first so many requests that are so. */
    const fail = (times: number, fault: Fault, isMeant: (passing: PassingRequest) => boolean) => {
      let left = times;
      service.proxy.chooseFault = (passing) => {
        if (left === 0 || !isMeant(passing)) {
          return undefined;
        }
        left -= 1;
        return fault;
      };
    };

    /** Uploaded in two parts, read in several pieces. */
    const PARTS = randomBytes(12 * MEBIBYTE);
    /** Uploaded in one request, read in one piece. */
    const PIECE = randomBytes(MEBIBYTE);
    const always = Number.POSITIVE_INFINITY;
    const isUpload = ({ method }: PassingRequest) => method === 'PUT';
    const isBeginning = ({ method, url }: PassingRequest) => method === 'POST' && url.includes('uploads');
    const isCompletion = ({ method, url }: PassingRequest) => method === 'POST' && url.includes('uploadId');
    const isRead = ({ method }: PassingRequest) => method === 'GET';

    test.for<[string, Fault]>([
      ['an error', INTERNAL_ERROR],
      ['a request to slow down', SLOW_DOWN],
      ['a broken connection', { kind: 'refuse' }],
      ['an answer that is lost', { kind: 'lose' }],
      ['silence', { kind: 'silence' }],
    ])('adopts in spite of %s', async ([, fault]) => {
      for (const isMeant of [isUpload, isBeginning]) {
        fail(1, fault, isMeant);
        await put(PARTS);
        service.proxy.reset();
        expect((await whole(PARTS)).equals(PARTS)).toBe(true);
      }
      fail(2, fault, isUpload);
      await put(Buffer.from('small'));
      expect(await store.size('a')).toBe(5);
    });

    test('leaves content unsigned that nobody can change on its way, and signs everything else', async () => {
      await put(PARTS);
      await put(Buffer.from('small'), 'b');
      await store.size('b');
      const contentHashes = service.proxy.passed.map(
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
      expect(isTamperProof({ protocol, hostname })).toBe(isUnsigned);
    });

    test.for<[string, Fault]>([
      ['errors', INTERNAL_ERROR],
      ['silence', { kind: 'silence' }],
    ])('rejects when all that is uploaded meets %s; the file stays, and nothing half-written', async ([, fault]) => {
      fail(always, fault, isUpload);
      await expect(put(PARTS)).rejects.toThrow('S3: upload a: ');
      service.proxy.reset();
      await access(path());
      expect(await store.size('a')).toBeUndefined();
      expect(await unfinishedUploads()).toBe(0);
      await store.adopt([{ key: 'a', path: path() }]);
      expect((await whole(PARTS)).equals(PARTS)).toBe(true);
    });

    test('adopts again where nobody knows whether it was done', async () => {
      fail(always, { kind: 'lose' }, isCompletion);
      await put(PARTS).catch(() => undefined);
      service.proxy.reset();
      await store.adopt([{ key: 'a', path: path() }]);
      expect((await whole(PARTS)).equals(PARTS)).toBe(true);
      expect(await unfinishedUploads()).toBe(0);
    });

    test.for<[string, Fault]>([
      ['a connection that breaks', { kind: 'reset', bytes: 300_000 }],
      ['a body that stalls', { kind: 'stall', bytes: 300_000 }],
      ['a body that is cut short', { kind: 'curtail', bytes: 300_000 }],
    ])('reads on after %s, from the byte that was reached, and only of that object', async ([, fault]) => {
      await put(PIECE);
      service.proxy.reset();
      fail(2, fault, isRead);
      expect((await whole(PIECE)).equals(PIECE)).toBe(true);
      const [first, second, third] = service.proxy.passed;
      expect(first?.headers['if-match']).toBeUndefined();
      const reached = [second, third].map((passing) => Number(/^bytes=(\d+)-/.exec(passing?.headers.range ?? '')?.[1]));
      expect(reached[0]).toBeGreaterThan(0);
      expect(reached[0]).toBeLessThanOrEqual(300_000);
      expect(reached[1]).toBeGreaterThan(reached[0]!);
      expect(second?.headers['if-match']).toMatch(/^".+"$/);
      expect(third?.headers['if-match']).toBe(second?.headers['if-match']);
    });

    test.for<[string, Fault]>([
      ['an error', INTERNAL_ERROR],
      ['a request to slow down', SLOW_DOWN],
      ['a broken connection', { kind: 'refuse' }],
      ['silence', { kind: 'silence' }],
      ['a body that comes slowly', { kind: 'trickle', bytes: 5_000 }],
    ])('reads in spite of %s', async ([, fault]) => {
      await put(PIECE);
      fail(2, fault, isRead);
      expect((await whole(PIECE)).equals(PIECE)).toBe(true);
      fail(2, fault, isRead);
      const found = await store.materialise('a', join(folder, 'scratch'), [{ offset: 0, bytes: 1 }]);
      await access(found);
    });

    test('has the whole of a blob in a file in spite of connections that break, also after others were given up', async () => {
      await put(PARTS);
      const materialise = (name: string) => store.materialise('a', join(folder, name));
      const breaks: Fault = { kind: 'reset', bytes: 1_500_000 };
      fail(always, breaks, isRead);
      const givenUp = await Promise.allSettled(['a', 'b', 'c'].map(materialise));
      expect(givenUp.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await service.proxy.quiet();
      fail(2, breaks, isRead);
      for (const found of await Promise.all(['d', 'e', 'f'].map(materialise))) {
        expect((await readFile(found)).equals(PARTS)).toBe(true);
      }
    });

    test.for<[string, Fault, RegExp]>([
      ['errors', INTERNAL_ERROR, /^S3: GET a: InternalError: failed on purpose$/],
      ['broken connections', { kind: 'reset', bytes: 10 }, /aborted|ECONNRESET/],
      ['stalls', { kind: 'stall', bytes: 10 }, /1500 ms of inactivity/],
      ['bodies that are cut short', { kind: 'curtail', bytes: 10 }, /sent less than it announced/],
      ['silence', { kind: 'silence' }, /1500 ms of inactivity/],
    ])('ends a stream that meets nothing but %s', async ([, fault, reason]) => {
      await put(PIECE);
      service.proxy.reset();
      fail(always, fault, isRead);
      await expect(whole(PIECE)).rejects.toThrow(reason);
      expect(service.proxy.passed).toHaveLength(TIMEOUTS.attempts);
      await service.proxy.quiet();
    });

    test('takes nothing for a range that is none', async () => {
      await put(PIECE);
      fail(always, { kind: 'ignore range' }, isRead);
      await expect(buffer(store.read('a', 1, 100))).rejects.toThrow('different range than requested');
      await service.proxy.quiet();
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
      service.proxy.reset();
      fail(always, { kind: 'answer', status: 403, code: 'AccessDenied' }, isUpload);
      await expect(store.cut!(path(), many)).rejects.toThrow(/^S3: upload piece-\d: AccessDenied/);
      expect(service.proxy.passed.length).toBeLessThan(many.length);
      const tried = service.proxy.passed.length;
      await service.proxy.quiet();
      expect(service.proxy.passed).toHaveLength(tried);
    });

    test('holds no connection for readers who do not read on, and never more than 64', async () => {
      await put(PARTS);
      const patient = new S3Store(location);
      const streams = Array.from({ length: 70 }, () => patient.read('a', 0, PARTS.length - 1));
      await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('readable', resolve))));
      await service.proxy.quiet();
      expect(service.proxy.mostAtOnce).toBeLessThanOrEqual(64);
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
        expect(await namesBelow(store, 'jobs')).toEqual([]);
        await store.deleteAll('jobs');
        await expect(buffer(store.read('absent', 0, 0))).rejects.toThrow('NoSuchKey');
      }
      expect(service.proxy.mostAtOnce).toBe(1);
      await store.close();
      await vi.waitFor(() => expect(service.proxy.connections).toBe(0), { timeout: 20_000 });
    });

    test('deletes what a killed process was uploading', async () => {
      await service.ask('POST', `/${location.bucket}/some/where/jobs/a/end?uploads`);
      await service.ask('POST', `/${location.bucket}/some/where/jobs/ab/end?uploads`);
      await store.deleteAll('jobs/a');
      expect(await unfinishedUploads()).toBe(1);
    });

    test('looks for some seconds only once whether it can be written to', async () => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
      try {
        await store.check();
        service.proxy.reset();
        service.proxy.chooseFault = () => ({ kind: 'answer', status: 403, code: 'AccessDenied' });
        await store.check();
        expect(service.proxy.passed).toEqual([]);
        clock.mockReturnValue(5_000);
        await expect(store.check()).rejects.toThrow('S3: write .probe: AccessDenied');
        service.proxy.reset();
        await expect(store.check()).rejects.toThrow('AccessDenied');
        clock.mockReturnValue(10_000);
        await store.check();
      } finally {
        clock.mockRestore();
      }
    });

    test('says in time that it cannot be written to where nothing answers', async () => {
      service.proxy.chooseFault = () => ({ kind: 'silence' });
      await expect(store.check()).rejects.toThrow('could not write to the bucket within 1000 ms');
      await service.proxy.quiet();
    });

    test('says so in time also where other requests take all connections', async () => {
      service.proxy.chooseFault = () => ({ kind: 'silence' });
      const patient = new S3Store(location, { ...TIMEOUTS, idleMs: 30_000, responseMs: 30_000, attempts: 1 });
      const others = Promise.allSettled(Array.from({ length: 64 }, () => patient.size('a')));
      await vi.waitFor(() => expect(service.proxy.passed).toHaveLength(64), { timeout: 10_000 });
      const started = performance.now();
      await expect(patient.check()).rejects.toThrow('could not write to the bucket within 1000 ms');
      expect(performance.now() - started).toBeLessThan(10_000);
      await patient.close();
      await others;
      await service.proxy.quiet();
    });

    test('says in no error what it signs with', async () => {
      service.proxy.chooseFault = () => ({ kind: 'answer', status: 403, code: 'SignatureDoesNotMatch' });
      const error = await store.size('a').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(new RegExp(`${SECRET_KEY}|Signature=|tests`));
    });

    test('rejects in time when nobody is there', async () => {
      const absent = new S3Store({ ...location, endpoint: 'http://127.0.0.1:9' }, TIMEOUTS);
      await expect(absent.size('a')).rejects.toThrow('ECONNREFUSED');
      await absent.close();
    });
  });
});
