import { expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { startTestService } from '../support/service.js';

/** The client's address that the log has for a request with `forwardedFor`. */
async function loggedClient(trustedProxies: string[], forwardedFor: string): Promise<unknown> {
  const service = await startTestService(DATABASES[0]!, { trustedProxies });
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
])('with the proxies %j, %j comes from %s', { tags: ['http/request-ids'] }, async (proxies, forwardedFor, client) => {
  expect(await loggedClient(proxies, forwardedFor)).toBe(client);
});
