/** A client of the public API: submits a body, follows the job, and downloads its archive, resuming where a connection broke. */

import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { ErrorBody, JobCreated, JobResource } from '../intake/responses.js';

/** The service refused, in its own words. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(`${status} ${body.error}: ${body.message}`);
    this.status = status;
    this.body = body;
  }
}

export interface ClientOptions {
  /** Origin of the service, such as `http://127.0.0.1:8080`. */
  url: string;
  key: string;
}

/** Waits between two looks at a job: quick at first, so that a small job ends at once, then within the rate limit. */
const POLL_MS = { first: 100, longest: 2_000, growth: 1.5 };
const DOWNLOAD_ATTEMPTS = 5;

export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Posts a body from a file; `application/json` or `application/x-ndjson` says its form.
   *
   * @throws RefusedError
   */
  async submit(path: string, contentType: string): Promise<JobCreated> {
    const { size } = await stat(path);
    const response = await fetch(new URL('/api/v1/jobs', this.#options.url), {
      method: 'POST',
      headers: { ...this.#authorization(), 'content-type': contentType, 'content-length': String(size) },
      body: Readable.toWeb(createReadStream(path, { highWaterMark: 1 << 20 })) as ReadableStream<Uint8Array>,
      duplex: 'half',
    });
    return (await succeeded(response).then((answer) => answer.json())) as JobCreated;
  }

  /** Polls until the job is complete or failed, telling every state on the way. */
  async follow(job: JobCreated, seen: (state: JobResource) => void): Promise<JobResource> {
    let waitMs = POLL_MS.first;
    for (;;) {
      const response = await fetch(new URL(job.statusUrl, this.#options.url));
      if (response.status === 429) {
        await delay(1_000 * Number(response.headers.get('retry-after') ?? 1));
        continue;
      }
      const state = (await succeeded(response).then((answer) => answer.json())) as JobResource;
      seen(state);
      if (state.status === 'complete' || state.status === 'failed') return state;
      await delay(waitMs);
      waitMs = Math.min(waitMs * POLL_MS.growth, POLL_MS.longest);
    }
  }

  /** Downloads the archive to `outPath` through `<outPath>.part`; a connection that breaks goes on where it stopped. */
  async download(job: JobCreated, outPath: string, progress: (bytes: number, total: number) => void): Promise<number> {
    const partPath = `${outPath}.part`;
    await rm(partPath, { force: true });
    let received = 0;
    let etag: string | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const headers: Record<string, string> =
          etag === undefined ? {} : { range: `bytes=${received}-`, 'if-range': etag };
        const response = await succeeded(await fetch(new URL(job.downloadUrl, this.#options.url), { headers }));
        if (response.status !== 206) received = 0;
        etag = response.headers.get('etag') ?? undefined;
        const total = received + Number(response.headers.get('content-length'));
        const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream<Uint8Array>);
        body.on('data', (piece: Uint8Array) => {
          received += piece.length;
          progress(received, total);
        });
        await pipeline(body, createWriteStream(partPath, { flags: received === 0 ? 'w' : 'a' }));
        if (received !== total) throw new Error(`the download ended at ${received} of ${total} bytes`);
        await rename(partPath, outPath);
        return total;
      } catch (error) {
        if (error instanceof RefusedError || attempt === DOWNLOAD_ATTEMPTS) throw error;
        // What reached the disk counts, not what reached this process.
        received = await stat(partPath).then(
          (file) => file.size,
          () => 0,
        );
        await delay(POLL_MS.first * 2 ** attempt);
      }
    }
  }

  #authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.#options.key}` };
  }
}

async function succeeded(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  throw new RefusedError(response.status, parseErrorBody(text));
}

function parseErrorBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return { error: 'unreadable', message: text.slice(0, 200), requestId: '' };
  }
}
