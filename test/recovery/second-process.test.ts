/** A second process on the data folder of another one, seen or not: it ends, or shares the folder, and takes nothing away. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { doctor } from '../../src/cli/doctor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { administer } from '../../src/composition/administer.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { endHost, type Host, Hosts, startHost } from '../support/hosts.js';
import { inOwnPids, lacksOwnPids } from '../support/own-pids.js';
import { describeWithOwnRedis } from '../support/redis.js';
import { environmentOf } from './environment.js';

/** More than are drawn while they are checked. */
const BODY = ['{}', ...Array.from({ length: 150 }, (_, item) => `{"data":"${item}"}`)].join('\n');

const SERVE = [process.execPath, 'dist/main.js', 'serve'];

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Posts a job whose body goes through a draft. Resolves with its state at its end. */
async function draw(host: Host, authorization: string): Promise<string> {
  const headers = { authorization, 'content-type': 'application/x-ndjson' };
  const body = new Blob([BODY]).stream();
  const posted = await fetch(`${host.url}/api/v1/jobs`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  });
  if (posted.status !== 202) {
    return `${posted.status}`;
  }
  const { jobId } = (await posted.json()) as JobCreated;
  const look = async () => {
    const answer = await fetch(`${host.url}/api/v1/jobs/${jobId}`, { headers });
    return ((await answer.json()) as JobResource).status;
  };
  await expect.poll(look).toMatch(/complete|failed/);
  return look();
}

describe('without Redis', () => {
  let folder: string;
  let environment: Record<string, string>;
  let admin: AdminContext;
  let authorization: string;
  let first: Host;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-second-'));
    environment = { ...environmentOf(join(folder, 'data')), QRPRESS_LOG_LEVEL: 'info' };
    admin = await openAdminContext(readConfig(environment));
    const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 10_000 };
    const organisationId = await admin.organisations.create(owner);
    authorization = `Bearer ${(await admin.keys.create(COMMAND_LINE, organisationId, 'test')).key}`;
    first = await startHost(environment, SERVE.slice(1));
  });
  afterAll(async () => {
    first.child.kill('SIGKILL');
    await admin.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const [where, words, isImpossible] of [
    ['beside it', SERVE, false],
    ['in another container', inOwnPids(...SERVE), lacksOwnPids],
  ] as const) {
    test.skipIf(isImpossible)(`a second process ${where} ends at once and says why`, async () => {
      const [command = '', ...rest] = words;
      const second = spawn(command, rest, {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const [said, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
      expect(said).toMatch(/^Another `qrpress serve` uses the data folder .*QRPRESS_REDIS_URL.*\n$/);
      expect(code).toBe(1);
      expect(await draw(first, authorization)).toBe('complete');
    });
  }

  test('commands work beside the process', async () => {
    const findings = await doctor(readConfig(environment), administer);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('a work folder that was deleted is made again, for the engine as well', async () => {
    const work = join(folder, 'data', 'work');
    await rm(work, { recursive: true, maxRetries: 10 });
    await expect.poll(() => readdir(work).catch(() => [])).toHaveLength(2);
    expect(await draw(first, authorization)).toBe('complete');
  });

  test('a process that was killed frees the folder', async () => {
    await endHost(first, 'SIGKILL');
    first = await startHost(environment, SERVE.slice(1));
    expect(await draw(first, authorization)).toBe('complete');
    expect(await readdir(join(folder, 'data', 'work'))).toHaveLength(2);
  });
});

describeWithOwnRedis('with Redis', () => {
  describeOnDatabases('on a shared folder', (kind) => {
    let hosts: Hosts;
    beforeAll(async () => {
      hosts = await Hosts.open(kind, { credits: 10_000, environment: { QRPRESS_CHUNK_ITEMS: '1000' } });
    });
    afterAll(() => hosts.close());

    test.skipIf(lacksOwnPids)('processes that do not see each other leave each other’s work', async () => {
      const first = await hosts.start('all');
      const second = await hosts.start('all', inOwnPids());
      for (const host of [first, second]) {
        expect(await draw(host, hosts.headers['authorization'] as string)).toBe('complete');
      }
      const names = await readdir(join(hosts.folder, 'data', 'work'));
      expect(names.filter((name) => !name.endsWith('.lock'))).toHaveLength(2);
    });
  });
});
