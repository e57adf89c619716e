/** The guides below `/docs/`: Markdown files of `docs/guides`, and the changelog. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DocsPage } from './docs-page.js';
import { renderMarkdown } from './markdown.js';

// Relative to the package's root, so that sources and compiled files find the same texts.
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const FOLDER = `${ROOT}/docs/guides`;

/** Folder of the guides' pictures, served at `/docs/pictures/…`. */
export const PICTURES = `${FOLDER}/pictures`;

/** The address that the guides have on a code host. The service puts its own in its place. */
const EXAMPLE_URL = 'http://127.0.0.1:8080';

/** A page that exists as Markdown too. */
export interface MarkdownPage extends DocsPage {
  markdown: string;
  markdownPath: string;
}

/** The guides of one heading of the contents, in order. Each name is a file of `docs/guides` and a path below `/docs`. */
const GUIDES = {
  Studio: ['studio', 'csv-and-xlsx', 'patterns-and-kinds', 'style', 'logos', 'captions', 'print-sizes', 'labels'],
  'API guides': [
    'quick-start',
    'keys',
    'large-jobs',
    'idempotency',
    'errors-and-limits',
    'following-a-job',
    'webhooks',
    'downloads',
    'clients',
  ],
  Reference: ['command-line'],
  About: ['versions', 'data-and-privacy', 'accessibility', 'comparison'],
} as const;

/** @param baseUrl origin of this service, which the samples use */
export function guidePages(heading: keyof typeof GUIDES, baseUrl: string): MarkdownPage[] {
  return GUIDES[heading].map((name) => markdownPage(`/docs/${name}`, `${FOLDER}/${name}.md`, baseUrl));
}

export function changelogPage(): MarkdownPage {
  return markdownPage('/docs/changelog', `${ROOT}/CHANGELOG.md`);
}

function markdownPage(path: string, file: string, baseUrl = EXAMPLE_URL): MarkdownPage {
  // Comments are instructions for tests.
  const text = readFileSync(file, 'utf8').replaceAll(/^<!--.*-->\n/gm, '');
  const markdown = text.replaceAll(EXAMPLE_URL, baseUrl).replaceAll('../../CHANGELOG.md', 'changelog.md');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? '';
  return { path, title, content: renderMarkdown(markdown), markdown, markdownPath: `${path}.md` };
}
