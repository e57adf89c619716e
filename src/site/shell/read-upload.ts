/**
 * Forms with files. The form's token is checked before a file is written, and the files are deleted once the form is
 * answered.
 */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import busboy, { type FieldInfo, type FileInfo } from 'busboy';
import type { Transfers } from '../../admission/places.js';
import { ApiError } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { newRowId } from '../../database/row-id.js';
import { payloadTooLarge, ReceivedBytes, withinLimit } from '../../jobs/intake/request-body.js';
import type { FormGuard } from './form-guard.js';
import { keepBody } from './form.js';
import { keepUploads, LOGO_BYTES, type SentFile, type Upload } from './uploads.js';
import { BodyAbortedError } from '../../platform/body-aborted-error.js';

/** The file fields that a form may have, with their maximum size in bytes. */
const FILES: ReadonlyMap<string, number> = new Map([
  ['file', LIMITS.ndjsonBodyBytes],
  ['logo', LOGO_BYTES],
]);

/**
 * Maximum number of fields and files: without scripts, the studio has a field for each of a thousand columns. The parser itself limits a
 * part's header to 16 KB.
 */
const MAX_PARTS = 1_100;

/** Limits of fields, which are kept in memory: of all values together, and of a name. The longest contains typed lines. */
const FIELD_LIMITS = { bytes: 1_000_000, nameBytes: 100 };

const MAX_FORM_BYTES = LIMITS.ndjsonBodyBytes + 2_000_000;

type Prepare = (fields: Record<string, string>) => void;

/** RFC 2046, section 5.1.1. */
const MAX_BOUNDARY_CHARACTERS = 70;

/**
 * Reads a form: its fields into the state, its files into `folder`. `prepare` is called with the fields where no list was chosen, and
 * may make one of them a file.
 * @throws AccountError `forbidden` for a wrong token, or for a file before the token
 * @throws ApiError `payload_too_large`, `invalid_input`
 */
export function readUpload(
  folder: string,
  guard: FormGuard,
  transfers: Transfers,
  prepare: Prepare = () => undefined,
): RouterMiddleware {
  return async (ctx, next) => {
    const reader = new UploadReader(ctx, folder, guard, transfers);
    try {
      await reader.read(prepare);
      keepBody(ctx, reader.fields);
      keepUploads(ctx, reader.uploads, reader.replacedFiles);
      await next();
    } finally {
      await reader.removeFiles();
    }
  };
}

class UploadReader {
  readonly fields: Record<string, string> = {};
  readonly uploads = new Map<string, Upload>();
  readonly replacedFiles = new Map<string, SentFile>();
  readonly #ctx: RouterContext;
  readonly #folder: string;
  readonly #guard: FormGuard;
  readonly #transfers: Transfers;
  readonly #paths: string[] = [];
  readonly #writing: Promise<void>[] = [];
  #hasToken = false;
  #fieldBytes = 0;

  constructor(ctx: RouterContext, folder: string, guard: FormGuard, transfers: Transfers) {
    this.#ctx = ctx;
    this.#folder = folder;
    this.#guard = guard;
    this.#transfers = transfers;
  }

  async read(prepare: Prepare): Promise<void> {
    const { req, request } = this.#ctx;
    if (request.length !== undefined && request.length > MAX_FORM_BYTES) {
      throw payloadTooLarge(MAX_FORM_BYTES);
    }
    const received = new ReceivedBytes(req, MAX_FORM_BYTES, this.#transfers);
    const parser = this.#parser();
    try {
      await pipeline(received.chunks(), parser);
      await Promise.all(this.#writing);
      const hasList = (this.uploads.get('file')?.bytes ?? 0) > 0 || (this.fields['sent-file'] ?? '') !== '';
      if (!hasList) prepare(this.fields);
      this.#takeSentFiles(parser);
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
    if (boundary.length > MAX_BOUNDARY_CHARACTERS) {
      throw unreadable(new Error(`the boundary has more than ${MAX_BOUNDARY_CHARACTERS} characters`));
    }
    const parser = createParser(headers);
    // An exception in a handler would leave the parser in the middle of the form, so the parser is ended instead.
    const attempt = (handle: () => void) => {
      try {
        handle();
      } catch (error) {
        parser.destroy(error as Error);
      }
    };
    const tooMany = () => parser.destroy(payloadTooLarge(MAX_FORM_BYTES));
    return parser
      .on('field', (name: string | undefined, value, info) => attempt(() => this.#takeField(name ?? '', value, info)))
      .on('file', (name: string | undefined, stream, info) => {
        // Must come first: destroying a stream without an error listener would end the process.
        stream.on('error', () => undefined);
        attempt(() => this.#takeFile(name ?? '', stream, info, parser));
      })
      .on('partsLimit', tooMany)
      .on('filesLimit', tooMany)
      .on('fieldsLimit', tooMany);
  }

  #takeField(name: string, value: string, { nameTruncated, valueTruncated }: FieldInfo): void {
    this.#fieldBytes += Buffer.byteLength(value);
    if (
      nameTruncated ||
      valueTruncated ||
      name.length > FIELD_LIMITS.nameBytes ||
      this.#fieldBytes > FIELD_LIMITS.bytes
    ) {
      throw payloadTooLarge(FIELD_LIMITS.bytes);
    }
    if (name === 'csrf') {
      this.#guard.requireToken(this.#ctx, value);
      this.#hasToken = true;
    }
    Object.defineProperty(this.fields, name, { value, enumerable: true, configurable: true, writable: true });
  }

  /** Takes the files that the page has from an earlier step, where no others were chosen: browsers without scripts forget them. */
  #takeSentFiles(parser: busboy.Busboy): void {
    for (const name of FILES.keys()) {
      const { [`sent-${name}`]: content = '', [`sent-${name}-name`]: filename = '' } = this.fields;
      delete this.fields[`sent-${name}`];
      if (content === '') continue;
      if ((this.uploads.get(name)?.bytes ?? 0) > 0) {
        this.replacedFiles.set(name, { name: filename, content });
        continue;
      }
      // A browser sends an empty file where none was chosen.
      this.uploads.delete(name);
      const stream = Readable.from([Buffer.from(content, 'base64')]);
      this.#takeFile(name, stream, { filename, encoding: '', mimeType: '' }, parser);
    }
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
      // The form refuses a larger logo, and keeps all that came with it.
      for await (const chunk of name === 'logo' ? chunks : withinLimit(chunks, limitBytes)) {
        upload.bytes += chunk.length;
        if (upload.bytes > limitBytes) continue;
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
        parts: MAX_PARTS,
        fields: MAX_PARTS,
        files: FILES.size,
        fieldNameSize: FIELD_LIMITS.nameBytes,
        fieldSize: FIELD_LIMITS.bytes,
      },
    });
  } catch (error) {
    throw unreadable(error as Error);
  }
}

/** True for errors that define their own response, and for errors of the local disk. */
function isOwn(error: unknown): boolean {
  return error instanceof BodyAbortedError || 'status' in (error as object) || 'syscall' in (error as object);
}

function unreadable({ message }: Error): ApiError {
  return new ApiError('invalid_input', `The form cannot be read: ${message}.`);
}
