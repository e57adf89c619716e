/** HTTP requests with retries, downloads that resume, and error responses as exceptions. */

import type { ErrorBody } from '../contract/response-schema.js';
import { ItemsError, linesOf, type Sendable, streamsBodies } from './streams.js';

export interface ClientOptions {
  /** Origin of the service, such as `https://qr.example.com`. */
  url: string;
  /** An API key. */
  key: string;
  /** Attempts of a request that fails temporarily or whose connection breaks. Default: 12, which outlast a restart of a minute. */
  attempts?: number;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** A request body. A stream can be sent only once, anything else again. A function opens a stream for each attempt. */
export interface RawBody {
  contentType: 'application/json' | 'application/x-ndjson';
  /** How the bytes of the body are compressed, such as `gzip`. */
  contentEncoding?: string;
  body: Sendable;
  /** Length, if known. */
  bytes?: number;
}

type Refusal = Partial<ErrorBody> & Pick<ErrorBody, 'error' | 'message'> & Readonly<Record<string, unknown>>;

/** An error response of the service, or its absence: `no_answer`, with the reason as `cause`. */
export class QrpressError extends Error {
  override readonly name = 'QrpressError';
  /** HTTP status. 0 without an answer. */
  readonly status: number;
  /** The error code, such as `insufficient_credits`. */
  readonly code: string;
  readonly body: Refusal;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: Refusal, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(`${status === 0 ? '' : `${status} `}${body.error}: ${body.message}`, options);
    this.status = status;
    this.code = body.error;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Outgoing extends CallOptions {
  method?: string;
  headers?: Record<string, string>;
  raw?: RawBody;
}

/** Pauses before attempts, unless the service names one: each is twice as long as the one before, up to the longest. */
const PAUSE_MS = { first: 200, longest: 10_000 };

/** Longest `Retry-After` to wait for. A longer one is passed to the caller as an error. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Without `Retry-After` they take 63 seconds: most services restart within a minute. */
const ATTEMPTS = 12;

/** Statuses of refusals that may pass. A proxy answers 502 and 504 for a service that restarts. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export class Connection {
  readonly #url: string;
  readonly #key: string;
  readonly #attempts: number;
  readonly #fetch: typeof fetch;

  /** @throws TypeError for a key that no header can have */
  constructor({ url, key, attempts = ATTEMPTS, fetch: send }: ClientOptions) {
    this.#key = key.trim();
    if (/[^!-~]/.test(this.#key)) {
      // `fetch` would say so only after all attempts, and with the key in its message.
      throw new TypeError('The API key has a character that no key has, such as a space or a line end.');
    }
    this.#url = url;
    this.#attempts = attempts;
    // In browsers `fetch` must be called on the global object.
    this.#fetch = send ?? ((...call) => fetch(...call));
  }

  async json<T>(path: string, request: Outgoing): Promise<T> {
    return this.send(path, request, async (response) => (await response.json()) as T);
  }

  /**
   * Sends a request. Retries temporary refusals and broken connections, but sends a stream only once.
   * @param read reads the answer: one that breaks off is asked for again. A new call would not have the same idempotency key
   */
  async send<T>(
    path: string,
    { method = 'GET', headers = {}, raw, signal }: Outgoing,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const open = async () => {
      const opened = typeof raw?.body === 'function' ? raw.body() : raw?.body;
      return opened instanceof ReadableStream && !streamsBodies() ? new Response(opened).blob() : opened;
    };
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Bearer ${this.#key}`,
        ...(raw && { 'Content-Type': raw.contentType }),
        ...(raw?.contentEncoding !== undefined && { 'Content-Encoding': raw.contentEncoding }),
        ...(raw?.bytes !== undefined && { 'Content-Length': String(raw.bytes) }),
        ...headers,
      },
      ...(signal && { signal }),
    };
    const url = new URL(path, this.#url);
    const canRepeat = !(raw?.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !canRepeat || attempt >= this.#attempts;
      let waitMs = pauseMs(attempt);
      try {
        const body = await open();
        const response = await this.#fetch(url, {
          ...init,
          ...(body !== undefined && { body, duplex: 'half' }),
        });
        // An earlier attempt may have deleted it, although its answer was lost.
        const isGone = method === 'DELETE' && attempt > 1 && response.status === 404;
        if (response.ok || response.status === 304 || isGone) {
          return await read(response);
        }
        const refusal = await refusalOf(response);
        const isInProgress = refusal.code === 'request_in_progress';
        if (refusal.retryAfterSeconds !== undefined) {
          const askedMs = refusal.retryAfterSeconds * 1_000;
          // The key of a request whose process was killed is free after some seconds.
          waitMs = isInProgress ? Math.max(askedMs, waitMs) : askedMs;
        }
        if (isLast || !(TEMPORARY.has(response.status) || isInProgress) || waitMs > MAX_RETRY_AFTER_MS) {
          throw refusal;
        }
      } catch (error) {
        this.#throwFinal(error, isLast, signal);
      }
      await pause(waitMs, signal);
    }
  }

  /** The lines of an answer that is always the same. When a connection breaks, goes on behind the lines that came. */
  async *lines(path: string, request: Outgoing): AsyncGenerator<string, void> {
    let received = 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const body = await this.send(path, request, (response) => response.body);
        let line = 0;
        for await (const text of body === null ? [] : linesOf(body)) {
          line += 1;
          if (line > received) {
            received = line;
            attempt = 1;
            yield text;
          }
        }
        return;
      } catch (error) {
        this.#throwFinal(error, attempt >= this.#attempts, request.signal);
      }
      await pause(pauseMs(attempt), request.signal);
    }
  }

  /** Throws the error of an attempt that is not repeated. */
  #throwFinal(error: unknown, isLast: boolean, signal: AbortSignal | undefined): void {
    if (signal?.aborted || error instanceof QrpressError) {
      throw error;
    }
    for (const failure of [error, (error as Error).cause]) {
      if (failure instanceof ItemsError) throw failure.cause;
    }
    if (isLast) {
      const message = `No whole answer came from ${this.#url}.`;
      throw new QrpressError(0, { error: 'no_answer', message }, undefined, { cause: error });
    }
  }

  /** Reads `first` to its end. When a connection breaks, continues with a further response. */
  resuming(
    first: Response,
    { start, bytes, signal }: { start: number; bytes: number; signal: AbortSignal | undefined },
    open: (from: number) => Promise<Response>,
  ): ReadableStream<Uint8Array> {
    let received = start;
    let reader = first.body?.getReader();
    let failures = 0;
    /** A read that was under way then ends without bytes, as on a connection that broke. */
    let isCancelled = false;
    const throwFinal = (error: unknown) => this.#throwFinal(error, failures >= this.#attempts, signal);
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        while (received < bytes) {
          try {
            const read = await reader?.read();
            if (read?.value !== undefined) {
              received += read.value.length;
              failures = 0;
              controller.enqueue(read.value);
              return;
            }
            throw new TypeError(`the download ended at ${received} of ${bytes} bytes`);
          } catch (error) {
            failures += 1;
            if (isCancelled) throw error;
            throwFinal(error);
            await pause(pauseMs(failures), signal);
            if (isCancelled) throw error;
            const next = await open(received);
            if (isCancelled) {
              await next.body?.cancel();
              throw error;
            }
            if ((await requireBytes(next, received, bytes)) !== bytes) {
              throw archiveChanged(next);
            }
            reader = next.body?.getReader();
          }
        }
        controller.close();
      },
      async cancel(reason) {
        isCancelled = true;
        // A connection that broke cannot be cancelled.
        await reader?.cancel(reason).catch(() => undefined);
      },
    });
  }
}

/**
 * Bytes of the whole that a response brings from byte `start` on. Undefined when it does not say, or begins elsewhere:
 * proxies remove the length of a body, or leave that of a body that they have compressed since.
 */
export function wholeBytes({ status, headers }: Response, start: number): number | undefined {
  if (status === 206) {
    const [, first, whole] = /^bytes (\d+)-\d+\/(\d+)$/i.exec(headers.get('Content-Range') ?? '') ?? [];
    return whole === undefined || Number(first) !== start ? undefined : Number(whole);
  }
  const length = headers.get('Content-Length');
  return start > 0 || length === null || headers.has('Content-Encoding') ? undefined : Number(length);
}

/** Bytes of the whole, as `wholeBytes`. @param known used for a response from the first byte on that does not say it */
export async function requireBytes(response: Response, start: number, known?: number): Promise<number> {
  const bytes = wholeBytes(response, start) ?? (start === 0 ? known : undefined);
  if (bytes === undefined) {
    await response.body?.cancel();
    throw start > 0 && response.status !== 206
      ? archiveChanged(response)
      : new QrpressError(response.status, {
          error: 'length_unknown',
          message: 'The answer does not say how long the archive is.',
        });
  }
  return bytes;
}

function archiveChanged({ status }: Response): QrpressError {
  return new QrpressError(status, { error: 'archive_changed', message: 'The archive is another one.' });
}

/** @param failures number of attempts that failed one after the other */
function pauseMs(failures: number): number {
  return Math.min(PAUSE_MS.first * 2 ** (failures - 1), PAUSE_MS.longest);
}

/** Waits. Rejects as soon as the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

async function refusalOf(response: Response): Promise<QrpressError> {
  const text = await response.text();
  return new QrpressError(response.status, parsed(text), secondsOf(response.headers.get('Retry-After')));
}

/** Seconds of a `Retry-After`: the service writes seconds, a proxy may write a date (RFC 9110, section 10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN);
  const found = Number.isNaN(seconds) ? (Date.parse(retryAfter ?? '') - Date.now()) / 1_000 : seconds;
  return Number.isNaN(found) ? undefined : Math.max(0, found);
}

/** A proxy between client and service may answer in a form of its own. */
function parsed(text: string): Refusal {
  try {
    const body = JSON.parse(text) as Refusal;
    if (typeof body.error === 'string') {
      return body;
    }
  } catch {
    // Handled below.
  }
  return { error: 'unreadable', message: text.slice(0, 200) };
}
