/** A process's own folder within the shared data folder: its drafts and temporary files. */

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { newRowId } from '../../database/row-id.js';
import { DraftFolder } from './drafts.js';

/** A process on another host counts as dead when its folder was not touched for this long. */
export const SILENT_MS = 24 * 3_600_000;

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

  /** Heartbeat. Call it more often than once a day. */
  async touch(): Promise<void> {
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
