/** Calls that leave the network through a proxy: of webhooks, of the identity provider, and of the collector of traces. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { IdentityProvider } from '../../src/accounts/people/identity-provider.js';
import { AddressGuard, RefusedAddressError } from '../../src/outbox/address-guard.js';
import { callWebhook } from '../../src/outbox/call-webhook.js';
import { OutgoingProxy } from '../../src/platform/outgoing-proxy.js';
import { openTracing } from '../../src/platform/tracing/export.js';
import { Collector } from '../support/collector.js';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.js';
import { lineLog } from '../support/log.js';

let proxy: ConnectProxy;
const servers: Server[] = [];
beforeEach(async () => {
  proxy = await startConnectProxy();
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await proxy.close();
});

async function serve(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const settings = (except: string[] = [], login = '') => ({ url: `http://${login}127.0.0.1:${proxy.port}`, except });
const call = (url: string, guard: AddressGuard) =>
  callWebhook({ url, headers: { 'webhook-id': 'msg_1' }, body: '{}' }, guard, new AbortController().signal);

it('calls a webhook at the address that was checked, with the name and password of the proxy', async () => {
  const hosts: (string | undefined)[] = [];
  proxy.leadsTo = await serve(
    createServer((request, response) => {
      hosts.push(request.headers.host);
      response.end('thanks');
    }),
  );
  const guard = new AddressGuard([], settings([], 'us%40er:p%3Ass@'));
  expect(await call('http://8.8.8.8:81/hook', guard)).toMatchObject({ status: 200, text: 'thanks' });
  const authorization = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`;
  expect(proxy.asked).toEqual([{ target: '8.8.8.8:81', authorization }]);
  expect(hosts).toEqual(['8.8.8.8:81']);
  expect(await call('http://[2606:4700::1111]/', guard)).toMatchObject({ status: 200 });
  expect(proxy.asked[1]?.target).toBe('[2606:4700::1111]:80');
});

it('asks the proxy for no address that a webhook may not call', async () => {
  await expect(call('http://10.0.0.1/', new AddressGuard([], settings()))).rejects.toThrow(RefusedAddressError);
  await expect(call('http://169.254.169.254/', new AddressGuard([], settings()))).rejects.toThrow(RefusedAddressError);
  expect(proxy.asked).toEqual([]);
});

it('shows nobody what the proxy answers when it refuses', async () => {
  proxy.refusesWith = 403;
  const refused = call('http://8.8.8.8/', new AddressGuard([], settings()));
  await expect(refused).rejects.toThrow(/^The proxy refused to connect: HTTP 403\.$/);
  proxy.refusesWith = 204;
  await expect(call('http://8.8.8.8/', new AddressGuard([], settings()))).rejects.toThrow('HTTP 204');
  const away = new AddressGuard([], { url: 'http://127.0.0.1:1', except: [] });
  await expect(call('http://8.8.8.8/', away)).rejects.toThrow('The proxy cannot be reached: ');
});

it('calls hosts and networks directly that are excepted, and this machine', () => {
  const outgoing = new OutgoingProxy(settings(['hooks.internal', '10.0.0.0/8', 'fd00::/8']));
  const agentFor = (url: string, ...addresses: string[]) => outgoing.agentFor(new URL(url), addresses);
  for (const url of ['http://HOOKS.internal/', 'https://10.1.2.3/', 'http://[fd00::1]/', 'http://localhost:4318/']) {
    expect(agentFor(url)).toBeUndefined();
  }
  expect(agentFor('https://printer.example/', '10.0.0.1')).toBeUndefined();
  expect(agentFor('https://printer.example/', '10.0.0.1', '8.8.8.8')).toBeDefined();
  expect(agentFor('https://printer.example/')).toBeDefined();
  expect(agentFor('http://11.0.0.1/')).toBeDefined();
});

it('encrypts through the tunnel, and checks the certificate for the name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-proxy-'));
  try {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=other.example'];
    execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const answer: RequestListener = (_request, response) => void response.end('thanks');
    const secure = createSecureServer({ key: await readFile(key), cert: await readFile(certificate) }, answer);
    proxy.leadsTo = await serve(secure);
    const outgoing = new OutgoingProxy(settings());
    const refused = outgoing.fetch('https://login.example/', { method: 'GET', headers: {} });
    await expect(refused).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(proxy.asked.map(({ target }) => target)).toEqual(['login.example:443']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('calls the identity provider', async () => {
  const issuer = 'http://login.example:81';
  proxy.leadsTo = await serve(
    createServer((_request, response) => {
      const paths = { authorization_endpoint: '/a', token_endpoint: '/t', jwks_uri: '/k' };
      const endpoints = Object.entries(paths).map(([name, path]) => [name, issuer + path]);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ issuer, ...Object.fromEntries(endpoints) }));
    }),
  );
  const provider = new IdentityProvider({
    issuer,
    clientId: 'qrpress',
    clientSecret: 'sesame',
    redirectUri: 'https://qr.example.com/back',
    proxy: settings(),
  });
  expect((await provider.begin()).url).toMatch(/^http:\/\/login\.example:81\/a\?/);
  expect(proxy.asked.map(({ target }) => target)).toEqual(['login.example:81']);
});

it('sends traces', async () => {
  const collector = await Collector.start();
  proxy.leadsTo = Number(new URL(collector.url).port);
  const endpoint = 'http://collector.example:4318/v1/traces';
  const tracing = openTracing({ endpoint, headers: {}, serviceName: 'press' }, lineLog(), settings());
  trace.getTracer('test').startSpan('through the proxy').end();
  await tracing.close();
  expect(collector.spans.map(({ name }) => name)).toEqual(['through the proxy']);
  expect(proxy.asked[0]?.target).toBe('collector.example:4318');
  await collector.close();
});
