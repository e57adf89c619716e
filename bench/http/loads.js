/**
 * Loads on a service: each function resolves with what the callers got, and with the jobs that were finished meanwhile.
 * autocannon puts the loads there. It counts answers, so a caller that follows its jobs until they are complete is our own.
 */

import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import autocannon from 'autocannon';

import { url60 } from '../workload.js';

/** Pause between two looks at a job, in open loop. */
const LOOK_EVERY_MS = 5;

/** Answers of a service that has too much of all, or of this caller's. */
const REFUSALS = new Set([429, 503]);

/** A job's POST. */
function jobPost(key, items) {
  return {
    method: 'POST',
    path: '/api/v1/jobs',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ items: Array.from({ length: items }, (_, index) => ({ data: url60(index) })) }),
  };
}

/** A job's GET. */
function statusGet(key, jobId) {
  return { method: 'GET', path: `/api/v1/jobs/${jobId}`, headers: { authorization: `Bearer ${key}` } };
}

/**
 * Sends one request again and again on every connection, each as soon as the last is answered or at a fixed rate, until
 * `seconds` are over or `until` resolves.
 * @returns the seconds that it took, and by status the milliseconds until each answer
 */
async function fire(apis, { path, ...request }, { connections, seconds, until, perSecond }) {
  const latencies = new Map();
  const started = performance.now();
  const share = (index, count) => Math.floor((count + index) / apis.length);
  const guns = apis.map((api, index) =>
    autocannon({
      ...request,
      url: new URL(path, api).href,
      connections: share(index, connections),
      duration: seconds ?? 1e6,
      ...(perSecond !== undefined && { overallRate: perSecond / apis.length, ignoreCoordinatedOmission: true }),
      setupClient: (client) =>
        client.on('response', (status, _bytes, milliseconds) => {
          if (!latencies.has(status)) latencies.set(status, []);
          latencies.get(status).push(milliseconds);
        }),
    }),
  );
  void until?.finally(() => guns.forEach((gun) => gun.stop()));
  const results = await Promise.all(guns);
  const errors = results.reduce((sum, result) => sum + result.errors, 0);
  if (errors > 0) throw new Error(`${errors} requests were not answered`);
  return { latencies, seconds: (performance.now() - started) / 1000 };
}

/** Latencies of the answers with `wanted`, and those of refusals. @throws Error for any other answer */
function sorted({ latencies }, wanted) {
  const strange = [...latencies.keys()].find((status) => status !== wanted && !REFUSALS.has(status));
  if (strange !== undefined) throw new Error(`the service answered ${strange}`);
  return {
    good: latencies.get(wanted) ?? [],
    refused: [...REFUSALS].flatMap((status) => latencies.get(status) ?? []),
  };
}

/** Jobs that ended since the start of the processes, as they say themselves. */
async function endedJobs(urls) {
  const counts = await Promise.all(
    urls.map(async (url) => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const lines = metrics.matchAll(/^qrpress_jobs_ended_total\{[^}]*\} (\d+)/gm);
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Every connection posts again as soon as it is answered, or refused. */
export async function closedLoop({ apis, all, key }, { connections, items, seconds }) {
  const before = await endedJobs(all);
  const fired = await fire(apis, jobPost(key, items), { connections, seconds });
  const finished = (await endedJobs(all)) - before;
  const { good, refused } = sorted(fired, 202);
  const behind = good.length - finished;
  const drainSeconds = await drained(all, before + good.length);
  return {
    acceptedPerSecond: rate(good.length, fired.seconds),
    finishedPerSecond: rate(finished, fired.seconds),
    refusedPerSecond: rate(refused.length, fired.seconds),
    drainPerSecond: behind > 0 ? rate(behind, drainSeconds) : undefined,
    ...quantiles(good),
  };
}

/** Posts at fixed times, whatever the answers, until the time is up or `until` resolves, and follows each job until it is complete. */
export async function openLoop({ apis, all, key }, { jobsPerSecond, items, seconds, until }) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const post = jobPost(key, items);
  const latencies = [];
  let refused = 0;
  let posts = 0;
  const follow = async () => {
    const api = apis[posts++ % apis.length];
    const posted = performance.now();
    const { status, body } = await ask(agent, api, post);
    if (REFUSALS.has(status)) {
      refused += 1;
      return;
    }
    if (status !== 202) throw new Error(`${status} ${body}`);
    const look = statusGet(key, JSON.parse(body).jobId);
    while (!(await ask(agent, api, look)).body.includes('"status":"complete"')) await delay(LOOK_EVERY_MS);
    latencies.push(performance.now() - posted);
  };
  const before = await endedJobs(all);
  const started = performance.now();
  const jobs = [];
  await atTimes(jobsPerSecond, until ?? delay(1000 * seconds), () => jobs.push(follow()));
  await Promise.all(jobs);
  const endedPerSecond = rate((await endedJobs(all)) - before, (performance.now() - started) / 1000);
  agent.destroy();
  return { jobs: latencies.length, refused, endedPerSecond, ...quantiles(latencies) };
}

/** Sends a request; resolves with the status and body of its answer. */
function ask(agent, api, { path, body, ...options }) {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(new URL(path, api), { ...options, agent });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, body: answer }), reject);
    });
    outgoing.end(body);
  });
}

/** Connections that post what is more than can be done. */
const OVERLOAD_CONNECTIONS = 500;

/** Posts at a fixed rate, whatever the answers say, as far as a connection is free. */
export async function overload({ apis, all, key }, { jobsPerSecond, items, seconds }) {
  const load = { connections: OVERLOAD_CONNECTIONS, seconds, perSecond: jobsPerSecond };
  const before = await endedJobs(all);
  const fired = await fire(apis, jobPost(key, items), load);
  const finished = (await endedJobs(all)) - before;
  const { good, refused } = sorted(fired, 202);
  await drained(all, before + good.length);
  const { p50Ms: refusalP50Ms, p99Ms: refusalP99Ms } = quantiles(refused);
  return {
    acceptedPerSecond: rate(good.length, fired.seconds),
    finishedPerSecond: rate(finished, fired.seconds),
    refusedPerSecond: rate(refused.length, fired.seconds),
    refusalP50Ms,
    refusalP99Ms,
  };
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

/** Every connection asks for a job's state again and again, or `perSecond` times in all, until the time is up or `until` resolves. */
export async function polls({ apis, key }, jobId, load) {
  const fired = await fire(apis, statusGet(key, jobId), load);
  const { good, refused } = sorted(fired, 200);
  if (refused.length > 0) throw new Error(`${refused.length} polls were refused`);
  return { pollsPerSecond: rate(good.length, fired.seconds), ...quantiles(good) };
}

/** Seconds until as many jobs have ended. */
async function drained(urls, count) {
  const started = performance.now();
  while ((await endedJobs(urls)) < count) await delay(50);
  return (performance.now() - started) / 1000;
}

function rate(count, seconds) {
  return Math.round((10 * count) / seconds) / 10;
}

/** Of latencies, in milliseconds. */
function quantiles(latencies) {
  const ordered = Float64Array.from(latencies).toSorted();
  const at = (share) =>
    Math.round(10 * (ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? 0)) / 10;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), p999Ms: at(0.999) };
}
