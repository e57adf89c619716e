/** Converts the studio's controls to the settings of a job, in the terms of the API, and those to a shell command. */

import type { Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import {
  FORMATS,
  type JobMeta,
  JobMetaSchema,
  LEVELS,
  type Style,
  StyleSchema,
  VERIFY_MODES,
} from '../../contract/request-schema.js';
import { shellWord } from '../../platform/quoting.js';
import type { StyleMeta } from '../../accounts/organisations/style-store.js';
import type { Form } from '../shell/form.js';

type Scalar = string | number | boolean;

const HEX_COLOUR = /^#[0-9a-f]{6}$/i;

/** Names and fields of settings that only the engine can refuse, by their place in the settings. */
const REFUSED: readonly (readonly [place: string, name: string, field: string])[] = [
  ['/style/logo', 'The logo', 'logo'],
  ['/style/caption', 'The caption', 'caption'],
  ['/name', 'The name of the job', 'name'],
];

/** A logo that no reader of PNG can read. */
const DAMAGED = /^the PNG file (?:is damaged|ends)/;

/** The field of the form that an issue is about. */
export function fieldOf({ path }: Issue): string | undefined {
  return REFUSED.find(([place]) => path.startsWith(place))?.[2];
}

/** An issue of the settings as a sentence. */
export function settingProblem({ path, message }: Issue): string {
  if (DAMAGED.test(message)) return 'The logo is a damaged PNG file. Save it as PNG again, or choose another picture.';
  const [, name = 'The style'] = REFUSED.find(([place]) => path.startsWith(place)) ?? [];
  return `${name}${/^(?:is|must|has) /.test(message) ? '' : ':'} ${message}.`;
}

/** The size of captions to start with, 7 points in print at the usual scale and resolution. That of the API, 4 points, is for screens. */
const FIRST_FONT_SIZE = 28;

/** Initial values of the controls: the API's defaults, but for the size of captions. */
export const FIRST_STYLE = {
  ...defaultsOf(StyleSchema.properties),
  ...defaultsOf({ format: JobMetaSchema.properties.format, verify: JobMetaSchema.properties.verify }),
  fontSize: String(FIRST_FONT_SIZE),
  logoPercent: String(Math.round(LIMITS.logoSizeRatio.default * 100)),
  dpi: '',
};

/** Colours to start with. */
export const STARTING_STYLES = (
  [
    ['black', 'Black', '#000000', '#ffffff'],
    ['blue', 'Blue', '#14406b', '#ffffff'],
    ['green', 'Green', '#1b5a41', '#f3f8f4'],
    ['wine', 'Wine', '#6b1f3a', '#fdf5f0'],
    ['sand', 'Sand', '#3d2b1f', '#f4e9d8'],
  ] as const
).map(([id, name, foreground, background]) => ({
  id,
  name,
  meta: { style: { foreground, background, caption: { fontSize: FIRST_FONT_SIZE } } },
}));

/** Logo sizes in whole per cent of the code's edge. */
export const LOGO_PERCENT = {
  minimum: Math.round(LIMITS.logoSizeRatio.minimum * 100),
  maximum: Math.round(LIMITS.logoSizeRatio.maximum * 100),
};

/** Readers of the form for each member of the style. Undefined where the person chose none. */
const STYLE_MEMBERS: { [Name in keyof Style]-?: (form: Form, logo: string) => Style[Name] | undefined } = {
  ecLevel: (form) => choice(form, 'ecLevel', LEVELS),
  scale: (form) => wholeNumber(form, 'scale', LIMITS.scale),
  margin: (form) => wholeNumber(form, 'margin', LIMITS.margin),
  dpi: (form) => (form.get('dpi') === '' ? undefined : wholeNumber(form, 'dpi', LIMITS.dpi)),
  eci: (form) => form.get('eci') === 'true',
  version: versionOf,
  foreground: (form) => colour(form, 'foreground'),
  background: (form) => (form.get('transparent') === '' ? colour(form, 'background') : 'transparent'),
  caption: captionOf,
  logo: (form, logo) => (logo === '' ? undefined : logoOf(form, logo)),
};

/**
 * The settings chosen in the form. Records an error for a value that the controls do not offer. Leaves out defaults.
 * @param logo data URL of the chosen picture; empty when there is none
 */
export function jobMetaOf(form: Form, logo = ''): JobMeta {
  const members = Object.entries(STYLE_MEMBERS).map(([name, read]) => [name, read(form, logo)] as const);
  const style: Style = Object.fromEntries(
    members.filter(([name, value]) => value !== undefined && !isFirst(name, value)),
  );
  const verify = form.get('verify') === '' ? 'none' : choice(form, 'verify', VERIFY_MODES);
  return {
    format: choice(form, 'format', FORMATS),
    ...(Object.keys(style).length > 0 && { style }),
    ...(verify !== 'none' && { verify }),
    ...(form.get('sendEmail') !== '' && { sendEmail: true }),
  };
}

/** The control values for a style. A colour that the controls cannot show becomes the default. */
export function fieldsOf({ format = 'png', style = {}, widthMm }: StyleMeta): Record<string, string> {
  const { caption, logo, ...others } = style;
  const { fontSize = LIMITS.captionFontSize.default } = caption ?? {};
  const given: Record<string, Scalar | undefined> = { format, ...others, widthMm, fontSize };
  const shown = Object.entries(given).filter(([, value]) => value !== undefined && value !== 'transparent');
  return {
    ...FIRST_STYLE,
    ...Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
    ...(style.background === 'transparent' && { transparent: '1' }),
    ...(logo?.sizeRatio !== undefined && { logoPercent: String(Math.round(logo.sizeRatio * 100)) }),
    caption: caption?.text ?? '',
    captionColour: caption?.colour ?? '',
  };
}

function isFirst(name: string, value: Style[keyof Style]): boolean {
  return typeof value !== 'object' && String(value) === Reflect.get(FIRST_STYLE, name);
}

/** The defaults of members that have one, as controls show them. */
function defaultsOf(members: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members as Record<string, { default?: Scalar }>).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

function versionOf(form: Form): Style['version'] {
  const chosen = form.get('version');
  if (chosen === '' || chosen === 'smallest' || chosen === 'same') {
    return chosen === '' ? undefined : chosen;
  }
  return wholeNumber(form, 'version', LIMITS.version);
}

function captionOf(form: Form): { text?: string; colour?: string; fontSize?: number } | undefined {
  const text = form.get('caption').trim();
  if ([...text].length > LIMITS.captionCharacters) {
    form.refuse('caption', `A caption has at most ${LIMITS.captionCharacters} characters.`);
  }
  const fontSize = wholeNumber(form, 'fontSize', LIMITS.captionFontSize);
  const caption = {
    ...(text !== '' && { text }),
    ...(form.get('captionColour') !== '' && { colour: colour(form, 'captionColour') }),
    ...(fontSize !== LIMITS.captionFontSize.default && { fontSize }),
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

function choice<const T extends string>(form: Form, name: string, values: readonly T[]): T {
  const value = values.find((each) => each === form.get(name));
  if (value === undefined) {
    form.refuse(name, `Choose one of ${values.join(', ')}.`);
  }
  return value ?? (values[0] as T);
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
