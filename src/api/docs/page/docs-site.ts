/**
 * The OpenAPI document, `/llms.txt` and everything below `/docs`, generated once: pages, each as Markdown too, stylesheet,
 * script, pictures, and the search index.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import type { Config } from '../../../config/config.js';
import { framed, type PageGroup } from './docs-page.js';
import { errorPage } from './error-page.js';
import { changelogPage, guidePages, type MarkdownPage, PICTURES } from './guide-pages.js';
import { llmsText } from './llms-text.js';
import { referencePage } from './reference-page.js';
import { searchIndex } from './search-index.js';

// Relative to the package's root, so that sources and compiled files find the same files.
const WEB = fileURLToPath(new URL('../../../../web', import.meta.url));

/** Joined in this order: of equally specific rules the later one wins. */
const STYLE = ['palette', 'style/base', 'style/frame', 'reference/docs'];

/** The script of the pages, and its imports. */
const SCRIPTS = ['docs.js', 'elements.js'];

const PICTURE_TYPES: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png' };

export interface DocsFile {
  /** Media type, without a charset. */
  type: string;
  content: string | Buffer;
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
  const groups = [
    { heading: 'Studio', pages: guidePages('Studio', baseUrl) },
    { heading: 'API guides', pages: guidePages('API guides', baseUrl) },
    {
      heading: 'Reference',
      pages: [referencePage(document, settings), errorPage(), ...guidePages('Reference', baseUrl), changelogPage()],
    },
    { heading: 'About', pages: guidePages('About', baseUrl) },
  ] satisfies (PageGroup & { pages: MarkdownPage[] })[];
  const pages = groups.flatMap((group) => group.pages);
  const style = STYLE.map((name) => readFileSync(`${WEB}/${name}.css`, 'utf8')).join('');
  return new Map<string, DocsFile>([
    ['/api/v1/openapi.json', { type: 'application/json', content: JSON.stringify(document) }],
    ['/llms.txt', { type: 'text/plain', content: llmsText(groups, baseUrl) }],
    ...pages.flatMap((page): [string, DocsFile][] => [
      [
        page.path,
        { type: 'text/html', content: framed(page, groups), headers: { 'Content-Security-Policy': PAGE_POLICY } },
      ],
      [page.markdownPath, { type: 'text/markdown', content: page.markdown }],
    ]),
    ['/docs/docs.css', { type: 'text/css', content: style }],
    ...SCRIPTS.map((name): [string, DocsFile] => [
      `/docs/${name}`,
      { type: 'text/javascript', content: readFileSync(`${WEB}/assets/${name}`, 'utf8') },
    ]),
    ['/docs/search.json', { type: 'application/json', content: JSON.stringify(searchIndex(pages)) }],
    ...readdirSync(PICTURES).map((name): [string, DocsFile] => [
      `/docs/pictures/${name}`,
      { type: PICTURE_TYPES[extname(name)] ?? '', content: readFileSync(`${PICTURES}/${name}`) },
    ]),
  ]);
}
