import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERROR_STATUS } from '../../src/contract/errors.js';
import { createDocument } from '../../src/openapi/document.js';
import { DATABASES } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let response: Response;
let html: string;
beforeAll(async () => {
  service = await startTestService(DATABASES[0]!);
  response = await fetch(`${service.url}/docs`);
  html = await response.text();
});
afterAll(() => service.close());

/** Every match's first group. */
const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, group = '']) => group);

it('is a page that may do nothing but show itself in its own style', () => {
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const [style = ''] = all(/<style>([^]*?)<\/style>/g);
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
});

it('asks for nothing else, and has no scripts', () => {
  expect(html).not.toMatch(/<(?:script|iframe|img|object|embed|form|base)\b/i);
  expect(html).not.toMatch(/<[^>]*\s(?:src|srcset|style|on\w+)=/i);
  expect(html).not.toMatch(/@import|url\(/);
  expect(all(/<link [^>]*href="([^"]*)"/g)).toEqual(['data:,']);
});

it('links to places that there are', async () => {
  const ids = all(/\bid="([^"]*)"/g);
  expect(new Set(ids).size).toBe(ids.length);
  const links = all(/<a [^>]*href="([^"]*)"/g);
  expect(links.filter((link) => link.startsWith('#') && !ids.includes(link.slice(1)))).toEqual([]);
  for (const link of new Set(links.filter((other) => !other.startsWith('#')))) {
    expect((await fetch(service.url + link)).status).toBe(200);
  }
});

it('tells about every operation, schema and error', () => {
  const { paths, components } = createDocument(service.config);
  const operations = Object.values(paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  );
  const schemas = Object.keys(components?.schemas ?? {}).filter((name) => !name.endsWith('Error'));
  expect(all(/\bid="([^"]*)"/g)).toEqual(
    expect.arrayContaining([
      ...operations,
      ...schemas.map((name) => `schema-${name}`),
      ...Object.keys(ERROR_STATUS).map((code) => `error-${code}`),
    ]),
  );
  expect(html).not.toMatch(/undefined|\[object Object\]|NaN/);
});

it('gives commands that work as they stand', async () => {
  // The first of the quick start, unquoted as a shell would.
  const [command = ''] = all(/<code>(curl [^]*?)<\/code>/g);
  const [url, ...words] = [...unescaped(command).matchAll(/'([^']*)'|"[^"]*"/g)].map(([, word = '']) => word);
  expect(url).toBe(`${service.config.baseUrl}/api/v1/jobs`);
  const body = words.at(-1) ?? '';
  const answer = await service.post(body);
  expect(answer.status).toBe(202);
  await service.ended(((await answer.json()) as { jobId: string }).jobId);
});

it('is sent once: 304 afterwards', async () => {
  const etag = response.headers.get('etag') ?? '';
  expect((await fetch(`${service.url}/docs`, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

function unescaped(text: string): string {
  const characters: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
  return text.replaceAll(/&[#\w]+;/g, (entity) => characters[entity] ?? entity);
}
