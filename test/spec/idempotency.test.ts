import { mkdir } from 'node:fs/promises';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { type Config, locationOfBlobs } from '../../src/config/config.js';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { newRowId } from '../../src/database/row-id.js';
import { createService } from '../../src/composition/service.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

/** Processes share a database of a server only with it. It may be away, and then meets no process of another test. */
const WITH_REDIS = { redisUrl: 'redis://127.0.0.1:1' };

const sharedWith = (config: Config) => ({ databaseUrl: config.databaseUrl, storage: locationOfBlobs(config) });

const JSON_TYPE = { 'content-type': 'application/json' };
const BODY = '{"items":[{"data":"1"},{"data":"2"}]}';

describeOnDatabases('Idempotency-Key', (kind) => {
  let service: TestService;
  /** Those that ran, the latest first. */
  const services: TestService[] = [];
  const start = async (...[settings]: [Parameters<typeof startTestService>[1]?]) => {
    const started = await startTestService(kind, settings);
    services.unshift(started);
    return started;
  };
  beforeAll(async () => {
    service = await start();
  });
  afterAll(async () => {
    for (const each of services) await each.close();
  });

  const post = (key: string, body: string | Buffer = BODY, headers: Record<string, string> = {}) =>
    service.post(body, { ...JSON_TYPE, 'idempotency-key': key, ...headers });
  const records = () => service.admin.database.selectFrom('idempotency_records').selectAll().execute();

  it('answers an equal request with the first response again, and charges once', {
    tags: ['requests/idempotency'],
  }, async () => {
    const before = await service.balance();
    const first = await post('again');
    expect(first.status).toBe(202);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const answer = await first.text();
    const { jobId } = JSON.parse(answer) as { jobId: string };
    for (const [body, headers] of [
      [BODY, {}],
      [gzipSync(BODY), { 'content-encoding': 'gzip' }],
      [BODY, { 'content-type': 'application/json; charset=utf-8' }],
    ] as const) {
      const replay = await post('again', body, headers);
      expect(replay.status).toBe(202);
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
      expect(replay.headers.get('location')).toBe(`/api/v1/jobs/${jobId}`);
      expect(await replay.text()).toBe(answer);
    }
    expect(await service.balance()).toBe(before - 2);
    await service.ended(jobId);
    expect(await (await post('again')).text()).toBe(answer);
    expect(await drafts(service)).toEqual([]);
  });

  it('refuses another body, or the same bytes as another form', { tags: ['requests/idempotency-scope'] }, async () => {
    const before = await service.balance();
    const line = '{"items":[{"data":"1"}]}\n';
    const { jobId } = await service.submit(line, { ...JSON_TYPE, 'idempotency-key': 'reused' });
    for (const [body, type] of [
      [BODY, 'application/json'],
      [`${line} `, 'application/json'],
      ['nonsense', 'application/json'],
      [line, 'application/x-ndjson'],
    ] as const) {
      const response = await post('reused', body, { 'content-type': type });
      expect(response.status).toBe(422);
      expect(await errorOf(response)).toMatchObject({ error: 'idempotency_key_reused' });
    }
    expect(await service.balance()).toBe(before - 1);
    await service.ended(jobId);
    expect(await drafts(service)).toEqual([]);
  });

  it('is told apart by organisation, not by key of the API', { tags: ['requests/idempotency-scope'] }, async () => {
    const stranger = await service.createAccount(2);
    const sibling = await service.admin.keys.create(COMMAND_LINE, service.organisationId, 'second');
    const statuses = await Promise.all(
      [service.key, stranger.key].map(async (key) => {
        const response = await post('shared', BODY, { authorization: `Bearer ${key}` });
        const { jobId } = (await response.json()) as { jobId: string };
        await service.admin.database.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirstOrThrow();
        return response.headers.get('idempotent-replayed');
      }),
    );
    expect(statuses).toEqual([null, null]);
    const replay = await post('shared', BODY, { authorization: `Bearer ${sibling.key}` });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  });

  it('lets one of 64 equal requests through, over two processes', { tags: ['requests/idempotency'] }, async () => {
    const first = await start(WITH_REDIS);
    const second = await start({ ...WITH_REDIS, ...sharedWith(first.config) });
    const before = await first.balance();
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        fetch(`${(index % 2 === 0 ? first : second).url}/api/v1/jobs`, {
          method: 'POST',
          headers: { ...JSON_TYPE, authorization: `Bearer ${first.key}`, 'idempotency-key': 'race' },
          body: BODY,
        }),
      ),
    );
    const jobs = new Set<string>();
    for (const response of responses) {
      const body = (await response.json()) as { jobId: string; error?: string };
      if (response.status === 202) {
        jobs.add(body.jobId);
      } else {
        expect([response.status, body.error]).toEqual([409, 'request_in_progress']);
        expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
    }
    expect(jobs.size).toBe(1);
    expect(responses.filter((each) => each.status === 202 && !each.headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(await first.balance()).toBe(before - 2);
  });

  it('is in use while the first request is under way, and free when its client goes away', {
    tags: ['requests/idempotency-scope'],
  }, async () => {
    const upload = slowUpload('slow');
    await vi.waitFor(async () => expect(await underWay()).toHaveLength(1), { timeout: 20_000 });
    const early = await post('slow');
    expect(early.status).toBe(409);
    expect(await errorOf(early)).toMatchObject({ error: 'request_in_progress' });
    upload.destroy();
    await vi.waitFor(async () => expect((await post('slow')).status).toBe(202), { timeout: 10_000 });
  });

  it.each([
    ['400', '{', {}, 400],
    ['413', BODY, { 'content-encoding': 'gzip', 'x-large': '1' }, 413],
    ['402', `{"items":[${'{"data":"1"},'.repeat(19_999)}{"data":"1"}]}`, { 'x-poor': '1' }, 402],
  ])(
    'is not used up by a %s',
    { tags: ['requests/idempotency-refusal'] },
    async (name, body, marks: Record<string, string>, status) => {
      const { key } = await service.createAccount('x-poor' in marks ? 2 : 100);
      const refused = await post(name, 'x-large' in marks ? gzipSync(Buffer.alloc(25_000_001, ' ')) : body, {
        ...('x-large' in marks && { 'content-encoding': 'gzip' }),
        authorization: `Bearer ${key}`,
      });
      expect(refused.status).toBe(status);
      const accepted = await post(name, BODY, { authorization: `Bearer ${key}` });
      expect(accepted.status).toBe(202);
      expect(accepted.headers.has('idempotent-replayed')).toBe(false);
    },
  );

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256), 'a\tb'])(
    'refuses the malformed %j',
    { tags: ['requests/idempotency-refusal'] },
    async (key) => {
      const response = await post(key);
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({
        error: 'invalid_input',
        issues: [{ path: '', code: 'invalid_header', message: expect.any(String) }],
      });
    },
  );

  it.each(['!', '~', 'x'.repeat(255), '"quoted"', 'a,b;c=d'])(
    'takes %j',
    { tags: ['requests/idempotency-refusal'] },
    async (key) => {
      expect((await post(key)).status).toBe(202);
    },
  );

  it('is forgotten after a day', { tags: ['requests/idempotency-scope'] }, async () => {
    const first = (await (await post('day')).json()) as { jobId: string };
    await service.admin.database
      .updateTable('idempotency_records')
      .set({ expires_at: Date.now() })
      .where('job_id', '=', first.jobId)
      .execute();
    const second = await post('day');
    expect(second.headers.has('idempotent-replayed')).toBe(false);
    const { jobId } = (await second.json()) as { jobId: string };
    expect(jobId).not.toBe(first.jobId);
    const record = (await records()).find((each) => each.job_id === jobId);
    expect(Math.abs(record!.expires_at - (Date.now() + 86_400_000))).toBeLessThan(60_000);
    await service.ended(jobId);
  });

  describe('after a crash', () => {
    const claim = async (key: string, expiresAt: number, worker = 'killed') => {
      const jobId = newRowId();
      const { organisationId } = service;
      // A process that dies while it receives a body leaves its claim. Here the record of a job takes its place.
      const { jobId: donor } = (await (await post(key)).json()) as { jobId: string };
      await service.ended(donor);
      await service.admin.database
        .updateTable('idempotency_records')
        .set({ job_id: jobId, worker, fingerprint: null, expires_at: expiresAt })
        .where('organisation_id', '=', organisationId)
        .where('job_id', '=', donor)
        .execute();
      return jobId;
    };

    it('is free once the lease of the dead request ran out', async () => {
      const jobId = await claim('lease', Date.now() + 60_000);
      expect((await post('lease')).status).toBe(409);
      await service.admin.database
        .updateTable('idempotency_records')
        .set({ expires_at: Date.now() })
        .where('job_id', '=', jobId)
        .execute();
      expect((await post('lease')).status).toBe(202);
    });

    it('is free as soon as the next start finds the process dead; what was answered stays', async () => {
      const killed = `killed-00000000-1-${newRowId()}`;
      await claim('restart', Date.now() + 9_000, killed);
      const answered = await (await post('stays')).text();
      await service.ended((JSON.parse(answered) as { jobId: string }).jobId);
      const { config, key: account } = service;
      await service.stop();
      await mkdir(join(config.dataDir, 'work', killed, 'drafts'), { recursive: true });
      const next = await createService({ ...config, logLevel: 'silent' });
      try {
        const url = `http://127.0.0.1:${await next.listen()}`;
        const again = (key: string) =>
          fetch(`${url}/api/v1/jobs`, {
            method: 'POST',
            headers: { ...JSON_TYPE, authorization: `Bearer ${account}`, 'idempotency-key': key },
            body: BODY,
          });
        expect((await again('restart')).status).toBe(202);
        const links = (text: string) => (JSON.parse(text) as { jobId: string }).jobId;
        const replay = await again('stays');
        expect(replay.headers.get('idempotent-replayed')).toBe('true');
        expect(links(await replay.text())).toBe(links(answered));
      } finally {
        await next.close();
        service = await start(sharedWith(config));
      }
    });
  });

  it('gets the first answer again after the job was deleted', async () => {
    const first = await post('deleted');
    const { jobId } = (await first.clone().json()) as JobCreated;
    await service.ended(jobId);
    expect((await service.fetch(`/api/v1/jobs/${jobId}`, { method: 'DELETE' })).status).toBe(204);
    await service.admin.database.deleteFrom('jobs').where('id', '=', jobId).execute();
    const before = await service.balance();
    const replay = await post('deleted');
    expect(replay.status).toBe(202);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await replay.json()).toEqual(await first.json());
    expect(await service.balance()).toBe(before);
    expect((await post('deleted', BODY.replace('{', '{ '))).status).toBe(422);
  });

  it('gets links that work after those of the first answer were withdrawn', async () => {
    const first = (await (await post('withdrawn')).json()) as JobCreated;
    await service.admin.database.updateTable('jobs').set({ token: newRowId() }).where('id', '=', first.jobId).execute();
    const replayed = (await (await post('withdrawn')).json()) as JobCreated;
    expect(replayed.jobId).toBe(first.jobId);
    for (const link of ['statusUrl', 'downloadUrl'] as const) {
      expect((await fetch(new URL(first[link], service.url))).status).toBe(404);
      expect((await fetch(new URL(replayed[link], service.url))).status).toBe(200);
    }
  });

  it('that was lost to another request is noticed before anything is charged', async () => {
    const before = await service.balance();
    const upload = slowUpload('lost');
    await vi.waitFor(async () => expect(await underWay()).toHaveLength(1), { timeout: 20_000 });
    await service.admin.database
      .updateTable('idempotency_records')
      .set({ job_id: newRowId() })
      .where('fingerprint', 'is', null)
      .execute();
    const status = new Promise((resolve) => upload.on('response', (response) => resolve(response.statusCode)));
    upload.end(BODY.slice(5));
    expect(await status).toBe(409);
    expect(await service.balance()).toBe(before);
    expect(await drafts(service)).toEqual([]);
  });

  it('is kept as a hash alone, and does not reach the log', async () => {
    await post('a-key-that-is-secret');
    expect(JSON.stringify(await records())).not.toContain('secret');
    expect(service.log.join('')).not.toContain('a-key-that-is-secret');
  });

  /** Keys of requests that have no answer yet. */
  const underWay = () =>
    service.admin.database
      .selectFrom('idempotency_records')
      .select('job_id')
      .where('fingerprint', 'is', null)
      .execute();

  /** A request that has sent the first five bytes of its body. */
  function slowUpload(key: string) {
    const upload = send(`${service.url}/api/v1/jobs`, {
      method: 'POST',
      headers: {
        ...JSON_TYPE,
        authorization: `Bearer ${service.key}`,
        'idempotency-key': key,
        'content-length': BODY.length,
      },
    });
    upload.on('error', () => undefined);
    upload.write(BODY.slice(0, 5));
    return upload;
  }

  async function drafts({ files }: TestService): Promise<string[]> {
    return (await files()).filter((name) => name.endsWith('.body'));
  }
});
