/** Spans of a job that a running service sends to a collector. Nobody waits for the collector. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.js';
import { createLog } from '../../../src/platform/log.js';
import { createService, type ServiceOptions } from '../../../src/composition/service.js';
import { Collector } from '../../support/collector.js';
import { sqlite } from '../../support/databases.js';
import { describeWithOwnRedis, OwnRedis } from '../../support/redis.js';
import { startTestService, type TestService } from '../../support/service.js';

const TRACE = '10203040506070801020304050607080';
const CALLER = '1020304050607080';

/** More items than a job has that is drawn while it is accepted. */
const CHUNK = Array.from({ length: 101 }, () => ({ data: 'canary-data', filename: 'canary-name' }));

const services: TestService[] = [];
let collector: Collector | undefined;
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
  await collector?.close();
  collector = undefined;
});

async function start(settings: Partial<Config>, options: ServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(sqlite, settings, options);
  services.push(service);
  return service;
}

const tracesTo = (url: string): Pick<Config, 'traces'> => ({
  traces: { endpoint: `${url}/v1/traces`, serviceName: 'press', headers: { 'x-tenant': 'a b' } },
});

/** Packages of OpenTelemetry that this process has loaded. The API, which does nothing by itself, comes along with prom-client. */
function loaded(): string[] {
  const packages = Object.keys(createRequire(import.meta.url).cache).flatMap(
    (path) => /node_modules\/(@opentelemetry\/[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(packages)].filter((name) => name !== '@opentelemetry/api');
}

// Before all others in this file: what is loaded stays loaded.
test('nothing is loaded unless it is asked for', async () => {
  const { submit, ended } = await start({});
  expect(await ended((await submit({ items: [{ data: 'one' }] })).jobId)).toMatchObject({ status: 'complete' });
  expect(loaded()).toEqual([]);
  collector = await Collector.start();
  await start(tracesTo(collector.url));
  expect(loaded()).toContain('@opentelemetry/sdk-trace');
});

test("a job's way is one trace, from the caller's span to the archive's end", async () => {
  collector = await Collector.start();
  const service = await start(tracesTo(collector.url));
  const { jobId } = await service.submit(
    { items: CHUNK },
    { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-01` },
  );
  const { downloadUrl = '' } = await service.ended(jobId);
  const download = await service.fetch(`/api/v1/jobs/${jobId}/download?canary-query`);
  const link = new URL(downloadUrl, service.url);
  await Promise.all([download.arrayBuffer(), fetch(link).then((response) => response.arrayBuffer())]);
  for (const probe of ['/healthz', '/readyz', '/metrics', '/canary-path']) {
    await service.fetch(probe, { method: probe === '/canary-path' ? 'PROPFIND' : 'GET' });
  }
  await service.stop();

  const only = (name: string) => {
    const spans = (collector as Collector).named(name);
    expect(spans, name).toHaveLength(1);
    return spans[0] as (typeof spans)[0];
  };
  const below = (parent: { spanId: string }) =>
    (collector as Collector).spans.filter(({ parentId }) => parentId === parent.spanId).map(({ name }) => name);
  const request = only('POST /api/v1/jobs');
  expect(request).toMatchObject({ traceId: TRACE, parentId: CALLER, service: 'press' });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v1/jobs',
    'http.response.status_code': 202,
  });
  expect(below(request)).toEqual(['check', 'accept']);
  const accept = only('accept');
  expect(accept.attributes).toEqual({ 'qrpress.job.id': jobId });
  expect(below(accept).toSorted()).toEqual(['chunk', 'finish', 'store', 'transaction']);
  const chunk = only('chunk');
  expect(chunk.attributes).toEqual({ 'qrpress.job.id': jobId, 'qrpress.chunk': 0, 'qrpress.postponed': false });
  expect(below(chunk)).toEqual(['claim', 'fetch', 'render', 'store', 'count']);
  expect(below(only('finish'))).toEqual(['claim', 'write end', 'store', 'complete']);
  expect(below(only('GET /api/v1/jobs/:jobId/download'))).toEqual(['open archive', 'fetch']);
  expect(below(only('GET /d/:token'))).toEqual(['open archive', 'fetch']);
  expect(only('_OTHER').attributes).toEqual({ 'http.request.method': '_OTHER', 'http.response.status_code': 404 });
  expect(collector.spans.filter(({ name }) => /z$|metrics/.test(name))).toEqual([]);

  const { organisationId, keyId, key } = service;
  const [sent] = collector.received;
  expect(sent).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'a b' } });
  const text = collector.received.map((each) => each.text).join('\n');
  for (const secret of [organisationId, keyId, key, 'canary', link.pathname, link.search]) {
    expect(text).not.toContain(secret);
  }
});

test('what is refused and what fails is marked, without what was said of it', async () => {
  collector = await Collector.start();
  const service = await start(tracesTo(collector.url));
  expect((await service.post({ items: [{ data: '' }] })).status).toBe(400);
  await sql`alter table jobs rename to canary`.execute(service.admin.database);
  expect((await service.post({ items: [{ data: 'one' }] })).status).toBe(500);
  await sql`alter table canary rename to jobs`.execute(service.admin.database);
  await service.stop();
  const checks = collector.named('check');
  expect(checks.map(({ attributes }) => attributes['qrpress.refusal'])).toEqual(['invalid_input', undefined]);
  expect(checks.map(({ isError }) => isError)).toEqual([false, false]);
  expect(collector.named('POST /api/v1/jobs').map(({ isError }) => isError)).toEqual([false, true]);
  expect(collector.named('transaction')).toMatchObject([{ isError: true }]);
  expect(collector.received.map(({ text }) => text).join('\n')).not.toMatch(/canary|no such table/);
});

test('who calls without wanting a trace gets none', async () => {
  collector = await Collector.start();
  const service = await start(tracesTo(collector.url));
  const headers = { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-00` };
  await service.ended((await service.submit({ items: [{ data: 'one' }] }, headers)).jobId);
  await service.stop();
  // Asking for the job's state was another request.
  expect(new Set(collector.spans.map(({ name }) => name))).toEqual(new Set(['GET /api/v1/jobs/:jobId']));
});

test('a job that the next start finds begins a trace of its own', async () => {
  collector = await Collector.start();
  // The queue is away, and its tasks with it: a process that draws nothing keeps none.
  const service = await start({ ...tracesTo(collector.url), redisUrl: 'redis://127.0.0.1:1' }, { role: 'api' });
  const { jobId } = await service.submit({ items: CHUNK });
  await service.stop();
  expect(collector.named('accept')).toHaveLength(1);
  await new Promise<void>((resolve, reject) => {
    const config = { ...service.config, redisUrl: undefined };
    const started = createService(config, {
      log: createLog('silent'),
      onJobEnded: () => close().then(resolve, reject),
    });
    const close = async () => (await started).close();
    started.catch(reject);
  });
  const [[chunk], [finish]] = [collector.named('chunk'), collector.named('finish')];
  expect(chunk).toMatchObject({ parentId: undefined, attributes: { 'qrpress.job.id': jobId } });
  expect(finish).toMatchObject({ parentId: chunk?.spanId, traceId: chunk?.traceId });
});

describeWithOwnRedis('through a shared queue', () => {
  test('a chunk finds its trace', async () => {
    collector = await Collector.start();
    const redis = await OwnRedis.start();
    try {
      const service = await start({ ...tracesTo(collector.url), redisUrl: redis.url });
      await service.ended((await service.submit({ items: CHUNK })).jobId);
      await service.stop();
      const [accept] = collector.named('accept');
      for (const name of ['chunk', 'finish']) {
        expect(collector.named(name)).toMatchObject([{ parentId: accept?.spanId, traceId: accept?.traceId }]);
      }
    } finally {
      await redis.stop();
    }
  });
});

test('with nobody to take the spans a job ends as ever, and so does the service', async () => {
  const deaf = createServer(() => undefined);
  await once(deaf.listen(0, '127.0.0.1'), 'listening');
  const { port } = deaf.address() as AddressInfo;
  for (const url of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
    const service = await start(tracesTo(url));
    const { jobId } = await service.submit({ items: CHUNK });
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete' });
    const started = performance.now();
    await service.stop();
    expect(performance.now() - started).toBeLessThan(8_000);
  }
  deaf.closeAllConnections();
  await once(deaf.close(), 'close');
});
