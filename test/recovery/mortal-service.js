/** The service, in a process that kills itself at a named step; `none`: it lives until it is killed. */

import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { readConfig } from '../../dist/config/config.js';
import { EngineProcessHandle } from '../../dist/engine/engine-process-handle.js';
import { JobStore } from '../../dist/jobs/job-store.js';
import { NewJobStore } from '../../dist/jobs/new-job-store.js';
import { MailStore } from '../../dist/outbox/mail-store.js';
import { Metrics } from '../../dist/observability/metrics.js';
import { createService } from '../../dist/composition/service.js';
import { FileSystemStore } from '../../dist/storage/file-system-store.js';

/** Time between two looks at the event loop. */
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

/** Calls `die` where the metrics of `part` count an event. */
function dieWhen(part, event) {
  const original = Metrics.prototype[part];
  Metrics.prototype[part] = function mortalPart() {
    return { ...original.call(this), [event]: die };
  };
}

const isCheck = ({ name }) => name === 'check';
const stores = (name) => (blobs) => blobs.some(({ key }) => key.includes(`/${name}`));

const FAILPOINTS = {
  none: () => undefined,
  'draft written': () => cut(EngineProcessHandle, 'send', { isBefore: true, when: isCheck }),
  'draft checked': () => dieWhen('engine', 'checked'),
  'spool stored': () => cut(FileSystemStore, 'adopt', { when: stores('spool') }),
  'about to commit': () => cut(NewJobStore, 'create', { isBefore: true }),
  committed: () => cut(NewJobStore, 'create'),
  'chunks drawn': () => dieWhen('engine', 'rendered'),
  'chunk stored': () => cut(FileSystemStore, 'adopt', { when: stores('segment') }),
  counted: () => cut(JobStore, 'countChunk'),
  'end written': () => cut(FileSystemStore, 'adopt', { when: stores('archive-end') }),
  complete: () => cut(JobStore, 'complete'),
  'mail sent': () => cut(MailStore, 'settle', { isBefore: true }),
};

const [, , failpoint] = process.argv;
FAILPOINTS[failpoint]();
const service = await createService(readConfig());
const port = await service.listen();
process.send({ port });
process.once('disconnect', die);

// Answers each message with the 99th percentile of the event loop's delays since the one before.
const delays = createHistogram();
let [lookedAt, waited] = [performance.now(), waitedMs()];
setInterval(() => {
  const [now, waitedUntilNow] = [performance.now(), waitedMs()];
  const delayMs = now - lookedAt - RESOLUTION_MS - (waitedUntilNow - waited);
  delays.record(Math.max(1, Math.round(delayMs * 1e6)));
  [lookedAt, waited] = [now, waitedUntilNow];
}, RESOLUTION_MS);
process.on('message', () => {
  process.send({ eventLoopP99Ms: delays.percentile(99) / 1e6 });
  delays.reset();
});

/** How long this thread was ready to run and had no processor: other processes cause that, not the event loop. */
function waitedMs() {
  const [, waitedNs] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}
