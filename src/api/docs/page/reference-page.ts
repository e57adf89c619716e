/** The reference at `/docs/api`: the OpenAPI document for people, readable without scripts. */

import type { OpenAPIObject, OperationObject, SchemaObject } from 'openapi3-ts/oas31';
import { renderTemplate } from './docs-page.js';
import type { MarkdownPage } from './guide-pages.js';
import { headerRows, operationsByTag } from './operation-view.js';
import { inline, paragraphs, samplesHtml } from './html.js';
import { samples } from './samples.js';
import { schemaView } from './schema-view.js';

export function referencePage(document: OpenAPIObject, baseUrl: string): MarkdownPage {
  const { info, components } = document;
  const apiKey = components?.securitySchemes?.['apiKey'];
  const tags = operationsByTag(document).map((tag) => ({
    ...tag,
    slug: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
  }));
  const shownSchemas = schemas(document);
  const content = renderTemplate('reference', {
    info,
    description: paragraphs(info.description ?? ''),
    baseUrl,
    firstJob: firstJob(document),
    authentication: inline(apiKey?.description ?? ''),
    tags,
    schemas: shownSchemas,
    headers: headerRows(document),
  });
  const parts = [
    { href: '#start', title: 'A first job' },
    { href: '#authentication', title: 'Authentication' },
    { href: '#common-errors', title: 'Common errors' },
    ...tags.map(({ name, slug, operations }) => ({
      href: `#${slug}`,
      title: name,
      parts: operations.map(({ id, summary }) => ({ href: `#${id}`, title: summary })),
    })),
    {
      href: '#schemas',
      title: 'Schemas',
      parts: shownSchemas.map(({ name }) => ({ href: `#schema-${name}`, title: name })),
    },
    { href: '#headers', title: 'Response headers' },
  ];
  const path = '/docs/api';
  return {
    path,
    title: 'API',
    content,
    parts,
    markdown: referenceMarkdown(document, baseUrl),
    markdownPath: `${path}.md`,
  };
}

/** The endpoints as Markdown. `docs/reference/api.md` is the same with all defaults, for readers of the repository. */
function referenceMarkdown({ paths = {} }: OpenAPIObject, baseUrl: string): string {
  const endpoints = Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, OperationObject][]).map(
      ([method, { summary = '' }]) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |`,
    ),
  );
  return [
    '# API',
    '',
    'Every endpoint and what it does. Parameters, answers and errors are at `/docs/api` of a running service, and in its OpenAPI 3.1 document,',
    `${baseUrl}/api/v1/openapi.json.`,
    '',
    '| Request | Does |',
    '|---|---|',
    ...endpoints,
    '',
  ].join('\n');
}

/** The typical job in three requests. */
function firstJob({ paths = {}, servers = [] }: OpenAPIObject): string[] {
  const call = (path: string, method: 'get' | 'post', value?: unknown) =>
    samples(
      { baseUrl: servers[0]?.url ?? '', path, method, operation: paths[path]?.[method] as OperationObject },
      value === undefined ? undefined : { type: 'application/json', value },
    );
  return [
    call('/api/v1/jobs', 'post', { items: [{ data: 'https://example.org/1' }, { data: 'https://example.org/2' }] }),
    call('/api/v1/jobs/{jobId}', 'get'),
    call('/api/v1/jobs/{jobId}/download', 'get'),
  ].map((languages, index) => samplesHtml(`start-${index}`, languages));
}

/** The schemas with members. Those of errors are in the catalogue of errors. */
function schemas({ components }: OpenAPIObject) {
  return (Object.entries(components?.schemas ?? {}) as [string, SchemaObject][])
    .filter(([name]) => !name.endsWith('Error'))
    .map(([name, schema]) => schemaView(name, schema));
}
