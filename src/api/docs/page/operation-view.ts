/**
 * The view model of an operation: requests as curl and in other languages, and possible responses. What `inline`,
 * `paragraphs`, `codeHtml`, `samplesHtml` and `typeAndSchema` make is HTML, the rest is text.
 */

import type {
  ExampleObject,
  HeaderObject,
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathsObject,
  RequestBodyObject,
  ResponseObject,
} from 'openapi3-ts/oas31';
import type { ErrorCode } from '../../../contract/errors.js';
import { ERROR_TABLE } from '../error-table.js';
import { KEY } from '../operation.js';
import { HEADERS_OF_ALL } from '../response-headers.js';
import { escapeHtml } from '../../../platform/quoting.js';
import { codeHtml, inline, paragraphs, samplesHtml } from './html.js';
import { type Call, samples } from './samples.js';
import { type MemberRow, memberRow, referredName } from './schema-view.js';

/** Headers that the page describes once. */
const COMMON_HEADERS = new Set<string>(HEADERS_OF_ALL);

/** Errors that the page describes once. */
export const COMMON_ERRORS: readonly ErrorCode[] = [...KEY, 'invalid_signature', 'link_expired'];

/** The error codes that `response` mentions, without the common ones. */
function ownErrors({ description }: ResponseObject): ErrorCode[] {
  const codes = Array.from(description.matchAll(/^`(\w+)`:/gm), ([, code]) => code as ErrorCode);
  return codes.filter((code) => !COMMON_ERRORS.includes(code));
}

function operationView(call: Call) {
  const { operation, method, path } = call;
  const body = operation.requestBody as RequestBodyObject | undefined;
  const id = operation.operationId ?? '';
  const responses = Object.entries(operation.responses ?? {}) as [string, ResponseObject][];
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: paragraphs(operation.description ?? ''),
    access: (operation.security ?? []).length > 0 ? 'API key' : '',
    parameters: ((operation.parameters ?? []) as ParameterObject[]).map(({ name, in: place, schema, ...rest }) => ({
      ...memberRow(name, schema, rest),
      place,
    })),
    bodyDescription: body === undefined ? '' : paragraphs(body.description ?? ''),
    bodySchemas: Object.entries(body?.content ?? {}).map(([type, content]) => typeAndSchema(type, content)),
    calls: body === undefined ? [{ summary: '', samples: samplesHtml(id, samples(call)) }] : bodyCalls(call, body),
    responses: responses.filter(([status]) => Number(status) < 400).map(responseView),
    errors: responses.flatMap(([status, response]) =>
      Number(status) < 400
        ? []
        : ownErrors(response).map((code) => ({
            status,
            code,
            condition: inline(ERROR_TABLE[code].condition),
          })),
    ),
  };
}

function responseView([status, { description, content = {}, headers = {} }]: [string, ResponseObject]) {
  return {
    status,
    description: paragraphs(description),
    body: Object.entries(content)
      .map(([type, its]) => typeAndSchema(type, its))
      .join('<br>'),
    headers: Object.keys(headers).filter((name) => !COMMON_HEADERS.has(name)),
    examples: Object.values(content).flatMap(examplesOf),
  };
}

function bodyCalls(call: Call, { content }: RequestBodyObject) {
  return Object.entries(content).flatMap(([type, { examples = {} }]) =>
    (Object.entries(examples) as [string, ExampleObject][]).map(([name, { summary = '', value }]) => ({
      summary: inline(summary),
      samples: samplesHtml(`${call.operation.operationId}-${name}`, samples(call, { type, value })),
    })),
  );
}

function bodyText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function examplesOf({ examples = {} }: MediaTypeObject) {
  return (Object.values(examples) as ExampleObject[]).map(({ summary = '', value }) => ({
    summary: inline(summary),
    html: codeHtml(bodyText(value)),
  }));
}

function typeAndSchema(type: string, { schema }: MediaTypeObject): string {
  const name = referredName(schema);
  const link = name === undefined ? '' : `: <a href="#schema-${name}">${name}</a>`;
  return `<code>${escapeHtml(type)}</code>${link}`;
}

/** Every operation, grouped by tag, in the document's order. */
export function operationsByTag({ paths = {}, servers = [], tags = [], webhooks = {} }: OpenAPIObject) {
  const baseUrl = servers[0]?.url ?? '';
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, OperationObject][]).map(([method, operation]) => ({
      baseUrl,
      path,
      method,
      operation,
    })),
  );
  return tags.map(({ name, description = '' }) => ({
    name,
    description: inline(description),
    events: eventsOf(name, webhooks),
    operations: calls.filter(({ operation }) => operation.tags?.includes(name)).map((call) => operationView(call)),
  }));
}

export function headerRows({ components }: OpenAPIObject): MemberRow[] {
  return (Object.entries(components?.headers ?? {}) as [string, HeaderObject][]).map(
    ([name, { schema, description = '' }]) => memberRow(name, schema, { description }),
  );
}

/** The webhook events with this tag, each with a link to its message. */
function eventsOf(tag: string, webhooks: PathsObject) {
  return Object.entries(webhooks).flatMap(([event, { post }]) => {
    if (post === undefined || !post.tags?.includes(tag)) {
      return [];
    }
    const { content } = post.requestBody as RequestBodyObject;
    const messages = Object.entries(content).map(([type, message]) => typeAndSchema(type, message));
    return [{ event, summary: inline(post.summary ?? ''), message: messages.join('<br>') }];
  });
}
