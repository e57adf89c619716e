/** Receives a job's body into a file: decoded, size-limited, with only a few buffers in memory. */

import type { Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Transfers } from '../../admission/places.js';
import { Slots } from '../../platform/concurrency.js';
import { Decoders, invalidEncoding, isDecodingError, refuseWideWindow } from './decoders.js';
import { type BodyDescription, ReceivedBytes, withinLimit } from './request-body.js';

const BUFFER_BYTES = 262_144;

/** A body that is received into a file. */
interface BodyRequest {
  request: IncomingMessage;
  description: BodyDescription;
  /** Path of the new file. */
  path: string;
  /** The person or organisation whose body it is. */
  holder: string;
  digest?: Hash | undefined;
  /** Called with the number of decoded bytes so far, before they are written. May throw to refuse the body. */
  onBytes?: (bytes: number) => void;
}

/** Receives the bodies of a process. Their decoders share memory and threads. */
export class BodyReceiver {
  readonly #transfers: Transfers;
  readonly #decoders: Decoders;
  /**
   * Turns for decoded chunks, of all bodies together. Decoders run in the few threads of the runtime, as do all file
   * operations: many bodies at once would make everybody else's files wait.
   */
  readonly #turns = new Slots(2);

  /** @param transfers where bodies are listed while they arrive */
  constructor(transfers: Transfers) {
    this.#transfers = transfers;
    this.#decoders = new Decoders(transfers);
  }

  /**
   * Streams the decoded body into a new file, and removes the file when it rejects. Leaves the request open, so that a
   * refusal can still be answered.
   * @throws ApiError `payload_too_large`, or `invalid_input` with the issue `invalid_encoding`
   * @throws BodyAbortedError
   */
  async receive({ request, description, path, holder, digest, onBytes }: BodyRequest): Promise<void> {
    const { coding, limitBytes } = description;
    const received = new ReceivedBytes(request, limitBytes, this.#transfers);
    // Opened here: a write stream that opens its own file may still create it after it has failed and the file was
    // removed.
    const handle = await open(path, 'wx', 0o600);
    const file = () => handle.createWriteStream({ highWaterMark: BUFFER_BYTES });
    const watched = (chunks: AsyncIterable<Buffer>) => watch(chunks, digest, onBytes);
    try {
      if (coding === undefined) {
        await pipeline(watched(received.chunks()), file());
      } else {
        await this.#decoders.withDecoder(coding, received, holder, async (decoder) => {
          const chunks = coding === 'br' ? refuseWideWindow(received.chunks()) : received.chunks();
          await pipeline(chunks, decoder, (decoded) => watched(this.#inTurn(withinLimit(decoded, limitBytes))), file());
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

  /** Does what `receive` does, but into memory, for a body with a small declared length. */
  async receiveSmall(request: IncomingMessage, bytes: number, digest?: Hash): Promise<Uint8Array> {
    const parts: Buffer[] = [];
    for await (const part of new ReceivedBytes(request, bytes, this.#transfers).chunks()) {
      parts.push(part);
    }
    const body = Buffer.concat(parts);
    digest?.update(body);
    return body;
  }

  /** Passes chunks on, one in each turn. A turn ends when the next chunk is asked for. A body without a chunk takes none. */
  async *#inTurn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      const end = await this.#turns.take();
      try {
        yield chunk;
      } finally {
        end();
      }
    }
  }
}

/** Passes chunks on, once they are counted and digested. */
async function* watch(
  chunks: AsyncIterable<Buffer>,
  digest: Hash | undefined,
  onBytes: BodyRequest['onBytes'],
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes?.(bytes);
    digest?.update(chunk);
    yield chunk;
  }
}
