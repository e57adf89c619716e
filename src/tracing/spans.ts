/** Spans of requests and of the steps of jobs. OpenTelemetry's API does nothing until `openTracing` registers what exports them. */

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

/** Attributes hold figures, kinds and job ids, and nothing that a client wrote. */
type Work<T> = (span: Span) => Promise<T>;

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Does work in a span below the one under way. Where none is under way, the work belongs to nothing that is traced and gets none. */
export async function step<T>(name: string, attributes: Attributes, work: Work<T>): Promise<T> {
  const parent = context.active();
  return trace.getSpan(parent) === undefined
    ? work(NO_SPAN)
    : within(parent, name, { kind: SpanKind.INTERNAL, attributes }, work);
}

/** As `step`, for a step of a job. */
export function jobStep<T>(name: string, jobId: string, work: Work<T>): Promise<T> {
  return step(name, { 'qrpress.job.id': jobId }, work);
}

/** Does a task in a span below the one that `parent` names (W3C Trace Context), in this process or another; else in a trace of its own. */
export async function taskSpan<T>(
  name: string,
  attributes: Attributes,
  parent: string | undefined,
  work: Work<T>,
): Promise<T> {
  return within(parentOf(parent), name, { kind: SpanKind.CONSUMER, attributes }, work);
}

/** A request's span, which outlives the work that answers it. One that is never ended is never sent. */
export interface RequestSpan {
  /** Does work in it. */
  run: <T>(work: () => Promise<T>) => Promise<T>;
  end: (name: string, attributes: Attributes, isError: boolean) => void;
}

/** Begins a request's span, below the one that the client names (`caller`, W3C Trace Context). */
export function requestSpan(name: string, caller: string): RequestSpan {
  const parent = parentOf(caller);
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER }, parent);
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (finalName, attributes, isError) => {
      span.updateName(finalName).setAttributes(attributes);
      if (isError) {
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** The span under way, as W3C Trace Context writes it. */
export function traceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

function parentOf(remote: string | undefined): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent: remote });
}

/** Asked for anew each time: a tracer stays with the exporter that was registered when it was first used. */
function tracer() {
  return trace.getTracer('qrpress');
}

async function within<T>(
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

/** An error's message may hold paths and addresses, so only its kind is told. */
function fail(span: Span, error: unknown): void {
  const { name, code } = error as { name?: unknown; code?: unknown };
  const kind = [code, name].find((each) => typeof each === 'string') ?? 'Error';
  span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
}
