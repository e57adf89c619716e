/** How spools lie in a store: whole where it is here, cut where it is elsewhere, and read in either way wherever it is. */

import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verify } from '../../src/jobs/verify.ts';
import type { BlobRange, BlobStore } from '../../src/storage/blob-store.ts';
import { FileSystemStore } from '../../src/storage/file-system-store.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { signal, Workshop } from './workshop.ts';

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
  let workshop: Workshop;
  let far: FarStore;
  /** What the engine found where it was told that a chunk begins, by the chunk's first item. */
  let read: Record<number, string>;
  beforeEach(async () => {
    workshop = await Workshop.open(kind);
    far = new FarStore(join(workshop.folder, 'blobs'));
    read = {};
    workshop.engine.onRender = async ({ firstItem, spoolPath, spoolOffset, spoolBytes }) => {
      const spool = await readFile(spoolPath, 'latin1');
      read[firstItem] = spool.slice(spoolOffset, spoolOffset + spoolBytes);
    };
  });
  afterEach(() => workshop.close());

  const spools = async (id: string) =>
    (await workshop.storage.list(`jobs/${id}`)).filter((name) => name.startsWith('spool')).toSorted();
  const inFarStore = async () => {
    await workshop.jobs.close();
    await workshop.start({ storage: far });
  };
  /** A job that nobody has begun to render. */
  const waiting = async (storage: BlobStore, total: number) => {
    await workshop.jobs.close();
    const idle = { submit: () => undefined, sent: async () => undefined, close: async () => undefined };
    await workshop.start({ storage, createDispatcher: () => idle });
    const { id } = await workshop.accept(total);
    await workshop.jobs.close();
    return id;
  };
  const IN_CHUNKS = { 0: 's', 10: 'p', 20: 'o' };

  test('are whole in a store that is here', async () => {
    const { id } = await workshop.accept(30);
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    expect(await spools(id)).toEqual(['spool']);
    expect(read).toEqual(IN_CHUNKS);
  });

  test('are cut in a store that is elsewhere, one for each chunk', async () => {
    await inFarStore();
    const held = signal();
    const note = workshop.engine.onRender;
    workshop.engine.onRender = async (request) => {
      await note(request);
      await held.reached;
    };
    const { id } = await workshop.accept(30);
    await workshop.expectSound();
    held.reach();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    expect(await spools(id)).toEqual(['spool-000000', 'spool-000001', 'spool-000002']);
    expect(read).toEqual(IN_CHUNKS);
    await workshop.jobs.close();
    expect(await workshop.leftovers()).toEqual([]);
    await workshop.expectSound();
    await workshop.storage.delete([`jobs/${id}/spool-000001`]);
    expect((await verify(workshop)).map(({ problem }) => problem)).toEqual([
      `jobs/${id}/spool-000001: no bytes, expected 1`,
    ]);
  });

  test('of one chunk are whole everywhere', async () => {
    await inFarStore();
    const { id } = await workshop.accept(10);
    await workshop.ended(id);
    expect(await spools(id)).toEqual(['spool']);
    expect(read).toEqual({ 0: 's' });
    await workshop.expectSound();
  });

  test('are read as they were stored, wherever they came to lie', async () => {
    const whole = await waiting(workshop.storage, 30);
    await workshop.start({ storage: far });
    expect(await workshop.ended(whole)).toMatchObject({ status: 'complete', completed: 30 });
    expect(read).toEqual(IN_CHUNKS);
    read = {};
    const cut = await waiting(far, 30);
    await workshop.start();
    expect(await workshop.ended(cut)).toMatchObject({ status: 'complete', completed: 30 });
    expect(read).toEqual(IN_CHUNKS);
  });

  test('that cannot be cut are refused with their jobs, and leave nothing', async () => {
    await workshop.jobs.close();
    const full: BlobStore['cut'] = async (path, blobs) => {
      await far.cut!(path, blobs.slice(0, 2));
      throw new Error('no space left in the bucket');
    };
    await workshop.start({ storage: Object.assign(new FarStore(join(workshop.folder, 'blobs')), { cut: full }) });
    await expect(workshop.accept(30)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await workshop.storage.list('jobs')).toEqual([]);
    expect(await workshop.leftovers()).toEqual([]);
    expect(await workshop.balance()).toBe(1_000);
    await workshop.expectSound();
  });
});
