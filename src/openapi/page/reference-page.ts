/** The reference at `/docs`: the OpenAPI document for people, readable without scripts. */

import type { OpenAPIObject, OperationObject, SchemaObject } from 'openapi3-ts/oas31';
import type { Config } from '../../config.js';
import { type DocsPage, renderTemplate } from './docs-page.js';
import { limitRows } from './limit-rows.js';
import { headerRows, operationsByTag } from './operation-view.js';
import { inline, paragraphs } from './prose.js';
import { samples } from './samples.js';
import { samplesHtml } from './samples-html.js';
import { schemaView } from './schema-view.js';

/** @param document made by `createDocument` from the same `settings` */
export function referencePage(
  document: OpenAPIObject,
  settings: Pick<Config, 'rateLimits' | 'retentionDays'>,
): DocsPage {
  const { info, components, servers = [] } = document;
  const apiKey = components?.securitySchemes?.['apiKey'];
  const tags = operationsByTag(document).map((tag) => ({
    ...tag,
    slug: `tag-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
  }));
  const shownSchemas = schemas(document);
  const content = renderTemplate('reference', {
    info,
    description: paragraphs(info.description ?? ''),
    baseUrl: servers[0]?.url ?? '',
    firstJob: firstJob(document),
    authentication: inline(apiKey?.description ?? ''),
    tags,
    schemas: shownSchemas,
    headers: headerRows(document),
    limits: limitRows(settings),
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
    { href: '#limits', title: 'Limits' },
  ];
  return { path: '/docs', title: 'API reference', content, parts };
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
