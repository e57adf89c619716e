/** A TCP proxy in front of a server. A test can cut its connections. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Where a connection breaks: before the server gets what is sent, or before its answer. `stuck`: the server gets it at `mend`, on
 * a connection that stays open on its side.
 */
type BreakingPoint = 'unsent' | 'unanswered' | 'stuck';

export class ServerLine {
  /** The server's URL with the proxy's address. */
  readonly url: string;
  /** Number of connection attempts since the cut. */
  attempts = 0;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Bytes held back while the proxy is silent. */
  readonly #held: (() => void)[] = [];
  #state: 'whole' | 'silent' | 'cut' = 'whole';
  #break: { text: string; after: string; at: BreakingPoint } | undefined;

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

  /** Holds back all bytes and keeps the connections open. `mend` passes the bytes on. */
  fallSilent(): void {
    this.#state = 'silent';
  }

  /** Breaks every connection, and each new one at once. */
  cut(): void {
    this.#state = 'cut';
    this.attempts = 0;
    this.#breakAll();
  }

  /** Breaks the client's end of the next connection on which it sends `text` when it has sent `after` on it. */
  breakAt(text: string, after: string, at: BreakingPoint): void {
    this.#break = { text, after, at };
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
      let [isStuck, isAfter] = [false, false];
      from.on('close', () => {
        this.#sockets.delete(from);
        if (!isStuck) to.destroy();
      });
      from.on('data', (bytes) => {
        const { text = '', after = '', at } = this.#break ?? {};
        isAfter ||= from === near && at !== undefined && bytes.includes(after);
        if (isAfter && at !== undefined && bytes.includes(text)) {
          this.#break = undefined;
          isStuck = at === 'stuck';
          if (isStuck) this.#held.push(() => to.write(bytes));
          if (at === 'unanswered') {
            to.prependOnceListener('data', () => near.destroy());
            to.write(bytes);
          } else {
            near.destroy();
          }
        } else if (this.#state === 'silent') {
          this.#held.push(() => to.write(bytes));
        } else {
          to.write(bytes);
        }
      });
    }
  }
}
