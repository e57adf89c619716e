/** Converts the studio's controls to the settings of a job, in the terms of the API, and those to a shell command. */

import { LIMITS } from '../contract/limits.js';
import type { JobMeta } from '../contract/request-schema.js';
import { shellWord } from '../quoting.js';
import type { Form } from './form.js';

const HEX_COLOUR = /^#[0-9a-f]{6}$/i;

/** Initial values of the controls: the API's defaults. */
export const FIRST_STYLE = {
  format: 'png',
  ecLevel: 'M',
  scale: String(LIMITS.scale.default),
  margin: String(LIMITS.margin.default),
  foreground: '#000000',
  background: '#ffffff',
  fontSize: String(LIMITS.captionFontSize.default),
  logoPercent: String(Math.round(LIMITS.logoSizeRatio.default * 100)),
  dpi: '',
  verify: 'none',
} as const;

/** Logo sizes in whole per cent of the code's edge. */
export const LOGO_PERCENT = {
  minimum: Math.round(LIMITS.logoSizeRatio.minimum * 100),
  maximum: Math.round(LIMITS.logoSizeRatio.maximum * 100),
};

/**
 * The settings chosen in the form. Records an error for a value that the controls do not offer. Leaves out defaults.
 * @param logo data URL of the chosen picture; undefined or empty when there is none
 */
export function jobMetaOf(form: Form, logo?: string): JobMeta {
  const caption = captionOf(form);
  const background = form.get('transparent') === '' ? colour(form, 'background') : 'transparent';
  const style = {
    ...unlessFirst('ecLevel', choice(form, 'ecLevel', ['L', 'M', 'Q', 'H'])),
    ...unlessFirst('scale', wholeNumber(form, 'scale', LIMITS.scale)),
    ...unlessFirst('margin', wholeNumber(form, 'margin', LIMITS.margin)),
    ...(form.get('dpi') !== '' && { dpi: wholeNumber(form, 'dpi', LIMITS.dpi) }),
    ...unlessFirst('foreground', colour(form, 'foreground')),
    ...unlessFirst('background', background),
    ...(caption && { caption }),
    ...(logo && { logo: logoOf(form, logo) }),
  };
  const verify = form.get('verify') === '' ? 'none' : choice(form, 'verify', ['none', 'sample', 'all']);
  return {
    format: choice(form, 'format', ['png', 'svg', 'both']),
    ...(Object.keys(style).length > 0 && { style }),
    ...(verify !== 'none' && { verify }),
    ...(form.get('sendEmail') !== '' && { sendEmail: true }),
  };
}

/** The control values for a style. A colour that the controls cannot show becomes the default. */
export function fieldsOf({ format = 'png', style = {} }: JobMeta): Record<string, string> {
  const { ecLevel, scale, margin, foreground, background, dpi, caption, logo } = style;
  const given = { format, ecLevel, scale, margin, dpi, fontSize: caption?.fontSize };
  return {
    ...FIRST_STYLE,
    ...Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ),
    ...(foreground !== undefined && foreground !== 'transparent' && { foreground: foreground.toLowerCase() }),
    ...(background === 'transparent' && { transparent: '1' }),
    ...(background !== undefined && background !== 'transparent' && { background: background.toLowerCase() }),
    ...(logo?.sizeRatio !== undefined && { logoPercent: String(Math.round(logo.sizeRatio * 100)) }),
    caption: caption?.text ?? '',
    captionColour: caption?.colour ?? '',
  };
}

function captionOf(form: Form): { text?: string; colour?: string; fontSize?: number } | undefined {
  const text = form.get('caption').trim();
  if ([...text].length > LIMITS.captionCharacters) {
    form.refuse('caption', `A caption has at most ${LIMITS.captionCharacters} characters.`);
  }
  const fontSize = wholeNumber(form, 'fontSize', LIMITS.captionFontSize);
  const isFirst = String(fontSize) === FIRST_STYLE.fontSize;
  const caption = {
    ...(text !== '' && { text }),
    ...(form.get('captionColour') !== '' && { colour: colour(form, 'captionColour') }),
    ...(!isFirst && { fontSize }),
  };
  return Object.keys(caption).length === 0 ? undefined : caption;
}

function logoOf(form: Form, dataUrl: string): { dataUrl: string; sizeRatio?: number } {
  const percent = wholeNumber(form, 'logoPercent', LOGO_PERCENT);
  if (dataUrl.length > LIMITS.logoDataUrlCharacters) {
    form.refuse('logo', `The logo is larger than ${Math.floor((LIMITS.logoDataUrlCharacters * 3) / 4 / 1024)} KB.`);
  }
  return { dataUrl, ...(String(percent) !== FIRST_STYLE.logoPercent && { sizeRatio: percent / 100 }) };
}

function unlessFirst<Name extends keyof typeof FIRST_STYLE, Value>(
  name: Name,
  value: Value,
): Partial<Record<Name, Value>> {
  return String(value) === FIRST_STYLE[name] ? {} : ({ [name]: value } as Record<Name, Value>);
}

function choice<const T extends string>(form: Form, name: string, values: readonly [T, ...T[]]): T {
  const value = values.find((each) => each === form.get(name));
  if (value === undefined) {
    form.refuse(name, `Choose one of ${values.join(', ')}.`);
  }
  return value ?? values[0];
}

function wholeNumber(form: Form, name: string, range: { minimum: number; maximum: number }): number {
  return form.wholeNumber(name, range, `Choose a whole number from ${range.minimum} to ${range.maximum}.`);
}

function colour(form: Form, name: string): string {
  const text = form.get(name).trim().toLowerCase();
  if (!HEX_COLOUR.test(text)) {
    form.refuse(name, 'Choose a colour such as #1b3a5c.');
  }
  return text;
}

/**
 * Placeholder for the logo, which the shell reads from its file. A caption cannot contain it, because JSON escapes its
 * quotes.
 */
const LOGO = '"dataUrl":"data:image/png;base64,"';

/** Posts `items.ndjson`, one item per line, with the style of the studio. */
export function curlOf(baseUrl: string, meta: JobMeta): string {
  return [
    `(echo ${metaWord(meta)}; cat items.ndjson) |`,
    `  curl ${baseUrl}/api/v1/jobs --data-binary @- \\`,
    '    -H "Authorization: Bearer $QRPRESS_KEY" \\',
    "    -H 'Content-Type: application/x-ndjson'",
  ].join('\n');
}

/** The first line of the body as a shell word. A logo is read from `logo.png`. */
function metaWord(meta: JobMeta): string {
  const text = JSON.stringify(meta, (name, value: unknown) => (name === 'dataUrl' ? 'data:image/png;base64,' : value));
  return shellWord(text).replace(LOGO, `${LOGO.slice(0, -1)}'"$(base64 -w0 logo.png)"'"`);
}
