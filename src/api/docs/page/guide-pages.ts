/** The written pages below `/docs/`: Markdown files of the repository, in the order of `docs/README.md`. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOMEPAGE } from '../../../platform/version.js';
import type { DocsPage } from './docs-page.js';
import { plainText } from './html.js';
import { renderMarkdown } from './markdown.js';

// Relative to the package's root, so that sources and compiled files find the same texts.
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const HOME = 'docs/README.md';

/** Folder of the pages' pictures, served at `/docs/pictures/…`. */
export const PICTURES = `${ROOT}/docs/pictures`;

/** The address that the guides have on a code host. The service puts its own in its place. */
const EXAMPLE_URL = 'http://127.0.0.1:8080';

/** A row of the table of `docs/README.md`, and the pages in it. */
const ROW = /^\| \*\*(?<heading>\w+)\*\*.*$/gm;
const LINK = /\[(?<title>[^\]]*)\]\((?<file>[^)]+\.md)\)/g;

/** A link or picture of Markdown whose target is a path. */
const TARGET = /(?<=\]\()(?![a-z]+:|#)(?<target>[^)\s#]+)(?<fragment>#[^)\s]*)?/g;

/** A link of Markdown to a path, and no picture. */
const PATH_LINK = /(?<!!)\[(?<text>[^\]]*)\]\((?![a-z]+:|#)(?<target>[^)\s#]+)(?:#[^)\s]*)?\)/g;

/** The end of a fence's first line that names the test that runs the block. */
const TEST_MARK = /^(```\w+) test=.*$/gm;

const SECTION = /<h2 id="(?<id>[^"]*)">(?<title>.*?)<\/h2>/g;

/** Methods of installation, of which a reader takes one. */
const TABS: Readonly<Record<string, readonly string[]>> = {
  install: ['systemd', 'Container', 'Clone', 'Kubernetes', 'Bundle'],
};

/** A page that exists as Markdown too. */
export interface MarkdownPage extends DocsPage {
  markdown: string;
  markdownPath: string;
}

/** A page as the table names it. */
export interface TablePage {
  title: string;
  /** Path from the package's root. */
  file: string;
}

/** The pages of each door, in order. */
export function doors(): { heading: string; pages: TablePage[] }[] {
  const text = readFileSync(join(ROOT, HOME), 'utf8');
  return Array.from(text.matchAll(ROW), ({ 0: row, groups }) => ({
    heading: groups?.['heading'] ?? '',
    pages: Array.from(row.matchAll(LINK), (link) => ({
      title: link.groups?.['title'] ?? '',
      file: normalize(`docs/${link.groups?.['file']}`),
    })),
  }));
}

/** The name of a page below `/docs`, such as `webhooks` for `docs/build/webhooks.md`. */
export function nameOf(file: string): string {
  return basename(file, '.md').toLowerCase();
}

/** The page at `/docs` itself. @param baseUrl origin of this service, which samples and links of the Markdown have */
export function homePage(baseUrl: string): MarkdownPage {
  return markdownPage({ title: 'Documentation', file: HOME }, '/docs', baseUrl);
}

export function writtenPage(page: TablePage, baseUrl: string): MarkdownPage {
  return markdownPage(page, `/docs/${nameOf(page.file)}`, baseUrl);
}

function markdownPage({ title, file }: TablePage, path: string, baseUrl: string): MarkdownPage {
  // Comments are instructions for those who change the page.
  const text = readFileSync(join(ROOT, file), 'utf8')
    .replaceAll(/^<!--.*-->\n/gm, '')
    .replaceAll(EXAMPLE_URL, baseUrl)
    .replaceAll(TEST_MARK, '$1');
  const served = servedFiles();
  const nameOfTarget = (target: string) => normalize(join(dirname(file), target));
  const withPaths =
    HOMEPAGE === undefined
      ? text.replaceAll(PATH_LINK, (link, words: string, target: string) => {
          const name = nameOfTarget(target);
          return served.has(name) ? link : pathInWords(words, name);
        })
      : text;
  const linked = (suffix: string, origin: string) =>
    withPaths.replaceAll(TARGET, (_, target: string, fragment = '') => {
      const name = nameOfTarget(target);
      if (name.startsWith('docs/pictures/')) return `${origin}/${name}`;
      const page = served.get(name);
      return page === undefined ? `${HOMEPAGE}/blob/main/${name}${fragment}` : `${origin}${page}${suffix}${fragment}`;
    });
  const content = renderMarkdown(linked('', ''), TABS[nameOf(file)]);
  return {
    path,
    title,
    content,
    parts: Array.from(content.matchAll(SECTION), ({ groups }) => ({
      href: `#${groups?.['id']}`,
      title: plainText(groups?.['title'] ?? ''),
    })),
    markdown: linked('.md', baseUrl),
    markdownPath: `${path}.md`,
  };
}

/** A file of the repository, where no code host is known that a link could lead to. */
function pathInWords(words: string, name: string): string {
  return name.startsWith(words) ? `\`${name}\`` : `${words} (\`${name}\`)`;
}

/** Paths below `/docs` by file. */
function servedFiles(): ReadonlyMap<string, string> {
  const files = doors().flatMap((door) => door.pages);
  return new Map([[HOME, '/docs'], ...files.map(({ file }) => [file, `/docs/${nameOf(file)}`] as const)]);
}
