/** Processes behind the proxies as they are shipped, replaced one by one under load: no client sees an error of the proxy. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import { sqlite } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { endHost, type Host, startHost } from '../support/hosts.js';
import { describeWithOwnRedis, OwnRedis } from '../support/redis.js';
import { startTestService } from '../support/service.js';
import { itWith, ROOT } from './tool.js';

/** Clients that ask all the time. */
const CLIENTS = 4;

const processes: ChildProcess[] = [];

async function startApi(environment: Record<string, string>, port: number): Promise<Host> {
  const words = ['dist/main.js', 'serve', '--role', 'api'];
  const host = await startHost({ ...environment, QRPRESS_PORT: String(port) }, words);
  processes.push(host.child);
  return host;
}

/** Past the check that holds answers against the contract: a proxy adds headers of its own. */
async function statusOf(url: string, options: RequestOptions, body?: string): Promise<number> {
  const sent = request(url, options).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}

/** Starts a proxy before two processes; its configuration is the shipped one, but for addresses and TLS. */
type StartProxy = (folder: string, port: number, upstreams: [number, number]) => Promise<ChildProcess>;

const startNginx =
  (nginx: string): StartProxy =>
  async (folder, port, upstreams) => {
    const shipped = await readFile(join(ROOT, 'deploy/proxy/nginx.conf'), 'utf8');
    const [, line = '', flags = ''] = /^( *server 127\.0\.0\.1:8080(.*);)$/m.exec(shipped) ?? [];
    const servers = upstreams.map((upstream) => `server 127.0.0.1:${upstream}${flags};`).join('\n');
    const server = shipped
      .replace(line, servers)
      .replaceAll(/^ *(?:listen \[::\]|ssl_).*$/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const path = join(folder, 'nginx.conf');
    const http = `http { access_log off; ${places.join(' ')}\n${server}}`;
    // One process, so that none is left when it is killed.
    const single = `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;`;
    await writeFile(path, `${single}\nerror_log stderr info;\nevents {}\n${http}`);
    return spawn(nginx, ['-c', path, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
  };

const startCaddy =
  (caddy: string): StartProxy =>
  async (folder, port, upstreams) => {
    const config = join(ROOT, 'deploy/proxy/Caddyfile');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      QRPRESS_SITE: `http://127.0.0.1:${port}`,
      QRPRESS_UPSTREAM: `to ${upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' ')}`,
    };
    // The interface for its administration would take a port that all have in common.
    const adapted = spawnSync(caddy, ['adapt', '--adapter', 'caddyfile', '--config', config], {
      env,
      encoding: 'utf8',
    });
    const path = join(folder, 'caddy.json');
    await writeFile(path, JSON.stringify({ admin: { disabled: true }, ...(JSON.parse(adapted.stdout) as object) }));
    return spawn(caddy, ['run', '--config', path], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  };

/** @param repeatsGets whether the proxy asks another process where one answers 503 */
async function rollOut(startProxy: StartProxy, repeatsGets: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-rollout-'));
  const redis = await OwnRedis.start();
  const environment = {
    QRPRESS_DATA_DIR: join(folder, 'data'),
    QRPRESS_REDIS_URL: redis.url,
    QRPRESS_RENDER_THREADS: '1',
    QRPRESS_RATE_LIMIT_CREATE: '1000000',
    QRPRESS_RATE_LIMIT_READ: '1000000',
  };
  const admin = await openAdminContext(readConfig(environment));
  try {
    const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 1_000_000 };
    const { key } = await admin.keys.create(COMMAND_LINE, await admin.organisations.create(owner), 'test');
    const ports: [number, number] = [await freePort(), await freePort()];
    const apis = [await startApi(environment, ports[0]), await startApi(environment, ports[1])];
    const port = await freePort();
    await mkdir(join(folder, 'proxy'));
    processes.push(await startProxy(join(folder, 'proxy'), port, ports));
    const origin = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const ask = (method: 'GET' | 'POST') =>
      method === 'GET'
        ? statusOf(`${origin}/api/v1/credits`, { headers })
        : statusOf(`${origin}/api/v1/jobs`, { method, headers }, JSON.stringify({ items: [{ data: 'x' }] }));
    await vi.waitFor(async () => expect(await ask('GET')).toBe(200), { timeout: 30_000, interval: 50 });

    const seen = { GET: new Map<number, number>(), POST: new Map<number, number>() };
    const over = new AbortController();
    const count = async (method: 'GET' | 'POST') => {
      const status = await ask(method);
      seen[method].set(status, (seen[method].get(status) ?? 0) + 1);
    };
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!over.signal.aborted) {
        await count('GET');
        await count('POST');
      }
    });
    for (const [index, api] of apis.entries()) {
      expect(await endHost(api, 'SIGTERM')).toBe(0);
      await startApi(environment, ports[index] as number);
    }
    over.abort();
    await Promise.all(clients);
    for (const [method, wanted] of [
      ['GET', 200],
      ['POST', 202],
    ] as const) {
      const { [wanted]: served = 0, 503: refused = 0, ...others } = Object.fromEntries(seen[method]);
      expect(others, method).toEqual({});
      expect(served, method).toBeGreaterThan(refused);
      expect(repeatsGets && method === 'GET' && refused > 0, 'a GET was not repeated').toBe(false);
    }
  } finally {
    for (const child of processes.splice(0)) {
      child.kill('SIGKILL');
    }
    await admin.close();
    await redis.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Asks a proxy for secret links while no process takes requests. The proxy must not log them. */
async function askForLinks(startProxy: StartProxy): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-links-'));
  const port = await freePort();
  const proxy = await startProxy(folder, port, [await freePort(), await freePort()]);
  let said = '';
  proxy.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  try {
    for (const path of ['/account/reset/canary', '/d/canary?exp=1&t=canary']) {
      const ask = () => statusOf(`http://127.0.0.1:${port}${path}`, { headers: { referer: 'http://x/canary' } });
      await vi.waitFor(async () => expect(await ask()).toBeGreaterThanOrEqual(502), { timeout: 30_000, interval: 50 });
    }
    proxy.kill('SIGTERM');
    await once(proxy, 'close');
    expect(said).not.toBe('');
    expect(said).not.toContain('canary');
  } finally {
    proxy.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** nginx and Prometheus on the service's own machine: nginx asks from another address, which the service trusts. */
async function scrapeBehind(startProxy: StartProxy): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-scrape-'));
  const service = await startTestService(sqlite, { trustedProxies: ['127.0.0.2'] });
  const upstream = createServer((asking, answer) => answer.end(asking.socket.remoteAddress)).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const port = await freePort();
  const { port: upstreamPort } = upstream.address() as AddressInfo;
  const proxy = await startProxy(folder, port, [upstreamPort, upstreamPort]);
  try {
    const seen = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
    await vi.waitFor(async () => expect(await seen()).toBe('127.0.0.2'), { timeout: 30_000, interval: 50 });
    expect(await statusOf(`${service.url}/metrics`, {})).toBe(200);
    const asking = request(`${service.url}/metrics`, { localAddress: '127.0.0.2' }).end();
    const [refusal] = (await once(asking, 'response')) as [IncomingMessage];
    expect(refusal.statusCode).toBe(404);
    expect(await text(refusal)).toContain('QRPRESS_TRUSTED_PROXIES');
  } finally {
    proxy.kill('SIGKILL');
    upstream.close();
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

describe('Prometheus on the same host gets the metrics', () => {
  itWith('nginx', 'next to nginx', (nginx) => scrapeBehind(startNginx(nginx)));
});

describe('the log of a proxy has no secret of a link', () => {
  itWith('nginx', 'of nginx', (nginx) => askForLinks(startNginx(nginx)));
  itWith('caddy', 'of Caddy', (caddy) => askForLinks(startCaddy(caddy)));
});

describeWithOwnRedis('a rollout', () => {
  itWith('nginx', 'behind nginx', (nginx) => rollOut(startNginx(nginx), true), { timeout: 180_000 });
  itWith('caddy', 'behind Caddy', (caddy) => rollOut(startCaddy(caddy), false), { timeout: 180_000 });
});
