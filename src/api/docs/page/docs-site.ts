/**
 * The OpenAPI document, `/llms.txt` and everything below `/docs`, generated once: pages, each guide as Markdown, stylesheet,
 * script, pictures, and the search index.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import type { Config } from '../../../config/config.js';
import { type DocsPage, framed, type PageGroup } from './docs-page.js';
import { errorPage } from './error-page.js';
import { changelogPage, guidePages, type MarkdownPage, PICTURES } from './guide-pages.js';
import { referencePage } from './reference-page.js';
import { searchIndex } from './search-index.js';

// Relative to the package's root, so that sources and compiled files find the same files.
const WEB = fileURLToPath(new URL('../../../../web', import.meta.url));

/** Joined in this order: of equally specific rules the later one wins. */
const STYLE = ['palette', 'style/base', 'style/frame', 'reference/docs'];

/** The script of the pages, and its imports. */
const SCRIPTS = ['docs.js', 'elements.js'];

/** A file as text. */
export interface DocsFile {
  /** Media type, without a charset. */
  type: string;
  text: string;
  /** Headers in addition to those of every document. */
  headers?: Readonly<Record<string, string>>;
}

/** Content security policy: only what lies below `/docs`. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the files by path.
 * @param document made by `createDocument` from the same `settings`
 */
export function docsSite(
  document: OpenAPIObject,
  settings: Pick<Config, 'baseUrl' | 'rateLimits' | 'retentionDays'>,
): ReadonlyMap<string, DocsFile> {
  const { baseUrl } = settings;
  const studio = guidePages('Studio', baseUrl);
  const api = guidePages('API guides', baseUrl);
  const commandLine = guidePages('Reference', baseUrl);
  const changelog = changelogPage();
  const guides = [...studio, ...api, ...commandLine, changelog];
  const groups = [
    { heading: 'Studio', pages: studio },
    { heading: 'API guides', pages: api },
    { heading: 'Reference', pages: [referencePage(document, settings), errorPage(), ...commandLine, changelog] },
  ] satisfies PageGroup[];
  const pages: DocsPage[] = groups.flatMap((group) => group.pages);
  const style = STYLE.map((name) => readFileSync(`${WEB}/${name}.css`, 'utf8')).join('');
  return new Map<string, DocsFile>([
    ['/api/v1/openapi.json', { type: 'application/json', text: JSON.stringify(document) }],
    ...pages.map((page): [string, DocsFile] => [
      page.path,
      { type: 'text/html', text: framed(page, groups), headers: { 'Content-Security-Policy': PAGE_POLICY } },
    ]),
    ...guides.map(({ path, markdown }): [string, DocsFile] => [
      `${path}.md`,
      { type: 'text/markdown', text: markdown },
    ]),
    ['/llms.txt', { type: 'text/plain', text: llmsText(guides, baseUrl) }],
    ['/docs/docs.css', { type: 'text/css', text: style }],
    ...SCRIPTS.map((name): [string, DocsFile] => [
      `/docs/${name}`,
      { type: 'text/javascript', text: readFileSync(`${WEB}/assets/${name}`, 'utf8') },
    ]),
    ['/docs/search.json', { type: 'application/json', text: JSON.stringify(searchIndex(pages)) }],
    ...readdirSync(PICTURES).map((name): [string, DocsFile] => [
      `/docs/pictures/${name}`,
      { type: 'image/svg+xml', text: readFileSync(`${PICTURES}/${name}`, 'utf8') },
    ]),
  ]);
}

/** The list of guides for language models, in the form of llmstxt.org. */
function llmsText(guides: readonly MarkdownPage[], baseUrl: string): string {
  const lines = guides.map(
    ({ path, title, markdown }) => `- [${title}](${baseUrl}${path}.md): ${firstSentence(markdown)}`,
  );
  return [
    '# qrpress',
    '',
    '> QR codes in bulk: post a list of items, get one ZIP file of PNG or SVG pictures.',
    '',
    '## API',
    '',
    `- [OpenAPI 3.1 document](${baseUrl}/api/v1/openapi.json): every endpoint, schema, limit and error`,
    '',
    '## Guides',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** The first sentence below the title of a page. */
function firstSentence(markdown: string): string {
  const paragraph = markdown.split('\n\n')[1] ?? '';
  return (/^.*?[.:](?=\s|$)/s.exec(paragraph)?.[0] ?? paragraph).replaceAll('\n', ' ');
}
