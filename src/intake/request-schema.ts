/** What a job's body may say (sections 2.1 to 2.6 of the specification), in the wire's words. */

import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.js';

/** Unknown members are refused at every level, so that a typo never costs a credit. */
const closed = { additionalProperties: false };

/** The patterns that a string of the style may have to match. */
export const PATTERN = {
  hexColour: '^#[0-9A-Fa-f]{6}$',
  hexColourOrTransparent: '^(#[0-9A-Fa-f]{6}|transparent)$',
  pngDataUrl: '^data:image/png;base64,',
} as const;

const LogoSchema = Type.Object(
  {
    dataUrl: Type.String({
      maxLength: LIMITS.logoDataUrlCharacters,
      pattern: PATTERN.pngDataUrl,
    }),
    sizeRatio: Type.Optional(Type.Number(LIMITS.logoSizeRatio)),
  },
  closed,
);

const CaptionSchema = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: LIMITS.captionCharacters })),
    colour: Type.Optional(Type.String({ pattern: PATTERN.hexColour })),
    fontSize: Type.Optional(Type.Integer(LIMITS.captionFontSize)),
  },
  closed,
);

export const StyleSchema = Type.Object(
  {
    ecLevel: Type.Optional(Type.Enum(['L', 'M', 'Q', 'H'], { type: 'string', default: 'M' })),
    scale: Type.Optional(Type.Integer(LIMITS.scale)),
    margin: Type.Optional(Type.Integer(LIMITS.margin)),
    foreground: Type.Optional(Type.String({ pattern: PATTERN.hexColourOrTransparent, default: '#000000' })),
    background: Type.Optional(Type.String({ pattern: PATTERN.hexColourOrTransparent, default: '#ffffff' })),
    logo: Type.Optional(LogoSchema),
    caption: Type.Optional(CaptionSchema),
  },
  closed,
);
export type Style = Static<typeof StyleSchema>;

/** The small part of a job: an NDJSON body's first line, or a JSON body without its items. */
export const JobMetaSchema = Type.Object(
  {
    format: Type.Optional(Type.Enum(['png', 'svg', 'both'], { type: 'string', default: 'png' })),
    style: Type.Optional(StyleSchema),
    sendEmail: Type.Optional(Type.Boolean({ default: false })),
  },
  closed,
);
export type JobMeta = Static<typeof JobMetaSchema>;

export const ItemSchema = Type.Object(
  {
    data: Type.String({ minLength: 1, maxLength: LIMITS.dataCharacters }),
    filename: Type.Optional(Type.String({ maxLength: LIMITS.filenameCharacters })),
    caption: Type.Optional(Type.String({ maxLength: LIMITS.captionCharacters })),
  },
  closed,
);
