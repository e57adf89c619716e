/** The parameters of requests. */

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31';
import { LIMITS } from '../../contract/limits.js';
import { JobFilterSchema, LabelsSchema } from '../../contract/query-schema.js';
import type { ParameterSchema, QuerySchema } from '../../contract/read-query.js';

const parameter =
  (place: 'header' | 'query' | 'path', required = false) =>
  (name: string, description: string, schema: SchemaObject, example: unknown): ParameterObject => ({
    name,
    in: place,
    ...(required && { required }),
    description,
    schema,
    example,
  });

const [header, query] = [parameter('header'), parameter('query')];
const [requiredQuery, path] = [parameter('query', true), parameter('path', true)];

/** A header that a message of ours always has. */
export const requiredHeader = parameter('header', true);

export const JOB_ID = path(
  'jobId',
  'The job, as `jobId` of the response to its creation names it.',
  { type: 'string', minLength: 1 },
  '3v7m2kq0x9c5t1b8n4wz6r0hfy',
);

export const ITEM_INDEX = path(
  'index',
  "The item's place in the request, from 0.",
  { type: 'integer', minimum: 0, maximum: LIMITS.ndjsonItems - 1 },
  0,
);

/** The parameters of a query, in the order of its schema. */
function parametersOf({ properties, required = [] }: QuerySchema): ParameterObject[] {
  return Object.entries(properties as Record<string, ParameterSchema & SchemaObject>).map(([name, member]) => {
    // Members of ours are no JSON Schema.
    const { description = '', examples = [], expected: _, unit: __, decimals: ___, ...schema } = member;
    return (required.includes(name) ? requiredQuery : query)(name, description, schema, examples[0]);
  });
}

export const JOB_FILTER: readonly ParameterObject[] = parametersOf(JobFilterSchema);

export const LABELS: readonly ParameterObject[] = parametersOf(LabelsSchema);

/** Parameters of a signed URL. Clients use the URLs as they are. */
export const SIGNED_LINK: readonly ParameterObject[] = [
  path('token', 'Names the job, and is not its id.', { type: 'string', minLength: 1 }, '8d0f3hrzc2m6v9k4t7x1qn5wby'),
  requiredQuery(
    'exp',
    'Unix time in seconds at which the link ends.',
    { type: 'integer', minimum: 1, maximum: 999_999_999_999 },
    1_800_345_600,
  ),
  requiredQuery(
    't',
    'The signature: HMAC-SHA-256, base64url.',
    { type: 'string', pattern: '^[\\w-]{43}$' },
    'QmFzZTY0dXJsLWVuY29kZWQtSE1BQy1TSEEyNTYtLS0',
  ),
];

export const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  `Makes a request safe to repeat: the same key with the same body within ${LIMITS.idempotencyHours} hours answers the first response again and charges nothing. A refused request does not use the key up. While the first request is being answered, the others get 409 \`request_in_progress\`; if the process that answered it was killed, for up to ${LIMITS.idempotencyClaimSeconds} seconds more. 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters, told apart within the organisation.`,
  { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyCharacters, pattern: '^[!-~]+$' },
  '7f3c1a52-order-2041',
);

const ETAG = '"NQ2vB0dGyn2yN4lKmzBhXw"';
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** Preconditions (RFC 9110, section 13) for representations with an entity tag. */
export const ETAG_CONDITIONS: readonly ParameterObject[] = [
  header(
    'If-Match',
    'Entity tags that the client accepts: 412 `precondition_failed` when the current one is not among them.',
    { type: 'string' },
    ETAG,
  ),
  header(
    'If-None-Match',
    'Entity tags that the client has: 304 when the current one is among them.',
    { type: 'string' },
    ETAG,
  ),
];

/** Preconditions for representations that also have a date. A malformed one counts as absent. */
export const DATE_CONDITIONS: readonly ParameterObject[] = [
  header('If-Unmodified-Since', 'Without `If-Match`: 412 when it is newer.', { type: 'string' }, DATE),
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
