/** The OpenAPI document, generated from the validating schemas, the limits and the table of errors. */

import type { OpenAPIObject, OperationObject, PathsObject } from 'openapi3-ts/oas31';
import type { Config } from '../../config/config.js';
import { LIMITS } from '../../contract/limits.js';
import { counted } from '../../platform/counted.js';
import { SchemaComponents } from './components.js';
import { errorResponses } from './error-responses.js';
import type { Operation } from './operation.js';
import { operations } from './operations.js';
import { headerComponents } from './response-headers.js';
import { WEBHOOK_TAG, webhooks } from './webhooks.js';

/** Settings that affect callers. */
type DocumentSettings = Pick<Config, 'baseUrl' | 'rateLimits' | 'retentionDays'>;

const SECURITY = { key: [{ apiKey: [] }], link: [], open: [] };

/** @returns the document; equal settings give equal documents */
export function createDocument({ baseUrl, rateLimits, retentionDays }: DocumentSettings): OpenAPIObject {
  const components = new SchemaComponents();
  const paths: PathsObject = {};
  for (const operation of operations(components, rateLimits)) {
    (paths[operation.path] ??= {})[operation.method] = operationObject(operation, components);
  }
  const messages = webhooks(components);
  return {
    openapi: '3.1.1',
    info: {
      title: 'qrpress: QR codes in bulk',
      version: '1.0',
      description: description(retentionDays),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Credits', description: 'The balance of the organisation. Every item of a job costs one credit.' },
      { name: 'Jobs', description: 'Create, follow and download jobs with an API key.' },
      { name: 'Labels', description: 'The codes of a job on sheets of labels, as a PDF.' },
      {
        name: 'Signed URLs',
        description:
          'Status and archive for whoever has the link, without a key, until it expires. Use the URLs exactly as they are.',
      },
      WEBHOOK_TAG,
      { name: 'Documentation', description: 'The description of this API.' },
    ],
    paths,
    webhooks: messages,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key belongs to an organisation and sees only its jobs and credits. Owners and admins create and revoke keys on the account page. A key is shown once.',
        },
      },
      headers: headerComponents(),
      schemas: components.all(),
    },
  };
}

function operationObject(operation: Operation, components: SchemaComponents): OperationObject {
  const { id, method, tag, summary, access, parameters, requestBody, responses, errors } = operation;
  const refusals = errorResponses(
    { codes: errors, isRateLimited: access === 'key', hasBody: method !== 'head', hasPage: access === 'link' },
    components,
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [operation.description, limit(operation)].filter(Boolean).join('\n\n'),
    security: SECURITY[access],
    parameters: [...parameters],
    ...(requestBody && { requestBody }),
    responses: { ...responses, ...refusals },
  };
}

function limit({ access, limitPerMinute }: Operation): string {
  return limitPerMinute === undefined
    ? ''
    : `Limit: ${counted(limitPerMinute, 'request')} per minute for each ${access}.`;
}

function description(retentionDays: number): string {
  return [
    `Create a job of 1 to ${LIMITS.ndjsonItems.toLocaleString('en')} items, poll it until it is complete, then download one ZIP archive of PNG and/or SVG images. One style applies to every item of a job; every item costs one credit.`,
    'A job is first `processing`, then `zipping`, then `complete`; from either of the first two it may become `failed`, which returns its credits. A request with a mistake is refused before it costs credits.',
    `Results and signed URLs are kept for ${counted(retentionDays, 'day')}; then the job is deleted, and answers \`not_found\`.`,
    'Each key has its own rate limit at each endpoint. Refused requests count too, except those whose key is wrong.',
    'Bodies are JSON in UTF-8, save for NDJSON requests and ZIP downloads. An error is an object with a machine-readable `error`, a `message` for people, and the `requestId` that `X-Request-Id` has too. Within v1 there will only be additions: ignore members that you do not know. We announce removals at least 12 months ahead in `Deprecation` and `Sunset` headers.',
    'Every path answers `HEAD` like `GET`, without the body, and `OPTIONS` with its methods. Other methods are refused with 405 `method_not_allowed`. A request that is not HTTP, or arrives too slowly, is refused with 400, 408 or 431, in the form of `invalid_input`.',
  ].join('\n\n');
}
