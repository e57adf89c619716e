/** Renders a page of Markdown as HTML. */

import MarkdownIt from 'markdown-it';
import { escapeHtml } from '../../../platform/quoting.js';
import { codeHtml, samplesHtml, tabsHtml } from './html.js';
import { LANGUAGES } from './samples.js';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/**
 * Adjacent code blocks in different languages become one block with a choice of language.
 * @param tabs titles of sections of which one is shown at a time
 */
export function renderMarkdown(text: string, tabs: readonly string[] = []): string {
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
  return tabbed(markdown.render(text), tabs);
}

function tabbed(html: string, tabs: readonly string[]): string {
  const sections = html.split(/(?=<h2 id=")/);
  const isTab = (section: string) => tabs.some((title) => section.startsWith(`<h2 id="${anchor(title)}">`));
  const first = sections.findIndex(isTab);
  return first === -1
    ? html
    : [
        ...sections.slice(0, first),
        tabsHtml('method', tabs, sections.filter(isTab)),
        ...sections.slice(first).filter((section) => !isTab(section)),
      ].join('');
}

function fence(tokens: readonly Token[], index: number): string {
  const labelled = ({ type, info }: Token) => type === 'fence' && LANGUAGES.some((each) => each.language === info);
  const own = tokens[index]!;
  if (!labelled(own)) {
    return codeHtml(own.content.trimEnd());
  }
  let first = index;
  while (first > 0 && labelled(tokens[first - 1]!)) first -= 1;
  if (first !== index) {
    // Already rendered with the first block.
    return '';
  }
  const others = tokens.slice(index).findIndex((token) => !labelled(token));
  const blocks = tokens.slice(index, others === -1 ? tokens.length : index + others);
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
  return `<span class="picture"><img src="${escapeHtml(src)}" alt="${escapeHtml(content)}">${caption}</span>`;
}

/** The anchor that a code host gives a heading, so that links lead to the same place there and here. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
