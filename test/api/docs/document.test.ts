import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { RequestBodyObject } from 'openapi3-ts/oas31';
import { expect, it } from 'vitest';
import { ERROR_STATUS } from '../../../src/contract/errors.js';
import { LIMITS } from '../../../src/contract/limits.js';
import { createDocument } from '../../../src/api/docs/document.js';

const document = createDocument({
  baseUrl: 'https://qr.example.org',
  rateLimits: { create: 10, read: 60 },
  retentionDays: 90,
});

/** Problems of a document, a line each. */
async function problemsOf(source: unknown): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

it('keeps to OpenAPI 3.1, and its examples to its schemas', { tags: ['document/valid'] }, async () => {
  expect(await problemsOf(document)).toEqual([]);
});

it.each([
  ['an example that breaks its schema', '"balance":500', '"balance":-1'],
  ['an error example without its members', '"required":1000,"balance":250', '"required":1000'],
  ['a reference to nothing', '#/components/headers/ETag', '#/components/headers/Etag'],
])('would be caught with %s', async (_, text, other) => {
  const source = JSON.stringify(document);
  expect(source).toContain(text);
  expect(await problemsOf(JSON.parse(source.replace(text, other)))).not.toEqual([]);
});

it('has an example of every error, at its status', { tags: ['2.11/error'] }, () => {
  const described = Object.values(document.paths ?? {})
    .flatMap((item) => Object.values(item as Record<string, { responses: Record<string, unknown> }>))
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, response]) => {
      const { content } = response as { content?: Record<string, { examples?: Record<string, unknown> }> };
      return Object.keys(content?.['application/json']?.examples ?? {})
        .filter((name) => name in ERROR_STATUS)
        .map((code) => `${code} ${status}`);
    });
  // No operation answers this one: a wrong method has no operation.
  const { method_not_allowed: _, ...answered } = ERROR_STATUS;
  expect([...new Set(described)].toSorted()).toEqual(
    Object.entries(answered)
      .map(([code, status]) => `${code} ${status}`)
      .toSorted(),
  );
});

it('describes 404 only where the path names a thing that may not exist', () => {
  const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { responses: Record<string, unknown> }>).map(([method, { responses }]) => ({
      operation: `${method} ${path}`,
      names: path.includes('{'),
      describes: '404' in responses,
    })),
  );
  expect(described.length).toBeGreaterThan(10);
  expect(described.filter(({ names, describes }) => names !== describes)).toEqual([]);
});

it('takes its bounds from the table of limits', { tags: ['8/limits'] }, () => {
  const schemas = document.components?.schemas as Record<string, Record<string, Record<string, object>>>;
  expect(schemas['JobRequest']?.['properties']?.['items']).toMatchObject({ minItems: 1, maxItems: LIMITS.jsonItems });
  expect(schemas['Item']?.['properties']?.['data']).toMatchObject({ maxLength: LIMITS.dataCharacters });
  const { default: scale, ...bounds } = LIMITS.scale;
  expect(schemas['Style']?.['properties']?.['scale']).toMatchObject(bounds);
  expect(JSON.stringify(schemas['Style']?.['properties']?.['scale'])).toContain(`Default: \`${scale}\``);
});

it('gives generators of types nothing to misread: no default makes a member required, and NDJSON is text', () => {
  expect(JSON.stringify(document.components?.schemas)).not.toContain('"default":');
  const body = document.paths?.['/api/v1/jobs']?.post?.requestBody as RequestBodyObject | undefined;
  expect(body?.content['application/x-ndjson']?.schema).toMatchObject({ type: 'string' });
});
