/** Drafts of jobs that do not exist yet, in a folder of their process. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRowId, newRowId } from '../../database/row-id.js';
import { unlessAbsent } from '../../platform/disk.js';

/**
 * The local files of a job that does not exist yet: a received body, and the spool that its check writes. Both are deleted when
 * the owner's scope ends (`await using`), unless it is unknown whether the draft became a job.
 */
export class Draft implements AsyncDisposable {
  /** The job's id, if the draft becomes one. */
  readonly id = newRowId();
  readonly #folder: DraftFolder;
  /**
   * True from the moment something may be stored for the draft until it is known whether it became a job. Until then the
   * end of the scope deletes nothing: the files tell the next start what to settle.
   */
  isUnsettled = false;
  /** False once the engine has removed the files. */
  hasFiles = true;

  constructor(folder: DraftFolder) {
    this.#folder = folder;
  }

  get bodyPath(): string {
    return this.#folder.bodyPath(this.id);
  }

  /** The checked input. */
  get spoolPath(): string {
    return this.#folder.spoolPath(this.id);
  }

  /** Deletes the files; the engine then gives up checking them. The next start finds files that cannot be deleted. */
  async remove(): Promise<void> {
    await this.#folder.remove(this.id).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.hasFiles && !this.isUnsettled) {
      await this.remove();
    }
  }
}

export class DraftFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Creates a draft without files: the caller writes them. */
  create(): Draft {
    return new Draft(this);
  }

  bodyPath(id: string): string {
    return join(this.path, `${id}.body`);
  }

  spoolPath(id: string): string {
    return join(this.path, `${id}.spool`);
  }

  /** Ids of all drafts. Empty when the folder does not exist. */
  async list(): Promise<string[]> {
    const names = (await unlessAbsent(readdir(this.path))) ?? [];
    const ids = names.map((name) => name.replace(/\.(?:body|spool)$/, '')).filter(isRowId);
    return [...new Set(ids)];
  }

  async remove(id: string): Promise<void> {
    await Promise.all([rm(this.bodyPath(id), { force: true }), rm(this.spoolPath(id), { force: true })]);
  }
}
