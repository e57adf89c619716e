/** The error responses of an operation, generated from its error codes. */

import type { ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.js';
import { ERROR_BODY_SCHEMAS } from '../../contract/response-schema.js';
import type { SchemaComponents } from './components.js';
import { ERROR_TABLE, REQUEST_ID } from './error-table.js';
import { type HeaderName, headersOf } from './response-headers.js';

/** Properties of an operation that decide its error responses. */
interface ErrorContext {
  codes: readonly ErrorCode[];
  /** True when a key's bucket is counted and reported in headers. */
  isRateLimited: boolean;
  /** True when the error object is sent: the response to HEAD has only headers. */
  hasBody: boolean;
  /** True when people in a browser get a page, according to `Accept`. */
  hasPage: boolean;
}

/** Headers that an error of this status always has, besides those of every response. */
const HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range', 'ETag', 'Last-Modified', 'Accept-Ranges'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Headers that an error of this status may have. */
const POSSIBLE_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  409: ['Retry-After'],
  415: ['Accept-Encoding'],
};

/** Headers that report a key's bucket. */
export const RATE_LIMIT_HEADERS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

const NO_HEADERS = { always: [], perhaps: [] };

/** The bucket's headers by status: absent before the bucket is read, optional where it may have been. */
function rateLimitHeaders(status: number): { always: readonly HeaderName[]; perhaps: readonly HeaderName[] } {
  const isAlways = status > 401 && status < 500;
  const isPossible = status === 400 || status >= 500;
  return { always: isAlways ? RATE_LIMIT_HEADERS : [], perhaps: isPossible ? RATE_LIMIT_HEADERS : [] };
}

/** The responses of `codes`, sorted by status. */
export function errorResponses(
  { codes, isRateLimited, hasBody, hasPage }: ErrorContext,
  components: SchemaComponents,
): Record<string, ResponseObject> {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].toSorted((left, right) => left - right);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status);
      const { always, perhaps } = isRateLimited ? rateLimitHeaders(status) : NO_HEADERS;
      return [
        status,
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERROR_TABLE[code].condition}`).join('\n\n'),
          headers: headersOf(
            [...(HEADERS[status] ?? []), ...always],
            [...(POSSIBLE_HEADERS[status] ?? []), ...perhaps],
          ),
          ...(hasBody && {
            content: {
              'application/json': { schema: schemaOf(ofStatus, components), examples: examplesOf(ofStatus) },
              ...(hasPage && { 'text/html': { schema: { type: 'string' as const } } }),
            },
          }),
        },
      ];
    }),
  );
}

function schemaOf(codes: readonly ErrorCode[], components: SchemaComponents): SchemaObject {
  const references = codes.map((code) => ({ code, ...components.refer(ERROR_BODY_SCHEMAS[code]) }));
  const [first, ...others] = references;
  if (first !== undefined && others.length === 0) {
    return { $ref: first.$ref };
  }
  return {
    oneOf: references.map(({ $ref }) => ({ $ref })),
    discriminator: {
      propertyName: 'error',
      mapping: Object.fromEntries(references.map(({ code, $ref }) => [code, $ref])),
    },
  };
}

/** An example per code, named after it. */
function examplesOf(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const { condition, example } = ERROR_TABLE[code];
      return [code, { summary: condition, value: { error: code, ...example, requestId: REQUEST_ID } }];
    }),
  );
}
