/** Receives a job's body into a file: decoded, within its limits, and without a byte more than a few buffers in memory. */

import type { Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { ApiError } from '../errors.js';
import { type BodyDescription, type Coding, payloadTooLarge } from './body-form.js';

/** The client went away, or was too slow, before its body was whole: there is nobody to answer. */
export class BodyAbortedError extends Error {
  override readonly name = 'BodyAbortedError';
}

/** The slowest body that is waited for: this many bytes in each window of time. */
const SLOWEST = { bytes: 32_768, windowMs: 30_000 };

/** Bytes that a decoder hands on at a time, and that the file's writer buffers. */
const BUFFER_BYTES = 262_144;

type Decoder = Transform & zlib.Zlib;

const DECODERS: Readonly<Record<Coding, (options: { chunkSize: number }) => Decoder>> = {
  gzip: zlib.createGunzip,
  br: zlib.createBrotliDecompress,
  // Typed in later releases of Node's types; `describeBody` lets this coding through only where Node has it.
  zstd: (zlib as unknown as { createZstdDecompress: typeof zlib.createBrotliDecompress }).createZstdDecompress,
};

/**
 * Streams the decoded body of `request` to a new file at `path`, which is gone again when this rejects. The request
 * itself is left open, so that a refusal can still be answered.
 * @param digest fed with the decoded bytes
 * @throws ApiError `payload_too_large`, or `invalid_input` with the issue `invalid_encoding`
 * @throws BodyAbortedError
 */
export async function receiveBody(
  request: IncomingMessage,
  { coding, limitBytes }: BodyDescription,
  path: string,
  digest?: Hash,
): Promise<void> {
  const received = new Received(request, limitBytes);
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: BUFFER_BYTES });
  try {
    if (coding === undefined) {
      await pipeline(digested(received.chunks(), digest), file);
    } else {
      const decoder = DECODERS[coding]({ chunkSize: BUFFER_BYTES });
      await pipeline(received.chunks(), decoder, (decoded) => digested(within(decoded, limitBytes), digest), file);
      // A decoder ignores what follows the end of its stream.
      if (decoder.bytesWritten !== received.bytes) {
        throw invalidEncoding(coding, 'bytes follow its end');
      }
    }
  } catch (error) {
    await rm(path, { force: true });
    if (coding !== undefined && isDecodingError(error)) {
      throw invalidEncoding(coding, error.message);
    }
    throw error;
  }
}

/** The bytes of a request as they arrive, counted against the limit and the clock. */
class Received {
  readonly #request: IncomingMessage;
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(request: IncomingMessage, limitBytes: number) {
    this.#request = request;
    this.#limitBytes = limitBytes;
  }

  /** Bytes so far, as they came over the wire. */
  get bytes(): number {
    return this.#bytes;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    let windowBytes = 0;
    const clock = setInterval(() => {
      if (this.#bytes - windowBytes < SLOWEST.bytes && !this.#request.readableEnded) {
        this.#request.destroy(new BodyAbortedError('The body arrived too slowly'));
      }
      windowBytes = this.#bytes;
    }, SLOWEST.windowMs);
    try {
      // Ending the iteration early must not close the connection that the refusal goes out on.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        this.#bytes += (chunk as Buffer).length;
        if (this.#bytes > this.#limitBytes) {
          throw payloadTooLarge(this.#limitBytes);
        }
        yield chunk as Buffer;
      }
    } catch (error) {
      throw this.#request.destroyed && !(error instanceof ApiError)
        ? new BodyAbortedError('The client went away', { cause: error })
        : error;
    } finally {
      clearInterval(clock);
    }
  }
}

async function* within(decoded: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of decoded) {
    bytes += chunk.length;
    if (bytes > limitBytes) {
      throw payloadTooLarge(limitBytes);
    }
    yield chunk;
  }
}

/** Feeds `digest` with what passes. */
function digested(chunks: AsyncIterable<Buffer>, digest: Hash | undefined): AsyncIterable<Buffer> {
  return digest === undefined ? chunks : through(chunks, digest);
}

async function* through(chunks: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    digest.update(chunk);
    yield chunk;
  }
}

function isDecodingError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(Z_|ERR__?ERROR|ERR_BROTLI|ERR_ZSTD|ZSTD_|ERR_)/.test(code);
}

function invalidEncoding(coding: Coding, reason: string): ApiError {
  const message = `The body is not a whole ${coding} stream: ${reason}`;
  return new ApiError('invalid_input', message, {
    issues: [{ path: '', code: 'invalid_encoding', message }],
    issueCount: 1,
  });
}
