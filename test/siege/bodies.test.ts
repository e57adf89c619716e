/** Bodies of jobs that hold more than they bring: each is refused or gives way, and a bystander's job goes through. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { insertMembership } from '../../src/accounts/organisations/membership-store.js';
import { insertPerson } from '../../src/accounts/people/person-store.js';
import { transact } from '../../src/database/transaction.js';
import { sqlite } from '../support/databases.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

const JOB = { items: [{ data: 'a bystander' }] };

/** A brotli stream whose decoder takes its whole window at once, and the bytes that it begins with. */
function wide(windowBits: number): Buffer {
  const params = { [constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: 1 };
  return brotliCompressSync(Buffer.alloc(24_000_000, 'a'), { params });
}

/** A connection with a POST that has sent `bytes` of its body, and sends no more. */
function halfPost(
  bytes: Buffer,
  headers: string[] = [],
  { key }: { key: string } = service,
  path = '/api/v1/jobs',
): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes.length + 1_000}`,
    ...headers,
  ];
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(bytes);
  return socket;
}

/** Milliseconds that `work` takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

it('refuses a brotli stream with a window of 16 MB, and takes one of 8 MB', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'br' };
  const compressed = (windowBits: number) =>
    brotliCompressSync(JSON.stringify(JOB), { params: { [constants.BROTLI_PARAM_LGWIN]: windowBits } });
  expect(await errorOf(await service.post(compressed(24), headers))).toMatchObject({
    error: 'invalid_input',
    issues: [{ code: 'invalid_encoding' }],
  });
  expect((await service.post(compressed(23), headers)).status).toBe(202);
});

it('keeps 100 decoders that get nothing within 800 MB, and a bystander gets in', { timeout: 30_000 }, async () => {
  const first = wide(23).subarray(0, 40);
  const held = Array.from({ length: 100 }, () => halfPost(first, ['Content-Encoding: br']));
  try {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'br' };
    const compressed = brotliCompressSync(JSON.stringify(JOB));
    await expect
      .poll(async () => (await service.post(compressed, headers)).status, { timeout: 10_000, interval: 500 })
      .toBe(202);
    expect(process.memoryUsage.rss()).toBeLessThan(800_000_000);
    expect((await service.post(JOB)).status).toBe(202);
  } finally {
    for (const socket of held) socket.destroy();
  }
});

it('leaves decoders to others where one account has as many as it gets', { timeout: 30_000 }, async () => {
  const account = await service.createAccount(1);
  const first = wide(23).subarray(0, 40);
  const held = Array.from({ length: 100 }, () => halfPost(first, ['Content-Encoding: br'], account));
  try {
    const refused = held.map(async (socket) => {
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString('latin1', 9, 12)).toBe('429');
    });
    await Promise.race(refused);
    // Before any of them counts as slow.
    const headers = { 'content-type': 'application/json', 'content-encoding': 'br' };
    expect((await service.post(brotliCompressSync(JSON.stringify(JOB)), headers)).status).toBe(202);
  } finally {
    for (const socket of held) socket.destroy();
  }
});

it.each([
  ['/api/v1/jobs', 202],
  ['/api/v1/jobs/validate', 200],
])(
  'ends a slow body of %s for a bystander, where slow ones have every place',
  {
    timeout: 60_000,
  },
  async (path, accepted) => {
    const held: Socket[] = [];
    const post = () => {
      const headers = { 'content-type': 'application/json' };
      return service.fetch(path, { method: 'POST', headers, body: JSON.stringify(JOB) });
    };
    try {
      // Each of them gets half of what is free.
      const all = await places('places');
      for (let free = all; free > 0; ) {
        const account = await service.createAccount(1);
        const share = Math.max(1, Math.floor(free / 2));
        for (let place = 0; place < share; place += 1) {
          held.push(halfPost(Buffer.from('{'), [], account, path));
        }
        free -= share;
        await expect.poll(() => places('places_taken'), { timeout: 20_000 }).toBe(all - free);
      }
      await expect.poll(async () => (await post()).status, { timeout: 20_000, interval: 500 }).toBe(accepted);
    } finally {
      for (const socket of held) socket.destroy();
    }
    await expect.poll(() => places('places_taken'), { timeout: 10_000 }).toBe(0);
  },
);

it('gives a person with ten organisations no more places than one with one', { timeout: 30_000 }, async () => {
  const { database, keys, organisations } = service.admin;
  const person = { email: 'ada@example.org', name: 'Ada', passwordHash: 'none' };
  const personId = await transact(database, (transaction) => insertPerson(transaction, person));
  const all = await places('places');
  const held: Socket[] = [];
  let refused = 0;
  try {
    for (let organisation = 0; organisation < 10; organisation += 1) {
      const founded = { name: 'Founded', ownerEmail: person.email, credits: 0 };
      const organisationId = await organisations.create(founded);
      await transact(database, (transaction) => insertMembership(transaction, organisationId, personId, 'owner'));
      const account = await keys.create({ personId, address: '127.0.0.1' }, organisationId, 'a key');
      for (let place = 0; place < all / 8; place += 1) {
        const socket = halfPost(Buffer.from('{'), [], account);
        socket.once('data', (answer: Buffer) => {
          refused += answer.toString('latin1', 9, 12) === '429' ? 1 : 0;
        });
        held.push(socket);
      }
    }
    await expect.poll(async () => refused + (await places('places_taken')), { timeout: 10_000 }).toBe(held.length);
    expect(await places('places_taken')).toBe(all / 2);
    expect((await service.post(JOB)).status).toBe(202);
  } finally {
    for (const socket of held) socket.destroy();
  }
  await expect.poll(() => places('places_taken'), { timeout: 10_000 }).toBe(0);
});

/** Places for jobs: all there are, or those that are taken. */
async function places(figure: 'places' | 'places_taken'): Promise<number> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^qrpress_admission_${figure}\\{work="job"\\} (\\d+)`, 'm').exec(metrics)?.[1]);
}

it('refuses an envelope and a line that never end, while they are read', async () => {
  const long = `{"style":${' '.repeat(9_000_000)}{}}\n{"data":"a"}`;
  expect(await errorOf(await service.post(...ndjson(long)))).toMatchObject({ error: 'invalid_meta_line', line: 1 });
  const item = `{}\n{"data":"a"${' '.repeat(8_100_000)}}`;
  expect(await errorOf(await service.post(...ndjson(item)))).toMatchObject({ error: 'invalid_json_line', line: 2 });
});

it('refuses an object of more members than anything has', async () => {
  const body = `{"items":[],"style":{${Array.from({ length: 20_000 }, (_, n) => `"${n}":0`).join(',')}}}`;
  expect(await errorOf(await service.post(body))).toMatchObject({ error: 'invalid_input' });
});

it.each(['is revoked', 'expires'])('charges nothing for a job whose key %s while its body arrives', async (end) => {
  const { key, keyId } = await service.createAccount(400);
  const organisation = (await service.admin.organisations.list()).at(-1);
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({
    items: Array.from({ length: 400 }, (_, n) => ({ data: `${n} ${'x'.repeat(1_500)}` })),
  });
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  const head = `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, -1));
  await expect
    .poll(() => service.files().then((files) => files.filter((name) => name.endsWith('.body'))))
    .toHaveLength(1);
  if (end === 'expires') {
    const { database } = service.admin;
    await database.updateTable('api_keys').set({ expires_at: Date.now() }).where('id', '=', keyId).execute();
  } else {
    await service.admin.keys.revoke(COMMAND_LINE, keyId);
  }
  socket.write(body.slice(-1));
  await new Promise((resolve) => socket.on('close', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 401 .*"error":"invalid_api_key"/s);
  expect((await service.admin.organisations.list()).find(({ id }) => id === organisation?.id)?.balance).toBe(400);
  expect(await service.files()).not.toContainEqual(expect.stringMatching(/\.body$/));
});

it('gives a check up when its client is gone', { timeout: 60_000 }, async () => {
  const items = Array.from({ length: 60_000 }, (_, n) =>
    JSON.stringify({ data: `${n}`, caption: `${n} ${'ש漢ي'.repeat(30)}` }),
  );
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: ['{}', ...items].join('\n'),
  };
  const whole = await timed(() => service.fetch('/api/v1/jobs/validate', request));
  const gone = new AbortController();
  const posted = service.fetch('/api/v1/jobs', { ...request, signal: gone.signal }).catch(() => 'aborted');
  await expect
    .poll(() => service.files().then((files) => files.some((name) => name.endsWith('.spool'))), { timeout: 15_000 })
    .toBe(true);
  gone.abort();
  expect(await posted).toBe('aborted');
  // A small job waits for the thread.
  expect(await timed(async () => expect((await service.post(JOB)).status).toBe(202))).toBeLessThan(whole / 2);
  expect(await service.files()).not.toContainEqual(expect.stringMatching(/\.body$/));
});
