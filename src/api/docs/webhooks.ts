/** The messages that the service sends to webhooks: the `webhooks` section of the document. */

import type { OperationObject, ParameterObject, PathsObject } from 'openapi3-ts/oas31';
import { LIMITS } from '../../contract/limits.js';
import { WEBHOOK_MESSAGES } from '../../contract/response-schema.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/response-schema.js';
import type { SchemaComponents } from './components.js';

export const WEBHOOK_TAG = {
  name: 'Webhooks',
  description: `Requests that the service sends to the addresses of an organisation. Owners and admins set them on the account page. They follow Standard Webhooks (standardwebhooks.com): \`webhook-signature\` holds, for each working secret, \`v1,\` and the HMAC-SHA256 of \`id.timestamp.body\` in base64. Any 2xx answer within 10 seconds is success. Otherwise the message is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 6 h and 14 h. When more than ${LIMITS.webhookDeliveries.waiting.toLocaleString('en')} messages wait for an address, the oldest are given up. A message may come twice, with the same \`webhook-id\`.`,
};

const SUMMARIES: Readonly<Record<WebhookEvent, string>> = {
  'job.complete': 'A job is complete',
  'job.failed': 'A job has failed, or was cancelled',
  'credits.low': 'The balance fell below the threshold of the organisation',
};

const header = (name: string, description: string, example: string): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS: readonly ParameterObject[] = [
  header('webhook-id', 'The ID of the message, the same for every attempt.', 'msg_3v7m2kq0x9c5t1b8n4wz6r0hfy'),
  header('webhook-timestamp', 'Unix time of the attempt, in seconds.', '1769860800'),
  header(
    'webhook-signature',
    'One signature or several, with spaces between.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** Every event, as a request to the receiver. */
export function webhooks(components: SchemaComponents): PathsObject {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => {
      const operation: OperationObject = {
        operationId: `on${event.replaceAll(/(?:^|\.)([a-z])/g, (_, first: string) => first.toUpperCase())}`,
        tags: [WEBHOOK_TAG.name],
        summary: SUMMARIES[event],
        description: `The event \`${event}\`.`,
        security: [],
        parameters: [...HEADERS],
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
