import { expect, it } from 'vitest';
import { UnnamedProxies } from '../../src/api/identify-request.js';
import { proxyAdvice } from '../../src/config/proxy-advice.js';
import { sqlite } from '../support/databases.js';
import { lineLog } from '../support/log.js';
import { startTestService } from '../support/service.js';

/** The client's address that the log has for a request with `forwardedFor`. */
async function loggedClient(trustedProxies: string[], forwardedFor: string): Promise<unknown> {
  const service = await startTestService(sqlite, { trustedProxies });
  try {
    await fetch(`${service.url}/healthz`, { headers: { 'x-forwarded-for': forwardedFor } });
  } finally {
    await service.close();
  }
  const lines = service.log.map((line) => JSON.parse(line) as { path?: string; client?: string });
  return lines.find(({ path }) => path === '/healthz')?.client;
}

it.each([
  [[], '192.0.2.1', '127.0.0.1'],
  [['127.0.0.1'], '', '127.0.0.1'],
  [['127.0.0.1'], '192.0.2.1', '192.0.2.1'],
  [['127.0.0.0/8'], '198.51.100.7, 192.0.2.1', '192.0.2.1'],
  [['127.0.0.1', '192.0.2.0/24'], '198.51.100.7, 192.0.2.1', '198.51.100.7'],
  [['127.0.0.1', '2001:db8::/32'], '192.0.2.9, 2001:db8::1', '192.0.2.9'],
  [['127.0.0.1'], '192.0.2.1, nonsense', '127.0.0.1'],
  [['127.0.0.1'], `192.0.2.1, fe80::1%${'a'.repeat(100)}`, '127.0.0.1'],
])('with the proxies %j, %j comes from %s', { tags: ['http/request-ids'] }, async (proxies, forwardedFor, client) => {
  expect(await loggedClient(proxies, forwardedFor)).toBe(client);
});

it('names a proxy that forwards and is not trusted, once an hour', async () => {
  const service = await startTestService(sqlite, { trustedProxies: ['127.0.0.9'] });
  const ask = (headers: Record<string, string>) => fetch(`${service.url}/healthz`, { headers });
  await ask({});
  expect(unnamed(service.log)).toEqual([]);
  await ask({ 'x-forwarded-for': '192.0.2.1' });
  await ask({ 'x-forwarded-for': '192.0.2.2' });
  await service.close();
  expect(unnamed(service.log)).toEqual(['127.0.0.1']);
});

it('names at most twenty of them, whoever sends the header', () => {
  const log: string[] = [];
  const proxies = new UnnamedProxies(lineLog((line) => void log.push(line)));
  for (let host = 1; host <= 100; host += 1) {
    proxies.note(`2001:db8::${host}`);
  }
  expect(log).toHaveLength(20);
});

it.each([
  ['https://qr.example.com', [], /names no proxy/],
  ['https://qr.example.com', ['10.0.0.0/8', '192.0.2.1'], /all of 10\.0\.0\.0\/8:/],
  ['https://qr.example.com', ['fd00::/8', '192.0.2.1'], /all of fd00::\/8:/],
  ['https://qr.example.com', ['::/0'], /all of ::\/0:/],
  ['https://qr.example.com', ['192.0.2.0/24', '2001:db8:0:1::/64'], undefined],
  ['http://127.0.0.1:8080', [], undefined],
])('advises at %s with the proxies %j', (baseUrl, trustedProxies, advice) => {
  const found = proxyAdvice({ baseUrl, trustedProxies });
  expect(found).toEqual(advice && expect.stringMatching(advice));
});

it('gives this advice at the start', async () => {
  const service = await startTestService(sqlite, { trustedProxies: ['127.0.0.0/8'] });
  await service.close();
  expect(service.log.join('')).toContain('trusts all of 127.0.0.0/8');
});

/** Addresses that the log names as proxies that are not trusted. */
function unnamed(log: readonly string[]): unknown[] {
  const lines = log.map((line) => JSON.parse(line) as { proxy?: string });
  return lines.map(({ proxy }) => proxy).filter((proxy) => proxy !== undefined);
}
