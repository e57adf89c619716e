/** Checks responses against the OpenAPI document: status, headers and body must contain only what it describes. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type {
  HeaderObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
} from 'openapi3-ts/oas31';
import { createDocument } from '../../src/api/docs/document.js';
import { DESCRIBED } from './described-paths.js';

/** Headers outside the contract: those of connections, and security headers for browsers. */
const BESIDE_THE_CONTRACT = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

const document = closed(createDocument({ baseUrl: '', rateLimits: { create: 1, read: 1 }, retentionDays: 1 }));
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'openapi');
formats.default(ajv);

/** Operations of the document. Paths without parameters come first, because they take precedence. */
const PATHS = Object.entries(document.paths ?? {})
  .map(([path, item]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    item,
  }))
  .toSorted((left, right) => left.path.split('{').length - right.path.split('{').length);

/** A request and its response. */
export interface Exchange {
  method: string;
  /** Path without the query. */
  path: string;
  status: number;
  headers: Headers;
  /** The response's body, if it is JSON. */
  json: unknown;
  /** The request's body, if it is text. */
  sent?: { type: string; text: string };
}

/** Differences between an exchange and the document, one per line. */
export function departures(exchange: Exchange): string[] {
  const { method, path, status } = exchange;
  if (!DESCRIBED.test(path)) {
    return [];
  }
  const described = PATHS.find(({ pattern }) => pattern.test(path));
  const operation = described && operationOf(described.item, method);
  if (described === undefined || operation === undefined) {
    const expected = method === 'OPTIONS' ? [204, 404] : described === undefined ? [404] : [405];
    return expected.includes(status) ? [] : [`${method} ${path} is not described, and answered ${status}`];
  }
  const where = `${method} ${described.path} ${status}`;
  const response = operation.responses?.[String(status)] as ResponseObject | undefined;
  if (response === undefined) {
    return [`${where} is not described`];
  }
  return [
    ...headerDepartures(response, exchange),
    ...bodyDepartures(response, exchange),
    ...requestDepartures(operation, exchange),
  ].map((departure) => `${where}: ${departure}`);
}

/** The operation of a request. HEAD is that of GET unless it is described itself. */
function operationOf(item: object, method: string): OperationObject | undefined {
  const operations = item as Record<string, OperationObject>;
  return operations[method.toLowerCase()] ?? (method === 'HEAD' ? operations['get'] : undefined);
}

function headerDepartures(response: ResponseObject, { headers }: Exchange): string[] {
  const described = Object.entries(response.headers ?? {}).map(([name, header]) => ({
    name: name.toLowerCase(),
    header: resolved(header),
  }));
  const names = new Set([...described.map(({ name }) => name), ...BESIDE_THE_CONTRACT]);
  const strangers = [...headers.keys()].filter((name) => !names.has(name));
  return [
    ...strangers.map((name) => `the header ${name} is not described`),
    ...described.flatMap(({ name, header }) => {
      const value = headers.get(name);
      if (value === null) {
        return header.required ? [`the header ${name} is missing`] : [];
      }
      const schema = header.schema as { type?: string };
      const validate = validatorOf(schema);
      const typed = schema.type === 'integer' ? Number(value) : value;
      return validate(typed) ? [] : [`the header ${name} is ${value}`];
    }),
  ];
}

function bodyDepartures(response: ResponseObject, { method, headers, json }: Exchange): string[] {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const content = response.content?.[type];
  if (content === undefined) {
    const none = response.content === undefined && (type === '' || method === 'HEAD');
    return none ? [] : [`the content type ${type || 'none'} is not described`];
  }
  if (method === 'HEAD' || type !== 'application/json') {
    return [];
  }
  const validate = validatorOf(content.schema ?? {});
  return validate(json) ? [] : [`${ajv.errorsText(validate.errors)} in ${JSON.stringify(json).slice(0, 1_000)}`];
}

/** Codes of issues that a schema can express. The others are about bytes, spelling and pictures. */
const OF_THE_SCHEMA = new Set([
  'required',
  'unknown_member',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'invalid_value',
  'conflict',
]);

/** Longer bodies are not checked: it would take too long for a test. */
const LONGEST_REQUEST = 1_000_000;

/** Checks a body's schema against the service: it allows accepted bodies, and forbids those refused for one of its rules. */
function requestDepartures(operation: OperationObject, { status, json, sent }: Exchange): string[] {
  const body = operation.requestBody as RequestBodyObject | undefined;
  const schema = body?.content[sent?.type ?? '']?.schema;
  if (sent === undefined || schema === undefined || sent.text.length > LONGEST_REQUEST) {
    return [];
  }
  const { issues = [] } = (json ?? {}) as { issues?: { code: string }[] };
  const isRefusedByTheSchema = issues.some(({ code }) => OF_THE_SCHEMA.has(code));
  if (status >= 300 && !isRefusedByTheSchema) {
    return [];
  }
  // For NDJSON, `contentSchema` describes the lines.
  const validate = validatorOf('contentSchema' in schema ? (schema.contentSchema as object) : schema);
  const isValid = validate(valueOf(sent));
  if (isValid !== isRefusedByTheSchema) {
    return [];
  }
  const verdict = isValid ? 'which the schema allows' : `of which the schema says: ${ajv.errorsText(validate.errors)}`;
  return [`to the body ${sent.text.slice(0, 1_000)}, ${verdict}`];
}

/** The value that a body's schema describes. NDJSON is the array of its lines. Undefined: the body is not JSON. */
function valueOf({ type, text }: { type: string; text: string }): unknown {
  const json = text.replace(/^\ufeff/, '');
  try {
    if (type === 'application/json') {
      return JSON.parse(json);
    }
    const [meta = '', ...items] = json.split('\n');
    return [meta, ...items.filter((line) => line.trim() !== '')].map((line) => JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}

const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  let validate = validators.get(schema);
  if (validate === undefined) {
    // References point into the document that contains the schema.
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/');
    validate = ajv.compile(JSON.parse(text) as object);
    validators.set(schema, validate);
  }
  return validate;
}

function resolved(header: HeaderObject | ReferenceObject): HeaderObject {
  const name = header.$ref?.split('/').at(-1);
  return (name === undefined ? header : document.components?.headers?.[name]) as HeaderObject;
}

/** The document with every object closed. A client ignores unknown members; a test must not. */
function closed(open: OpenAPIObject): OpenAPIObject {
  return JSON.parse(JSON.stringify(open), (name, value: unknown) =>
    isObjectSchema(value) && name !== 'schema' ? { additionalProperties: false, ...value } : value,
  ) as OpenAPIObject;
}

function isObjectSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'object';
}
