/** Samples in several languages as HTML: one is shown at a time, chosen by radio buttons, so that it works without a script. */

import { escapeHtml } from '../../quoting.js';
import type { Sample } from './samples.js';

/** @param id tells these samples from others of the page */
export function samplesHtml(id: string, samples: readonly Sample[]): string {
  const choices = samples.map(({ language, label }, index) => {
    const choice = `${id}-${language}`;
    return `<input type="radio" name="language-${id}" id="${choice}" value="${language}"${index === 0 ? ' checked' : ''}><label for="${choice}">${label}</label>`;
  });
  const texts = samples.map(({ language, text }) => codeHtml(text, language));
  return `<fieldset class="samples"><legend class="hidden-text">Language</legend>${choices.join('')}${texts.join('')}</fieldset>`;
}

/** A program's text that can be reached by keyboard, since it may be wider than its place. */
export function codeHtml(text: string, language = ''): string {
  return `<pre tabindex="0"${language === '' ? '' : ` class="${language}"`}><code>${escapeHtml(text)}</code></pre>`;
}
