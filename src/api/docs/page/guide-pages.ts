/** The guides below `/docs/`: Markdown files of `docs/guides`, and the changelog. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { escapeHtml } from '../../../platform/quoting.js';
import type { DocsPage } from './docs-page.js';
import { LANGUAGES } from './samples.js';
import { codeHtml, samplesHtml } from './html.js';

// Relative to the package's root, so that sources and compiled files find the same texts.
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const FOLDER = `${ROOT}/docs/guides`;

/** Folder of the guides' pictures, served at `/docs/pictures/…`. */
export const PICTURES = `${FOLDER}/pictures`;

/** Guides in the order of the contents. */
const SLUGS = [
  'quick-start',
  'spreadsheets',
  'style',
  'logos',
  'captions',
  'print-sizes',
  'labels',
  'waiting-and-webhooks',
  'keys',
] as const;

export function guidePages(): DocsPage[] {
  return SLUGS.map((slug) => markdownPage(`/docs/${slug}`, `${FOLDER}/${slug}.md`));
}

export function changelogPage(): DocsPage {
  return markdownPage('/docs/changelog', `${ROOT}/CHANGELOG.md`);
}

function markdownPage(path: string, file: string): DocsPage {
  // Comments are instructions for tests.
  const text = readFileSync(file, 'utf8').replaceAll(/^<!--.*-->\n/gm, '');
  return { path, title: /^# (.+)$/m.exec(text)?.[1] ?? '', content: renderMarkdown(text) };
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Renders Markdown as HTML. Adjacent code blocks in different languages become one block with a choice of language. */
function renderMarkdown(text: string): string {
  const markdown = new MarkdownIt();
  markdown.renderer.rules['fence'] = (tokens, index) => fence(tokens, index);
  markdown.renderer.rules['heading_open'] = (tokens, index) => {
    const { tag } = tokens[index]!;
    const title = tokens[index + 1]?.content ?? '';
    return tag === 'h1' ? '<h1>' : `<${tag} id="${anchor(title)}">`;
  };
  markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n';
  markdown.renderer.rules['table_close'] = () => '</table></div>\n';
  markdown.renderer.rules['image'] = (tokens, index) => picture(tokens[index]!);
  return markdown.render(text);
}

function fence(tokens: readonly Token[], index: number): string {
  const isCode = (token: Token | undefined): token is Token => token?.type === 'fence' && token.info !== '';
  const own = tokens[index]!;
  if (isCode(own) && isCode(tokens[index - 1])) {
    // Already rendered with the first block.
    return '';
  }
  const blocks = [own];
  while (isCode(own) && isCode(tokens[index + blocks.length])) {
    blocks.push(tokens[index + blocks.length]!);
  }
  if (blocks.length === 1) {
    return codeHtml(own.content.trimEnd());
  }
  const samples = LANGUAGES.flatMap(({ language, label }) =>
    blocks.filter(({ info }) => info === language).map(({ content }) => ({ language, label, text: content.trimEnd() })),
  );
  return samplesHtml(`sample-${index}`, samples);
}

/** A picture with its title below it. The title is the style that it was drawn in. */
function picture({ content, attrs }: Token): string {
  const { src = '', title = '' } = Object.fromEntries((attrs ?? []).map(([name, value]) => [name, String(value)]));
  const caption = title === '' ? '' : `<span><code>${escapeHtml(title.slice(1, -1))}</code></span>`;
  return `<span class="picture"><img src="/docs/${escapeHtml(src)}" alt="${escapeHtml(content)}">${caption}</span>`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
