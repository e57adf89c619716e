/** The guides below `/docs/`: Markdown files of `docs/guides`, rendered once. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { docsPage } from './docs-page.js';

// From the package's root, so that sources and compiled files find the same texts.
const FOLDER = fileURLToPath(new URL('../../../docs/guides', import.meta.url));

/** Guides in the order in which the contents list them. */
const SLUGS = [
  'quick-start',
  'spreadsheets',
  'logos',
  'captions',
  'print-sizes',
  'waiting-and-webhooks',
  'keys',
] as const;

/** A guide in the contents. */
export interface GuideLink {
  /** Last part of the path. */
  slug: string;
  title: string;
}

export interface GuidePage extends GuideLink {
  html: string;
  contentSecurityPolicy: string;
}

/** The guides by their titles, for the contents of other pages. */
export function guideLinks(): GuideLink[] {
  return SLUGS.map((slug) => ({ slug, title: titleOf(textOf(slug)) }));
}

export function renderGuidePages(): GuidePage[] {
  const markdown = new MarkdownIt();
  const guides = guideLinks();
  return guides.map(({ slug, title }) => {
    const content = markdown.render(textOf(slug));
    return { slug, title, ...docsPage('./guide', { title, slug, guides, content }) };
  });
}

/** A guide's Markdown without its comments, which are about tests. */
function textOf(slug: string): string {
  return readFileSync(`${FOLDER}/${slug}.md`, 'utf8').replaceAll(/^<!--.*-->\n/gm, '');
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}
