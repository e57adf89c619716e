/** A process's own folder within the shared data folder: its temporary files, and the drafts of jobs that do not exist yet. */

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../contract/limits.js';
import { isRowId, newRowId } from '../../database/row-id.js';
import { unlessAbsent } from '../../platform/disk.js';

/** A process on another host counts as dead when its folder was not touched for this long. */
export const SILENT_MS = DAY_MS;

/**
 * Names the set of processes that can see each other. The host name alone is not enough: hosts may share a name, as may
 * the containers of one host, each with process ids of its own.
 */
const HOST = hostName();

/** `<host>-<process id>-<row id>`: no two processes ever have the same name. */
const NAME = /^(.+)-(\d+)-[0-9a-z]{26}$/;

export class ProcessFolder {
  /** Name of the process, which also holds its leases. */
  readonly name: string;
  readonly path: string;
  readonly drafts: DraftFolder;
  /** For temporary files. */
  readonly scratch: string;
  readonly #root: string;

  /** `root` contains the folders of all processes. Creates nothing yet. */
  constructor(root: string, name = `${HOST}-${process.pid}-${newRowId()}`) {
    this.#root = root;
    this.name = name;
    this.path = join(root, name);
    this.drafts = new DraftFolder(join(this.path, 'drafts'));
    this.scratch = join(this.path, 'scratch');
  }

  async create(): Promise<void> {
    await mkdir(this.drafts.path, { recursive: true });
    await mkdir(this.scratch, { recursive: true });
  }

  /** Heartbeat. Call it more often than once a day. Another process deletes the folder of one that stood still for longer. */
  async touch(): Promise<void> {
    await this.create();
    const now = new Date();
    await utimes(this.path, now, now);
  }

  /**
   * Folders of dead processes. On this host: those that do not run. On other hosts, where that is unknown: those
   * without a heartbeat for a day, or all if this process is the only one.
   */
  async leftBehind(isSole: boolean): Promise<ProcessFolder[]> {
    // Whatever else lies there is nobody's to delete.
    const names = (await readdir(this.#root)).filter((name) => NAME.test(name));
    const folders = names.map((name) => new ProcessFolder(this.#root, name));
    const dead = await Promise.all(folders.map((folder) => this.#isDead(folder, isSole)));
    return folders.filter((_, index) => dead[index]);
  }

  /** Deletes the folder with its contents. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** Deletes the folder, unless it contains drafts that another process must settle. */
  async removeUnlessNeeded(): Promise<void> {
    await rm(this.scratch, { recursive: true, force: true });
    try {
      await rmdir(this.drafts.path);
      await rmdir(this.path);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) {
        throw error;
      }
    }
  }

  async #isDead({ name, path }: ProcessFolder, isSole: boolean): Promise<boolean> {
    const [, host, pid] = NAME.exec(name) ?? [];
    if (name === this.name) {
      return false;
    }
    if (host === HOST) {
      // An earlier process with this process's id is gone.
      return Number(pid) === process.pid || !isRunning(Number(pid));
    }
    if (isSole) {
      return true;
    }
    const touched = await stat(path).catch(() => undefined);
    return touched !== undefined && Date.now() - touched.mtimeMs > SILENT_MS;
  }
}

function hostName(): string {
  const space = ['/proc/sys/kernel/random/boot_id', '/proc/self/ns/pid'].map(readIfThere).join();
  const digest = createHash('sha256').update(`${hostname()},${space}`).digest('hex').slice(0, 8);
  return `${hostname()
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40)}-${digest}`;
}

/** The contents of a file, or the target of a link. Empty when it does not exist. */
function readIfThere(path: string): string {
  try {
    return path.includes('/ns/') ? readlinkSync(path) : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

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

  /** The received body. */
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

/** The drafts of one process. */
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
