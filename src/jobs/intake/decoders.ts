/** Decoders of compressed bodies: the memory of each, and of all together, is bounded. */

import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Transfer, Transfers } from '../../admission/places.js';
import { Shares } from '../../platform/shares.js';
import { ApiError, invalidInput, unavailable } from '../../contract/errors.js';
import type { Coding } from './request-body.js';

const CHUNK_BYTES = 262_144;

const TOO_MUCH = 'compressed bodies are being received; try again soon.';
const RETRY_SECONDS = 2;

/**
 * The largest window that a stream may request: the maximum that RFC 8878, section 3.1.1.1.2, recommends for decoders.
 */
const WINDOW_BITS = 23;

/** Upper bound of a decoder's memory: a window, and about as much again for tables and buffers. */
const DECODER_BYTES: Readonly<Record<Coding, number>> = {
  gzip: 400_000,
  br: 2 ** WINDOW_BITS + 1_000_000,
  zstd: 2 ** WINDOW_BITS + 1_000_000,
};

const MAX_TOTAL_BYTES = 160_000_000;

type Decoder = Transform & zlib.Zlib;

// Typed only in later releases of `@types/node`. `describeBody` accepts this coding only when Node.js supports it.
const later = zlib as unknown as {
  createZstdDecompress: (options: zlib.BrotliOptions) => Decoder;
  constants: { ZSTD_d_windowLogMax: number };
};

const CREATE: Readonly<Record<Coding, () => Decoder>> = {
  gzip: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
  // `refuseWideWindow` checks its window: the library has no setting below 16 MB.
  br: () => zlib.createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
  zstd: () =>
    later.createZstdDecompress({
      chunkSize: CHUNK_BYTES,
      params: { [later.constants.ZSTD_d_windowLogMax]: WINDOW_BITS },
    }),
};

/** A decoder's bytes, and the person or organisation whose body it decodes. */
interface Held {
  bytes: number;
  holder: string;
}

/** The decoders of the bodies that arrive. Their memory is shared. */
export class Decoders {
  readonly #bodies: Transfers;
  readonly #open = new Map<Transfer, Held>();
  readonly #memory = new Shares(() => MAX_TOTAL_BYTES);

  /** @param bodies the bodies that arrive; a slow one gives way where memory is short */
  constructor(bodies: Transfers) {
    this.#bodies = bodies;
  }

  /** Runs `work` with a decoder for `body`. @throws ApiError `rate_limited`, `unavailable` */
  async withDecoder<T>(
    coding: Coding,
    body: Transfer,
    holder: string,
    work: (decoder: Decoder) => Promise<T>,
  ): Promise<T> {
    const bytes = DECODER_BYTES[coding];
    this.#makeRoom(bytes, holder);
    this.#memory.add([holder], bytes);
    this.#open.set(body, { bytes, holder });
    const decoder = CREATE[coding]();
    try {
      return await work(decoder);
    } finally {
      decoder.destroy();
      this.#giveBack(body);
    }
  }

  #makeRoom(bytes: number, holder: string): void {
    for (;;) {
      const isShareTaken = !this.#memory.mayHaveMore([holder]);
      if (bytes <= this.#memory.left && !isShareTaken) {
        return;
      }
      const ended = this.#bodies.endSlowest((each) => {
        const held = this.#open.get(each);
        return held !== undefined && (!isShareTaken || held.holder === holder);
      });
      if (ended === undefined) {
        throw isShareTaken
          ? new ApiError('rate_limited', `Too many of your ${TOO_MUCH}`, {}, { 'Retry-After': String(RETRY_SECONDS) })
          : unavailable(`Too many ${TOO_MUCH}`, RETRY_SECONDS);
      }
      this.#giveBack(ended);
    }
  }

  /** A body that gave way has given back already. */
  #giveBack(body: Transfer): void {
    const held = this.#open.get(body);
    if (held !== undefined) {
      this.#open.delete(body);
      this.#memory.add([held.holder], -held.bytes);
    }
  }
}

/**
 * Passes a stream through. Throws when its first byte requests a window of more than 8 MB (brotli: RFC 7932, section
 * 9.1).
 */
export async function* refuseWideWindow(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.length > 0) {
      isFirst = false;
      if (brotliWindowBits(chunk[0] as number) > WINDOW_BITS) {
        throw new WideWindowError(`it asks for a window of more than ${2 ** (WINDOW_BITS - 20)} MB`);
      }
    }
    yield chunk;
  }
}

class WideWindowError extends Error {
  override readonly name = 'WideWindowError';
}

/** WBITS of a stream whose first byte is `byte`. */
function brotliWindowBits(byte: number): number {
  if ((byte & 1) === 0) {
    return 16;
  }
  const wide = (byte >> 1) & 7;
  if (wide !== 0) {
    return 17 + wide;
  }
  const narrow = (byte >> 4) & 7;
  // 1 means a window beyond 16 MB, which the format does not have.
  return narrow === 0 ? 17 : narrow === 1 ? Number.POSITIVE_INFINITY : 8 + narrow;
}

export function isDecodingError(error: unknown): error is Error {
  const { code } = error as { code?: unknown };
  return error instanceof WideWindowError || (typeof code === 'string' && /^(?:Z_|ZSTD_|ERR_)/.test(code));
}

export function invalidEncoding(coding: Coding, reason: string): ApiError {
  const message = `The body is not a whole ${coding} stream: ${reason}`;
  return invalidInput({ path: '', code: 'invalid_encoding', message });
}
