/** Settles drafts of which a fault or a crash left unknown whether they became jobs. */

import type { BlobStore } from '../../storage/blob-store.js';
import type { ProcessFolder } from '../files/process-folder.js';
import { jobPrefix } from '../files/job-files.js';
import type { IdempotencyStore } from '../idempotency-store.js';
import type { JobStore } from '../job-store.js';
import type { LeaseStore } from '../lease-store.js';
import type { DraftFolder } from '../files/draft.js';

interface SettlementOptions {
  store: JobStore;
  leases: LeaseStore;
  idempotency: IdempotencyStore;
  storage: BlobStore;
  folder: ProcessFolder;
}

export class Settlement {
  readonly #options: SettlementOptions;
  /** Drafts of this process. */
  readonly #open = new Set<string>();

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** Adds a draft of this process to those that `settleOpen` settles. */
  add(draftId: string): void {
    this.#open.add(draftId);
  }

  /** Settles the drafts of this process. Call it when the database answers. */
  async settleOpen(): Promise<void> {
    const ids = [...this.#open];
    if (ids.length > 0) {
      const jobs = await this.#settle(this.#options.folder.drafts, ids);
      if (jobs.size > 0) {
        // Their creation gave them to this process, which does not know of them.
        await this.#options.leases.releaseJobs([...jobs]);
      }
      for (const id of ids) {
        this.#open.delete(id);
      }
    }
  }

  /**
   * Settles the drafts of dead processes, and releases their leases and idempotency keys.
   * @param isOnlyProcess true when there is no other process
   * @param now Unix milliseconds; 0: the clock is in doubt
   */
  async settleLeftBehind(isOnlyProcess: boolean, now: number): Promise<void> {
    const { leases, idempotency, folder } = this.#options;
    for await (const dead of folder.leftBehind(isOnlyProcess, now)) {
      await leases.releaseAll(dead.name);
      await idempotency.releaseAll(dead.name);
      await this.#settle(dead.drafts, await dead.drafts.list());
      await dead.remove();
    }
  }

  /** Deletes drafts, and the stored files of those that did not become jobs. Returns the ids of those that did. */
  async #settle(drafts: DraftFolder, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { store, storage } = this.#options;
    const jobs = await store.committed(ids);
    const abandoned = ids.filter((id) => !jobs.has(id));
    for (const id of abandoned) {
      await storage.deleteAll(jobPrefix(id));
    }
    // The draft files go last: they tell the next start what to settle.
    await Promise.all(ids.map((id) => drafts.remove(id)));
    return jobs;
  }
}
