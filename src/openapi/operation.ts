/** An operation of the public API, and the errors that operations have in common. */

import type { ParameterObject, RequestBodyObject, ResponseObject } from 'openapi3-ts/oas31';
import type { ErrorCode } from '../contract/errors.js';

export interface Operation {
  id: string;
  method: 'get' | 'head' | 'post' | 'delete';
  path: string;
  tag: string;
  summary: string;
  /** Paragraphs in Markdown. */
  description: string;
  /** Its callers: the holder of a key, of a signed URL, or anybody. */
  access: 'key' | 'link' | 'open';
  /** Requests per minute, for each key or link. */
  limitPerMinute?: number;
  parameters: readonly ParameterObject[];
  requestBody?: RequestBodyObject;
  /** Its answers when nothing is wrong. */
  responses: Readonly<Record<string, ResponseObject>>;
  errors: readonly ErrorCode[];
}

/** Errors of whatever is asked; `invalid_input` refuses headers that two readers could take for different ones. */
export const ANY: readonly ErrorCode[] = ['invalid_input', 'internal_error', 'unavailable'];
/** Errors of what a key opens. */
export const KEY: readonly ErrorCode[] = ['invalid_api_key', 'rate_limited', ...ANY];
/** Errors of what a signed URL opens. */
export const LINK: readonly ErrorCode[] = ['invalid_signature', 'link_expired', 'rate_limited', ...ANY];
/** Errors of a job that is read. */
export const JOB: readonly ErrorCode[] = ['not_found'];
