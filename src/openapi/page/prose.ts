/** Renders descriptions as HTML: paragraphs, and code in backticks. */

import { escapeHtml } from '../../quoting.js';

/** The content of one paragraph. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}
