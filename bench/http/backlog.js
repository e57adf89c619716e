/** A data folder with many jobs that wait to be drawn: one job's rows and input, so many times over. */

import { copyFileSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import LibsqlDatabase from 'libsql';

import { ended, post } from '../client.js';
import { writeBody } from '../workload.js';
import { startServices } from './services.js';

/** One more than are drawn while they are checked. */
const ITEMS = 101;

/** Names of one file; ext4 takes 65,000. */
const MOST_LINKS = 50_000;

/** @returns {Promise<string>} the data folder of a service that has been stopped */
export async function makeBacklog(parent, jobs) {
  const dataDir = mkdtempSync(join(parent, 'backlog-'));
  const services = await startServices({ parent, dataDir, database: 'sqlite', apis: 1, workers: 0 });
  const body = join(dataDir, 'body.ndjson');
  writeBody(body, ITEMS, { format: 'png' });
  const { jobId } = await post(services, body);
  await ended(services, { jobId });
  await services.stop();
  copyJob(dataDir, jobId, jobs);
  return dataDir;
}

function copyJob(dataDir, jobId, jobs) {
  let ids = 0;
  const newId = () => `${jobId.slice(0, 16)}${String(ids++).padStart(10, '0')}`;
  const database = new LibsqlDatabase(join(dataDir, 'qrpress.db'));
  // The database computes `credits_used` itself.
  const [{ credits_used: _, ...job }] = database.prepare('select * from jobs where id = ?').all([jobId]);
  const [chunk] = database.prepare('select * from chunks where job_id = ?').all([jobId]);
  const never = { started_at: null, ended_at: null, finish_worker: null, finish_leased_until: null };
  const unknown = { header_bytes: null, end_bytes: null, archive_bytes: null };
  const unfinished = { ...job, ...never, ...unknown, status: 'processing', completed: 0, finish_attempt: 0 };
  const pending = { ...chunk, status: 'pending', attempt: 0, worker: null, leased_until: null };
  const insert = (table, row) => {
    const names = Object.keys(row);
    return database.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`);
  };
  const [insertJob, insertChunk] = [insert('jobs', unfinished), insert('chunks', pending)];
  const storage = join(dataDir, 'storage', 'jobs');
  let source = join(storage, jobId, 'spool');
  database.exec('begin');
  for (let copy = 0; copy < jobs; copy++) {
    const id = newId();
    insertJob.run(Object.values({ ...unfinished, id, token: newId(), created_at: job.created_at + copy }));
    insertChunk.run(Object.values({ ...pending, job_id: id }));
    mkdirSync(join(storage, id));
    const spool = join(storage, id, 'spool');
    if (copy % MOST_LINKS === 0) {
      copyFileSync(source, spool);
      source = spool;
    } else linkSync(source, spool);
  }
  database.exec('commit');
  database.close();
}
