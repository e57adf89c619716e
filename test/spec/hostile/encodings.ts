/** Bodies that are not what their headers say, or more. */

import * as zlib from 'node:zlib';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { type Attack, type Body, harmless, JSON_TYPE, job, NDJSON_TYPE } from './attack.js';

const BODY = '{"items":[{"data":"1"}]}';
const GZIP = 'Content-Encoding: gzip';
const BROTLI = 'Content-Encoding: br';
const BROKEN = '400 invalid_input:  invalid_encoding';
const UNKNOWN = '415 unsupported_media_type';
const TOO_LARGE = '413 payload_too_large';

const encoded = (name: string, header: string, body: Body, outcome: string): Attack =>
  job(name, [JSON_TYPE, header], body, outcome);
const typed = (type: string, outcome = UNKNOWN): Attack =>
  job(`the type ${type || 'of nothing'}`, type === '' ? [] : [`Content-Type: ${type}`], BODY, outcome);

const gzip = gzipSync(BODY);
const bomb = () => Buffer.alloc(200_000_000, ' ');
/** Node 22.15 and later. */
const zstd = (zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer }).zstdCompressSync;

export const ENCODINGS: readonly Attack[] = [
  encoded('200 MB in gzip', GZIP, () => gzipSync(bomb(), { level: 1 }), TOO_LARGE),
  encoded(
    '200 MB in brotli',
    BROTLI,
    () => brotliCompressSync(bomb(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    TOO_LARGE,
  ),
  encoded('200 MB in zstd', 'Content-Encoding: zstd', () => zstd?.(bomb()) ?? 'zstd', zstd ? TOO_LARGE : UNKNOWN),
  job(
    '200 MB of lines in gzip',
    [NDJSON_TYPE, GZIP],
    () => gzipSync(Buffer.alloc(200_000_000, '{}\n'), { level: 1 }),
    TOO_LARGE,
  ),
  encoded('gzip in gzip', GZIP, gzipSync(gzip), '400 invalid_input:  invalid_unicode'),
  encoded('gzip in gzip that says so', 'Content-Encoding: gzip, gzip', gzipSync(gzip), UNKNOWN),
  encoded(
    'a hundred thousand empty members of gzip',
    GZIP,
    Buffer.concat(Array<Buffer>(100_000).fill(gzipSync(''))),
    '400 invalid_input:  invalid_json',
  ),
  encoded('gzip that is plain', GZIP, BODY, BROKEN),
  encoded('gzip that is brotli', GZIP, brotliCompressSync(BODY), BROKEN),
  encoded('gzip that is deflate', GZIP, deflateSync(BODY), BROKEN),
  encoded('brotli that is gzip', BROTLI, gzip, BROKEN),
  encoded('half of a gzip', GZIP, gzip.subarray(0, -9), BROKEN),
  encoded('a gzip with a wrong checksum', GZIP, withByte(gzip, gzip.length - 8), BROKEN),
  encoded('a gzip with a wrong length', GZIP, withByte(gzip, gzip.length - 1), BROKEN),
  encoded('a gzip that was changed', GZIP, withByte(gzip, 12), BROKEN),
  encoded('a gzip with something behind', GZIP, Buffer.concat([gzip, Buffer.from('GET / HTTP/1.1\r\n\r\n')]), BROKEN),
  encoded('a gzip with zeros behind', GZIP, Buffer.concat([gzip, Buffer.alloc(10)]), BROKEN),
  encoded('half of a brotli', BROTLI, brotliCompressSync(BODY).subarray(0, -3), BROKEN),
  encoded('a brotli with something behind', BROTLI, Buffer.concat([brotliCompressSync(BODY), Buffer.alloc(3)]), BROKEN),
  encoded('a brotli of zeros', BROTLI, Buffer.alloc(1_000), BROKEN),
  encoded('a gzip with a name of a megabyte', GZIP, named(gzip, 1_000_000), '200'),
  encoded('deflate', 'Content-Encoding: deflate', deflateSync(BODY), UNKNOWN),
  encoded('compress', 'Content-Encoding: compress', BODY, UNKNOWN),
  encoded('aws-chunked', 'Content-Encoding: aws-chunked', BODY, UNKNOWN),
  encoded('a coding called __proto__', 'Content-Encoding: __proto__', BODY, UNKNOWN),
  encoded('a coding called constructor', 'Content-Encoding: constructor', BODY, UNKNOWN),
  encoded('plain that says nothing of gzip', 'X-Encoding: none', gzip, '400 invalid_input:  invalid_unicode'),
  typed(''),
  typed('text/plain'),
  typed('text/json'),
  typed('text/html'),
  typed('application/xml'),
  typed('application/x-www-form-urlencoded'),
  typed('multipart/form-data; boundary=x'),
  typed('application/vnd.api+json'),
  typed('application/jsonp'),
  typed('application/json, application/x-ndjson'),
  typed('application/json; charset=utf-16'),
  typed('application/json; charset=utf-7'),
  typed('application/json; charset=utf-8; charset=utf-16'),
  typed('__proto__'),
  typed('application/x-ndjson', '400 invalid_meta_line: 1 /items unknown_member'),
  job('lines that say they are JSON', [JSON_TYPE], `{}\n${BODY}`, '400 invalid_input:  invalid_json'),
  job('more than 25 MB by its length', [JSON_TYPE], () => Buffer.alloc(25_000_001, ' '), TOO_LARGE),
  job('more than 100 MB by its length', [NDJSON_TYPE], () => Buffer.alloc(100_000_001, '\n'), TOO_LARGE),
  harmless('a boundary that JSON has none of', ['Content-Type: application/json; boundary=x'], BODY),
].map((attack) => (attack.outcome === '200' ? { ...attack, ...asked(attack) } : attack));

/** A body that would be accepted goes to the dry run. */
function asked({ request }: Attack): Pick<Attack, 'request'> {
  return {
    request: (target) =>
      Buffer.from(
        request(target).toString('latin1').replace('/api/v1/jobs HTTP', '/api/v1/jobs/validate HTTP'),
        'latin1',
      ),
  };
}

function withByte(bytes: Buffer, index: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[index] = (changed[index] ?? 0) ^ 0xff;
  return changed;
}

/** A gzip stream with a file's name of so many characters (RFC 1952, section 2.3). */
function named(bytes: Buffer, characters: number): Buffer {
  const header = Buffer.from(bytes.subarray(0, 10));
  header[3] = 0x08;
  return Buffer.concat([header, Buffer.alloc(characters, 'x'), Buffer.alloc(1), bytes.subarray(10)]);
}
