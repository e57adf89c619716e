/** An operation of the public API, and the errors that operations share. */

import type { ParameterObject, RequestBodyObject, ResponseObject } from 'openapi3-ts/oas31';
import type { ErrorCode } from '../../contract/errors.js';

export interface Operation {
  id: string;
  method: 'get' | 'head' | 'post' | 'delete';
  path: string;
  tag: string;
  summary: string;
  /** Paragraphs in Markdown. */
  description: string;
  /** Callers that are allowed: the holder of a key, of a signed URL, or anybody. */
  access: 'key' | 'link' | 'open';
  /** Requests per minute, for each key or link. */
  limitPerMinute?: number;
  parameters: readonly ParameterObject[];
  requestBody?: RequestBodyObject;
  /** Responses of a successful call. */
  responses: Readonly<Record<string, ResponseObject>>;
  errors: readonly ErrorCode[];
}

/** Errors of every operation. `invalid_input` refuses headers that two readers could interpret differently. */
export const ANY: readonly ErrorCode[] = ['invalid_input', 'internal_error', 'unavailable'];
/** Errors of operations that need a key. */
export const KEY: readonly ErrorCode[] = ['invalid_api_key', 'rate_limited', ...ANY];
/** Errors of operations that need a key of full access. */
export const FULL_KEY: readonly ErrorCode[] = [...KEY, 'read_only_key'];
/** Errors of operations that need a signed URL. */
export const LINK: readonly ErrorCode[] = ['invalid_signature', 'link_expired', 'rate_limited', ...ANY];
/** Errors of operations on a job. */
export const JOB: readonly ErrorCode[] = ['not_found'];
