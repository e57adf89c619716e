/** The page at `/docs`: the OpenAPI document for people, complete without scripts and without a second request. */

import type { OpenAPIObject, OperationObject, SchemaObject } from 'openapi3-ts/oas31';
import type { Config } from '../../config.js';
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.js';
import { errorBodySchema } from '../../contract/response-schema.js';
import { ERROR_TABLE } from '../error-table.js';
import { curlCommand } from './curl.js';
import { type DocsPage, docsPage } from './docs-page.js';
import { guideLinks } from './guide-pages.js';
import { limitRows } from './limit-rows.js';
import { headerRows, operationsByTag } from './operation-view.js';
import { escapeHtml } from '../../quoting.js';
import { inline, paragraphs } from './prose.js';
import { schemaView } from './schema-view.js';

/** @param document made by `createDocument` from the same `settings` */
export function renderReferencePage(
  document: OpenAPIObject,
  settings: Pick<Config, 'rateLimits' | 'retentionDays'>,
): DocsPage {
  const { info, components, servers = [] } = document;
  const apiKey = components?.securitySchemes?.['apiKey'];
  return docsPage('./reference', {
    guides: guideLinks(),
    info,
    description: paragraphs(info.description ?? ''),
    baseUrl: servers[0]?.url ?? '',
    quickStart: quickStart(document),
    authentication: inline(apiKey?.description ?? ''),
    tags: operationsByTag(document).map((tag) => ({ ...tag, slug: tag.name.toLowerCase().replaceAll(' ', '-') })),
    schemas: schemas(document),
    headers: headerRows(document),
    errors: errorRows(),
    limits: limitRows(settings),
  });
}

/** The main job in three commands. */
function quickStart({ paths = {}, servers = [] }: OpenAPIObject): string[] {
  const command = (path: string, method: 'get' | 'post', text?: string) =>
    curlCommand(
      { baseUrl: servers[0]?.url ?? '', path, method, operation: paths[path]?.[method] as OperationObject },
      text === undefined ? undefined : { type: 'application/json', text },
    );
  return [
    command(
      '/api/v1/jobs',
      'post',
      '{"items": [{"data": "https://example.org/1"}, {"data": "https://example.org/2"}]}',
    ),
    command('/api/v1/jobs/{jobId}', 'get'),
    command('/api/v1/jobs/{jobId}/download', 'get'),
  ];
}

/** The schemas with members; those of errors are told in the table of errors. */
function schemas({ components }: OpenAPIObject) {
  return (Object.entries(components?.schemas ?? {}) as [string, SchemaObject][])
    .filter(([name]) => !name.endsWith('Error'))
    .map(([name, schema]) => schemaView(name, schema));
}

/** Members that every error has. */
const MEMBERS_OF_ALL = new Set(['error', 'message', 'requestId']);

function errorRows() {
  return (Object.entries(ERROR_STATUS) as [ErrorCode, number][]).map(([code, status]) => ({
    code,
    status,
    condition: inline(ERROR_TABLE[code].condition),
    members: Object.entries(errorBodySchema(code).properties)
      .filter(([name]) => !MEMBERS_OF_ALL.has(name))
      .map(([name, schema]) => {
        const description = 'description' in schema ? inline(String(schema.description)) : '';
        return `<code>${escapeHtml(name)}</code> ${description}`;
      })
      .join('<br>'),
  }));
}
