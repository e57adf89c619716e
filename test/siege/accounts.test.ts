/** Requests of accounts and strangers to the pages: they cost little, reveal nothing, and are limited in number. */

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCARCE } from '../../src/admission/table.js';
import { LIMITS } from '../../src/contract/limits.js';
import { Allowances } from '../../src/credits/allowance-store.js';
import { formatsFor } from '../../src/site/shell/formats.js';
import { loadSecrets } from '../../src/config/secrets.js';
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

it('gives the monthly credits to the organisation of a sign-up, and not to those that its owner creates', async () => {
  const monthly = await startTestService(sqlite, { monthlyCredits: 300 });
  try {
    const { visitor, organisationId } = await signUp(monthly);
    await visitor.get('/account/you');
    const { location } = await visitor.post('/account/you/organisations', { organisation: 'Second' });
    const [, second = ''] = /\/o\/(\w+)/.exec(location) ?? [];
    await new Allowances(monthly.admin.database, 300).grantDue();
    expect(await monthly.admin.ledger.balance(organisationId)).toBe(LIMITS.welcomeCredits + 300);
    expect(await monthly.admin.ledger.balance(second)).toBe(0);
  } finally {
    await monthly.close();
  }
});

it('makes at most 30 keys an hour', async () => {
  await ada.visitor.get(`${ada.base}/keys`);
  const statuses: number[] = [];
  for (let made = 0; made < 31; made += 1) {
    statuses.push((await ada.visitor.post(`${ada.base}/keys`, { name: `key ${made}` })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
});

it('sends a recipient at most 3 invitations an hour of a person, from any of their organisations', async () => {
  const { visitor, base } = await signUp(service);
  const statuses: number[] = [];
  const email = 'somebody@example.org';
  const invite = async (of: string) => {
    await visitor.get(`${of}/members`);
    statuses.push((await visitor.post(`${of}/invitations`, { email, role: 'member' })).status);
  };
  await invite(base);
  for (let founded = 0; founded < 3; founded += 1) {
    await visitor.get('/account/you');
    const { location } = await visitor.post('/account/you/organisations', { organisation: `Founded ${founded}` });
    await invite(location.replace(/\?.*/, ''));
  }
  expect(statuses).toEqual([303, 303, 303, 429]);
});

it('changes at most 600 things an hour: the log of actions is kept for good', { timeout: 60_000 }, async () => {
  const { visitor } = await signUp(service);
  await visitor.get('/account/you');
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < 605; sent += 1) {
    const { status } = await visitor.post('/account/you/name', { name: `Ada ${sent}` });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 303: 600, 429: 5 });
});

/** Gives an organisation a ledger that no connection's buffers take in whole. */
async function lengthen(organisationId: string): Promise<void> {
  const reason = 'a reason of some length '.repeat(4);
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) insert into ledger_entries
    (organisation_id, kind, amount, balance_after, reason, created_at) select ${organisationId}, 'grant', 1, 1, ${reason}, 1
    from n`.execute(service.admin.database);
}

/** Asks for a ledger, and takes no more than the first bytes of it. */
async function readSlowly({ visitor, base }: SignedUp): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const slow = connect(Number(port), hostname);
  slow.on('error', () => undefined);
  const cookie = Array.from(visitor.cookies, (pair) => pair.join('=')).join('; ');
  slow.write(`GET ${base}/credits.csv HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`);
  await once(slow, 'readable');
  return slow;
}

it('ends a slow export for a bystander, where slow ones have every place', { timeout: 180_000 }, async () => {
  const held: Socket[] = [];
  try {
    for (let person = 0; person < SCARCE.export.places; person += 1) {
      const signedUp = await signUp(service);
      await lengthen(signedUp.organisationId);
      held.push(await readSlowly(signedUp));
    }
    const ask = async () => (await ada.visitor.get(`${ada.base}/credits.csv`)).status;
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain(`qrpress_admission_places_taken{work="export"} ${SCARCE.export.places}\n`);
    await expect.poll(ask, { timeout: 30_000, interval: 1_000 }).toBe(200);
  } finally {
    for (const socket of held) socket.destroy();
  }
});

it('reads one ledger at a time for a person, however slowly', { timeout: 60_000 }, async () => {
  const signedUp = await signUp(service);
  const { visitor, base, organisationId } = signedUp;
  await lengthen(organisationId);
  const slow = await readSlowly(signedUp);
  try {
    expect((await visitor.get(`${base}/credits.csv`)).status).toBe(429);
  } finally {
    slow.destroy();
  }
  await expect.poll(async () => (await visitor.get(`${base}/credits.csv?kind=charge`)).status).toBe(200);
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

// The last: nobody else signs up from this address for an hour.
it('mails at most 60 strangers an hour about a new address', { timeout: 60_000 }, async () => {
  const { visitor, password: current } = await signUp(service);
  await visitor.get('/account/you');
  const mails = () =>
    service.admin.database.selectFrom('one_time_links').select('token_hash').where('purpose', '=', 'address').execute();
  let last = 0;
  for (let sent = 0; sent < 61; sent += 1) {
    const fields = { email: `stranger${sent}@example.com`, current };
    ({ status: last } = await visitor.post('/account/you/address', fields));
  }
  expect(last).toBe(429);
  expect((await mails()).length).toBeLessThanOrEqual(60);
});
