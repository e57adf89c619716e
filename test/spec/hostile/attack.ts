/** A request that means harm, and what becomes of it. */

import { head } from '../../support/raw-http.js';

/** The target of an attack. */
export interface Target {
  key: string;
  /** A complete job of the key's organisation, and its signed URLs. */
  jobId: string;
  statusUrl: string;
  downloadUrl: string;
  /** A complete job of another organisation. */
  strangersJobId: string;
}

export interface Attack {
  name: string;
  /** The request, byte for byte; the connection is to be closed behind the answer. */
  request: (target: Target) => Buffer;
  /**
   * The answer: `status`, `status code`, or `status code: path issue` with the first of the issues
   * (`line path issue` in NDJSON).
   */
  outcome: string;
}

/** Large ones are made when it is their turn. */
export type Body = string | Buffer | (() => string | Buffer);

export const JSON_TYPE = 'Content-Type: application/json';
export const NDJSON_TYPE = 'Content-Type: application/x-ndjson';

/** A request with the key, and a body whose length it tells. */
export function request(requestLine: string, headers: readonly string[], body: Body = ''): (target: Target) => Buffer {
  return ({ key }) => {
    const made = typeof body === 'function' ? body() : body;
    const content = typeof made === 'string' ? Buffer.from(made) : made;
    const lines = [
      ...(headers.some((line) => /^authorization:/i.test(line)) ? [] : [`Authorization: Bearer ${key}`]),
      ...headers,
      ...(content.length > 0 ? [`Content-Length: ${content.length}`] : []),
    ];
    return Buffer.concat([Buffer.from(head(`${requestLine} HTTP/1.1`, ...lines), 'latin1'), content]);
  };
}

/** A body that asks for a job. */
export function job(name: string, headers: readonly string[], body: Body, outcome: string): Attack {
  return { name, request: request('POST /api/v1/jobs', headers, body), outcome };
}

/** A body that would be accepted, and is only asked about. */
export function harmless(name: string, headers: readonly string[], body: Body): Attack {
  return { name, request: request('POST /api/v1/jobs/validate', headers, body), outcome: '200' };
}
