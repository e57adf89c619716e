/** Receives a job's body into a file: decoded, size-limited, with only a few buffers in memory. */

import type { Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Slots } from '../at-once.js';
import { type ApiError, invalidInput } from '../contract/errors.js';
import { type BodyDescription, type Coding, withinLimit } from './body-form.js';
import { refuseWideWindow, WideWindowError, withDecoder } from './decoders.js';
import { ReceivedBytes } from './received-bytes.js';

const BUFFER_BYTES = 262_144;

/**
 * Streams the decoded body of `request` into a new file at `path`, and removes the file when it rejects. Leaves the
 * request open, so that a refusal can still be answered.
 * @param holder the person or organisation whose body it is
 * @param digest fed with the decoded bytes
 * @throws ApiError `payload_too_large`, or `invalid_input` with the issue `invalid_encoding`
 * @throws BodyAbortedError
 */
export async function receiveBody(
  request: IncomingMessage,
  { coding, limitBytes }: BodyDescription,
  path: string,
  holder: string,
  digest?: Hash,
): Promise<void> {
  const received = new ReceivedBytes(request, limitBytes);
  // Opened here: a write stream that opens its own file may still create it after it has failed and the file was
  // removed.
  const handle = await open(path, 'wx', 0o600);
  const file = () => handle.createWriteStream({ highWaterMark: BUFFER_BYTES });
  try {
    if (coding === undefined) {
      await pipeline(digested(received.chunks(), digest), file());
    } else {
      await withDecoder(coding, received, holder, async (decoder) => {
        const chunks = coding === 'br' ? refuseWideWindow(received.chunks()) : received.chunks();
        await pipeline(
          chunks,
          decoder,
          (decoded) => digested(inTurn(withinLimit(decoded, limitBytes)), digest),
          file(),
        );
        // A decoder ignores bytes after the end of its stream.
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

/** Does what `receiveBody` does, but into memory, for a body with a small declared length. */
export async function receiveSmallBody(request: IncomingMessage, bytes: number, digest?: Hash): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of new ReceivedBytes(request, bytes).chunks()) {
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  digest?.update(body);
  return body;
}

/**
 * Turns for decoded chunks, of all bodies together. Decoders run in the few threads of the runtime, as do all file
 * operations: many bodies at once would make everybody else's files wait.
 */
const turns = new Slots(2);

/** Passes chunks on, one in each turn. A turn ends when the next chunk is asked for. A body without a chunk takes none. */
async function* inTurn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const end = await turns.take();
    try {
      yield chunk;
    } finally {
      end();
    }
  }
}

/** Feeds `digest` with the chunks that pass. */
function digested(chunks: AsyncIterable<Buffer>, digest: Hash | undefined): AsyncIterable<Buffer> {
  return digest === undefined ? chunks : digesting(chunks, digest);
}

async function* digesting(chunks: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    digest.update(chunk);
    yield chunk;
  }
}

function isDecodingError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return error instanceof WideWindowError || (typeof code === 'string' && /^(?:Z_|ZSTD_|ERR_)/.test(code));
}

function invalidEncoding(coding: Coding, reason: string): ApiError {
  const message = `The body is not a whole ${coding} stream: ${reason}`;
  return invalidInput({ path: '', code: 'invalid_encoding', message });
}
