/** Spools in a store: whole on a local disk, cut by chunk in a bucket, and readable in both forms from both. */

import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verify } from '../../../src/cli/verify.js';
import type { BlobRange, BlobStore } from '../../../src/storage/blob-store.js';
import { FileSystemStore } from '../../../src/storage/file-system-store.js';
import { describeOnDatabases } from '../../support/databases.js';
import { namesBelow } from '../../support/names-below.js';
import { JobsFixture, signal } from '../jobs-fixture.js';

/** A store that is elsewhere, played by a folder: it cuts, and the engine gets copies of what was asked for. */
class FarStore extends FileSystemStore {
  readonly cut: BlobStore['cut'] = async (path, blobs) => {
    const whole = await readFile(path);
    for (const { key, ranges } of blobs) {
      const piece = `${path}.piece`;
      await writeFile(piece, Buffer.concat(ranges.map(({ offset, bytes }) => whole.subarray(offset, offset + bytes))));
      await this.adopt([{ key, path: piece }]);
    }
  };

  override async materialise(key: string, scratch?: string, ranges?: readonly BlobRange[]): Promise<string> {
    const content = await readFile(await super.materialise(key));
    await writeFile(scratch!, '');
    const copy = await open(scratch!, 'r+');
    for (const { offset, bytes } of ranges ?? [{ offset: 0, bytes: content.length }]) {
      await copy.write(content, offset, bytes, offset);
    }
    await copy.close();
    return scratch!;
  }
}

describeOnDatabases('spools', (kind) => {
  let fixture: JobsFixture;
  let far: FarStore;
  /** Bytes that the engine found at the beginning of each chunk, by the chunk's first item. */
  let read: Record<number, string>;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
    far = new FarStore(join(fixture.folder, 'blobs'));
    read = {};
    fixture.engine.onRender = async ({ firstItem, spoolPath, spoolOffset, spoolBytes }) => {
      const spool = await readFile(spoolPath, 'latin1');
      read[firstItem] = spool.slice(spoolOffset, spoolOffset + spoolBytes);
    };
  });
  afterEach(() => fixture.close());

  const spools = async (id: string) =>
    (await namesBelow(fixture.storage, `jobs/${id}`)).filter((name) => name.startsWith('spool')).toSorted();
  const inFarStore = async () => {
    await fixture.jobs.close();
    await fixture.start({ storage: far });
  };
  /** A job that nobody has begun to render. */
  const waiting = async (storage: BlobStore, total: number) => {
    await fixture.jobs.close();
    const dispatcher = {
      start: () => undefined,
      submit: () => undefined,
      sent: async () => undefined,
      figures: async () => undefined,
      pause: () => undefined,
      resume: () => undefined,
      close: async () => undefined,
    };
    await fixture.start({ storage, dispatcher });
    const { id } = await fixture.accept(total);
    await fixture.jobs.close();
    return id;
  };
  const IN_CHUNKS = { 0: 's', 10: 'p', 20: 'o' };

  test('are whole in a store that is here', async () => {
    const { id } = await fixture.accept(30);
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    expect(await spools(id)).toEqual(['spool']);
    expect(read).toEqual(IN_CHUNKS);
  });

  test('are cut in a store that is elsewhere, one for each chunk', async () => {
    await inFarStore();
    const held = signal();
    const note = fixture.engine.onRender;
    fixture.engine.onRender = async (request) => {
      await note(request);
      await held.reached;
    };
    const { id } = await fixture.accept(30);
    await fixture.expectSound();
    held.reach();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    expect(await spools(id)).toEqual(['spool-000000', 'spool-000001', 'spool-000002']);
    expect(read).toEqual(IN_CHUNKS);
    await fixture.jobs.close();
    expect(await fixture.leftovers()).toEqual([]);
    await fixture.expectSound();
    await fixture.storage.delete([`jobs/${id}/spool-000001`]);
    expect((await verify(fixture)).map(({ problem }) => problem)).toEqual([
      `jobs/${id}/spool-000001: no bytes, expected 1`,
    ]);
  });

  test('of one chunk are whole everywhere', async () => {
    await inFarStore();
    const { id } = await fixture.accept(10);
    await fixture.ended(id);
    expect(await spools(id)).toEqual(['spool']);
    expect(read).toEqual({ 0: 's' });
    await fixture.expectSound();
  });

  test('are read as they were stored, wherever they came to lie', async () => {
    const whole = await waiting(fixture.storage, 30);
    await fixture.start({ storage: far });
    expect(await fixture.ended(whole)).toMatchObject({ status: 'complete', completed: 30 });
    expect(read).toEqual(IN_CHUNKS);
    read = {};
    const cut = await waiting(far, 30);
    await fixture.start();
    expect(await fixture.ended(cut)).toMatchObject({ status: 'complete', completed: 30 });
    expect(read).toEqual(IN_CHUNKS);
  });

  test('that cannot be cut are refused with their jobs, and leave nothing', async () => {
    await fixture.jobs.close();
    const full: BlobStore['cut'] = async (path, blobs) => {
      await far.cut!(path, blobs.slice(0, 2));
      throw new Error('no space left in the bucket');
    };
    await fixture.start({ storage: Object.assign(new FarStore(join(fixture.folder, 'blobs')), { cut: full }) });
    await expect(fixture.accept(30)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]);
    expect(await fixture.leftovers()).toEqual([]);
    expect(await fixture.balance()).toBe(1_000);
    await fixture.expectSound();
  });
});
