import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const MIB = Buffer.alloc(1024 * 1024, ' ');

let service: TestService;
beforeEach(async () => {
  service = await startTestService(sqlite);
});
afterEach(() => service.close());

describe('a refusal before the body was read', () => {
  const head = (headers: string[]) =>
    ['POST /api/v1/jobs HTTP/1.1', 'Host: x', `Authorization: Bearer ${service.key}`, ...headers, '', ''].join('\r\n');

  it.each([
    ['413 to a declared length', ['Content-Type: application/json', `Content-Length: ${30 * MIB.length}`], 413],
    ['415', ['Content-Type: text/plain', `Content-Length: ${30 * MIB.length}`], 415],
  ])('reaches a client that sends on: %s', { tags: ['requests/size-limits'] }, async (_, headers, status) => {
    const { socket, answer } = open();
    socket.write(head(headers));
    for (let sent = 0; sent < 30; sent += 1) {
      if (!socket.write(MIB)) {
        await once(socket, 'drain');
      }
    }
    await once(socket, 'close');
    expect(answer()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer()).toMatch(/\r\nConnection: close\r\n/);
    expect(answer()).toMatch(/"requestId":"[\w-]+"/);
  });

  it('comes while the client still waits to be asked for the body', async () => {
    const { socket, answer } = open();
    socket.write(head(['Content-Type: text/plain', 'Content-Length: 5', 'Expect: 100-continue']));
    await until(() => expect(answer()).toContain('requestId'));
    expect(answer()).toMatch(/^HTTP\/1.1 415 /);
    socket.destroy();
  });

  it('is the answer to a read-only key, which is not asked for a body', { tags: ['additions/keys'] }, async () => {
    const { key } = await service.admin.keys.create(COMMAND_LINE, service.organisationId, 'reads', { access: 'read' });
    const { socket, answer } = open();
    const headers = ['Content-Type: application/json', 'Content-Length: 5', 'Expect: 100-continue'];
    socket.write(head(headers).replace(service.key, key));
    await until(() => expect(answer()).toContain('requestId'));
    expect(answer()).toMatch(/^HTTP\/1.1 403 .*"error":"read_only_key"/s);
    socket.destroy();
  });

  it('comes in the middle of a chunked body that grows too large', async () => {
    const outgoing = request(`${service.url}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    });
    let status: number | undefined;
    outgoing.on('response', (response) => {
      status = response.statusCode;
      response.resume();
    });
    await sendUntilAnswered(outgoing, 40);
    expect(status).toBe(413);
    expect(await service.files()).toEqual([]);
  });
});

/** Head of a request for a job, to the empty line. */
function headOf(bytes: number, ...headers: string[]): string {
  const lines = ['POST /api/v1/jobs HTTP/1.1', 'Host: x', `Authorization: Bearer ${service.key}`];
  return [...lines, 'Content-Type: application/json', `Content-Length: ${bytes}`, ...headers, '', ''].join('\r\n');
}

it('asks for the body of a client that waits', async () => {
  const { socket, answer } = open();
  const body = '{"items":[{"data":""}]}';
  socket.write(headOf(body.length, 'Expect: 100-continue'));
  await until(() => expect(answer()).toBe('HTTP/1.1 100 Continue\r\n\r\n'));
  socket.write(body);
  await until(() => expect(answer()).toMatch(/HTTP\/1.1 400 /));
  socket.destroy();
});

it('forgets the draft of a client that goes away', async () => {
  const { socket } = open();
  socket.write(`${headOf(1_000_000)}{"items":[`);
  await until(async () => expect(await service.files()).toHaveLength(1));
  socket.destroy();
  await until(async () => expect(await service.files()).toEqual([]));
  expect(service.log.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
});

it('charges nobody who went away while the body was checked', async () => {
  const { socket } = open();
  // Large enough that its check takes longer than a connection does to close.
  const body = JSON.stringify({ items: Array.from({ length: 20_000 }, () => ({ data: 'x'.repeat(1_000) })) });
  // The draft is named once more when its body is there, and is about to be checked.
  const { drafts } = service.admin.folder;
  const spoolPath = drafts.spoolPath.bind(drafts);
  const gone = once(socket, 'close');
  vi.spyOn(drafts, 'spoolPath').mockImplementationOnce((id) => {
    socket.destroy();
    return spoolPath(id);
  });
  socket.write(headOf(body.length) + body);
  await gone;
  await until(() => expect(service.log.join('')).toContain('The client went away'));
  expect(await service.balance()).toBe(100_000);
  expect(await service.files()).toEqual([]);
});

it('gives up on a body that trickles', { tags: ['http/slow-clients'] }, async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { socket } = open();
    socket.write(
      [
        'POST /api/v1/jobs HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${service.key}`,
        'Content-Type: application/json',
        'Content-Length: 1000000',
        '',
        '{"items":[',
      ].join('\r\n'),
    );
    await until(() => expect(vi.getTimerCount()).toBe(1));
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(30_000);
    await closed;
    await until(async () => expect(await service.files()).toEqual([]));
  } finally {
    vi.useRealTimers();
  }
});

it('refuses what is new while it drains, and finishes what is under way', { tags: ['errors/server'] }, async () => {
  const { socket, answer } = open();
  // Larger than what stays in memory, so that a file tells that it is under way.
  const body = '{"items":[{"data":""}]}'.padEnd(100_000);
  socket.write(
    [
      'POST /api/v1/jobs HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body.slice(0, 5),
    ].join('\r\n'),
  );
  await until(async () => expect(await service.files()).toHaveLength(1));
  const closed = service.stop();
  const refused = await service.fetch('/api/v1/credits');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ error: 'unavailable' });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(200);
  socket.write(body.slice(5));
  await closed;
  expect(answer()).toMatch(/^HTTP\/1.1 400 /);
  // A proxy that kept the connection would send another request over it while it is closed.
  expect(answer()).toMatch(/\r\nConnection: close\r\n/);
  await expect(fetch(service.url)).rejects.toThrow();
});

it('answers whoever has connected when it stops', { tags: ['errors/server'] }, async () => {
  // More than it accepts before it would close: one in each turn of the event loop.
  const connections = Array.from({ length: 200 }, open);
  const ended = connections.map(({ socket }) => {
    socket.on('connect', () => socket.write('GET /api/v1/credits HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.on('error', () => undefined);
    return new Promise((resolve) => socket.once('close', resolve));
  });
  await service.stop();
  await Promise.all(ended);
  for (const { answer } of connections) expect(answer()).toMatch(/^HTTP\/1.1 503 /);
});

it('ends no sooner than what it does for a client that is gone', async () => {
  const { ledger } = service.admin;
  const balance = ledger.balance.bind(ledger);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    vi.spyOn(ledger, 'balance').mockImplementationOnce(async (organisationId) => {
      resolve();
      await held;
      return balance(organisationId);
    });
  });
  const { socket } = open();
  socket.write(`GET /api/v1/credits HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
  await asked;
  socket.destroy();
  await until(() => expect(service.log.join('')).toContain('"status":"aborted"'));
  const closed = service.stop();
  expect((await service.fetch('/api/v1/credits')).status).toBe(503);
  goOn();
  await closed;
  expect(service.log.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
});

/** Sends a body of `mebibytes`, and stops where the service has closed the connection behind its answer. */
async function sendUntilAnswered(outgoing: ClientRequest, mebibytes: number): Promise<void> {
  const closed = once(outgoing, 'close');
  for (let sent = 0; sent < mebibytes && !outgoing.destroyed; sent += 1) {
    if (!outgoing.write(MIB)) {
      await Promise.race([once(outgoing, 'drain'), closed]);
    }
  }
  outgoing.end();
  await closed;
}

/** Waits for what a busy machine may take its time for. */
function until(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

/** A connection to the service, and all that came over it so far. */
function open(): { socket: Socket; answer: () => string } {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  return { socket, answer: () => answer };
}
