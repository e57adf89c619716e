import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { probeRedis } from '../../../src/platform/redis/connection.js';
import { describeWithRedis, REDIS_URL } from '../../support/redis.js';
import { ServerLine } from '../../support/server-line.js';

describeWithRedis('probeRedis', () => {
  it('tells the version of a server that answers, and why one does not', async () => {
    const line = await ServerLine.open(REDIS_URL);
    expect(await probeRedis(line.url)).toMatch(/^\d+\.\d+\.\d+/);
    await line.close();
    await expect(probeRedis(line.url)).rejects.toThrow('ECONNREFUSED');
  });
});

it('probeRedis waits some seconds for a server that keeps silent', { timeout: 20_000 }, async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(probeRedis(`redis://127.0.0.1:${port}`)).rejects.toThrow();
  sockets.forEach((socket) => socket.destroy());
  server.close();
});
