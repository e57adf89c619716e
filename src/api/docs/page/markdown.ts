/** Renders a page of Markdown as HTML. Its links are those of a code host, and lead to the pages of this service. */

import MarkdownIt from 'markdown-it';
import { escapeHtml } from '../../../platform/quoting.js';
import { codeHtml, samplesHtml } from './html.js';
import { LANGUAGES, type Sample } from './samples.js';

/** Languages of the guides: those of the reference, and those of whole programs. */
const GUIDE_LANGUAGES: readonly Pick<Sample, 'language' | 'label'>[] = [
  ...LANGUAGES,
  { language: 'go', label: 'Go' },
  { language: 'php', label: 'PHP' },
  { language: 'cs', label: 'C#' },
];

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Adjacent code blocks in different languages become one block with a choice of language. */
export function renderMarkdown(text: string): string {
  const markdown = new MarkdownIt();
  markdown.renderer.rules['fence'] = (tokens, index) => fence(tokens, index);
  markdown.renderer.rules['heading_open'] = (tokens, index) => {
    const { tag } = tokens[index]!;
    const title = tokens[index + 1]?.content ?? '';
    return tag === 'h1' ? '<h1>' : `<${tag} id="${anchor(title)}">`;
  };
  markdown.renderer.rules['link_open'] = (tokens, index) =>
    `<a href="${escapeHtml(pathOf(String(tokens[index]!.attrGet('href'))))}">`;
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
  const samples = GUIDE_LANGUAGES.flatMap(({ language, label }) =>
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

/** The path on this service of what `href` names on a code host: `logos.md#warnings` is `/docs/logos#warnings`. */
function pathOf(href: string): string {
  const name = /^([\w-]+)\.md(#.*)?$/.exec(href);
  if (name === null) {
    return href;
  }
  const [, page = '', fragment = ''] = name;
  return `${page === 'reference' ? '/docs' : `/docs/${page}`}${fragment}`;
}

/** The anchor that a code host gives a heading, so that links lead to the same place there and here. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
