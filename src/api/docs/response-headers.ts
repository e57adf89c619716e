/** Response headers, and which responses have them. */

import type { HeaderObject, HeadersObject } from 'openapi3-ts/oas31';

const string = (pattern: string) => ({ type: 'string' as const, pattern });

/** Every header. */
const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Names the request, in the log of the service too.',
    schema: string('^[\\w-]{16}$'),
    example: 'wYxXyBnWEQCdYrqU',
  },
  'RateLimit-Policy': {
    description:
      'The limit of the endpoint: `q` requests in `w` seconds for each key (draft-ietf-httpapi-ratelimit-headers).',
    schema: string('^"[a-z-]+";q=\\d+;w=\\d+$'),
    example: '"job-status";q=60;w=60',
  },
  RateLimit: {
    description:
      'What is left to the key, or to all keys of its organisation if that is less: `r` requests in the next `t` seconds.',
    schema: string('^"[a-z-]+";r=\\d+;t=\\d+$'),
    example: '"job-status";r=59;t=60',
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'The scheme to authenticate with.',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  'Accept-Encoding': {
    description: 'The content codings that a body may have.',
    schema: { type: 'string' },
    example: 'gzip, br',
  },
  Location: {
    description: 'Path of the job status resource.',
    schema: { ...string('^/api/v1/jobs/[0-9a-z]+$'), format: 'uri-reference' },
    example: '/api/v1/jobs/3v7m2kq0x9c5t1b8n4wz6r0hfy',
  },
  'Idempotent-Replayed': {
    description:
      'This is the response to an earlier request with the same `Idempotency-Key` and body; nothing was charged again.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description: 'A strong entity tag: it changes when the bytes do.',
    schema: string('^"[^"]+"$'),
    example: '"NQ2vB0dGyn2yN4lKmzBhXw"',
  },
  'Last-Modified': {
    description: 'When the job was completed.',
    schema: string(' GMT$'),
    example: 'Wed, 21 Oct 2026 07:28:00 GMT',
  },
  'Accept-Ranges': {
    description: 'Byte ranges are served.',
    schema: { type: 'string', const: 'bytes' },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which bytes these are, and of how many.',
    schema: string('^bytes (\\d+-\\d+|\\*)/\\d+$'),
    example: 'bytes 0-1023/48213',
  },
  'Content-Length': {
    description: 'Bytes of the body.',
    schema: { type: 'integer', minimum: 0 },
    example: 48213,
  },
  'Content-Disposition': {
    description: 'A name for the file; `filename*` is added where it is not ASCII (RFC 6266).',
    schema: string('^attachment; filename="[^"]+"(?:; filename\\*=UTF-8\'\'\\S+)?$'),
    example: 'attachment; filename="qrpress-3v7m2kq0x9c5t1b8n4wz6r0hfy.zip"',
  },
  'Cache-Control': {
    description: 'Whether the response may be kept.',
    schema: { type: 'string' },
    example: 'no-store',
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** Headers that no response is sure to have. Every response that references one of the others has it. */
const UNSURE: ReadonlySet<string> = new Set<HeaderName>(['Accept-Encoding', 'Idempotent-Replayed']);

/** Headers of every response. */
export const HEADERS_OF_ALL: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control'];

/** Headers of a response: those of every response, those it always has, and those it may have. */
export function headersOf(always: readonly HeaderName[], perhaps: readonly HeaderName[] = []): HeadersObject {
  return Object.fromEntries([
    ...[...HEADERS_OF_ALL, ...always].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
    ...perhaps.map((name) => [name, { required: false, ...RESPONSE_HEADERS[name] }] as const),
  ]);
}

/** The headers that responses reference. */
export function headerComponents(): HeadersObject {
  const sure = Object.entries(RESPONSE_HEADERS).filter(([name]) => !UNSURE.has(name));
  return Object.fromEntries(sure.map(([name, header]) => [name, { required: true, ...header }]));
}
