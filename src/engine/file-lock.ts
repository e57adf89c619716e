/**
 * Locks of files (`flock`). The system ends a lock with the process that holds it, whatever ends the process. Processes in all
 * containers of a host see it, though they see no process ids of each other.
 */

import { closeSync, fstatSync, statSync } from 'node:fs';

export class FileLock {
  readonly #path: string;
  readonly #descriptor: number;
  #isReleased = false;

  private constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  /** Locks a file, which is made if it is absent. Undefined when somebody holds a lock that excludes this one. */
  static async take(path: string, { isShared = false } = {}): Promise<FileLock | undefined> {
    // Loaded on demand: commands take no lock.
    const { native } = await import('./addon.js');
    for (;;) {
      const descriptor = native.lockFile(path, isShared);
      if (descriptor === null) {
        return undefined;
      }
      const lock = new FileLock(path, descriptor);
      if (lock.isInPlace) {
        return lock;
      }
      // Its last holder deleted the file between the opening and the locking.
      lock.release();
    }
  }

  /** False once it was released, or its file was deleted or replaced: others can lock the path. */
  get isInPlace(): boolean {
    return (
      !this.#isReleased && statSync(this.#path, { throwIfNoEntry: false })?.ino === fstatSync(this.#descriptor).ino
    );
  }

  /** Calling it twice does no harm. */
  release(): void {
    if (!this.#isReleased) {
      this.#isReleased = true;
      closeSync(this.#descriptor);
    }
  }
}
