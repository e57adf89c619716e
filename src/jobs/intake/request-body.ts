/** A body of a request: its form and its limit by the headers, and its bytes as they arrive, with a minimum speed. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import * as zlib from 'node:zlib';
import { ApiError } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { BodyForm } from '../../engine/engine.js';
import type { Transfer, Transfers } from '../../admission/places.js';
import { BodyAbortedError } from '../../platform/body-aborted-error.js';

/** A content coding that is decoded on arrival. */
export type Coding = 'gzip' | 'br' | 'zstd';

export interface BodyDescription {
  form: BodyForm;
  /** Undefined: the body is not encoded. */
  coding: Coding | undefined;
  /** Maximum bytes of the body, both encoded and decoded. */
  limitBytes: number;
}

const FORMS: Readonly<Record<string, BodyForm>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
};

const LIMIT_BYTES: Readonly<Record<BodyForm, number>> = {
  json: LIMITS.jsonBodyBytes,
  ndjson: LIMITS.ndjsonBodyBytes,
};

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  // RFC 9110, section 8.4.1.3: treat as gzip.
  'x-gzip': 'gzip',
  br: 'br',
  // Not in older releases of Node.js.
  ...('createZstdDecompress' in zlib ? { zstd: 'zstd' } : {}),
};

/**
 * Describes a body from its headers. @throws ApiError `unsupported_media_type`, or `payload_too_large` for a declared
 * length
 */
export function describeBody(headers: IncomingHttpHeaders): BodyDescription {
  const form = formOf(headers['content-type'] ?? '');
  const coding = codingOf(headers['content-encoding'] ?? '');
  const limitBytes = LIMIT_BYTES[form];
  if (Number(headers['content-length'] ?? 0) > limitBytes) {
    throw payloadTooLarge(limitBytes);
  }
  return { form, coding, limitBytes };
}

export function payloadTooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${limitBytes} bytes.`, { limit: limitBytes });
}

/** Passes pieces through, up to `limitBytes` in all. @throws ApiError `payload_too_large` */
export async function* withinLimit<Piece extends string | Buffer>(
  pieces: AsyncIterable<Piece>,
  limitBytes: number,
): AsyncGenerator<Piece> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limitBytes) {
      throw payloadTooLarge(limitBytes);
    }
    yield piece;
  }
}

function formOf(contentType: string): BodyForm {
  const [mediaType = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const form = Object.hasOwn(FORMS, mediaType) ? FORMS[mediaType] : undefined;
  if (form === undefined) {
    throw new ApiError(
      'unsupported_media_type',
      `The content type must be application/json or application/x-ndjson, not ${mediaType || 'empty'}.`,
    );
  }
  for (const parameter of parameters) {
    const [, charset] = /^charset="?([^"]*)"?$/.exec(parameter) ?? [];
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
      throw new ApiError('unsupported_media_type', `The charset must be utf-8, not ${charset}.`);
    }
  }
  return form;
}

function codingOf(contentEncoding: string): Coding | undefined {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const [name] = names;
  if (name === undefined) {
    return undefined;
  }
  const coding = Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined;
  if (coding === undefined || names.length > 1) {
    const known = [...new Set(Object.values(CODINGS))].join(', ');
    throw new ApiError(
      'unsupported_media_type',
      `The content coding must be one of identity, ${known}; not ${names.join(', ')}.`,
      {},
      { 'Accept-Encoding': known },
    );
  }
  return coding;
}

/** Minimum speed: a body that brings fewer bytes in a window is aborted. */
const MIN_SPEED = { bytes: 32_768, windowMs: 30_000 };

/** A body that brings fewer bytes in such a window may be aborted to make room for others. */
const SLOW_SPEED = { bytes: 32_768, windowMs: 2_000 };

export class ReceivedBytes implements Transfer {
  readonly #request: IncomingMessage;
  readonly #limitBytes: number;
  readonly #transfers: Transfers;
  #bytes = 0;
  #recentBytes = 0;
  #isSlow = false;

  /** @param transfers where it is listed while it arrives */
  constructor(request: IncomingMessage, limitBytes: number, transfers: Transfers) {
    this.#request = request;
    this.#limitBytes = limitBytes;
    this.#transfers = transfers;
  }

  /** Bytes received so far, before decoding. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes received in the last two seconds' window. */
  get recentBytes(): number {
    return this.#recentBytes;
  }

  /** True for a body that may be aborted to make room. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  giveWay(): void {
    this.#request.destroy(new BodyAbortedError('The body arrived too slowly, and others wait'));
  }

  /**
   * Leaves the request open, so that a refusal can still be answered.
   * @throws ApiError `payload_too_large`
   * @throws BodyAbortedError
   */
  async *chunks(): AsyncGenerator<Buffer> {
    let [windowBytes, recentFrom, windows] = [0, 0, 0];
    // True while a chunk is being written: then it is not the client that is slow.
    let isHeldUp = false;
    const clock = setInterval(() => {
      if (isHeldUp) {
        this.#isSlow = false;
        [recentFrom, windowBytes, windows] = [this.#bytes, this.#bytes, 0];
        return;
      }
      this.#recentBytes = this.#bytes - recentFrom;
      this.#isSlow = this.#recentBytes < SLOW_SPEED.bytes && !this.#request.readableEnded;
      recentFrom = this.#bytes;
      windows += 1;
      if (windows * SLOW_SPEED.windowMs >= MIN_SPEED.windowMs) {
        if (this.#bytes - windowBytes < MIN_SPEED.bytes && !this.#request.readableEnded) {
          this.#request.destroy(new BodyAbortedError('The body arrived too slowly'));
        }
        [windowBytes, windows] = [this.#bytes, 0];
      }
    }, SLOW_SPEED.windowMs);
    this.#transfers.add(this);
    try {
      // Ending the iteration early must not close the connection: the refusal is sent on it.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        this.#bytes += (chunk as Buffer).length;
        if (this.#bytes > this.#limitBytes) {
          throw payloadTooLarge(this.#limitBytes);
        }
        isHeldUp = true;
        yield chunk as Buffer;
        isHeldUp = false;
      }
    } catch (error) {
      throw this.#request.destroyed && !(error instanceof ApiError)
        ? new BodyAbortedError('The client went away', { cause: error })
        : error;
    } finally {
      clearInterval(clock);
      this.#transfers.delete(this);
    }
  }
}
