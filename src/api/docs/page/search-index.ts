/** The search index: the text of each page, split at its headings. */

import type { DocsPage } from './docs-page.js';

/** The title of a page, and headings that a link can lead to. Text below other headings belongs to the one before. */
const HEADING = /<h(?:1|[2-4] id="(?<id>[^"]*)")[^>]*>(?<title>[^]*?)<\/h[1-4]>/g;

const CHARACTERS: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

/** Each section of the pages, with the path of its heading. */
export function searchIndex(pages: readonly DocsPage[]) {
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

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&([#\w]+);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
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
