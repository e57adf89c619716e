/**
 * The OpenAPI document, `/llms.txt` and everything below `/docs`, generated once: pages, each as Markdown too, stylesheet,
 * script, pictures, and the search index.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import type { Brand } from '../../../config/brand.js';
import type { Config } from '../../../config/config.js';
import { PICTURE_TYPES, type PictureFormat } from '../../../contract/request-schema.js';
import { type DocsPage, framed } from './docs-page.js';
import { errorPage } from './error-page.js';
import { doors, homePage, type MarkdownPage, nameOf, PICTURES, writtenPage } from './guide-pages.js';
import { plainText } from './html.js';
import { limitsPage } from './limits-page.js';
import { referencePage } from './reference-page.js';

// Relative to the package's root, so that sources and compiled files find the same files.
const WEB = fileURLToPath(new URL('../../../../web', import.meta.url));

/** Joined in this order: of equally specific rules the later one wins. */
const STYLE = ['palette', 'style/headings', 'style/base', 'style/frame', 'reference/docs'];

const FONTS = ['headings.woff2', 'headings-extended.woff2'];

/** The script of the pages, and its imports. */
const SCRIPTS = ['docs.js', 'elements.js'];

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
  "font-src 'self'",
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
  brand: Brand,
): ReadonlyMap<string, DocsFile> {
  const { baseUrl } = settings;
  const generated: Readonly<Record<string, () => MarkdownPage>> = {
    api: () => referencePage(document, baseUrl),
    errors: errorPage,
    limits: () => limitsPage(settings),
  };
  const home = homePage(baseUrl);
  const groups = doors().map(({ heading, pages: listed }) => ({
    heading,
    pages: listed.map((page) => generated[nameOf(page.file)]?.() ?? writtenPage(page, baseUrl)),
  }));
  const pages = [home, ...groups.flatMap((group) => group.pages)];
  const style = [
    ...STYLE.map((name) => readFileSync(`${WEB}/${name}.css`, 'utf8')),
    brand.files.get('colours.css'),
  ].join('');
  const logo = brand.logo === undefined ? undefined : brand.files.get(brand.logo);
  const head = { name: brand.name, logo: logo && `/docs/${brand.logo}` };
  return new Map<string, DocsFile>([
    ['/api/v1/openapi.json', { type: 'application/json', content: JSON.stringify(document) }],
    ['/llms.txt', { type: 'text/plain', content: llmsText(groups, baseUrl) }],
    ...pages.flatMap((page): [string, DocsFile][] => [
      [
        page.path,
        {
          type: 'text/html',
          content: framed(page, groups, firstSentence(page.markdown), head),
          headers: { 'Content-Security-Policy': PAGE_POLICY },
        },
      ],
      [page.markdownPath, { type: 'text/markdown', content: page.markdown }],
    ]),
    ['/docs/docs.css', { type: 'text/css', content: style }],
    ...FONTS.map((name): [string, DocsFile] => [
      `/docs/${name}`,
      { type: 'font/woff2', content: readFileSync(`${WEB}/assets/${name}`) },
    ]),
    ...(head.logo === undefined || logo === undefined
      ? []
      : [[head.logo, { type: typeOfPicture(head.logo), content: logo }] as [string, DocsFile]]),
    ...SCRIPTS.map((name): [string, DocsFile] => [
      `/docs/${name}`,
      { type: 'text/javascript', content: readFileSync(`${WEB}/assets/${name}`, 'utf8') },
    ]),
    ['/docs/search.json', { type: 'application/json', content: JSON.stringify(searchIndex(pages)) }],
    ...readdirSync(PICTURES).map((name): [string, DocsFile] => [
      `/docs/pictures/${name}`,
      { type: typeOfPicture(name), content: readFileSync(`${PICTURES}/${name}`) },
    ]),
  ]);
}

function typeOfPicture(name: string): string {
  return PICTURE_TYPES[extname(name).slice(1) as PictureFormat];
}

function llmsText(groups: readonly { heading: string; pages: readonly MarkdownPage[] }[], baseUrl: string): string {
  const sections = groups.map(({ heading, pages }) =>
    [
      `## ${heading}`,
      '',
      ...pages.map(
        ({ title, markdown, markdownPath }) => `- [${title}](${baseUrl}${markdownPath}): ${firstSentence(markdown)}`,
      ),
    ].join('\n'),
  );
  return [
    '# qrpress',
    '> QR codes in bulk: post a list of items, get one ZIP file of PNG or SVG pictures.',
    `The [OpenAPI document](${baseUrl}/api/v1/openapi.json) has every endpoint, schema, limit and error of the API.`,
    ...sections,
    '',
  ].join('\n\n');
}

/** The first sentence below the title of a page, as text. */
function firstSentence(markdown: string): string {
  const paragraph = (markdown.split('\n\n')[1] ?? '').replaceAll('\n', ' ');
  const sentence = /^.*?[.:](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph;
  return sentence
    .replace(/:$/, '.')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '');
}

/** The title of a page, and headings that a link can lead to. Text below other headings belongs to the one before. */
const HEADING = /<h(?:1|[2-4] id="(?<id>[^"]*)")[^>]*>(?<title>[^]*?)<\/h[1-4]>/g;

/** Each section of the pages, with the path of its heading. */
function searchIndex(pages: readonly DocsPage[]) {
  return pages.flatMap(({ path, title: page, content }) => {
    const headings = [...content.matchAll(HEADING)];
    return headings.map(({ index, groups, 0: whole }, position) => ({
      href: groups?.['id'] === undefined ? path : `${path}#${groups['id']}`,
      title: plainText(groups?.['title'] ?? ''),
      page,
      words: wordsOf(content.slice(index + whole.length, headings[position + 1]?.index)),
    }));
  });
}

/** Lower-case words, each once: they are only looked up. */
function wordsOf(html: string): string {
  return [
    ...new Set(
      plainText(html)
        .toLowerCase()
        .match(/[\p{L}\p{N}_-]{2,}/gu),
    ),
  ].join(' ');
}
