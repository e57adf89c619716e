/** Sends spans to a collector, by OpenTelemetry's SDK. To be loaded where traces are asked for, and not before. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Context, type ContextManager, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../config.js';
import { VERSION } from '../version.js';

/** Spans that wait to be sent, some kilobyte each; more are dropped. */
const MOST_WAITING = 4_096;
const BATCH = 512;
const SEND_EVERY_MS = 2_000;

/** Time for sending a batch, and for the last ones at the end. */
const PATIENCE_MS = 3_000;

/**
 * Has the spans of this process exported until `close`, which sends what waits for as long as `PATIENCE_MS` and never rejects.
 * @param onDelivery called when spans were lost (with the reason), or delivered
 */
export function exportSpans(
  { endpoint, headers, serviceName }: NonNullable<Config['traces']>,
  onDelivery: (error?: Error) => void,
): { close: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis: PATIENCE_MS });
  const provider = new TracerProvider({
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
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    close: async () => {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, delay(PATIENCE_MS, undefined, { ref: false })]);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** Keeps the context that is active across awaits. */
class AsyncContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    work: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => work.apply(thisArg, args));
  }

  bind<T>(active: Context, target: T): T {
    return typeof target === 'function'
      ? (((...args: unknown[]) =>
          this.#storage.run(active, () => (target as (...all: unknown[]) => unknown)(...args))) as T)
      : target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
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
