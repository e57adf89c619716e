/** The reference at `/docs`: the OpenAPI document for people, readable without scripts. */

import type { OpenAPIObject, OperationObject, SchemaObject } from 'openapi3-ts/oas31';
import type { Config } from '../../../config/config.js';
import { LIMITS, PICTURES_PER_READ } from '../../../contract/limits.js';
import { counted } from '../../../platform/counted.js';
import { renderTemplate } from './docs-page.js';
import type { MarkdownPage } from './guide-pages.js';
import { headerRows, operationsByTag } from './operation-view.js';
import { inline, paragraphs, samplesHtml } from './html.js';
import { samples } from './samples.js';
import { schemaView } from './schema-view.js';

/** @param document made by `createDocument` from the same `settings` */
export function referencePage(
  document: OpenAPIObject,
  settings: Pick<Config, 'rateLimits' | 'retentionDays'>,
): MarkdownPage {
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
  const markdown = referenceMarkdown(document, settings);
  return { path: '/docs', title: 'API reference', content, parts, markdown, markdownPath: '/docs/reference.md' };
}

/** Endpoints and limits as Markdown. `docs/guides/reference.md` is the same with all defaults, for readers of the repository. */
function referenceMarkdown(
  { paths = {} }: OpenAPIObject,
  settings: Pick<Config, 'rateLimits' | 'retentionDays'>,
): string {
  const endpoints = Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, OperationObject][]).map(
      ([method, { summary = '' }]) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |`,
    ),
  );
  const limits = limitRows(settings).map(({ name, value }) => `| ${name} | ${value} |`);
  return [
    '# API reference',
    '',
    'The endpoints and limits of the API. A running service has the whole reference at `/docs`, and the OpenAPI 3.1',
    'document at `/api/v1/openapi.json`.',
    '',
    '## Endpoints',
    '',
    '| Request | Does |',
    '|---|---|',
    ...endpoints,
    '',
    '## Limits',
    '',
    '| What | Limit |',
    '|---|---|',
    ...limits,
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

/** Section 8 of the specification as table rows. */
function limitRows({ rateLimits, retentionDays }: Pick<Config, 'rateLimits' | 'retentionDays'>) {
  const rows: [name: string, value: string][] = [
    ['Items of a JSON job', `1 to ${number(LIMITS.jsonItems)}`],
    ['Items of an NDJSON job', `1 to ${number(LIMITS.ndjsonItems)}`],
    ['JSON body, as sent and decoded', megabytes(LIMITS.jsonBodyBytes)],
    ['NDJSON body, as sent and decoded', megabytes(LIMITS.ndjsonBodyBytes)],
    ["An item's data", characters(LIMITS.dataCharacters)],
    ["An item's filename", characters(LIMITS.filenameCharacters)],
    ["An item's reference", characters(LIMITS.referenceCharacters)],
    ['A caption', characters(LIMITS.captionCharacters)],
    ['The name of a job', characters(LIMITS.jobNameCharacters)],
    [
      'A name in the archive',
      `${characters(LIMITS.archiveNameCharacters)} and ${LIMITS.fileNameBytes} bytes of UTF-8, with the extension`,
    ],
    ["A logo's data URL", characters(LIMITS.logoDataUrlCharacters)],
    ["A logo's edge, as a fraction of the code's", between(LIMITS.logoSizeRatio)],
    ['Scale, in pixels per module', between(LIMITS.scale)],
    ['Margin, in modules', between(LIMITS.margin)],
    ["A caption's font size", between(LIMITS.captionFontSize)],
    ['Pixels per inch in print (dpi)', between(LIMITS.dpi)],
    ['A side of an image', `at most ${number(LIMITS.sidePx)} px`],
    [
      'An Idempotency-Key',
      `1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters, kept for ${LIMITS.idempotencyHours} hours`,
    ],
    ['Jobs per page of the list', `${between(LIMITS.jobsOfPage)}, by default ${LIMITS.jobsOfPage.default}`],
    ['Webhooks of an organisation', `at most ${LIMITS.webhooks}`],
    ['Issues that an error lists', `the first ${LIMITS.issues}`],
    ['Creating a job; checking one', `${perMinute(rateLimits.create)} per key, each`],
    ['Every other endpoint', `${perMinute(rateLimits.read)} per key, each`],
    ['Single pictures', `${perMinute(rateLimits.read * PICTURES_PER_READ)} per key`],
    ['Status by signed URL', `${perMinute(LIMITS.linkRequestsPerMinute.status)} per link`],
    ['Download by signed URL', `${perMinute(LIMITS.linkRequestsPerMinute.download)} per link`],
    ['Results and signed URLs are kept', counted(retentionDays, 'day')],
  ];
  return rows.map(([name, value]) => ({ name, value }));
}

const number = (value: number) => value.toLocaleString('en');
const megabytes = (bytes: number) => `at most ${bytes / 1e6} MB (${number(bytes)} bytes)`;
const characters = (count: number) => `at most ${number(count)} characters`;
const perMinute = (count: number) => `${counted(count, 'request', number)} per minute`;
const between = ({ minimum, maximum }: { minimum: number; maximum: number }) => `${minimum} to ${maximum}`;
