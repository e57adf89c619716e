/** The client against the real service, and against one that refuses, breaks off and asks for patience. */

import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, type JobResource, QrpressError, verifyWebhook } from '../../src/client/client.js';
import { signedHeaders } from '../../src/outbox/signature.js';
import { sqlite } from '../support/databases.js';
import { unzip } from '../support/decode.js';
import { type Fault, FaultyProxy } from '../support/faulty-proxy.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService(sqlite);
  client = new Client({ url: service.url, key: service.key });
});
afterAll(() => service.close());

let double: Server | undefined;
afterEach(() => {
  double?.closeAllConnections();
  double?.close();
});

/** A client of a service that answers as the test says. */
async function clientOf(listener: RequestListener, options = {}): Promise<Client> {
  double = createServer((request, response) => {
    response.setHeader('x-double', '1');
    listener(request, response);
  });
  await new Promise<void>((listening) => double?.listen(0, '127.0.0.1', listening));
  const { port } = double.address() as AddressInfo;
  return new Client({ url: `http://127.0.0.1:${port}`, key: 'k', ...options });
}

const read = (stream: ReadableStream<Uint8Array>) => buffer(stream);

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) {
    list.push(value);
  }
  return list;
}

it.each(['qrp_sesame\nqrp_other', 'qrp sesame', 'qrp_sésame'])('refuses a key that no header can have: %j', (key) => {
  expect(() => new Client({ url: service.url, key })).toThrow(/^The API key has a character that no key has/);
});

it('takes a key with the line ends of its file', async () => {
  const { balance } = await new Client({ url: service.url, key: `\n${service.key}\r\n` }).credits();
  expect(balance).toBeGreaterThan(0);
});

it('takes a job from its items to its files', async () => {
  const { balance } = await client.credits();
  const request = { name: 'by the client', style: { ecLevel: 'Q' as const }, items: [{ data: '1', reference: 'one' }] };
  expect(await client.validateJob(request)).toEqual({ total: 1, creditsRequired: 1, balance, sufficient: true });
  const { jobId } = await client.createJob(request);
  const seen: JobResource[] = [];
  for await (const state of client.progress(jobId)) {
    seen.push(state);
  }
  expect(seen.at(-1)).toMatchObject({ id: jobId, status: 'complete', completed: 1, name: 'by the client' });
  expect(await client.job(jobId)).toEqual(seen.at(-1));
  const { stream, bytes } = await client.download(jobId);
  const archive = await read(stream);
  expect(archive.length).toBe(bytes);
  const [[name, picture] = ['', Buffer.of()]] = [...(await unzip(archive))];
  const lines = [];
  for await (const line of client.manifest(jobId)) {
    lines.push(line);
  }
  expect(lines).toEqual([expect.objectContaining({ index: 0, reference: 'one', data: '1' })]);
  expect(lines[0]?.files[0]).toMatchObject({ name, bytes: picture.length });
  const blob = await client.picture(jobId, 0, 'png');
  expect([blob.type, Buffer.from(await blob.arrayBuffer()).equals(picture)]).toEqual(['image/png', true]);
  const listed = [];
  for await (const job of client.jobs({ status: 'complete', createdAfter: new Date(0) })) {
    listed.push(job.id);
  }
  expect(listed).toContain(jobId);
  await client.deleteJob(jobId);
  await expect(client.job(jobId)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

it('sends items as they come, and cancels', async () => {
  let asked = 0;
  async function* items() {
    for (; asked < 20_000; asked += 1) {
      yield { data: `https://example.org/${asked}` };
    }
  }
  const { jobId, total } = await client.createJobOf({ format: 'svg' }, items());
  expect([total, asked]).toEqual([20_000, 20_000]);
  const cancelled = await client.cancelJob(jobId).catch((error: unknown) => error);
  expect(cancelled instanceof QrpressError ? cancelled.code : (cancelled as JobResource).reason).toMatch(
    /^(cancelled|not_cancellable)$/,
  );
});

it('throws refusals with their code, and tells what is wrong', async () => {
  const refused = await client.createJob({ items: [{ data: '' }] }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(QrpressError);
  expect(refused).toMatchObject({ status: 400, code: 'invalid_input' });
  expect((refused as QrpressError).body['issues']).toEqual([expect.objectContaining({ path: '/items/0/data' })]);
});

it('waits as long as it is asked to, and repeats a creation under the same key', async () => {
  const keys: unknown[] = [];
  const times: number[] = [];
  const patient = await clientOf((request, response) => {
    keys.push(request.headers['idempotency-key']);
    times.push(performance.now());
    request.resume().once('end', () => {
      if (keys.length === 1) {
        response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' });
        response.end('{"error":"rate_limited","message":"later","requestId":"x"}');
      } else {
        response.writeHead(202, { 'content-type': 'application/json' }).end('{"jobId":"j"}');
      }
    });
  });
  expect(await patient.createJob({ items: [{ data: '1' }] })).toEqual({ jobId: 'j', isReplayed: false });
  expect(keys[0]).toMatch(/^[\w-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(times[1]! - times[0]!).toBeGreaterThan(950);
});

it('sends a body again that it can open again, while an earlier request with its key is answered', async () => {
  const bodies: string[] = [];
  const busy = await clientOf(async (request, response) => {
    bodies.push(await text(request));
    if (bodies.length === 1) {
      response.writeHead(409, { 'retry-after': '0', 'content-type': 'application/json' });
      response.end('{"error":"request_in_progress","message":"later","requestId":"x"}');
    } else {
      response.writeHead(202, { 'content-type': 'application/json', 'idempotent-replayed': 'true' });
      response.end('{"jobId":"j"}');
    }
  });
  const body = () => new Blob(['{}']).stream();
  const created = await busy.createJobFrom({ contentType: 'application/json', body });
  expect([created, bodies]).toEqual([{ jobId: 'j', isReplayed: true }, ['{}', '{}']]);
});

const ITEMS = [{ data: '1' }, { data: '2' }];
it.each([
  ['an array', ITEMS, 2],
  [
    'a function',
    async function* again() {
      yield* ITEMS;
    },
    2,
  ],
  ['an iterator', ITEMS.values(), 1],
] as const)('sends %s of items again only where it can be opened again', async (_name, items, attempts) => {
  const sent: unknown[][] = [];
  const cut = await clientOf(async (request, response) => {
    sent.push([request.headers['idempotency-key'], await text(request)]);
    if (sent.length === 1) {
      response.destroy();
    } else {
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"jobId":"j"}');
    }
  });
  const created = await cut.createJobOf({ format: 'svg' }, items).catch(() => undefined);
  expect(created?.jobId).toBe(attempts === 1 ? undefined : 'j');
  const body = '{"format":"svg"}\n{"data":"1"}\n{"data":"2"}\n';
  expect(sent).toEqual(Array.from({ length: attempts }, () => [sent[0]?.[0], body]));
});

it.each([
  ['bytes', (bytes: Buffer) => bytes],
  ['a stream', (bytes: Buffer) => new Blob([bytes]).stream()],
])('sends %s that are compressed', async (_name, bodyOf) => {
  const body = bodyOf(gzipSync('{"format":"svg"}\n{"data":"1"}\n{"data":"2"}\n'));
  const created = await client.createJobFrom({ contentType: 'application/x-ndjson', contentEncoding: 'gzip', body });
  expect(created.total).toBe(2);
});

it('repeats a creation whose answer breaks off, so that its caller does not pay twice', async () => {
  const keys: unknown[] = [];
  const cut = await clientOf((request, response) => {
    keys.push(request.headers['idempotency-key']);
    request.resume().once('end', () => {
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': 13 });
      if (keys.length === 1) {
        response.write('{"jobId"', () => response.destroy());
      } else {
        response.end('{"jobId":"j"}');
      }
    });
  });
  expect(await cut.createJob({ items: [{ data: '1' }] })).toMatchObject({ jobId: 'j' });
  expect(keys).toEqual([keys[0], keys[0]]);
});

it('has deleted a job where the answer was lost, and the second one says that there is none', async () => {
  let asked = 0;
  const lost = await clientOf((_, response) => {
    asked += 1;
    if (asked % 2 === 1) {
      response.destroy();
    } else {
      response.writeHead(404).end('{"error":"not_found","message":"none"}');
    }
  });
  await expect(lost.deleteJob('j')).resolves.toBeUndefined();
  // Only a deletion may have taken effect without its answer.
  await expect(lost.job('j')).rejects.toMatchObject({ code: 'not_found' });
});

describe('an answer of a proxy whose service restarts', () => {
  const later = () => new Date(Date.now() + 2_000).toUTCString();
  it.each([
    ['502 without a time', 502, undefined, 150],
    ['503 without a time', 503, undefined, 150],
    ['504 with a time of no form', 504, () => 'soon', 150],
    ['503 with a date', 503, later, 900],
  ])('is waited for: %s', async (_name, status, retryAfter, leastMs) => {
    const times: number[] = [];
    const restarting = await clientOf((_, response) => {
      times.push(performance.now());
      if (times.length === 1) {
        response.writeHead(status, retryAfter && { 'retry-after': retryAfter() }).end('<html>');
      } else {
        response.end('{"balance":1}');
      }
    });
    expect(await restarting.credits()).toEqual({ balance: 1 });
    expect(times[1]! - times[0]!).toBeGreaterThan(leastMs);
  });
});

describe('a service that is away', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The outcome of a call while no connection is made for so many seconds. */
  async function awayFor<T>(seconds: number, answer: string, call: (away: Client) => Promise<T>) {
    let passed = 0;
    const send = () =>
      passed < seconds ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(new Response(answer));
    const outcome = call(new Client({ url: 'http://qr.example', key: 'k', fetch: send }));
    outcome.catch(() => undefined);
    for (; passed < 120; passed += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
    }
    return outcome;
  }

  it.each([
    ['job', async (away: Client) => away.job('j')],
    ['progress', async (away: Client) => (await all(away.progress('j'))).at(-1)],
    ['manifest', async (away: Client) => (await all(away.manifest('j')))[0]],
    ['createJob', async (away: Client) => away.createJob({ items: ITEMS })],
  ] as [string, (away: Client) => Promise<unknown>][])('is waited for for a minute: %s', async (_name, call) => {
    expect(await awayFor(50, '{"jobId":"j","status":"complete"}', call)).toMatchObject({ jobId: 'j' });
  });

  it('is an error with its cause after that', async () => {
    const error = await awayFor(110, '{}', async (away) => away.job('j')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(QrpressError);
    expect(error).toMatchObject({
      status: 0,
      code: 'no_answer',
      message: 'no_answer: No whole answer came from http://qr.example.',
      cause: new TypeError('fetch failed'),
    });
  });

  it('is not waited for where the address is none, or the items fail', async () => {
    const fails = new Error('of the caller');
    const items = vi.fn(() => {
      throw fails;
    });
    await expect(new Client({ url: '', key: 'k' }).credits()).rejects.toThrow('Invalid URL');
    const failing = { [Symbol.asyncIterator]: () => ({ next: items }) };
    await expect(client.createJobOf({}, () => failing)).rejects.toBe(fails);
    expect(items).toHaveBeenCalledOnce();
  });
});

it('goes on with a manifest where the connection broke', async () => {
  const lines = Array.from({ length: 3 }, (_, index) => `{"index":${index}}\n`);
  let asked = 0;
  const broken = await clientOf((_, response) => {
    asked += 1;
    if (asked === 3) {
      response.end(lines.join(''));
    } else {
      response.write(`${lines.slice(0, asked).join('')}{"ind`, () => response.destroy());
    }
  });
  expect(await all(broken.manifest('j'))).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
});

it('gives up after some attempts, and at once where it is told to stop', async () => {
  let asked = 0;
  const failing = await clientOf(
    (_, response) => {
      asked += 1;
      response.destroy();
    },
    { attempts: 2 },
  );
  await expect(failing.credits()).rejects.toThrow();
  expect(asked).toBe(2);
  await expect(failing.credits({ signal: AbortSignal.abort() })).rejects.toThrow();
  expect(asked).toBe(2);
});

it('goes on with a download where the connection broke', async () => {
  const whole = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const ranges: (string | undefined)[] = [];
  const broken = await clientOf((request, response) => {
    const { range } = request.headers;
    ranges.push(range && `${range} ${String(request.headers['if-range'])}`);
    const start = Number(/\d+/.exec(range ?? '0')?.[0]);
    const end = Math.min(start + 100_000, whole.length);
    response.writeHead(range === undefined ? 200 : 206, {
      etag: '"a"',
      'content-length': whole.length - start,
      ...(range !== undefined && { 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}` }),
    });
    response.write(whole.subarray(start, end), () => {
      if (end < whole.length) {
        setTimeout(() => response.destroy(), 20);
      } else {
        response.end();
      }
    });
  });
  const { bytes, stream, etag } = await broken.download('j');
  const received = await read(stream);
  expect([bytes, etag, received.equals(whole)]).toEqual([whole.length, '"a"', true]);
  expect(ranges.length).toBeGreaterThan(2);
  expect(ranges.slice(1).every((range) => /^bytes=\d+- "a"$/.test(range ?? ''))).toBe(true);
  const later = await broken.download('j', { start: 250_000, etag: '"a"' });
  expect((await read(later.stream)).equals(whole.subarray(250_000))).toBe(true);
});

describe('a download behind a proxy that removes lengths', () => {
  let proxy: FaultyProxy;
  let jobId: string;
  let whole: Buffer;
  let behind: Client;
  beforeAll(async () => {
    proxy = await FaultyProxy.open(service.url);
    const items = Array.from({ length: 100 }, (_, index) => ({ data: `https://example.org/${index}` }));
    ({ jobId } = await client.createJob({ items, style: { scale: 20 } }));
    await service.ended(jobId);
    whole = await read((await client.download(jobId)).stream);
    behind = new Client({ url: proxy.origin, key: service.key });
  });
  beforeEach(() => {
    proxy.reset();
    proxy.takesLengths = true;
  });
  afterAll(() => proxy.close());

  /** Lets the proxy fail while it passes on the first body with a range. */
  const failOnce = (fault: Fault) => {
    let isOver = false;
    proxy.chooseFault = ({ headers }) => {
      const fails = !isOver && headers.range !== undefined;
      isOver ||= fails;
      return fails ? fault : undefined;
    };
  };

  it('is whole, and says how long it is', async () => {
    const { bytes, stream } = await behind.download(jobId);
    expect([bytes, (await read(stream)).equals(whole)]).toEqual([whole.length, true]);
  });

  it.each(['reset', 'curtail'] as const)('goes on behind a %s in the middle', async (kind) => {
    failOnce({ kind, bytes: 5_000 });
    const { bytes, stream } = await behind.download(jobId);
    expect([bytes, (await read(stream)).equals(whole)]).toEqual([whole.length, true]);
    expect(proxy.passed.map(({ headers }) => headers.range).at(-1)).toBe('bytes=5000-');
  });

  it.each(['reset', 'curtail'] as const)('is resumed, and goes on behind a %s', async (kind) => {
    failOnce({ kind, bytes: 5_000 });
    const { bytes, stream } = await behind.download(jobId, { start: 1_000 });
    expect([bytes, (await read(stream)).equals(whole.subarray(1_000))]).toEqual([whole.length, true]);
    expect(proxy.passed.map(({ headers }) => headers.range)).toEqual(['bytes=1000-', 'bytes=6000-']);
  });

  it('fails where ranges are removed as well, instead of being empty', async () => {
    proxy.chooseFault = () => ({ kind: 'ignore range' });
    await expect(behind.download(jobId)).rejects.toMatchObject({ code: 'length_unknown' });
    await expect(behind.download(jobId, { start: 1_000 })).rejects.toMatchObject({ code: 'archive_changed' });
  });
});

it('is over when it is cancelled, also while bytes are awaited', async () => {
  let requests = 0;
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const slow = await clientOf((_, response) => {
    requests += 1;
    response.once('close', close);
    response.writeHead(206, { 'content-range': 'bytes 0-9/10' }).write('0');
  });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const { stream } = await slow.download('j');
    const reader = stream.getReader();
    expect((await reader.read()).value).toHaveLength(1);
    const next = reader.read();
    // The stream asks for the next bytes in a turn of its own.
    await new Promise(setImmediate);
    await reader.cancel();
    expect(await next).toEqual({ done: true, value: undefined });
    await closed;
    await vi.advanceTimersByTimeAsync(60_000);
  } finally {
    vi.useRealTimers();
  }
  // A further request of the first download would have come before this one.
  await (await slow.download('j')).stream.cancel();
  expect(requests).toBe(2);
});

it.each([
  ['before it asks for the rest', 1],
  ['while it asks for the rest', 2],
])('is over when it is cancelled %s', async (_name, requests) => {
  const asked: ((body: ReadableStream) => void)[] = [];
  const answer = (resolve: (response: Response) => void) => {
    const headers = { 'content-range': `bytes ${asked.length}-9/10` };
    asked.push((body) => resolve(new Response(body, { status: 206, headers })));
  };
  const broken = new Client({ url: service.url, key: 'k', fetch: () => new Promise(answer) });
  const first = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.of(0)),
    pull: () => Promise.reject(new TypeError('The connection broke')),
  });
  const turn = () => new Promise(setImmediate);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const download = broken.download('j');
    await turn();
    asked[0]?.(first);
    const reader = (await download).stream.getReader();
    await reader.read();
    const next = reader.read();
    await turn();
    // The pause before a request.
    if (requests === 2) await vi.advanceTimersByTimeAsync(1_000);
    await reader.cancel();
    expect(await next).toEqual({ done: true, value: undefined });
    await new Promise<void>((cancel) => {
      if (requests === 1) cancel();
      asked[1]?.(new ReadableStream({ cancel }));
    });
    await vi.advanceTimersByTimeAsync(1_000);
  } finally {
    vi.useRealTimers();
  }
  expect(asked).toHaveLength(requests);
});

it('takes the length of the archive, not that of the compressed answer', async () => {
  const whole = Buffer.alloc(100_000, 'a');
  const compressing = await clientOf((request, response) => {
    if (request.headers.range === undefined) {
      const body = gzipSync(whole);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
    } else {
      response.writeHead(206, { 'content-range': `bytes 0-${whole.length - 1}/${whole.length}` }).end(whole);
    }
  });
  const { bytes, stream } = await compressing.download('j');
  expect([bytes, (await read(stream)).equals(whole)]).toEqual([whole.length, true]);
});

it('refuses a range that begins elsewhere, or is one of another archive', async () => {
  let range = 'bytes 0-9/10';
  const wrong = await clientOf((_, response) => {
    response.writeHead(206, { 'content-range': range }).end('0123456789');
  });
  await expect(wrong.download('j', { start: 5 })).rejects.toMatchObject({ code: 'length_unknown' });
  range = 'bytes 5-9/20';
  const { stream } = await wrong.download('j', { start: 5 });
  range = 'bytes 15-20/21';
  await expect(read(stream)).rejects.toMatchObject({ code: 'archive_changed' });
});

it('waits longer and longer for an earlier request with its key, which may have died with its process', async () => {
  const times: number[] = [];
  const dead = await clientOf(
    (request, response) => {
      times.push(performance.now());
      request.resume().once('end', () => {
        response.writeHead(409, { 'retry-after': '0.05', 'content-type': 'application/json' });
        response.end('{"error":"request_in_progress","message":"later","requestId":"x"}');
      });
    },
    { attempts: 5 },
  );
  await expect(dead.createJob({ items: [{ data: '1' }] })).rejects.toMatchObject({ code: 'request_in_progress' });
  expect(times[4]! - times[0]!).toBeGreaterThan(700);
});

it('imports files of its own and of the contract alone, so that every runtime has all of it', () => {
  const seen = new Set<string>();
  const follow = (file: URL) => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type)[^;]* from '([^']+)'/gm);
    for (const [, from = ''] of imports) {
      expect(from).toMatch(/^\.\.?\//);
      follow(new URL(from.replace(/\.js$/, '.ts'), file));
    }
  };
  follow(new URL('../../src/client/client.ts', import.meta.url));
  expect(seen.size).toBeGreaterThan(3);
});

it('verifies webhooks', async () => {
  const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [string, string];
  const body = JSON.stringify({ type: 'credits.low', timestamp: 't', data: { balance: 1 } });
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = signedHeaders({ id: 'msg_1', timestamp, body }, secrets);
  for (const secret of [secrets[0], secrets[1], secrets]) {
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, new Headers(headers), secret)).toEqual(JSON.parse(body));
  }
  const other = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  await expect(verifyWebhook(body, headers, other)).rejects.toThrow('signature of the webhook');
  await expect(verifyWebhook(`${body} `, headers, secrets)).rejects.toThrow('signature of the webhook');
  const old = signedHeaders({ id: 'msg_1', timestamp: timestamp - 400, body }, secrets);
  await expect(verifyWebhook(body, old, secrets)).rejects.toThrow('not recent');
  await expect(verifyWebhook(body, {}, secrets)).rejects.toThrow('webhook-id is missing');
});
