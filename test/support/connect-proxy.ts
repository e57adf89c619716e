/** An HTTP proxy that opens tunnels by CONNECT. All of them lead to one server of the test, whatever address was asked for. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ConnectProxy {
  port: number;
  /** The targets that were asked for, with what was in `Proxy-Authorization`. */
  asked: { target: string; authorization: string | undefined }[];
  /** Port of the server that tunnels lead to. */
  leadsTo: number;
  /** Refuses with this status. */
  refusesWith: number | undefined;
  close: () => Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  const proxy: ConnectProxy = {
    port: 0,
    asked: [],
    leadsTo: 0,
    refusesWith: undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.on('connect', (request, socket: Socket) => {
    proxy.asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    socket.on('error', () => socket.destroy());
    if (proxy.refusesWith !== undefined) {
      socket.end(`HTTP/1.1 ${proxy.refusesWith} No\r\nContent-Length: 15\r\n\r\nsecrets of ours`);
      return;
    }
    const target = connect(proxy.leadsTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    sockets.add(target);
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}
