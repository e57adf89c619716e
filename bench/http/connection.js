/** A connection that asks one thing after the other and costs its own process little: what is measured is the service. */

import { connect } from 'node:net';

const END_OF_HEADERS = Buffer.from('\r\n\r\n');

/** The bytes of a request: to put them together each time would cost more than to send them. */
export function requestText(method, path, headers, body = '') {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

export class Connection {
  #url;
  #socket;
  #received = Buffer.alloc(0);
  #answer;

  constructor(url) {
    this.#url = new URL(url);
  }

  /** Resolves with the answer's status, its seconds in `Retry-After` (0: none), and its body. Connects again where the service closed it after an answer. */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#socket ??= this.#connect();
      this.#socket.write(request);
    });
  }

  close() {
    this.#answer = undefined;
    this.#socket?.destroy();
  }

  #connect() {
    const { hostname, port } = this.#url;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on('data', (data) => this.#take(data));
    socket.on('error', (error) => this.#fail(error));
    socket.on('end', () => this.#leave(socket));
    socket.on('close', () => this.#leave(socket));
    return socket;
  }

  #leave(socket) {
    if (this.#socket === socket) {
      this.#socket = undefined;
      this.#received = Buffer.alloc(0);
      this.#fail(new Error('the connection was closed'));
    }
  }

  #take(data) {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const headerBytes = this.#received.indexOf(END_OF_HEADERS);
    if (headerBytes < 0) return;
    const head = this.#received.toString('latin1', 0, headerBytes);
    const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const bytes = headerBytes + END_OF_HEADERS.length + bodyBytes;
    if (this.#received.length < bytes) return;
    const body = this.#received.toString('utf8', headerBytes + END_OF_HEADERS.length, bytes);
    this.#received = this.#received.subarray(bytes);
    const retryAfter = Number(/\r\nretry-after: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (/\r\nconnection: *close/i.test(head)) {
      this.#socket.destroy();
      this.#socket = undefined;
    }
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.resolve({ status: Number(head.slice(9, 12)), retryAfter, body });
  }

  #fail(error) {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.reject(error);
  }
}
