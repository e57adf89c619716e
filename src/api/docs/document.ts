/** The OpenAPI document, generated from the validating schemas, the limits and the table of errors. */

import type { OpenAPIObject, OperationObject, ParameterObject, PathsObject } from 'openapi3-ts/oas31';
import type { Config } from '../../config/config.js';
import { LIMITS } from '../../contract/limits.js';
import { counted } from '../../platform/counted.js';
import { SchemaComponents } from './components.js';
import { errorResponses } from './error-responses.js';
import type { Operation } from './operation.js';
import { operations } from './operations.js';
import { headerComponents } from './response-headers.js';
import { WEBHOOK_EVENTS, WEBHOOK_MESSAGES, type WebhookEvent } from '../../contract/response-schema.js';
import { requiredHeader } from './parameters.js';

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
  const isConditional = parameters.some(({ name }) => name === 'If-Match');
  const codes: typeof errors = isConditional ? [...errors, 'precondition_failed'] : errors;
  const refusals = errorResponses(
    { codes, isRateLimited: access === 'key', hasBody: method !== 'head', hasPage: access === 'link' },
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
    'A job is first `processing`, then `zipping`, then `complete`; from either of the first two it may become `failed`, which returns its credits, but for items of a cancelled job that were drawn already. A request with a mistake is refused before it costs credits.',
    `Results and signed URLs are kept for ${counted(retentionDays, 'day')}; then the job is deleted, and answers \`not_found\`.`,
    'Each key has its own rate limit at each endpoint. Refused requests count too, except those whose key is wrong.',
    'Bodies are JSON in UTF-8, save for NDJSON requests and ZIP downloads. An error is an object with a machine-readable `error`, a `message` for people, and the `requestId` that `X-Request-Id` has too. Within v1 there will only be additions: ignore members that you do not know. We announce removals at least 12 months ahead in `Deprecation` and `Sunset` headers.',
    'Every path answers `HEAD` like `GET`, without the body, and `OPTIONS` with its methods. Other methods are refused with 405 `method_not_allowed`. A request that is not HTTP, or arrives too slowly, is refused with 400, 408 or 431, in the form of `invalid_input`.',
  ].join('\n\n');
}

/** The messages that the service sends to webhooks. */
const WEBHOOK_TAG = {
  name: 'Webhooks',
  description: `Requests that the service sends to the addresses of an organisation. Owners and admins set them on the account page. They follow Standard Webhooks (standardwebhooks.com): \`webhook-signature\` holds, for each working secret, \`v1,\` and the HMAC-SHA256 of \`id.timestamp.body\` in base64. Any 2xx answer within 10 seconds is success. Otherwise the message is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 6 h and 14 h. When more than ${LIMITS.webhookDeliveries.waiting.toLocaleString('en')} messages wait for an address, the oldest are given up. A message may come twice, with the same \`webhook-id\`.`,
};

const WEBHOOK_SUMMARIES: Readonly<Record<WebhookEvent, string>> = {
  'job.complete': 'A job is complete',
  'job.failed': 'A job has failed, or was cancelled',
  'credits.low': 'The balance fell below the threshold of the organisation',
};

const webhookHeader = (name: string, meaning: string, example: string) =>
  requiredHeader(name, meaning, { type: 'string' }, example);

const WEBHOOK_HEADERS: readonly ParameterObject[] = [
  webhookHeader('webhook-id', 'The ID of the message, the same for every attempt.', 'msg_3v7m2kq0x9c5t1b8n4wz6r0hfy'),
  webhookHeader('webhook-timestamp', 'Unix time of the attempt, in seconds.', '1769860800'),
  webhookHeader(
    'webhook-signature',
    'One signature or several, with spaces between.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** Every event, as a request to the receiver. */
function webhooks(components: SchemaComponents): PathsObject {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => {
      const operation: OperationObject = {
        operationId: `on${event.replaceAll(/(?:^|\.)([a-z])/g, (_, first: string) => first.toUpperCase())}`,
        tags: [WEBHOOK_TAG.name],
        summary: WEBHOOK_SUMMARIES[event],
        description: `The event \`${event}\`.`,
        security: [],
        parameters: [...WEBHOOK_HEADERS],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: components.refer(WEBHOOK_MESSAGES[event]) } },
        },
        responses: {
          '2XX': { description: 'The message is accepted.' },
          default: { description: 'The message is sent again later.' },
        },
      };
      return [event, { post: operation }];
    }),
  );
}
