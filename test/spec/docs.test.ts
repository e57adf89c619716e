/** The pages below `/docs`: whole, without dead links, and nothing in them from elsewhere. */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERROR_STATUS } from '../../src/contract/errors.js';
import { WEBHOOK_EVENTS } from '../../src/contract/response-schema.js';
import { createDocument } from '../../src/api/docs/document.js';
import { BUGS, VERSION } from '../../src/platform/version.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
/** Texts of all pages that can be reached from `/docs`, by path. */
const pages = new Map<string, string>();
beforeAll(async () => {
  service = await startTestService(sqlite);
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const response = await fetch(service.url + path);
    expect(response.status, path).toBe(200);
    pages.set(path, await response.text());
    const links = all(pages.get(path) ?? '', /<a [^>]*href="(\/docs[^"#]*)/g).filter((link) => !link.endsWith('.md'));
    waiting.push(...links.filter((link) => !pages.has(link) && !waiting.includes(link)));
  }
});
afterAll(() => service.close());

/** Every match's first group. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);
const idsOf = (html: string) => all(html, /\bid="([^"]*)"/g);

it('are those of the table in docs/README.md, each with what search engines and readers want', async () => {
  const home = await readFile(new URL('../../docs/README.md', import.meta.url), 'utf8');
  const rows = home.split('\n').filter((line) => line.startsWith('| **'));
  const files = all(rows.join(), /\]\(([^)]*)\.md\)/g);
  const paths = files.map((file) => `/docs/${file.split('/').at(-1)?.toLowerCase()}`);
  expect([...pages.keys()].toSorted()).toEqual(['/docs', ...paths].toSorted());
  for (const row of rows) {
    expect(row.match(/\.md\)/g)?.length, row).toBeLessThanOrEqual(6);
  }
  const descriptions = [...pages].map(([path, html]) => {
    expect(html).toMatch(/<h1>[^<]+<\/h1>/);
    expect(html).toContain('aria-current="page"');
    expect(html).not.toMatch(/undefined|\[object Object\]|NaN|tested:|test=/);
    expect(html).toContain(`<footer>qrpress ${VERSION} · `);
    expect(html.includes('>Report a mistake</a>')).toBe(BUGS !== undefined);
    expect(all(html, /href="([^"]*)"/g).filter((link) => /\/OWNER\b/.test(link))).toEqual([]);
    const [description = ''] = all(html, /<meta name="description" content="([^"]*)">/g);
    expect(description, path).toMatch(/^[A-Z`q].{20,}[.]$/);
    return description;
  });
  expect(new Set(descriptions).size).toBe(descriptions.length);
});

it('lead from the first to the last by next, and back', () => {
  const way = ['/docs'];
  for (let path: string | undefined = '/docs'; path !== undefined; ) {
    const [next]: string[] = all(pages.get(path) ?? '', /<a rel="next" href="([^"]*)"/g);
    if (next !== undefined) {
      way.push(next);
      expect(all(pages.get(next) ?? '', /<a rel="prev" href="([^"]*)"/g)).toEqual(path === '/docs' ? [] : [path]);
    }
    path = next;
  }
  expect(way.toSorted()).toEqual([...pages.keys()].toSorted());
});

it('may use what lies below /docs, and nothing else', { tags: ['document/pages'] }, async () => {
  for (const [path, html] of pages) {
    const { headers } = await fetch(service.url + path);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      "script-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(html).not.toMatch(/<(?:style|iframe|object|embed|form|base)\b/i);
    expect(html).not.toMatch(/<[^>]*\s(?:srcset|style|on\w+)=/i);
    for (const used of all(html, /<(?:script|img|link) [^>]*(?:src|href)="([^"]*)"/g).filter(
      (url) => url !== 'data:,',
    )) {
      expect(used).toMatch(/^\/docs(?:\/|\.md$)/);
      expect((await fetch(service.url + used)).status, used).toBe(200);
    }
  }
  const style = await (await fetch(`${service.url}/docs/docs.css`)).text();
  expect(style).not.toContain('@import');
  for (const used of all(style, /url\("([^"]*)"/g)) {
    expect((await fetch(new URL(used, `${service.url}/docs/`))).status, used).toBe(200);
  }
});

it('link to places that there are', async () => {
  for (const [path, html] of pages) {
    const ids = idsOf(html);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of new Set(all(html, /<a [^>]*href="([^"]*)"/g).filter((url) => !url.startsWith('https://')))) {
      const [target = '', fragment] = link.split('#');
      const text = target === '' ? html : (pages.get(target) ?? '');
      if (text === '') {
        expect((await fetch(service.url + target)).status, link).toBe(200);
      }
      expect(fragment === undefined || idsOf(text).includes(fragment), `${link} on ${path}`).toBe(true);
    }
  }
  expect((await fetch(`${service.url}/docs/nothing`)).status).toBe(404);
});

it('tell about every operation, schema and error', { tags: ['document/pages'] }, () => {
  const { paths, components } = createDocument(service.config);
  const operations = Object.values(paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  );
  const schemas = Object.keys(components?.schemas ?? {}).filter((name) => !name.endsWith('Error'));
  expect(idsOf(pages.get('/docs/api') ?? '')).toEqual(
    expect.arrayContaining([...operations, ...schemas.map((name) => `schema-${name}`)]),
  );
  for (const event of WEBHOOK_EVENTS) {
    expect(pages.get('/docs/api')).toContain(`<td><code>${event}</code></td>`);
  }
  expect(idsOf(pages.get('/docs/errors') ?? '')).toEqual(
    expect.arrayContaining(Object.keys(ERROR_STATUS).map((code) => `error-${code}`)),
  );
});

it('tell of common errors once', () => {
  const reference = pages.get('/docs/api') ?? '';
  for (const code of ['invalid_api_key', 'rate_limited', 'internal_error']) {
    expect(all(reference, new RegExp(`<code>(${code})</code>`, 'g'))).toHaveLength(1);
  }
});

it('give commands that work as they stand', async () => {
  // The first of the reference, unquoted as a shell would.
  const [command = ''] = all(pages.get('/docs/api') ?? '', /<code>(curl [^]*?)<\/code>/g);
  const [url, ...words] = [...unescaped(command).matchAll(/'([^']*)'|"[^"]*"/g)].map(([, word = '']) => word);
  expect(url).toBe(`${service.config.baseUrl}/api/v1/jobs`);
  const { jobId } = await service.submit(words.at(-1) ?? '', { 'content-type': 'application/json' });
  await service.ended(jobId);
});

it('can be searched: every entry leads to a heading', async () => {
  const response = await fetch(`${service.url}/docs/search.json`);
  const entries = (await response.json()) as { href: string; title: string; words: string }[];
  expect(entries.length).toBeGreaterThan(100);
  for (const { href } of entries) {
    const [path = '', fragment] = href.split('#');
    expect(fragment === undefined || idsOf(pages.get(path) ?? '').includes(fragment), href).toBe(true);
  }
  expect(entries.find(({ href }) => href === '/docs/errors#error-rate_limited')?.words).toContain('retry-after');
  // Its parameters are below a heading without an address of its own.
  expect(entries.find(({ href }) => href === '/docs/api#createJob')?.words).toContain('idempotency-key');
  expect(new Set(entries.map(({ href }) => href)).size).toBe(entries.length);
});

it('are Markdown at their address and .md, which /llms.txt lists', async () => {
  const response = await fetch(`${service.url}/llms.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  // Each with a sentence.
  const listed = all(await response.text(), /^- \[[^\]]+\]\((http[^)]*)\): [\w`][^\n]*\.$/gm).map((url) =>
    url.slice(service.config.baseUrl.length),
  );
  const others = [...pages.keys()].filter((path) => path !== '/docs');
  expect(listed.toSorted()).toEqual(others.map((path) => `${path}.md`).toSorted());
  for (const path of ['/docs.md', ...listed]) {
    const guide = await fetch(service.url + path);
    expect(guide.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const markdown = await guide.text();
    expect(markdown).toMatch(/^# \S/);
    const own = all(markdown.replaceAll(/^```[^]*?^```$/gm, ''), /\]\((?!https:\/\/|#)([^)#\s]+)/g);
    for (const link of new Set(own)) {
      expect(link).toContain(`${service.config.baseUrl}/docs`);
      expect((await fetch(service.url + link.slice(service.config.baseUrl.length))).status, link).toBe(200);
    }
  }
  const start = await (await fetch(`${service.url}/docs/quick-start.md`)).text();
  expect(start).toContain(`QRPRESS_URL=${service.config.baseUrl}`);
});

it('are sent once: 304 afterwards', async () => {
  const etag = (await fetch(`${service.url}/docs`)).headers.get('etag') ?? '';
  expect((await fetch(`${service.url}/docs`, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

function unescaped(text: string): string {
  const characters: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
  return text.replaceAll(/&[#\w]+;/g, (entity) => characters[entity] ?? entity);
}
