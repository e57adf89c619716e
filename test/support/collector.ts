/** A collector of OpenTelemetry spans: keeps the spans that services send (OTLP/HTTP, JSON). */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The members of a span that tests use (opentelemetry/proto/trace/v1/trace.proto). */
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** `code` 2: error. */
  status: { code: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface SentTraces {
  resourceSpans: { resource: Pick<SentSpan, 'attributes'>; scopeSpans: { spans: SentSpan[] }[] }[];
}

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Undefined: the first span of its trace. */
  parentId: string | undefined;
  name: string;
  service: unknown;
  isError: boolean;
  attributes: Record<string, unknown>;
}

export class Collector {
  readonly #server: Server;
  readonly spans: CollectedSpan[] = [];
  /** Number of requests so far. */
  readonly received: { path: string | undefined; headers: IncomingHttpHeaders; text: string }[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', async (request, response) => {
      const traces = (await json(request)) as SentTraces;
      response.setHeader('content-type', 'application/json').end('{}');
      collector.received.push({ path: request.url, headers: request.headers, text: JSON.stringify(traces) });
      collector.#take(traces);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  #take({ resourceSpans }: SentTraces): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = plain(resource)['service.name'];
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { traceId, spanId, name, parentSpanId: parentId } = span;
        const isError = span.status.code === 2;
        this.spans.push({ traceId, spanId, parentId, name, service, isError, attributes: plain(span) });
      }
    }
  }
}

function plain({ attributes }: Pick<SentSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
