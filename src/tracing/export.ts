/** Exports spans to a collector with OpenTelemetry's SDK. Load this module only when traces are configured. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Context, type ContextManager, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { VERSION } from '../version.js';

/** Spans that may wait to be sent, about a kilobyte each. Further spans are dropped. */
const MAX_PENDING_SPANS = 4_096;
const SPANS_PER_BATCH = 512;
const EXPORT_INTERVAL_MS = 2_000;

/** Time limit for sending one batch, and for `close` to send the last ones. */
const EXPORT_TIMEOUT_MS = 3_000;

/**
 * Exports the spans of this process until `close`. `close` sends the pending spans, for at most `EXPORT_TIMEOUT_MS`,
 * and never rejects.
 */
export function openTracing(
  { endpoint, headers, serviceName }: NonNullable<Config['traces']>,
  log: Log,
): { close: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(exporter, log),
        maxQueueSize: MAX_PENDING_SPANS,
        maxExportBatchSize: SPANS_PER_BATCH,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    close: async () => {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, delay(EXPORT_TIMEOUT_MS, undefined, { ref: false })]);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** Keeps the active context across awaits. */
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

/** An exporter that logs when spans begin to get lost, and when they arrive again. */
function reportingExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let areLost = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isDelivered = result.code === ExportResultCode.SUCCESS;
        if (!isDelivered && !areLost) {
          const { message = 'the collector did not accept the spans' } = result.error ?? {};
          log.warn({ reason: message }, 'tracing: the collector does not accept spans; they are lost');
        } else if (isDelivered && areLost) {
          log.info({}, 'tracing: the collector accepts spans again');
        }
        areLost = !isDelivered;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
