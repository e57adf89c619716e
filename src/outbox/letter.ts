/** The text of a mail, once as plain text and once as simple HTML. */

import { escapeHtml } from '../platform/quoting.js';

export interface Letter {
  subject: string;
  text: string;
  /** The content of the page that `framed` makes. */
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

/** Whoever runs the service, as letters show it. */
export interface Sender {
  name: string;
  /** Origin of the service. */
  url: string;
  /** Colours of the button, in CSS. Undefined: those of the pages. */
  accent?: string | undefined;
  accentInk?: string | undefined;
  /** URL of a PNG file, which is shown in place of the name. */
  logoUrl?: string | undefined;
}

const BUTTON = 'background:#1b5a41;color:#ffffff';

/** Characters that reorder the text after them. They come from names. */
const BIDI_CONTROLS = /\p{Bidi_Control}+/gu;

/** Renders a letter. Everything in `content` is plain text and is escaped. */
export function writeLetter(content: LetterContent): Letter {
  const { action } = content;
  const [paragraphs, footnotes] = [content.paragraphs, content.footnotes].map((texts) =>
    texts.map((text) => text.replaceAll(BIDI_CONTROLS, '')),
  ) as [string[], string[]];
  return {
    // A header is a single line, whatever characters an organisation's name contains.
    subject: content.subject.replaceAll(BIDI_CONTROLS, '').replaceAll(/\p{Cc}+/gu, ' '),
    text: `${[...paragraphs, `${action.label}:\n${action.url}`, ...footnotes].join('\n\n')}\n`,
    html: [
      ...paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
      `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:11px 20px;`,
      `${BUTTON};font-weight:600;text-decoration:none;border-radius:6px">${escapeHtml(action.label)}</a></p>`,
      ...footnotes.map((note) => `<p style="margin:0 0 8px;font-size:14px;color:#605c53">${escapeHtml(note)}</p>`),
    ].join(''),
  };
}

/** A name that a stranger to the recipient chose, in quotes. Mail programs would make links of addresses in it. */
export function quotedName(name: string): string {
  return `“${name.replaceAll(/\S*(?::\/\/|www\.|\.\S+\/)\S*/gi, '…')}”`;
}

/** The letter under the name, logo and colours of its sender. */
export function framed<L extends Letter>(letter: L, { name, url, accent, accentInk, logoUrl }: Sender): L {
  const shownName = escapeHtml(name);
  const button = accent === undefined ? BUTTON : `background:${accent};color:${accentInk ?? '#ffffff'}`;
  const head = logoUrl === undefined ? shownName : `<img src="${escapeHtml(logoUrl)}" alt="${shownName}" height="32">`;
  return {
    ...letter,
    text: `${letter.text}\n-- \n${name}\n${url}\n`,
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(letter.subject)}</title></head>`,
      '<body style="margin:0;padding:32px 16px;background:#faf9f5;color:#1d1c19;overflow-wrap:anywhere;',
      'font:16px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"><div style="max-width:520px;margin:0 auto">',
      `<p style="margin:0 0 16px;font-size:18px;font-weight:600">${head}</p>`,
      '<div style="padding:32px;background:#ffffff;border:1px solid #dedacf;border-radius:8px">',
      letter.html.replace(BUTTON, button),
      `</div><p style="margin:16px 0 0;font-size:14px"><a href="${escapeHtml(url)}" style="color:#605c53">${shownName}</a></p>`,
      '</div></body></html>\n',
    ].join(''),
  };
}
