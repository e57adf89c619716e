/** Renders text and code samples as HTML, and HTML as text. */

import { escapeHtml } from '../../../platform/quoting.js';
import type { Sample } from './samples.js';

const CHARACTERS: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };

/** The text of HTML. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&([#\w]+);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The content of one paragraph, with code in backticks. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/**
 * Code samples in several languages. Radio buttons choose the visible one, so that it works without a script.
 * @param id distinguishes these samples from others on the page
 */
export function samplesHtml(id: string, samples: readonly Sample[]): string {
  const choices = samples.map(({ language, label }, index) => {
    const choice = `${id}-${language}`;
    return `<input type="radio" name="language-${id}" id="${choice}" value="${language}"${index === 0 ? ' checked' : ''}><label for="${choice}">${label}</label>`;
  });
  const texts = samples.map(({ language, text }) => codeHtml(text, language));
  return `<fieldset class="samples"><legend class="hidden-text">Language</legend>${choices.join('')}${texts.join('')}</fieldset>`;
}

/** Sections of which one is shown at a time. Radio buttons choose it; the address of a heading shows its section too. */
export function tabsHtml(name: string, titles: readonly string[], sections: readonly string[]): string {
  const choices = titles.map((title, index) => {
    const choice = `${name}-${index}`;
    return `<input type="radio" name="${name}" id="${choice}"${index === 0 ? ' checked' : ''}><label for="${choice}">${escapeHtml(title)}</label>`;
  });
  const parts = sections.map((section) => `<section>${section}</section>`);
  return `<div class="ways"><fieldset class="samples"><legend class="hidden-text">Choose one</legend>${choices.join('')}</fieldset>${parts.join('')}</div>`;
}

/** A code block that can be focused by keyboard, since it may need scrolling. */
export function codeHtml(text: string, language = ''): string {
  return `<pre tabindex="0"${language === '' ? '' : ` class="${language}"`}><code>${escapeHtml(text)}</code></pre>`;
}
