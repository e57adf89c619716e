/** Loads on a service, as its callers put them there: each resolves with what they got, and with what was finished meanwhile. */

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { url60 } from '../workload.js';
import { Connection, requestText } from './connection.js';

/** Pause between two looks at a job, in open loop. */
const LOOK_EVERY_MS = 5;

/** A job's POST. */
function jobPost(key, items) {
  const body = JSON.stringify({ items: Array.from({ length: items }, (_, index) => ({ data: url60(index) })) });
  return requestText(
    'POST',
    '/api/v1/jobs',
    { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  );
}

const HEALTH = requestText('GET', '/healthz', {});

/** A job's GET. */
function statusGet(key, jobId) {
  return requestText('GET', `/api/v1/jobs/${jobId}`, { authorization: `Bearer ${key}` });
}

/** Jobs that ended since the start of the processes, as they say themselves. */
async function endedJobs(urls) {
  const counts = await Promise.all(
    urls.map(async (url) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      const lines = text.matchAll(/^qrpress_jobs_ended_total\{[^}]*\} (\d+)/gm);
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Every connection posts again as soon as it is answered; one that is refused waits as long as it was told, but a second at
 * most, so that the load stays what it is called.
 */
export async function closedLoop({ apis, all, key }, { connections, items, seconds }) {
  const request = jobPost(key, items);
  const latencies = [];
  let accepted = 0;
  let refused = 0;
  const open = await connected(apis, connections);
  const before = await endedJobs(all);
  const started = performance.now();
  const end = started + 1000 * seconds;
  const load = together(open, async (connection) => {
    while (performance.now() < end) {
      const asked = performance.now();
      const { status, retryAfter, body } = await connection.ask(request);
      if (status === 202) {
        accepted += 1;
        latencies.push(performance.now() - asked);
      } else if (isRefusal(status)) {
        refused += 1;
        await delay(Math.min(1000, 1000 * retryAfter));
      } else throw new Error(`${status} ${body}`);
    }
  });
  // Afterwards fewer and fewer connections ask.
  await Promise.race([delay(1000 * seconds), load]);
  const finished = (await endedJobs(all)) - before;
  const measured = (performance.now() - started) / 1000;
  const rates = {
    acceptedPerSecond: rate(accepted, measured),
    finishedPerSecond: rate(finished, measured),
    refusedPerSecond: rate(refused, measured),
  };
  await load;
  const behind = accepted - ((await endedJobs(all)) - before);
  const drainSeconds = await drained(all, before + accepted);
  return { ...rates, drainPerSecond: behind > 0 ? rate(behind, drainSeconds) : undefined, ...quantiles(latencies) };
}

/** Posts at fixed times, whatever the answers, until the time is up or `until` resolves, and follows each job until it is complete. */
export async function openLoop({ apis, all, key }, { jobsPerSecond, items, seconds, until }) {
  const request = jobPost(key, items);
  const latencies = [];
  let refused = 0;
  const pool = new Pool(apis);
  const follow = async () => {
    const posted = performance.now();
    const { status, body } = await pool.ask(request);
    if (isRefusal(status)) {
      refused += 1;
      return;
    }
    if (status !== 202) throw new Error(`${status} ${body}`);
    const look = statusGet(key, JSON.parse(body).jobId);
    while (!(await pool.ask(look)).body.includes('"status":"complete"')) await delay(LOOK_EVERY_MS);
    latencies.push(performance.now() - posted);
  };
  const before = await endedJobs(all);
  const started = performance.now();
  const jobs = [];
  await atTimes(jobsPerSecond, until ?? delay(1000 * seconds), () => jobs.push(follow()));
  await Promise.all(jobs);
  const endedPerSecond = rate((await endedJobs(all)) - before, (performance.now() - started) / 1000);
  pool.close();
  return { jobs: latencies.length, refused, endedPerSecond, ...quantiles(latencies) };
}

/** Connections that post what is more than can be done. */
const OVERLOAD_CONNECTIONS = 500;

/** Posts at fixed times on connections that are free, whatever the answers say. */
export async function overload({ apis, all, key }, { jobsPerSecond, items, seconds }) {
  const request = jobPost(key, items);
  const connections = await connected(apis, OVERLOAD_CONNECTIONS);
  const [free, refusals] = [[...connections], []];
  let [accepted, withRetryAfter, unsent] = [0, 0, 0];
  const ask = async (connection) => {
    const asked = performance.now();
    const { status, retryAfter, body } = await connection.ask(request);
    if (status === 202) accepted += 1;
    else if (isRefusal(status)) {
      refusals.push(performance.now() - asked);
      withRetryAfter += retryAfter > 0 ? 1 : 0;
    } else throw new Error(`${status} ${body}`);
    free.push(connection);
  };
  const before = await endedJobs(all);
  const started = performance.now();
  const asked = [];
  await atTimes(jobsPerSecond, delay(1000 * seconds), () => {
    const connection = free.pop();
    if (connection === undefined) unsent += 1;
    else asked.push(ask(connection));
  });
  const measured = (performance.now() - started) / 1000;
  const finished = (await endedJobs(all)) - before;
  await Promise.all(asked);
  for (const connection of connections) connection.close();
  return {
    acceptedPerSecond: rate(accepted, measured),
    finishedPerSecond: rate(finished, measured),
    refusedPerSecond: rate(refusals.length, measured),
    refusedWithoutRetryAfter: refusals.length - withRetryAfter,
    noConnectionFreePerSecond: rate(unsent, measured),
    refusalP50Ms: quantiles(refusals).p50Ms,
    refusalP99Ms: quantiles(refusals).p99Ms,
  };
}

/** Resolves when `signal` is aborted. */
export function waiting(signal) {
  return new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/** Does `work` so many times a second until `until` resolves; what is late is made up for. */
async function atTimes(timesPerSecond, until, work) {
  const time = new AbortController();
  const over = until.finally(() => time.abort());
  const started = performance.now();
  for (let count = 0; !time.signal.aborted; ) {
    const due = Math.ceil(((performance.now() - started) * timesPerSecond) / 1000);
    for (; count < due; count++) work();
    await delay(Math.max(1, started + (1000 * count) / timesPerSecond - performance.now()));
  }
  await over;
}

/** Every connection asks for a job's state again and again, until the time is up or `until` resolves. */
export async function polls({ apis, key }, jobId, { connections, seconds, everyMs = 0, until }) {
  const request = statusGet(key, jobId);
  const latencies = [];
  const started = performance.now();
  const time = new AbortController();
  const open = await connected(apis, connections);
  const over = (until ?? delay(1000 * seconds)).finally(() => time.abort());
  await together(open, async (connection) => {
    while (!time.signal.aborted) {
      const asked = performance.now();
      const { status, body } = await connection.ask(request);
      if (status !== 200) throw new Error(`${status} ${body}`);
      latencies.push(performance.now() - asked);
      if (everyMs > 0) await delay(everyMs);
    }
  });
  await over;
  return { pollsPerSecond: rate(latencies.length, (performance.now() - started) / 1000), ...quantiles(latencies) };
}

/** Seconds until as many jobs have ended. */
async function drained(urls, count) {
  const started = performance.now();
  while ((await endedJobs(urls)) < count) await delay(50);
  return (performance.now() - started) / 1000;
}

/** Open connections. Node.js accepts one in each turn of its event loop: that wait is not what is measured. */
async function connected(apis, count) {
  const connections = Array.from({ length: count }, (_, index) => new Connection(apis[index % apis.length]));
  await Promise.all(connections.map((connection) => connection.ask(HEALTH)));
  return connections;
}

async function together(connections, work) {
  await Promise.all(
    connections.map(async (connection) => {
      await work(connection);
      connection.close();
    }),
  );
}

/** As many connections as are needed at once, each used again. */
class Pool {
  #apis;
  #free = [];
  #opened = 0;

  constructor(apis) {
    this.#apis = apis;
  }

  async ask(request) {
    const connection = this.#free.pop() ?? new Connection(this.#apis[this.#opened++ % this.#apis.length]);
    const answer = await connection.ask(request);
    this.#free.push(connection);
    return answer;
  }

  close() {
    for (const connection of this.#free) connection.close();
  }
}

/** There is too much of all, or of this caller's. */
function isRefusal(status) {
  return status === 503 || status === 429;
}

function rate(count, seconds) {
  return Math.round((10 * count) / seconds) / 10;
}

/** Of latencies, in milliseconds. */
function quantiles(latencies) {
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (share) =>
    Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)) / 10;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), p999Ms: at(0.999) };
}
