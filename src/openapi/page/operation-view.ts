/** An operation as a reader wants it: what to send, as curl, and what may come back. */

import type {
  ExampleObject,
  HeaderObject,
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from 'openapi3-ts/oas31';
import { HEADERS_OF_ALL } from '../response-headers.js';
import { type Call, curlCommand } from './curl.js';
import { escapeHtml } from '../../quoting.js';
import { inline, paragraphs } from './prose.js';
import { type MemberRow, memberRow, referredName } from './schema-view.js';

export interface ExampleView {
  /** HTML. */
  summary: string;
  text: string;
}

export interface ResponseView {
  status: string;
  /** HTML. */
  description: string;
  /** HTML: content types, and the schema of the body where it has a name. */
  body: string;
  headers: readonly string[];
  examples: readonly ExampleView[];
}

export interface OperationView {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** HTML. */
  description: string;
  access: string;
  parameters: readonly (MemberRow & { place: string })[];
  /** HTML, of the body. */
  bodyDescription: string;
  /** HTML, a link to each schema of the body. */
  bodySchemas: readonly string[];
  commands: readonly ExampleView[];
  responses: readonly ResponseView[];
}

/** Headers that the page tells about once. */
const COMMON_HEADERS = new Set<string>(HEADERS_OF_ALL);

function operationView(call: Call): OperationView {
  const { operation, method, path } = call;
  const body = operation.requestBody as RequestBodyObject | undefined;
  const isError = (status: string) => Number(status) >= 400;
  const responses = Object.entries(operation.responses ?? {}) as [string, ResponseObject][];
  return {
    id: operation.operationId ?? '',
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
    commands: body === undefined ? [{ summary: '', text: curlCommand(call) }] : bodyCommands(call, body),
    responses: responses.map(([status, response]) => ({
      status,
      description: paragraphs(response.description),
      body: isError(status)
        ? ''
        : Object.entries(response.content ?? {})
            .map(([type, content]) => typeAndSchema(type, content))
            .join('<br>'),
      headers: Object.keys(response.headers ?? {}).filter((name) => !COMMON_HEADERS.has(name)),
      examples: Object.values(response.content ?? {}).flatMap((content) => examplesOf(content, isError(status))),
    })),
  };
}

function bodyCommands(call: Call, { content }: RequestBodyObject): ExampleView[] {
  return Object.entries(content).flatMap(([type, { examples = {} }]) =>
    (Object.values(examples) as ExampleObject[]).map(({ summary = '', value }) => ({
      summary: inline(summary),
      text: curlCommand(call, { type, text: bodyText(value) }),
    })),
  );
}

function bodyText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** @param isError examples of errors are named after their codes, whose meaning the response tells already */
function examplesOf({ examples = {} }: MediaTypeObject, isError: boolean): ExampleView[] {
  return (Object.entries(examples) as [string, ExampleObject][]).map(([name, { summary = '', value }]) => ({
    summary: inline(isError ? `An example of \`${name}\`` : summary),
    text: bodyText(value),
  }));
}

function typeAndSchema(type: string, { schema }: MediaTypeObject): string {
  const name = referredName(schema);
  const link = name === undefined ? '' : `: <a href="#schema-${name}">${name}</a>`;
  return `<code>${escapeHtml(type)}</code>${link}`;
}

/** Every operation, by its tag, in the document's order. */
export function operationsByTag({ paths = {}, servers = [], tags = [] }: OpenAPIObject) {
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
    operations: calls.filter(({ operation }) => operation.tags?.includes(name)).map((call) => operationView(call)),
  }));
}

/** The headers of responses, as rows. */
export function headerRows({ components }: OpenAPIObject): MemberRow[] {
  return (Object.entries(components?.headers ?? {}) as [string, HeaderObject][]).map(
    ([name, { schema, description = '' }]) => memberRow(name, schema, { description }),
  );
}
