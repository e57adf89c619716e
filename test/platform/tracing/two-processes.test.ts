/** A job's trace where a process takes the job in, another renders it, and its files lie in a bucket. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { JobCreated, JobResource } from '../../../src/contract/response-schema.js';
import { Collector } from '../../support/collector.js';
import { describeWithObjectStore, ObjectStore, SECRET_KEY } from '../../support/object-store.js';
import { describeWithOwnRedis, OwnRedis } from '../../support/redis.js';

interface Started {
  url: string;
  env: Record<string, string>;
  stop: () => Promise<void>;
}

const { createKey, startProcess } = (await import(
  new URL('../../../scripts/service-process.js', import.meta.url).href
)) as {
  createKey: (env: Started['env'], credits: number) => string;
  startProcess: (options: { dataDir: string; role: string; environment: Record<string, string> }) => Promise<Started>;
};

const TRACE = '10203040506070801020304050607080';
const CALLER = '1020304050607080';

/** More items than a job has that is drawn while it is accepted. */
const ITEMS = Array.from({ length: 101 }, () => ({ data: 'one' }));

/** Undone last first. */
const started: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of started.splice(0).toReversed()) {
    await undo();
  }
});

describeWithOwnRedis('with two processes', () => {
  describeWithObjectStore('and a bucket', () => {
    test('a trace goes from the request through the chunk in the worker to the download', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'qrpress-traced-'));
      started.push(() => rm(dataDir, { recursive: true }));
      const collector = await Collector.start();
      started.push(() => collector.close());
      const redis = await OwnRedis.start();
      started.push(() => redis.stop());
      const objects = await ObjectStore.start();
      started.push(() => objects.stop());
      const { bucket, endpoint } = await objects.createBucket();
      const start = async (role: 'api' | 'worker') => {
        const process = await startProcess({
          dataDir,
          role,
          environment: {
            QRPRESS_REDIS_URL: redis.url,
            QRPRESS_STORAGE_URL: `s3://${bucket}/codes?endpoint=${endpoint}`,
            QRPRESS_RENDER_THREADS: '1',
            QRPRESS_RATE_LIMIT_READ: '100000',
            OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
            OTEL_SERVICE_NAME: role,
          },
        });
        started.push(process.stop);
        return process;
      };
      const [api, worker] = [await start('api'), await start('worker')];
      const authorization = `Bearer ${createKey(api.env, ITEMS.length)}`;

      const posted = await fetch(`${api.url}/api/v1/jobs`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-01` },
        body: JSON.stringify({ items: ITEMS }),
      });
      expect(posted.status).toBe(202);
      const { jobId, downloadUrl } = (await posted.json()) as JobCreated;
      await vi.waitFor(
        async () => {
          const answer = await fetch(`${api.url}/api/v1/jobs/${jobId}`, { headers: { authorization } });
          expect((await answer.json()) as JobResource).toMatchObject({ status: 'complete', completed: ITEMS.length });
        },
        { timeout: 60_000, interval: 50 },
      );
      expect((await fetch(`${api.url}${downloadUrl}`)).status).toBe(200);
      await Promise.all([worker.stop(), api.stop()]);

      const only = (name: string) => {
        const spans = collector.named(name);
        expect(spans, name).toHaveLength(1);
        return spans[0] as (typeof spans)[0];
      };
      const below = ({ spanId }: { spanId: string }) =>
        collector.spans
          .filter(({ parentId }) => parentId === spanId)
          .map(({ name, service }) => `${String(service)}: ${name}`)
          .toSorted();
      const request = only('POST /api/v1/jobs');
      expect(request).toMatchObject({ traceId: TRACE, parentId: CALLER, service: 'api' });
      expect(below(request)).toEqual(['api: accept', 'api: check']);
      expect(below(only('accept'))).toEqual(['api: store', 'api: transaction', 'worker: chunk', 'worker: finish']);
      expect(below(only('chunk'))).toEqual(
        ['claim', 'fetch', 'render', 'store', 'count'].map((name) => `worker: ${name}`).toSorted(),
      );
      const finish = ['claim', 'write end', 'store', 'complete'];
      expect(below(only('finish'))).toEqual(finish.map((name) => `worker: ${name}`).toSorted());
      expect(
        new Set(collector.spans.filter(({ service }) => service === 'worker').map(({ traceId }) => traceId)),
      ).toEqual(new Set([TRACE]));
      expect(below(only('GET /d/:token'))).toEqual(['api: fetch', 'api: open archive']);
      const text = collector.received.map((each) => each.text).join('\n');
      for (const secret of [SECRET_KEY, bucket, downloadUrl]) {
        expect(text).not.toContain(secret);
      }
    }, 120_000);
  });
});
