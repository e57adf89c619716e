/**
 * A client of the public API for Node.js, Deno, Bun and browsers. It uses only `fetch`, web streams and Web Crypto. It
 * waits when the service asks for it, and resumes downloads.
 */

import type { CaptionPlace, LabelSheet, LabelSheetList, SheetGeometry } from '../contract/label-sheets.js';
import type { Item, JobMeta, JobRequest, PictureFormat } from '../contract/request-schema.js';
import type {
  CreditBalance,
  JobCreated,
  JobList,
  JobResource,
  JobValidation,
  ManifestLine,
  WebhookMessage,
} from '../contract/response-schema.js';
import {
  type CallOptions,
  type ClientOptions,
  Connection,
  pause,
  type RawBody,
  requireBytes,
  wholeBytes,
} from './connection.js';
import { type Items, ndjsonBody } from './streams.js';

export { type CallOptions, type ClientOptions, QrpressError, type RawBody } from './connection.js';
export type { Items } from './streams.js';
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
  LabelSheet,
  ManifestLine,
  WebhookMessage,
};

export interface CreateOptions extends CallOptions {
  /**
   * Makes the request safe to repeat, also after `outcome_unknown`: the service could not say whether it created the job, whose id
   * is `body.jobId` of the error. Default: a random key.
   */
  idempotencyKey?: string;
}

/** A job created by this request, or by an earlier one with the same key. */
export interface CreatedJob extends JobCreated {
  /** True when an earlier request created the job. This request cost nothing. */
  isReplayed: boolean;
}

export interface JobFilter {
  status?: JobResource['status'];
  createdAfter?: Date;
  createdBefore?: Date;
}

/** A download, or the rest of one. */
export interface Download {
  /** Bytes of the whole archive. */
  bytes: number;
  /** Identifies the archive. Pass it to resume the download later. */
  etag: string;
  /** The archive's bytes from `start` on. Reconnects and resumes when the connection breaks. */
  stream: ReadableStream<Uint8Array>;
}

/** The sheet, the items and the look of a file of labels. Lengths are in millimetres. */
export interface LabelOptions extends Partial<SheetGeometry> {
  /** The name of a sheet; `single` with `labelWidth` and `labelHeight`; `custom` with the sizes of a sheet. */
  sheet: string;
  /** The first free label of the first sheet, from 1. Default: 1. */
  first?: number;
  /** Indices of the first and the last item. Default: all. */
  from?: number;
  to?: number;
  /** Edge of every code without its quiet zone. Default: as large as the label and its caption allow. */
  size?: number;
  /** Place of captions. Default: `auto`, beside the code on wide labels if the caption has room there, else below it. */
  caption?: CaptionPlace;
  /** Size of captions in points. Default: one that suits their place. */
  captionSize?: number;
  /** Draws crosses at the corners of the labels. Default: false. */
  cutMarks?: boolean;
  /** Move everything on the page to the right and down, for printers that feed askew. Default: 0. */
  shiftX?: number;
  shiftY?: number;
}

/** Polling delays: short at first, so that a small job ends at once, then within the rate limit. */
const POLL_MS = { first: 100, longest: 2_000, growth: 1.5 };

export class Client {
  readonly #connection: Connection;

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options);
  }

  /** Credits that the organisation can spend. @throws QrpressError */
  async credits(options: CallOptions = {}): Promise<CreditBalance> {
    return this.#connection.json('/api/v1/credits', options);
  }

  /** Creates a job of up to 20,000 items. @throws QrpressError */
  async createJob(request: JobRequest, options: CreateOptions = {}): Promise<CreatedJob> {
    return this.createJobFrom({ contentType: 'application/json', body: JSON.stringify(request) }, options);
  }

  /**
   * Creates a job of up to 1,000,000 items, which are streamed.
   * @param items an array, or a function that returns the items for each attempt. Any other iterable is sent only once
   * @throws QrpressError
   */
  async createJobOf(meta: JobMeta, items: Items, options: CreateOptions = {}): Promise<CreatedJob> {
    return this.createJobFrom({ contentType: 'application/x-ndjson', body: ndjsonBody(meta, items) }, options);
  }

  /** Creates a job from an encoded body. @throws QrpressError */
  async createJobFrom(raw: RawBody, { idempotencyKey, ...options }: CreateOptions = {}): Promise<CreatedJob> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() };
    return this.#connection.send('/api/v1/jobs', { ...options, method: 'POST', headers, raw }, async (response) => ({
      ...((await response.json()) as JobCreated),
      isReplayed: response.headers.get('Idempotent-Replayed') === 'true',
    }));
  }

  /** Checks a job without creating it. @throws QrpressError */
  async validateJob(request: JobRequest, options: CallOptions = {}): Promise<JobValidation> {
    const raw: RawBody = { contentType: 'application/json', body: JSON.stringify(request) };
    return this.#connection.json('/api/v1/jobs/validate', { ...options, method: 'POST', raw });
  }

  /** A job's status. @throws QrpressError */
  async job(jobId: string, options: CallOptions = {}): Promise<JobResource> {
    return this.#connection.json(jobPath(jobId), options);
  }

  /** The organisation's jobs, newest first. Fetches pages on demand. @throws QrpressError */
  async *jobs(filter: JobFilter = {}, options: CallOptions = {}): AsyncGenerator<JobResource, void> {
    const query = new URLSearchParams({ limit: '100' });
    if (filter.status !== undefined) query.set('status', filter.status);
    if (filter.createdAfter !== undefined) query.set('createdAfter', filter.createdAfter.toISOString());
    if (filter.createdBefore !== undefined) query.set('createdBefore', filter.createdBefore.toISOString());
    for (;;) {
      const { jobs, nextCursor } = await this.#connection.json<JobList>(`/api/v1/jobs?${query.toString()}`, options);
      yield* jobs;
      if (nextCursor === undefined) {
        return;
      }
      query.set('cursor', nextCursor);
    }
  }

  /**
   * The job's states until it has ended: one per change, the last being `complete` or `failed`. @throws QrpressError
   */
  async *progress(jobId: string, options: CallOptions = {}): AsyncGenerator<JobResource, void> {
    const headers: Record<string, string> = {};
    for (let waitMs = POLL_MS.first; ; waitMs = Math.min(waitMs * POLL_MS.growth, POLL_MS.longest)) {
      const answer = await this.#connection.send(jobPath(jobId), { ...options, headers }, async (response) =>
        response.status === 304
          ? undefined
          : { state: (await response.json()) as JobResource, etag: response.headers.get('ETag') ?? '' },
      );
      if (answer !== undefined) {
        const { state, etag } = answer;
        yield state;
        if (state.status === 'complete' || state.status === 'failed') {
          return;
        }
        headers['If-None-Match'] = etag;
      }
      await pause(waitMs, options.signal);
    }
  }

  /** Cancels a job. Credits of items that were not drawn are returned. @throws QrpressError */
  async cancelJob(jobId: string, options: CallOptions = {}): Promise<JobResource> {
    return this.#connection.json(`${jobPath(jobId)}/cancel`, { ...options, method: 'POST' });
  }

  /** Deletes an ended job with its files. @throws QrpressError */
  async deleteJob(jobId: string, options: CallOptions = {}): Promise<void> {
    await this.#connection.send(jobPath(jobId), { ...options, method: 'DELETE' }, () => undefined);
  }

  /** The manifest of a complete job: every item with its files. @throws QrpressError */
  async *manifest(jobId: string, options: CallOptions = {}): AsyncGenerator<ManifestLine, void> {
    const headers = { Accept: 'application/x-ndjson' };
    for await (const line of this.#connection.lines(`${jobPath(jobId)}/manifest`, { ...options, headers })) {
      yield JSON.parse(line) as ManifestLine;
    }
  }

  /** One picture of a complete job. @throws QrpressError */
  async picture(jobId: string, index: number, format: PictureFormat, options: CallOptions = {}): Promise<Blob> {
    return this.#connection.send(`${jobPath(jobId)}/items/${index}.${format}`, options, (response) => response.blob());
  }

  /** The sheets of labels that have a name. @throws QrpressError */
  async labelSheets(options: CallOptions = {}): Promise<LabelSheet[]> {
    return (await this.#connection.json<LabelSheetList>('/api/v1/label-sheets', options)).sheets;
  }

  /** The codes of a complete job on sheets of labels, as a PDF. @throws QrpressError */
  async labels(jobId: string, labels: LabelOptions, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const query = new URLSearchParams(
      Object.entries(labels)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, string] => [name, String(value)]),
    );
    const path = `${jobPath(jobId)}/labels.pdf?${query.toString()}`;
    return (await this.#connection.send(path, options, bodyOf)) ?? new Blob([]).stream();
  }

  /**
   * The archive of a complete job.
   * @param options to resume a download: `start` is the number of bytes already received, `etag` that download's `etag`
   * @throws QrpressError, also when the archive is not the one that `etag` names
   */
  async download(
    jobId: string,
    { start = 0, etag, signal }: CallOptions & { start?: number; etag?: string } = {},
  ): Promise<Download> {
    const path = `${jobPath(jobId)}/download`;
    const open = (from: number, tag: string | undefined, isRange = from > 0) => {
      const headers: Record<string, string> = isRange
        ? { Range: `bytes=${from}-`, ...(tag !== undefined && { 'If-Range': tag }) }
        : {};
      return this.#connection.send(path, { headers, ...(signal && { signal }) }, (response) => response);
    };
    let first = await open(start, etag);
    if (start === 0 && wholeBytes(first, start) === undefined) {
      // A proxy has removed the length. The answer to a range names it another time.
      await first.body?.cancel();
      first = await open(start, undefined, true);
    }
    const bytes = await requireBytes(first, start);
    const tag = first.headers.get('ETag') ?? '';
    return {
      bytes,
      etag: tag,
      stream: this.#connection.resuming(first, { start, bytes, signal }, (from) => open(from, tag)),
    };
  }
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> | null {
  return body;
}

function jobPath(jobId: string): string {
  return `/api/v1/jobs/${encodeURIComponent(jobId)}`;
}
