/** The OpenAPI document and everything below `/docs`, generated once: pages, stylesheet, script, pictures, and the search index. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import type { Config } from '../../../config/config.js';
import { type DocsPage, framed, type PageGroup } from './docs-page.js';
import { errorPage } from './error-page.js';
import { changelogPage, guidePages, PICTURES } from './guide-pages.js';
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
  settings: Pick<Config, 'rateLimits' | 'retentionDays'>,
): ReadonlyMap<string, DocsFile> {
  const guides = guidePages();
  const references = [referencePage(document, settings), errorPage(), changelogPage()];
  const groups: PageGroup[] = [
    { heading: 'Guides', pages: guides },
    { heading: 'Reference', pages: references },
  ];
  const pages: DocsPage[] = [...guides, ...references];
  const style = STYLE.map((name) => readFileSync(`${WEB}/${name}.css`, 'utf8')).join('');
  return new Map<string, DocsFile>([
    ['/api/v1/openapi.json', { type: 'application/json', text: JSON.stringify(document) }],
    ...pages.map((page): [string, DocsFile] => [
      page.path,
      { type: 'text/html', text: framed(page, groups), headers: { 'Content-Security-Policy': PAGE_POLICY } },
    ]),
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
