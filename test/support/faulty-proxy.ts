/** An HTTP proxy in front of a service, which fails in the ways that services and networks do. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request on its way; `url` with its query. */
export interface PassingRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
}

/**
 * What becomes of a request:
 * - `answer`: it is not passed on, and answered with this error;
 * - `lose`: it is passed on, and the connection breaks instead of an answer;
 * - `reset`, `stall`: of the answer's body so many bytes come through, then the connection breaks, or nothing more comes;
 * - `refuse`: the connection breaks before the request is read;
 * - `silence`: it is taken, and nothing ever comes back;
 * - `curtail`: of the answer's body so many bytes come through, and then its end, as if that were all;
 * - `trickle`: the answer's body comes in pieces of so many bytes, a turn of the clock apart;
 * - `ignore range`: it is passed on without its Range.
 */
export type Fault =
  | { kind: 'answer'; status: number; code: string }
  | { kind: 'lose' | 'refuse' | 'silence' | 'ignore range' }
  | { kind: 'reset' | 'stall' | 'curtail' | 'trickle'; bytes: number };

/** The fault of a request, if it is to have one. */
export type ChooseFault = (passing: PassingRequest) => Fault | undefined;

export class FaultyProxy {
  readonly origin: string;
  /** Requests so far. */
  readonly passed: PassingRequest[] = [];
  /** Decides about each request; by default nothing happens to any. */
  chooseFault: ChooseFault = () => undefined;
  /** Most requests that were under way at once. */
  mostAtOnce = 0;
  readonly #target: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #underWay = 0;
  #quiet: (() => void)[] = [];

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(target: string): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const line = new FaultyProxy(server, target);
    server.on('connection', (socket) => {
      line.#sockets.add(socket);
      socket.on('close', () => line.#sockets.delete(socket));
    });
    server.on('request', (incoming, outgoing) => line.#pass(incoming, outgoing));
    return line;
  }

  /** Forgets what has passed, and lets nothing fail. */
  reset(): void {
    this.passed.length = 0;
    this.mostAtOnce = 0;
    this.chooseFault = () => undefined;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves when no request is under way. */
  async quiet(): Promise<void> {
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => this.#quiet.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await once(this.#server, 'close');
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const passing = { method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers };
    this.passed.push(passing);
    this.#underWay += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#underWay);
    outgoing.on('close', () => {
      this.#underWay -= 1;
      if (this.#underWay === 0) {
        for (const tell of this.#quiet.splice(0)) {
          tell();
        }
      }
    });
    const fault = this.chooseFault(passing);
    if (fault?.kind === 'refuse') {
      incoming.socket.destroy();
    } else if (fault?.kind === 'silence') {
      incoming.resume();
    } else if (fault?.kind === 'answer') {
      incoming.resume().on('end', () => {
        outgoing.writeHead(fault.status, { 'Content-Type': 'application/xml' });
        outgoing.end(`<Error><Code>${fault.code}</Code><Message>failed on purpose</Message></Error>`);
      });
    } else {
      this.#forward(incoming, outgoing, fault);
    }
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
    const headers = { ...incoming.headers };
    if (fault?.kind === 'ignore range') {
      delete headers.range;
    }
    const forwarded = request(new URL(incoming.url ?? '', this.#target), { method: incoming.method, headers });
    outgoing.on('close', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('response', (answer) => {
      if (fault?.kind === 'lose') {
        answer.resume().on('end', () => outgoing.destroy());
        return;
      }
      const { 'content-length': length, ...unframed } = answer.headers;
      outgoing.writeHead(
        answer.statusCode ?? 502,
        fault?.kind === 'curtail' || length === undefined ? unframed : answer.headers,
      );
      if (fault !== undefined && 'bytes' in fault) {
        void cutShort(answer, outgoing, fault.kind, fault.bytes).catch(() => outgoing.destroy());
      } else {
        answer.on('error', () => outgoing.destroy());
        answer.pipe(outgoing);
      }
    });
    incoming.pipe(forwarded);
  }
}

async function cutShort(answer: IncomingMessage, outgoing: ServerResponse, kind: string, bytes: number): Promise<void> {
  outgoing.flushHeaders();
  let left = bytes;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (kind === 'trickle') {
      for (let start = 0; start < chunk.length; start += bytes) {
        outgoing.write(chunk.subarray(start, start + bytes));
        await new Promise(setImmediate);
      }
    } else {
      const part = chunk.subarray(0, left);
      left -= part.length;
      await new Promise<void>((resolve) => {
        outgoing.write(part, () => resolve());
      });
    }
    if (kind !== 'trickle' && left === 0) {
      break;
    }
  }
  if (kind === 'reset') {
    outgoing.destroy();
  } else if (kind !== 'stall') {
    outgoing.end();
  }
}
