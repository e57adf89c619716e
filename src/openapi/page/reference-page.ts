/** The page at `/docs`: the OpenAPI document for people, complete without scripts and without a second request. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { OpenAPIObject, OperationObject, SchemaObject } from 'openapi3-ts/oas31';
import type { Config } from '../../config.js';
import { ERROR_STATUS, type ErrorCode } from '../../errors.js';
import { errorBodySchema } from '../../intake/responses.js';
import { ERROR_TABLE } from '../error-table.js';
import { curlCommand } from './curl.js';
import { limitRows } from './limit-rows.js';
import { headerRows, operationsByTag } from './operation-view.js';
import { escapeHtml, inline, paragraphs } from './prose.js';
import { schemaView } from './schema-view.js';

// From the package's root, so that sources and compiled files find the same template.
const TEMPLATES = fileURLToPath(new URL('../../../web/reference', import.meta.url));

export interface ReferencePage {
  html: string;
  /** The policy that it works under: its own style, and nothing else. */
  contentSecurityPolicy: string;
}

/** @param document made by `createDocument` from the same `settings` */
export function renderReferencePage(
  document: OpenAPIObject,
  settings: Pick<Config, 'rateLimits' | 'retentionDays'>,
): ReferencePage {
  const style = readFileSync(`${TEMPLATES}/reference.css`, 'utf8');
  const { info, components, servers = [] } = document;
  const apiKey = components?.securitySchemes?.['apiKey'];
  const html = new Eta({ views: TEMPLATES, autoTrim: [false, 'nl'] }).render('./reference', {
    style,
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
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
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
