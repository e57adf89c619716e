/** Drafts: the local files of a job that does not exist yet. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRowId, newRowId } from '../../database/row-id.js';

/**
 * A body as received, and the spool that its check makes of it. Both are deleted when the scope of the draft's owner
 * ends (`await using`), unless the next start has to look at them.
 */
export class Draft implements AsyncDisposable {
  /** The job's id, if the draft becomes one. */
  readonly id = newRowId();
  readonly #folder: DraftFolder;
  /**
   * The end of the scope deletes nothing: no file is left, or something may be stored for the draft and nobody knows
   * whether it became a job. The files then tell the next start what to settle.
   */
  isKept = false;

  constructor(folder: DraftFolder) {
    this.#folder = folder;
  }

  /** The body as received. */
  get bodyPath(): string {
    return this.#folder.bodyPath(this.id);
  }

  /** The checked input. */
  get spoolPath(): string {
    return this.#folder.spoolPath(this.id);
  }

  /** Deletes the files; the engine gives up a check whose files are gone. The next start finds those that cannot be deleted. */
  async remove(): Promise<void> {
    await this.#folder.remove(this.id).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isKept) {
      await this.remove();
    }
  }
}

/** The drafts of one process. */
export class DraftFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Names a draft; its files are for the caller to write. */
  create(): Draft {
    return new Draft(this);
  }

  bodyPath(id: string): string {
    return join(this.path, `${id}.body`);
  }

  spoolPath(id: string): string {
    return join(this.path, `${id}.spool`);
  }

  /** Ids of all drafts; a folder that is missing has none. */
  async list(): Promise<string[]> {
    const names = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = names.map((name) => name.replace(/\.(?:body|spool)$/, '')).filter(isRowId);
    return [...new Set(ids)];
  }

  async remove(id: string): Promise<void> {
    await Promise.all([rm(this.bodyPath(id), { force: true }), rm(this.spoolPath(id), { force: true })]);
  }
}
