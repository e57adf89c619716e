/**
 * A client of the public API, for Node.js, Deno, Bun and browsers: it uses nothing but `fetch`, web streams and web
 * cryptography, waits where the service asks it to, and resumes downloads.
 */

import type { Item, JobMeta, JobRequest } from '../contract/request-schema.js';
import type {
  CreditBalance,
  JobCreated,
  JobList,
  JobResource,
  JobValidation,
  ManifestLine,
  WebhookMessage,
} from '../contract/response-schema.js';
import { QrpressError, refusalOf } from './error.js';
import { linesOf, ndjsonStream, type Sendable, streamsBodies } from './streams.js';

export { QrpressError } from './error.js';
export { verifyWebhook, type WebhookHeaders } from './webhook.js';
export type {
  CreditBalance,
  Item,
  JobCreated,
  JobList,
  JobMeta,
  JobRequest,
  JobResource,
  JobValidation,
  ManifestLine,
  WebhookMessage,
};

export interface ClientOptions {
  /** Origin of the service, such as `https://qr.example.com`. */
  url: string;
  /** An API key. */
  key: string;
  /** Attempts at a request that is refused for the moment, or whose connection breaks; 5 when absent. */
  attempts?: number;
  /** In place of the global one. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /** Makes the request safe to repeat; a random one when absent. */
  idempotencyKey?: string;
}

/** A job that was created, now or by an earlier request with the same key. */
export interface CreatedJob extends JobCreated {
  /** True where an earlier request created it; this one cost nothing. */
  isReplayed: boolean;
}

/** A body as it is sent: a stream can be sent once, anything else again. A function opens a stream for each attempt. */
export interface RawBody {
  contentType: 'application/json' | 'application/x-ndjson';
  body: Sendable;
  /** Length, where it is known. */
  bytes?: number;
}

export interface JobFilter {
  status?: JobResource['status'];
  createdAfter?: Date;
  createdBefore?: Date;
}

/** A download, or what is left of it. */
export interface Download {
  /** Bytes of the whole archive. */
  bytes: number;
  /** Names the archive: a later download goes on with it. */
  etag: string;
  /** From `start` on. A connection that breaks is made again, and goes on where it stopped. */
  stream: ReadableStream<Uint8Array>;
}

/** Pauses between two looks at a job: quick at first, so that a small job ends at once, then within the rate limit. */
const POLL_MS = { first: 100, longest: 2_000, growth: 1.5 };

/** Pause before the second attempt at a connection; doubled for each further one. */
const RETRY_MS = 200;

/** Longest pause that is waited for; a service that asks for more is told to the caller. */
const LONGEST_PAUSE_MS = 120_000;

export class Client {
  readonly #url: string;
  readonly #key: string;
  readonly #attempts: number;
  readonly #fetch: typeof fetch;

  constructor({ url, key, attempts = 5, fetch: send }: ClientOptions) {
    this.#url = url;
    this.#key = key;
    this.#attempts = attempts;
    // Browsers want their own `this`.
    this.#fetch = send ?? ((...call) => fetch(...call));
  }

  /** Credits that the organisation can spend. @throws QrpressError */
  async credits(options: CallOptions = {}): Promise<CreditBalance> {
    return this.#json('/api/v1/credits', options);
  }

  /** Creates a job of up to 20,000 items. @throws QrpressError */
  async createJob(request: JobRequest, options: CreateOptions = {}): Promise<CreatedJob> {
    return this.createJobFrom({ contentType: 'application/json', body: JSON.stringify(request) }, options);
  }

  /** Creates a job of up to 1,000,000 items, which are sent as they come. @throws QrpressError */
  async createJobOf(
    meta: JobMeta,
    items: Iterable<Item> | AsyncIterable<Item>,
    options: CreateOptions = {},
  ): Promise<CreatedJob> {
    return this.createJobFrom({ contentType: 'application/x-ndjson', body: ndjsonStream(meta, items) }, options);
  }

  /** Creates a job from a body that is written already. @throws QrpressError */
  async createJobFrom(raw: RawBody, { idempotencyKey, ...options }: CreateOptions = {}): Promise<CreatedJob> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() };
    const response = await this.#send('/api/v1/jobs', { ...options, method: 'POST', headers, raw });
    const created = (await response.json()) as JobCreated;
    return { ...created, isReplayed: response.headers.get('Idempotent-Replayed') === 'true' };
  }

  /** Checks a job without creating it. @throws QrpressError */
  async validateJob(request: JobRequest, options: CallOptions = {}): Promise<JobValidation> {
    const raw: RawBody = { contentType: 'application/json', body: JSON.stringify(request) };
    return this.#json('/api/v1/jobs/validate', { ...options, method: 'POST', raw });
  }

  /** A job's status. @throws QrpressError */
  async job(jobId: string, options: CallOptions = {}): Promise<JobResource> {
    return this.#json(jobPath(jobId), options);
  }

  /** Jobs of the organisation, newest first; further pages are fetched as they are reached. @throws QrpressError */
  async *jobs(filter: JobFilter = {}, options: CallOptions = {}): AsyncGenerator<JobResource, void> {
    const query = new URLSearchParams({ limit: '100' });
    if (filter.status !== undefined) query.set('status', filter.status);
    if (filter.createdAfter !== undefined) query.set('createdAfter', filter.createdAfter.toISOString());
    if (filter.createdBefore !== undefined) query.set('createdBefore', filter.createdBefore.toISOString());
    for (;;) {
      const { jobs, nextCursor } = await this.#json<JobList>(`/api/v1/jobs?${query.toString()}`, options);
      yield* jobs;
      if (nextCursor === undefined) {
        return;
      }
      query.set('cursor', nextCursor);
    }
  }

  /** The job's states until it has ended: each change of its status, the last one being `complete` or `failed`. @throws QrpressError */
  async *progress(jobId: string, options: CallOptions = {}): AsyncGenerator<JobResource, void> {
    const headers: Record<string, string> = {};
    for (let waitMs = POLL_MS.first; ; waitMs = Math.min(waitMs * POLL_MS.growth, POLL_MS.longest)) {
      const response = await this.#send(jobPath(jobId), { ...options, headers });
      if (response.status !== 304) {
        const state = (await response.json()) as JobResource;
        yield state;
        if (state.status === 'complete' || state.status === 'failed') {
          return;
        }
        headers['If-None-Match'] = response.headers.get('ETag') ?? '';
      }
      await pause(waitMs, options.signal);
    }
  }

  /** Stops a job; what was not drawn is returned. @throws QrpressError */
  async cancelJob(jobId: string, options: CallOptions = {}): Promise<JobResource> {
    return this.#json(`${jobPath(jobId)}/cancel`, { ...options, method: 'POST' });
  }

  /** Deletes a job that has ended, with its files. @throws QrpressError */
  async deleteJob(jobId: string, options: CallOptions = {}): Promise<void> {
    await this.#send(jobPath(jobId), { ...options, method: 'DELETE' });
  }

  /** The manifest of a complete job: every item, and its files. @throws QrpressError */
  async *manifest(jobId: string, options: CallOptions = {}): AsyncGenerator<ManifestLine, void> {
    const headers = { Accept: 'application/x-ndjson' };
    const { body } = await this.#send(`${jobPath(jobId)}/manifest`, { ...options, headers });
    if (body !== null) {
      for await (const line of linesOf(body)) {
        yield JSON.parse(line) as ManifestLine;
      }
    }
  }

  /** One picture of a complete job. @throws QrpressError */
  async picture(jobId: string, index: number, format: 'png' | 'svg', options: CallOptions = {}): Promise<Blob> {
    return (await this.#send(`${jobPath(jobId)}/items/${index}.${format}`, options)).blob();
  }

  /**
   * The archive of a complete job.
   * @param options `start` goes on with an earlier download, of which there are so many bytes; `etag` is that download's
   * @throws QrpressError, also where there is another archive than the one that `etag` names
   */
  async download(
    jobId: string,
    { start = 0, etag, signal }: CallOptions & { start?: number; etag?: string } = {},
  ): Promise<Download> {
    const path = `${jobPath(jobId)}/download`;
    const open = (from: number, tag: string | undefined) => {
      const headers: Record<string, string> =
        from === 0 ? {} : { Range: `bytes=${from}-`, ...(tag !== undefined && { 'If-Range': tag }) };
      return this.#send(path, { headers, ...(signal && { signal }) });
    };
    const first = await open(start, etag);
    if (start > 0 && first.status !== 206) {
      await first.body?.cancel();
      throw new QrpressError(first.status, { error: 'archive_changed', message: 'The archive is another one.' });
    }
    const tag = first.headers.get('ETag') ?? '';
    const bytes = start + Number(first.headers.get('Content-Length'));
    return { bytes, etag: tag, stream: this.#resuming(first, { start, bytes, signal }, (from) => open(from, tag)) };
  }

  /** Reads `first` to its end, and goes on with further responses where a connection breaks. */
  #resuming(
    first: Response,
    { start, bytes, signal }: { start: number; bytes: number; signal: AbortSignal | undefined },
    open: (from: number) => Promise<Response>,
  ): ReadableStream<Uint8Array> {
    let received = start;
    let reader = first.body?.getReader();
    let failures = 0;
    const attempts = this.#attempts;
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
            if (signal?.aborted || failures >= attempts || error instanceof QrpressError) {
              throw error;
            }
            await pause(RETRY_MS * 2 ** failures, signal);
            const next = await open(received);
            if (received > 0 && next.status !== 206) {
              throw new QrpressError(next.status, { error: 'archive_changed', message: 'The archive is another one.' });
            }
            reader = next.body?.getReader();
          }
        }
        controller.close();
      },
      async cancel(reason) {
        await reader?.cancel(reason);
      },
    });
  }

  async #json<T>(path: string, request: Outgoing): Promise<T> {
    return (await (await this.#send(path, request)).json()) as T;
  }

  /** Sends a request, again where the service asks for patience or the connection breaks; a stream is sent once. */
  async #send(path: string, { method = 'GET', headers = {}, raw, signal }: Outgoing): Promise<Response> {
    const open = async () => {
      const opened = typeof raw?.body === 'function' ? raw.body() : raw?.body;
      return opened instanceof ReadableStream && !streamsBodies() ? new Response(opened).blob() : opened;
    };
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Bearer ${this.#key}`,
        ...(raw && { 'Content-Type': raw.contentType }),
        ...(raw?.bytes !== undefined && { 'Content-Length': String(raw.bytes) }),
        ...headers,
      },
      ...(signal && { signal }),
    };
    const canRepeat = !(raw?.body instanceof ReadableStream);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !canRepeat || attempt === this.#attempts;
      let waitMs = RETRY_MS * 2 ** (attempt - 1);
      try {
        const body = await open();
        const response = await this.#fetch(new URL(path, this.#url), {
          ...init,
          ...(body !== undefined && { body, duplex: 'half' }),
        });
        if (response.ok || response.status === 304) {
          return response;
        }
        const refusal = await refusalOf(response);
        waitMs = (refusal.retryAfterSeconds ?? 0) * 1_000;
        const mayPass = response.status === 429 || response.status === 503 || refusal.code === 'request_in_progress';
        if (isLast || !mayPass || waitMs > LONGEST_PAUSE_MS) {
          throw refusal;
        }
      } catch (error) {
        if (isLast || signal?.aborted || error instanceof QrpressError) {
          throw error;
        }
      }
      await pause(waitMs, signal);
    }
  }
}

interface Outgoing extends CallOptions {
  method?: string;
  headers?: Record<string, string>;
  raw?: RawBody;
}

function jobPath(jobId: string): string {
  return `/api/v1/jobs/${encodeURIComponent(jobId)}`;
}

/** Rejects as soon as the signal says so. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
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
