/** A line to a server, under an address of its own, that a test can cut. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class ServerLine {
  /** The server's URL with the line's address. */
  readonly url: string;
  /** Connections that were asked for since the line was cut. */
  attempts = 0;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Bytes that wait while the line is silent. */
  readonly #held: (() => void)[] = [];
  #state: 'whole' | 'silent' | 'cut' = 'whole';

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = new URL(target);
    const url = new URL(target);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = url.href;
  }

  static async open(target: string): Promise<ServerLine> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new ServerLine(server, target);
    server.on('connection', (socket) => line.#connect(socket));
    return line;
  }

  /** From now on nothing comes through, and nothing says so; `mend` passes it on. */
  fallSilent(): void {
    this.#state = 'silent';
  }

  /** Breaks every connection, and each new one as soon as it is there. */
  cut(): void {
    this.#state = 'cut';
    this.attempts = 0;
    this.#breakAll();
  }

  mend(): void {
    this.#state = 'whole';
    for (const passOn of this.#held.splice(0)) {
      passOn();
    }
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#breakAll();
    await closed;
  }

  #breakAll(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  #connect(near: Socket): void {
    if (this.#state === 'cut') {
      this.attempts += 1;
      near.destroy();
      return;
    }
    const { hostname, port, protocol } = this.#target;
    const far = connect(Number(port || (protocol === 'mysql:' ? 3306 : 6379)), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (this.#state === 'silent') {
          this.#held.push(() => to.write(bytes));
        } else {
          to.write(bytes);
        }
      });
    }
  }
}
