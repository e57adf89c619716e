/** The parameters of requests. */

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31';
import { LIMITS } from '../contract/limits.js';
import { CURSOR_PATTERN, JOB_STATUSES } from '../contract/response-schema.js';

const header = (name: string, description: string, schema: SchemaObject, example: unknown): ParameterObject => ({
  name,
  in: 'header',
  description,
  schema,
  example,
});

export const JOB_ID: ParameterObject = {
  name: 'jobId',
  in: 'path',
  required: true,
  description: 'The job, as `jobId` of the response to its creation names it.',
  schema: { type: 'string', minLength: 1 },
  example: '3v7m2kq0x9c5t1b8n4wz6r0hfy',
};

const query = (name: string, description: string, schema: SchemaObject, example: unknown): ParameterObject => ({
  name,
  in: 'query',
  description,
  schema,
  example,
});

export const ITEM_INDEX: ParameterObject = {
  name: 'index',
  in: 'path',
  required: true,
  description: "The item's place in the request, from 0.",
  schema: { type: 'integer', minimum: 0, maximum: LIMITS.ndjsonItems - 1 },
  example: 0,
};

/** Filters and paging of the list of jobs. */
export const JOB_FILTER: readonly ParameterObject[] = [
  query('status', 'Jobs in this state alone.', { type: 'string', enum: [...JOB_STATUSES] }, 'complete'),
  query(
    'createdAfter',
    'Jobs created later than this moment (RFC 3339).',
    { type: 'string', format: 'date-time' },
    '2026-01-01T00:00:00Z',
  ),
  query(
    'createdBefore',
    'Jobs created earlier than this moment (RFC 3339).',
    { type: 'string', format: 'date-time' },
    '2026-02-01T00:00:00Z',
  ),
  query('limit', 'Jobs of a page.', { type: 'integer', ...LIMITS.jobsOfPage }, LIMITS.jobsOfPage.default),
  query(
    'cursor',
    'The `nextCursor` of the page before. Jobs that are created meanwhile neither repeat jobs nor hide any.',
    { type: 'string', pattern: CURSOR_PATTERN },
    'mi8z3gqo-3v7m2kq0x9c5t1b8n4wz6r0hfy',
  ),
];

/** Parameters of a signed URL. Clients use the URLs as they are. */
export const SIGNED_LINK: readonly ParameterObject[] = [
  {
    name: 'token',
    in: 'path',
    required: true,
    description: 'Names the job, and is not its id.',
    schema: { type: 'string', minLength: 1 },
    example: '8d0f3hrzc2m6v9k4t7x1qn5wby',
  },
  {
    name: 'exp',
    in: 'query',
    required: true,
    description: 'Unix time in seconds at which the link ends.',
    schema: { type: 'integer', minimum: 1, maximum: 999_999_999_999 },
    example: 1_800_345_600,
  },
  {
    name: 't',
    in: 'query',
    required: true,
    description: 'The signature: HMAC-SHA-256, base64url.',
    schema: { type: 'string', pattern: '^[\\w-]{43}$' },
    example: 'QmFzZTY0dXJsLWVuY29kZWQtSE1BQy1TSEEyNTYtLS0',
  },
];

export const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  `Makes a request safe to repeat: the same key with the same body within ${LIMITS.idempotencyHours} hours answers the first response again and charges nothing. A refused request does not use the key up. 1 to 255 visible ASCII characters, told apart within the organisation.`,
  { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  '7f3c1a52-order-2041',
);

const ETAG = '"NQ2vB0dGyn2yN4lKmzBhXw"';
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** Preconditions (RFC 9110, section 13) for representations with an entity tag. */
export const ETAG_CONDITIONS: readonly ParameterObject[] = [
  header(
    'If-None-Match',
    'Entity tags that the client has: 304 when the current one is among them.',
    { type: 'string' },
    ETAG,
  ),
];

/** Preconditions for representations that also have a date. A malformed one counts as absent. */
export const DATE_CONDITIONS: readonly ParameterObject[] = [
  header('If-Modified-Since', 'Without `If-None-Match`: 304 when it is not newer.', { type: 'string' }, DATE),
];

/** The range of a download (RFC 9110, section 14). */
export const RANGE: readonly ParameterObject[] = [
  header(
    'Range',
    'A range of bytes, such as `bytes=1024-`. Several ranges, other units and malformed headers are ignored: the answer is the whole.',
    { type: 'string' },
    'bytes=0-1023',
  ),
  header(
    'If-Range',
    'The entity tag (or date) of the part that the client has: a range of that very archive, else the whole.',
    { type: 'string' },
    ETAG,
  ),
];
