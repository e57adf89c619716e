/** Looks at jobs for all who follow them: one query at a time for a job, however many pages show it. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';

/** How often a job is looked at. */
const LOOK_EVERY_MS = 400;

export class JobWatch {
  readonly #jobs: Pick<Jobs, 'find'>;
  /** The look that each followed job waits for. */
  readonly #looks = new Map<string, Promise<Job | undefined>>();

  constructor(jobs: Pick<Jobs, 'find'>) {
    this.#jobs = jobs;
  }

  /** Resolves with the job as the next look finds it; undefined when it is gone. */
  next({ id, organisationId }: Job): Promise<Job | undefined> {
    let look = this.#looks.get(id);
    if (look === undefined) {
      look = this.#look(organisationId, id).finally(() => this.#looks.delete(id));
      this.#looks.set(id, look);
    }
    return look;
  }

  async #look(organisationId: string, id: string): Promise<Job | undefined> {
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
    return this.#jobs.find(organisationId, id);
  }
}
