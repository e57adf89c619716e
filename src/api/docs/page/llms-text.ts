/** `/llms.txt`: the list of pages for language models, in the form of llmstxt.org. */

import type { MarkdownPage } from './guide-pages.js';

export function llmsText(
  groups: readonly { heading: string; pages: readonly MarkdownPage[] }[],
  baseUrl: string,
): string {
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

/** The first sentence below the title of a page. */
function firstSentence(markdown: string): string {
  const paragraph = (markdown.split('\n\n')[1] ?? '').replaceAll('\n', ' ');
  return /^.*?\.(?=\s|$)/.exec(paragraph)?.[0] ?? paragraph;
}
