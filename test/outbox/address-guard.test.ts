import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AddressGuard, RefusedAddressError } from '../../src/outbox/address-guard.js';
import { callWebhook } from '../../src/outbox/call-webhook.js';
import { keptBySignal } from '../support/kept-by-signal.js';

const lookups = new Map<string, LookupAddress[]>();
/** Names of /etc/hosts. */
const ownNames = new Map<string, LookupAddress[]>([
  ['localhost', [{ address: '127.0.0.1', family: 4 }]],
  ['receiver', [{ address: '10.0.0.7', family: 4 }]],
]);
/** Names that a thread of the process was asked about. */
const onThreads: string[] = [];

beforeAll(() => {
  const find = (host: string, family?: number) => {
    const found = lookups.get(host)?.filter((each) => family === undefined || each.family === family);
    if (found === undefined || found.length === 0)
      throw Object.assign(new Error(`ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return found;
  };
  const lookup = async (host: string) => {
    onThreads.push(host);
    return ownNames.get(host) ?? find(host);
  };
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  for (const [name, family] of [
    ['resolve4', 4],
    ['resolve6', 6],
  ] as const) {
    const addresses = async (host: string) => find(host, family).map(({ address }) => address);
    vi.spyOn(dns.Resolver.prototype, name).mockImplementation(addresses);
  }
  // The host imports the functions by name.
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const resolve = (url: string, allowed: string[] = []) => new AddressGuard(allowed).resolve(new URL(url));

it.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://172.31.255.255/',
  'http://168.63.129.16/metadata',
  'http://192.168.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://203.0.113.9/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[ff02::1]/',
])('refuses %s', { tags: ['additions/webhook-secrets'] }, async (url) => {
  await expect(resolve(url)).rejects.toThrow(RefusedAddressError);
});

it.each(['http://8.8.8.8/', 'https://[2606:4700::1111]/', 'http://172.32.0.1/', 'http://100.128.0.1/'])(
  'lets %s through',
  async (url) => {
    expect((await resolve(url)).length).toBe(1);
  },
);

it("knows this machine's own names where the operator allows their addresses", async () => {
  await expect(resolve('http://localhost/')).rejects.toThrow('localhost (127.0.0.1) is private');
  expect(await resolve('http://localhost/', ['127.0.0.0/8'])).toEqual([{ address: '127.0.0.1', family: 4 }]);
  await expect(resolve('http://receiver/')).rejects.toThrow('ENOTFOUND');
  expect(await resolve('http://receiver/', ['10.0.0.0/8'])).toEqual([{ address: '10.0.0.7', family: 4 }]);
});

it('looks at every address of a name, and keeps those that may be called', async () => {
  lookups.set('mixed.example', [
    { address: '10.0.0.1', family: 4 },
    { address: '8.8.8.8', family: 4 },
    { address: '::1', family: 6 },
  ]);
  lookups.set('private.example', [
    { address: '10.0.0.1', family: 4 },
    { address: 'fd00::1', family: 6 },
  ]);
  lookups.set('public.example', [{ address: '8.8.8.8', family: 4 }]);
  await expect(resolve('https://private.example/')).rejects.toThrow('private.example (10.0.0.1) is private');
  for (const host of ['public', 'mixed']) {
    expect(await resolve(`https://${host}.example/`)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  }
  await expect(resolve('https://nowhere.example/')).rejects.toThrow('ENOTFOUND');
});

it('holds threads of the process for names of the operator alone: name servers of others may keep silent', async () => {
  lookups.set('public.example', [{ address: '8.8.8.8', family: 4 }]);
  lookups.set('hooks.internal', [{ address: '10.0.0.1', family: 4 }]);
  onThreads.splice(0);
  await resolve('https://public.example/', ['hooks.internal']);
  expect(onThreads).toEqual([]);
  await resolve('https://hooks.internal/', ['hooks.internal']);
  expect(onThreads).toEqual(['hooks.internal']);
});

it.each([
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://10.7.7.7/', '10.0.0.0/8'],
  ['http://[fd00::7]/', 'fd00::/8'],
  ['http://private.example/', 'PRIVATE.example'],
])('lets %s through where the operator allows %s', async (url, allowed) => {
  expect((await resolve(url, ['192.168.0.0/16', allowed])).length).toBeGreaterThan(0);
  await expect(resolve('http://172.16.0.1/', [allowed])).rejects.toThrow(RefusedAddressError);
});

it('connects to the address that was looked at, though the name leads elsewhere the next time', async () => {
  const hosts: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.writeHead(200).end('x'.repeat(100_000));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  lookups.set('rebinding.example', [{ address: '127.0.0.1', family: 4 }]);
  const guard = new AddressGuard(['127.0.0.1']);
  const call = { url: `http://rebinding.example:${port}/`, headers: {}, body: '{}' };
  const status = callWebhook(call, guard, new AbortController().signal);
  lookups.set('rebinding.example', [{ address: '10.0.0.1', family: 4 }]);
  // The body is read as far as people are shown it.
  expect(await status).toMatchObject({ status: 200, text: 'x'.repeat(1_000) });
  expect(hosts).toEqual([`rebinding.example:${port}`]);
  await expect(callWebhook(call, guard, new AbortController().signal)).rejects.toThrow(RefusedAddressError);
  server.closeAllConnections();
  server.close();
});

it('leaves nothing on the signal of its caller, which may live as long as the process', async () => {
  const server = createServer((_, response) => response.writeHead(204).end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const call = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
  for (let calls = 0; calls < 20; calls += 1) {
    expect(await callWebhook(call, new AddressGuard(['127.0.0.0/8']), signal)).toMatchObject({ status: 204, text: '' });
  }
  await expect.poll(() => keptBySignal(signal)).toBe(0);
  server.closeAllConnections();
  server.close();
});

it('counts as answered by its headers, though the body is slow or breaks off', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-length': 5_000 }).write('half\0');
    if (request.url === '/broken') setImmediate(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  for (const path of ['/slow', '/broken']) {
    const call = { url: `http://127.0.0.1:${port}${path}`, headers: {}, body: '{}' };
    const answer = await callWebhook(call, new AddressGuard(['127.0.0.0/8']), new AbortController().signal);
    expect(answer).toMatchObject({ status: 200, text: 'half\uFFFD' });
  }
  server.closeAllConnections();
  server.close();
});

it('is cut off when all stops', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const stopping = new AbortController();
  const call = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
  const status = callWebhook(call, new AddressGuard(['127.0.0.0/8']), stopping.signal);
  server.once('request', () => stopping.abort());
  await expect(status).rejects.toThrow();
  server.closeAllConnections();
  server.close();
});
