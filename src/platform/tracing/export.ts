/** Exports spans to a collector with OpenTelemetry's SDK. Load this module only when traces are configured. */

import { setTimeout as delay } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.js';
import { OutgoingProxy, type ProxySettings } from '../outgoing-proxy.js';
import { VERSION } from '../version.js';

/** The collector that spans are sent to, by OTLP over HTTP, and the name of the service that sends them. */
export interface TraceCollector {
  endpoint: string;
  serviceName: string;
  headers: Readonly<Record<string, string>>;
}

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
  { endpoint, headers, serviceName }: TraceCollector,
  log: Log,
  proxy?: ProxySettings,
): { close: () => Promise<void> } {
  const agent = proxy && new OutgoingProxy(proxy).agentFor(new URL(endpoint));
  const exporter = new OTLPTraceExporter({
    url: endpoint,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    ...(agent && { httpAgentOptions: () => agent }),
  });
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
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
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
