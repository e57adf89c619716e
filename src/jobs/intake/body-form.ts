/** Reads the headers of a job's body, and refuses what needs no byte of the body. */

import type { IncomingHttpHeaders } from 'node:http';
import * as zlib from 'node:zlib';
import { ApiError } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { BodyForm } from '../../engine/engine.js';

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
