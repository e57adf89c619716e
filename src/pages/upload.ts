/** Forms with files: the form's token is checked before a file is written, and the files are deleted when the form is answered. */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import busboy, { type FieldInfo, type FileInfo } from 'busboy';
import { ApiError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { newRowId } from '../database/row-id.js';
import { payloadTooLarge } from '../intake/body-form.js';
import { BodyAbortedError, ReceivedBytes } from '../intake/received-bytes.js';
import type { FormGuard } from './form-guard.js';

/** Largest logo that fits into a data URL: base64 has four characters for three bytes. */
export const LOGO_BYTES = Math.floor((LIMITS.logoDataUrlCharacters - 'data:image/png;base64,'.length) / 4) * 3;

/** The files that a form may have, by the name of their field, each with its largest size in bytes. */
const FILES: ReadonlyMap<string, number> = new Map([
  ['file', LIMITS.ndjsonBodyBytes],
  ['logo', LOGO_BYTES],
]);

/** All fields and files of a form. The parser itself bounds the header of a part at 16 KB. */
const PARTS = 60;

/** Fields are kept in memory: the longest holds the lines that a person typed. */
const FIELD = { bytes: 1_000_000, nameBytes: 100 };

const FORM_BYTES = LIMITS.ndjsonBodyBytes + 2_000_000;

/** RFC 2046, section 5.1.1. */
const BOUNDARY_CHARACTERS = 70;

export interface Upload {
  path: string;
  /** As the browser named the file. */
  name: string;
  bytes: number;
  /** SHA-256 of its content, hex; set once it is read. */
  digest: string;
}

interface UploadState {
  uploads?: ReadonlyMap<string, Upload>;
}

/**
 * Reads a form: its fields into `ctx.request.body`, its files into `folder`.
 * @throws AccountError `forbidden` for a wrong token, or for a file before the token
 * @throws ApiError `payload_too_large`, `invalid_input`
 */
export function readUpload(folder: string, guard: FormGuard): RouterMiddleware {
  return async (ctx, next) => {
    const reader = new UploadReader(ctx, folder, guard);
    try {
      await reader.read();
      ctx.request['body'] = reader.fields;
      (ctx.state as UploadState).uploads = reader.uploads;
      await next();
    } finally {
      await reader.removeFiles();
    }
  };
}

/** The file that was chosen in a field; undefined where none was. */
export function uploadOf(ctx: RouterContext, field: string): Upload | undefined {
  const upload = (ctx.state as UploadState).uploads?.get(field);
  return upload === undefined || upload.bytes === 0 ? undefined : upload;
}

class UploadReader {
  readonly fields: Record<string, string> = {};
  readonly uploads = new Map<string, Upload>();
  readonly #ctx: RouterContext;
  readonly #folder: string;
  readonly #guard: FormGuard;
  readonly #paths: string[] = [];
  /** Files that are being written. */
  readonly #writing: Promise<void>[] = [];
  #hasToken = false;

  constructor(ctx: RouterContext, folder: string, guard: FormGuard) {
    this.#ctx = ctx;
    this.#folder = folder;
    this.#guard = guard;
  }

  async read(): Promise<void> {
    const { req } = this.#ctx;
    const received = new ReceivedBytes(req, FORM_BYTES);
    const parser = this.#parser();
    try {
      await pipeline(received.chunks(), parser);
      await Promise.all(this.#writing);
    } catch (error) {
      throw isOwn(error) ? error : unreadable(error as Error);
    }
    if (!this.#hasToken) {
      this.#guard.requireToken(this.#ctx, '');
    }
  }

  async removeFiles(): Promise<void> {
    await Promise.allSettled(this.#writing);
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })));
  }

  #parser(): busboy.Busboy {
    const { headers } = this.#ctx.req;
    const [, boundary = ''] = /;\s*boundary="?([^";]*)/i.exec(headers['content-type'] ?? '') ?? [];
    if (boundary.length > BOUNDARY_CHARACTERS) {
      throw unreadable(new Error(`the boundary has more than ${BOUNDARY_CHARACTERS} characters`));
    }
    const parser = createParser(headers);
    // An exception inside a handler would leave the parser half way: it is told to end instead.
    const attempt = (handle: () => void) => {
      try {
        handle();
      } catch (error) {
        parser.destroy(error as Error);
      }
    };
    const tooMany = () => parser.destroy(payloadTooLarge(FORM_BYTES));
    return parser
      .on('field', (name: string | undefined, value, info) => attempt(() => this.#takeField(name ?? '', value, info)))
      .on('file', (name: string | undefined, stream, info) => {
        // Before anything else: a stream that is destroyed without a listener ends the process.
        stream.on('error', () => undefined);
        attempt(() => this.#takeFile(name ?? '', stream, info, parser));
      })
      .on('partsLimit', tooMany)
      .on('filesLimit', tooMany)
      .on('fieldsLimit', tooMany);
  }

  #takeField(name: string, value: string, { nameTruncated, valueTruncated }: FieldInfo): void {
    if (nameTruncated || valueTruncated || name.length > FIELD.nameBytes) {
      throw payloadTooLarge(FIELD.bytes);
    }
    if (name === 'csrf') {
      this.#guard.requireToken(this.#ctx, value);
      this.#hasToken = true;
    }
    Object.defineProperty(this.fields, name, { value, enumerable: true, configurable: true, writable: true });
  }

  #takeFile(name: string, stream: Readable, { filename }: FileInfo, parser: busboy.Busboy): void {
    if (!this.#hasToken) {
      this.#guard.requireToken(this.#ctx, '');
    }
    const limitBytes = FILES.get(name);
    if (limitBytes === undefined || this.uploads.has(name)) {
      throw unreadable(new Error(`there is no file ${JSON.stringify(name.slice(0, 20))} in this form`));
    }
    const path = join(this.#folder, `${newRowId()}.upload`);
    this.#paths.push(path);
    const upload = { path, name: filename ?? '', bytes: 0, digest: '' };
    const hash = createHash('sha256');
    this.uploads.set(name, upload);
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        upload.bytes += chunk.length;
        if (upload.bytes > limitBytes) {
          throw payloadTooLarge(limitBytes);
        }
        hash.update(chunk);
        yield chunk;
      }
      upload.digest = hash.digest('hex');
    };
    const writing = pipeline(stream, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    this.#writing.push(writing);
    writing.catch((error: Error) => parser.destroy(error));
  }
}

function createParser(headers: RouterContext['req']['headers']): busboy.Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: {
        parts: PARTS,
        fields: PARTS,
        files: FILES.size,
        fieldNameSize: FIELD.nameBytes,
        fieldSize: FIELD.bytes,
      },
    });
  } catch (error) {
    throw unreadable(error as Error);
  }
}

/** Errors that say for themselves how they are answered, and those of this machine's disk. */
function isOwn(error: unknown): boolean {
  return error instanceof BodyAbortedError || 'status' in (error as object) || 'syscall' in (error as object);
}

function unreadable({ message }: Error): ApiError {
  return new ApiError('invalid_input', `The form cannot be read: ${message}.`);
}
