/** Requests of accounts and strangers to the pages: they cost little, reveal nothing, and are limited in number. */

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatsFor } from '../../src/pages/formats.js';
import { loadSecrets } from '../../src/secrets.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

let service: TestService;
let ada: SignedUp;
beforeAll(async () => {
  service = await startTestService(sqlite);
  ada = await signUp(service);
});
afterAll(() => service.close());

it('reads 16 KB of Accept-Language in no time', () => {
  const header = Array.from({ length: 3_000 }, (_, tag) => `x${tag % 10}-${tag % 10}a`).join(',');
  const started = performance.now();
  for (let asked = 0; asked < 200; asked += 1) {
    expect(formatsFor(header.slice(asked)).locale).toBe('en-GB');
  }
  // To look at all of them took 12 ms and more each time.
  expect(performance.now() - started).toBeLessThan(1_000);
});

it('gives an organisation at most 100 working keys', async () => {
  const { organisationId } = await service.createAccount(0);
  for (let made = 1; made < 100; made += 1) {
    await service.admin.keys.create(organisationId, `key ${made}`);
  }
  await expect(service.admin.keys.create(organisationId, 'one more')).rejects.toMatchObject({ reason: 'conflict' });
});

it('makes at most 30 keys an hour', async () => {
  await ada.visitor.get(`${ada.base}/keys`);
  const statuses: number[] = [];
  for (let made = 0; made < 31; made += 1) {
    statuses.push((await ada.visitor.post(`${ada.base}/keys`, { name: `key ${made}` })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
});

it('logs no token of a mailed link, also where its page fails', async () => {
  const token = 'T0ken'.padEnd(43, 'x');
  await service.admin.database.schema.alterTable('one_time_links').renameTo('away').execute();
  try {
    expect((await ada.visitor.get(`/account/reset/${token}`)).status).toBe(500);
  } finally {
    await service.admin.database.schema.alterTable('away').renameTo('one_time_links').execute();
  }
  const lines = service.log.join('\n');
  expect(lines).toContain('page failed');
  expect(lines).not.toContain(token);
});

it('keeps its data folder to itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-mode-'));
  const mask = process.umask(0o022);
  try {
    const dataDir = join(folder, 'data');
    await loadSecrets({ secrets: undefined, dataDir });
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  } finally {
    process.umask(mask);
    await rm(folder, { recursive: true });
  }
});
