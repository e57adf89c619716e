/** The service, in a process that kills itself at a named step; `none`: it lives until it is killed. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readConfig } from '../../dist/config.js';
import { EngineSupervisor } from '../../dist/engine/engine-supervisor.js';
import { JobStore } from '../../dist/jobs/job-store.js';
import { NewJobStore } from '../../dist/jobs/new-job-store.js';
import { MailStore } from '../../dist/mail/mail-store.js';
import { createService } from '../../dist/service.js';
import { FileSystemStore } from '../../dist/storage/file-system-store.js';

/** Part of each delay of the event loop that is measured. */
const RESOLUTION_MS = 10;

const die = () => process.kill(process.pid, 'SIGKILL');

/** Calls `die` before or after a method, where `when` says so of what it was called with. */
function cut({ prototype }, method, { isBefore = false, when = () => true } = {}) {
  const original = prototype[method];
  if (original === undefined) throw new Error(`there is no method ${method}`);
  prototype[method] = async function cutOff(...parameters) {
    if (isBefore && when(...parameters)) die();
    const result = await original.apply(this, parameters);
    if (!isBefore && when(...parameters)) die();
    return result;
  };
}

const stores = (name) => (blobs) => blobs.some(({ key }) => key.includes(`/${name}`));

const FAILPOINTS = {
  none: () => undefined,
  'draft written': () => cut(EngineSupervisor, 'check', { isBefore: true }),
  'draft checked': () => cut(EngineSupervisor, 'check'),
  'spool stored': () => cut(FileSystemStore, 'adopt', { when: stores('spool') }),
  'about to commit': () => cut(NewJobStore, 'create', { isBefore: true }),
  committed: () => cut(NewJobStore, 'create'),
  'chunks drawn': () => {
    cut(EngineSupervisor, 'renderChunk');
    cut(EngineSupervisor, 'renderChunks');
  },
  'chunk stored': () => cut(FileSystemStore, 'adopt', { when: stores('segment') }),
  counted: () => cut(JobStore, 'countChunk'),
  'end written': () => cut(FileSystemStore, 'adopt', { when: stores('archive-end') }),
  complete: () => cut(JobStore, 'complete'),
  'mail sent': () => cut(MailStore, 'remove', { isBefore: true }),
};

const [, , failpoint] = process.argv;
FAILPOINTS[failpoint]();
const service = await createService(readConfig());
const port = await service.listen();
process.send({ port });
process.once('disconnect', die);

// Answers each message with the 99th percentile of the event loop's delays since the one before.
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('message', () => {
  process.send({ eventLoopP99Ms: delays.percentile(99) / 1e6 - RESOLUTION_MS });
  delays.reset();
});
