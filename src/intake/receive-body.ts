/** Receives a job's body into a file: decoded, within its limits, and without a byte more than a few buffers in memory. */

import type { Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../contract/errors.js';
import { type BodyDescription, type Coding, payloadTooLarge } from './body-form.js';
import { refuseWideWindow, WideWindowError, withDecoder } from './decoders.js';
import { ReceivedBytes } from './received-bytes.js';

/** Bytes that the file's writer buffers. */
const BUFFER_BYTES = 262_144;

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
  const received = new ReceivedBytes(request, limitBytes);
  // Opened here: a stream that opens its file by itself may still do so after it has failed, and after the file was removed.
  const handle = await open(path, 'wx', 0o600);
  const file = () => handle.createWriteStream({ highWaterMark: BUFFER_BYTES });
  try {
    if (coding === undefined) {
      await pipeline(digested(received.chunks(), digest), file());
    } else {
      await withDecoder(coding, received, async (decoder) => {
        const chunks = coding === 'br' ? refuseWideWindow(received.chunks()) : received.chunks();
        await pipeline(chunks, decoder, (decoded) => digested(within(decoded, limitBytes), digest), file());
        // A decoder ignores what follows the end of its stream.
        if (decoder.bytesWritten !== received.bytes) {
          throw invalidEncoding(coding, 'bytes follow its end');
        }
      });
    }
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    if (coding !== undefined && isDecodingError(error)) {
      throw invalidEncoding(coding, error.message);
    }
    throw error;
  }
}

/** As `receiveBody`, into memory: for a body that said that it is small. */
export async function receiveSmallBody(request: IncomingMessage, bytes: number, digest?: Hash): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of new ReceivedBytes(request, bytes).chunks()) {
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  digest?.update(body);
  return body;
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
  return (
    error instanceof WideWindowError ||
    (typeof code === 'string' && /^(Z_|ERR__?ERROR|ERR_BROTLI|ERR_ZSTD|ZSTD_|ERR_)/.test(code))
  );
}

function invalidEncoding(coding: Coding, reason: string): ApiError {
  const message = `The body is not a whole ${coding} stream: ${reason}`;
  return new ApiError('invalid_input', message, {
    issues: [{ path: '', code: 'invalid_encoding', message }],
    issueCount: 1,
  });
}
