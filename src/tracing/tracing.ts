/** Spans of what the rooms do, and their way to a collector: the only door to OpenTelemetry. To be loaded where traces are asked for, and not before. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../config.js';
import { VERSION } from '../version.js';

/** Spans that wait to be sent, some kilobyte each; more are dropped. */
const MOST_WAITING = 4_096;
const BATCH = 512;
const SEND_EVERY_MS = 2_000;

/** How long a batch is tried to be sent, and how long the end waits for the last ones. */
const PATIENCE_MS = 3_000;

/** Attributes of a span, known at its beginning or at its end: figures, kinds and job ids, nothing that a client wrote. */
export type Notes = Record<string, string | number | boolean>;

/** Adds to the span that work runs in. */
export type Note = (notes: Notes) => void;

/** A request's span, which outlives the work that answers it. */
export interface OpenSpan {
  /** Does work in it. */
  run: <T>(work: () => Promise<T>) => Promise<T>;
  end: (name: string, notes: Notes, isError: boolean) => void;
}

export class Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #underWay = new AsyncLocalStorage<Context>();

  /** @param onDelivery called when spans were lost (with the reason), or delivered */
  constructor({ endpoint, headers, serviceName }: NonNullable<Config['traces']>, onDelivery: (error?: Error) => void) {
    const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis: PATIENCE_MS });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: tellingOf(exporter, onDelivery),
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: BATCH,
          scheduledDelayMillis: SEND_EVERY_MS,
          exportTimeoutMillis: 2 * PATIENCE_MS,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('qrpress', VERSION);
  }

  /** Does work in a span below the one under way; where there is none the work belongs to nothing that is traced, and has none. */
  async step<T>(name: string, notes: Notes, work: (note: Note) => Promise<T>): Promise<T> {
    const parent = this.#underWay.getStore();
    return parent === undefined ? work(() => undefined) : this.#within(parent, name, SpanKind.INTERNAL, notes, work);
  }

  /** Does work of a job in a span below the one that `traceparent` names, in this process or another, else in a trace of its own. */
  async task<T>(
    name: string,
    notes: Notes,
    traceparent: string | undefined,
    work: (note: Note) => Promise<T>,
  ): Promise<T> {
    return this.#within(parentOf(traceparent), name, SpanKind.CONSUMER, notes, work);
  }

  /** Begins a request's span, below the one that the client names. One that is never ended is never sent. */
  request(name: string, traceparent: string): OpenSpan {
    const parent = parentOf(traceparent);
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
    return {
      run: (work) => this.#underWay.run(trace.setSpan(parent, span), work),
      end: (finalName, notes, isError) => {
        span.updateName(finalName).setAttributes(notes);
        if (isError) {
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  /** The span under way, as W3C Trace Context writes it. */
  get traceparent(): string | undefined {
    const context = this.#underWay.getStore();
    const span = context && trace.getSpanContext(context);
    return span && isSpanContextValid(span)
      ? `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
      : undefined;
  }

  /** Sends what waits, for as long as `PATIENCE_MS`; never rejects. */
  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  async #within<T>(
    parent: Context,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    work: (note: Note) => Promise<T>,
  ): Promise<T> {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    try {
      return await this.#underWay.run(trace.setSpan(parent, span), () => work((notes) => span.setAttributes(notes)));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}

function parentOf(traceparent: string | undefined): Context {
  const remote = traceparent === undefined ? null : parseTraceParent(traceparent);
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

/** An error's message may hold paths and addresses, so only its kind is told. */
function fail(span: Span, error: unknown): void {
  const { name, code } = error as { name?: unknown; code?: unknown };
  const kind = [code, name].find((each) => typeof each === 'string') ?? 'Error';
  span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
}

/** An exporter that tells how each batch fared. */
function tellingOf(exporter: SpanExporter, onDelivery: (error?: Error) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isDelivered = result.code === ExportResultCode.SUCCESS;
        onDelivery(isDelivered ? undefined : (result.error ?? new Error('the collector took no spans')));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
