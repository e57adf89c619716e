/** An HTTP proxy in front of a service. It fails as services and networks do. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request. `url` includes the query. */
export interface PassingRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
}

/**
 * A way to fail:
 * - `answer`: does not pass the request on, and answers with this error;
 * - `lose`: passes the request on, and breaks the connection instead of answering;
 * - `reset`, `stall`: passes on so many bytes of the response's body, then breaks the connection or sends nothing more;
 * - `refuse`: breaks the connection before the request is read;
 * - `silence`: accepts the request and never answers;
 * - `curtail`: passes on so many bytes of the response's body and then ends it, as if it were complete;
 * - `trickle`: passes on the response's body in pieces of so many bytes, one per turn of the event loop;
 * - `ignore range`: passes the request on without its Range.
 */
export type Fault =
  | { kind: 'answer'; status: number; code: string }
  | { kind: 'lose' | 'refuse' | 'silence' | 'ignore range' }
  | { kind: 'reset' | 'stall' | 'curtail' | 'trickle'; bytes: number };

/** Returns the fault of a request. Undefined: none. */
export type ChooseFault = (passing: PassingRequest) => Fault | undefined;

/** Faults of a proxy's first two requests: the answer to the first one is lost, and the second one meets a service that is away. */
export function faultsOfFirstTwo(proxy: FaultyProxy): ChooseFault {
  return () => {
    if (proxy.passed.length === 1) return { kind: 'lose' };
    return proxy.passed.length === 2 ? { kind: 'answer', status: 503, code: 'unavailable' } : undefined;
  };
}

/** The `Idempotency-Key` of each POST through a proxy. */
export function idempotencyKeys(proxy: FaultyProxy): (string | undefined)[] {
  const posts = proxy.passed.filter(({ method }) => method === 'POST');
  return posts.map(({ headers }) => headers['idempotency-key'] as string | undefined);
}

export class FaultyProxy {
  readonly origin: string;
  /** Number of requests so far. */
  readonly passed: PassingRequest[] = [];
  /** Decides the fault of each request. Default: none. */
  chooseFault: ChooseFault = () => undefined;
  /** Removes the length of every response, as a proxy does that may change bodies. */
  takesLengths = false;
  /** Maximum number of concurrent requests so far. */
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

  /** Resets the counts, and lets nothing fail or be removed. */
  reset(): void {
    this.passed.length = 0;
    this.mostAtOnce = 0;
    this.takesLengths = false;
    this.chooseFault = () => undefined;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves when no request is in flight. */
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
      const framed = fault?.kind === 'curtail' || length === undefined ? unframed : answer.headers;
      // The contract does not apply to an answer that was changed.
      outgoing.writeHead(answer.statusCode ?? 502, this.takesLengths ? { ...unframed, 'x-double': '1' } : framed);
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
