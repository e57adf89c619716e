/** The text of a mail, once as plain text and once as simple HTML. */

import { escapeHtml } from '../platform/quoting.js';

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

interface LetterContent {
  subject: string;
  /** Paragraphs above the button. */
  paragraphs: readonly string[];
  /** The button. */
  action: { label: string; url: string };
  /** Small print below the button. */
  footnotes: readonly string[];
}

/** Renders a letter. Everything in `content` is plain text and is escaped. */
export function writeLetter({ subject, paragraphs, action, footnotes }: LetterContent): Letter {
  return {
    // A header is a single line, whatever characters an organisation's name contains.
    subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
    text: `${[...paragraphs, `${action.label}:\n${action.url}`, ...footnotes].join('\n\n')}\n`,
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>',
      escapeHtml(subject),
      '</title></head><body style="margin:0;padding:32px 16px;background:#f6f5f2;color:#1c1b19;',
      'font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">',
      '<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">',
      ...paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
      `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;`,
      `background:#1f4d3a;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(action.label)}</a></p>`,
      ...footnotes.map((note) => `<p style="margin:0 0 8px;font-size:14px;color:#5f5c56">${escapeHtml(note)}</p>`),
      '</div></body></html>\n',
    ].join(''),
  };
}
