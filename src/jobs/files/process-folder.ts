/** A process's own folder in the shared data folder: its temporary files, and its drafts. */

import { createHash } from 'node:crypto';
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../contract/limits.js';
import { newRowId } from '../../database/row-id.js';
import { FileLock } from '../../engine/file-lock.js';
import { oneAtATime } from '../../platform/concurrency.js';
import { DraftFolder } from './draft.js';
import { Rounds } from '../../platform/rounds.js';

/** A process on another host counts as dead when its folder was not touched for this long. */
export const SILENT_MS = DAY_MS;

/** Interval between looks whether the folder is still there. Most systems tell of its end earlier. */
const LOOK_EVERY_MS = 1_000;

/** The kernel of this host. Containers share it, and see each other's locks. */
const KERNEL = kernelName();

/** `<host>-<kernel>-<process id>-<row id>`: no two processes ever have the same name. */
const NAME = /^.+-([0-9a-f]{8})-\d+-[0-9a-z]{26}$/;

export class ProcessFolder {
  /** Name of the process, which also holds its leases. */
  readonly name: string;
  readonly path: string;
  readonly drafts: DraftFolder;
  /** For temporary files. */
  readonly scratch: string;
  readonly #root: string;
  /** Held as long as the process lives. It lies beside the folder, so that it is locked before there is a folder. */
  readonly #lockPath: string;
  #lock: FileLock | undefined;
  #looks: Rounds | undefined;
  #watcher: FSWatcher | undefined;

  /** `root` contains the folders of all processes. Creates nothing yet. */
  constructor(root: string, name = `${hostPart()}-${KERNEL}-${process.pid}-${newRowId()}`) {
    this.#root = root;
    this.name = name;
    this.path = join(root, name);
    this.drafts = new DraftFolder(join(this.path, 'drafts'));
    this.scratch = join(this.path, 'scratch');
    this.#lockPath = `${this.path}.lock`;
  }

  /** Makes what is missing of the folder and its lock. */
  readonly create = oneAtATime(async () => {
    await mkdir(this.#root, { recursive: true });
    if (this.#lock?.isInPlace !== true) {
      this.#lock?.release();
      this.#lock = await FileLock.take(this.#lockPath);
    }
    if (this.#lock === undefined) {
      throw new Error(`${this.#lockPath} is locked by another process`);
    }
    await mkdir(this.drafts.path, { recursive: true });
    await mkdir(this.scratch, { recursive: true });
  });

  /**
   * From now on makes the folder again at once when somebody deletes it or a part of it.
   * @param onRemade called when the whole folder is a new one
   * @param onFailure called when it could not be made; the next look tries again
   */
  watch(onRemade: () => void, onFailure: (error: unknown) => void): void {
    let watched: string | undefined;
    this.#looks = new Rounds({
      work: async () => {
        await this.create();
        const born = birthOf(this.path);
        if (born !== watched && this.#looks?.isClosed === false) {
          this.#watcher?.close();
          // A system may have no watches left, and a network file system tells of no change elsewhere: then a look finds it.
          this.#watcher = watch(this.path, { persistent: false }, () => this.#looks?.runSoon()).on('error', () => {});
          if (watched !== undefined) {
            onRemade();
          }
          watched = born;
        }
      },
      everyMs: LOOK_EVERY_MS,
      onFailure,
    });
    void this.#looks.start();
  }

  /** Heartbeat. Call it more often than once a day. Another host's process deletes the folder of one that stood still for longer. */
  async touch(): Promise<void> {
    await this.create();
    const now = new Date();
    await utimes(this.path, now, now);
  }

  /**
   * Folders of dead processes: nobody holds their locks. Of another host, whose locks may be invisible here, only those
   * without a heartbeat for a day, or all if this process is the only one. Each is locked until the next is asked for, so that
   * no two processes take care of it.
   * @param now Unix milliseconds; 0: only folders of this host
   */
  async *leftBehind(isOnlyProcess: boolean, now: number): AsyncGenerator<ProcessFolder> {
    // Whatever else lies there is nobody's to delete.
    const names = (await readdir(this.#root)).filter((name) => NAME.test(name) && name !== this.name);
    for (const name of names) {
      const folder = new ProcessFolder(this.#root, name);
      if ((isOnlyProcess || (await folder.#isSilent(now))) && (await folder.#takeOver())) {
        try {
          yield folder;
        } finally {
          folder.release();
        }
      }
    }
  }

  /** Deletes the folder with its contents. */
  async remove(): Promise<void> {
    await rm(this.#lockPath, { force: true });
    await rm(this.path, { recursive: true, force: true });
  }

  /** Deletes the folder, unless it contains drafts that another process must settle, and gives up its lock. */
  async close(): Promise<void> {
    await this.#looks?.close();
    try {
      await rm(this.scratch, { recursive: true, force: true });
      await rmdir(this.drafts.path);
      await rmdir(this.path);
      await rm(this.#lockPath, { force: true });
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) {
        throw error;
      }
    } finally {
      this.release();
    }
  }

  /** Gives up the lock: from now on the folder is that of a dead process. */
  release(): void {
    void this.#looks?.close();
    this.#watcher?.close();
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** False when its process runs, or another one takes care of it. */
  async #takeOver(): Promise<boolean> {
    this.#lock = await FileLock.take(this.#lockPath);
    return this.#lock !== undefined;
  }

  /** True when a free lock is proof enough of its process's death. */
  async #isSilent(now: number): Promise<boolean> {
    const [, kernel] = NAME.exec(this.name) ?? [];
    const touched = kernel === KERNEL ? undefined : await stat(this.path).catch(() => undefined);
    return kernel === KERNEL || (touched !== undefined && now - touched.mtimeMs > SILENT_MS);
  }
}

function hostPart(): string {
  return hostname()
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40);
}

/** By the id of its boot; on a system without one, by the host's name. */
function kernelName(): string {
  let id = hostname();
  try {
    id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  } catch {
    // Not Linux.
  }
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}

/** Differs for a folder that was deleted and made again. Its number alone may not: the system gives it to the next folder. */
function birthOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}
