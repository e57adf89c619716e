/** The parameters of requests. */

import type { ParameterObject, SchemaObject } from 'openapi3-ts/oas31';
import { LIMITS } from '../../contract/limits.js';
import { CURSOR_PATTERN, JOB_STATUSES } from '../../contract/response-schema.js';

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

const index = { type: 'integer', minimum: 0, maximum: LIMITS.ndjsonItems - 1 } as const;

export const ITEM_INDEX = path('index', "The item's place in the request, from 0.", index, 0);

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

const mm = (name: string, description: string, minimum: number, example: number) =>
  query(
    name,
    `${description}, in millimetres with at most ${LIMITS.labelMm.decimals} decimals.`,
    { type: 'number', minimum, maximum: LIMITS.labelMm.maximum },
    example,
  );
const length = (name: string, description: string, example: number) =>
  mm(name, description, LIMITS.labelMm.minimum, example);
const margin = (name: string, description: string, example: number) => mm(name, description, 0, example);
/** The sheet, the items and the look of a file of labels. */
export const LABELS: readonly ParameterObject[] = [
  requiredQuery(
    'sheet',
    'A `name` of `GET /api/v1/label-sheets`; `single`: one label a page, with `labelWidth` and `labelHeight`; `custom`: with `pageWidth`, `pageHeight`, `labelWidth`, `labelHeight`, `columns` and `rows`, and where they are wanted `left`, `top`, `gapX` and `gapY`.',
    { type: 'string', minLength: 1 },
    'avery-l7160',
  ),
  length('labelWidth', 'Width of a label', 63.5),
  length('labelHeight', 'Height of a label', 38.1),
  length('pageWidth', 'Width of the page', 210),
  length('pageHeight', 'Height of the page', 297),
  query('columns', 'Labels beside one another.', { type: 'integer', ...LIMITS.labelsOfSide }, 3),
  query('rows', 'Labels below one another.', { type: 'integer', ...LIMITS.labelsOfSide }, 7),
  margin('left', 'From the left edge of the page to the first label; without it, the labels are in the middle', 7.25),
  margin('top', 'From the top edge of the page to the first label; without it, the labels are in the middle', 15.15),
  margin('gapX', 'Between two labels beside one another; 0 without it', 2.5),
  margin('gapY', 'Between two labels below one another; 0 without it', 0),
  query(
    'first',
    'The first free label of the first sheet, row by row from 1; 1 without it.',
    { type: 'integer', minimum: 1 },
    1,
  ),
  query('from', 'Index of the first item; 0 without it.', index, 0),
  query('to', 'Index of the last item; that of the job without it.', index, 0),
  length(
    'size',
    'Edge of every code without its quiet zone; without it, a code is as large as its label and caption allow',
    20,
  ),
  query('cutMarks', 'Draws crosses at the corners of the labels.', { type: 'boolean' }, false),
];

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
