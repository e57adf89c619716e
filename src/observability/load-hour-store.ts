/** The load of the last day by the hour: jobs that processes accepted, codes that they drew, refused requests, disk and queue. */

import { HOUR_MS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';

/** Time between two writes of a process. What it counted since the last one is lost when it is killed. */
const WRITE_EVERY_MS = 60_000;

const HOURS = 24;

/** An hour of all processes together. */
export interface LoadHour {
  /** Start of the hour, Unix milliseconds. */
  hour: number;
  jobs: number;
  items: number;
  refused: number;
  /** 0 in an hour without a process. */
  leastDiskBytes: number;
  mostQueuedItems: number;
}

/** Figures at a moment. */
interface LoadFigures {
  freeDiskBytes: number;
  queuedItems: number;
}

/** The last 24 hours, the current one included, oldest first. An hour without a process has zeros. */
export async function lastHours(database: Database, now = Date.now()): Promise<LoadHour[]> {
  const first = startOfHour(now) - (HOURS - 1) * HOUR_MS;
  const rows = await database
    .selectFrom('load_hours')
    .select(({ fn }) => [
      'hour',
      fn.sum<number>('jobs').as('jobs'),
      fn.sum<number>('items').as('items'),
      fn.sum<number>('refused').as('refused'),
      fn.min<number>('least_disk_bytes').as('leastDiskBytes'),
      fn.max<number>('most_queued_items').as('mostQueuedItems'),
    ])
    .where('hour', '>=', first)
    .groupBy('hour')
    .execute();
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = first + index * HOUR_MS;
    const none = { hour, jobs: 0, items: 0, refused: 0, leastDiskBytes: 0, mostQueuedItems: 0 };
    return byHour.get(hour) ?? none;
  });
}

/** Counts what this process does, and writes it to the row of the hour. */
export class LoadHourStore {
  readonly #database: Database;
  readonly #process: string;
  #jobs = 0;
  #items = 0;
  #refused = 0;
  #writtenAt = 0;

  /** @param process its name, which no other process has */
  constructor(database: Database, process: string) {
    this.#database = database;
    this.#process = process;
  }

  accepted(): void {
    this.#jobs += 1;
  }

  /** Codes were drawn, by whichever process accepted their job. */
  drew(items: number): void {
    this.#items += items;
  }

  /** A request was limited or shed. */
  refused(): void {
    this.#refused += 1;
  }

  /** Writes what was counted, and the figures, if the last time was a minute ago. */
  async record({ freeDiskBytes, queuedItems }: LoadFigures, now = Date.now()): Promise<void> {
    if (now - this.#writtenAt < WRITE_EVERY_MS) {
      return;
    }
    this.#writtenAt = now;
    const [jobs, items, refused] = [this.#jobs, this.#items, this.#refused];
    const row = { hour: startOfHour(now), process: this.#process };
    const { numUpdatedRows } = await this.#database
      .updateTable('load_hours')
      .set((column) => ({
        jobs: column('jobs', '+', jobs),
        items: column('items', '+', items),
        refused: column('refused', '+', refused),
        least_disk_bytes: column
          .case()
          .when('least_disk_bytes', '>', freeDiskBytes)
          .then(freeDiskBytes)
          .else(column.ref('least_disk_bytes'))
          .end(),
        most_queued_items: column
          .case()
          .when('most_queued_items', '<', queuedItems)
          .then(queuedItems)
          .else(column.ref('most_queued_items'))
          .end(),
      }))
      .where('hour', '=', row.hour)
      .where('process', '=', row.process)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      const figures = { least_disk_bytes: freeDiskBytes, most_queued_items: queuedItems };
      await this.#database
        .insertInto('load_hours')
        .values({ ...row, jobs, items, refused, ...figures })
        .execute();
    }
    this.#jobs -= jobs;
    this.#items -= items;
    this.#refused -= refused;
    await this.#database
      .deleteFrom('load_hours')
      .where('hour', '<', row.hour - HOURS * HOUR_MS)
      .execute();
  }
}

function startOfHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}
