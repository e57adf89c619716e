/**
 * Spans of requests and of the work on jobs. OpenTelemetry's API does nothing until `openTracing` registers an
 * exporter.
 */

import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Attributes hold only figures, kinds and job ids, never text from a client. */
type Work<T> = (span: Span) => Promise<T>;

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Runs `work` in a child span of the active span. Without an active span, runs it without a span. */
export async function inSpan<T>(name: string, attributes: Attributes, work: Work<T>): Promise<T> {
  const parent = context.active();
  return trace.getSpan(parent) === undefined
    ? work(NO_SPAN)
    : withSpan(parent, name, { kind: SpanKind.INTERNAL, attributes }, work);
}

/** Runs work on a job as `inSpan` does. */
export function inJobSpan<T>(name: string, jobId: string, work: Work<T>): Promise<T> {
  return inSpan(name, { 'qrpress.job.id': jobId }, work);
}

/**
 * Runs a step of a job in a child span of `parent` (W3C Trace Context), which may come from another process. Without
 * `parent`, starts a new trace.
 */
export async function inStepSpan<T>(
  name: string,
  attributes: Attributes,
  parent: string | undefined,
  work: Work<T>,
): Promise<T> {
  return withSpan(parentOf(parent), name, { kind: SpanKind.CONSUMER, attributes }, work);
}

/**
 * Starts a request's span as a child of the client's (`caller`, W3C Trace Context). It may outlive the work that answers
 * the request. A span that is never ended is never sent.
 */
export function requestSpan(name: string, caller: string) {
  const parent = parentOf(caller);
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER }, parent);
  return {
    run: <T>(work: () => Promise<T>): Promise<T> => context.with(trace.setSpan(parent, span), work),
    end: (finalName: string, attributes: Attributes, isError: boolean): void => {
      span.updateName(finalName).setAttributes(attributes);
      if (isError) {
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** The active span, in the form of W3C Trace Context. */
export function traceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

function parentOf(remote: string | undefined): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent: remote });
}

/** Not cached: a tracer stays with the exporter that was registered at its first use. */
function tracer() {
  return trace.getTracer('qrpress');
}

async function withSpan<T>(
  parent: Context,
  name: string,
  options: { kind: SpanKind; attributes: Attributes },
  work: Work<T>,
): Promise<T> {
  const span = tracer().startSpan(name, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records only the error's kind: its message may contain paths and addresses. */
function fail(span: Span, error: unknown): void {
  const { name, code } = error as { name?: unknown; code?: unknown };
  const kind = [code, name].find((each) => typeof each === 'string') ?? 'Error';
  span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
}
