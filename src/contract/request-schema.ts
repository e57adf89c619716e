/**
 * The schema of a job's body (sections 2.1 to 2.6 of the specification), in the wire's words. Titled schemas are the
 * components of the OpenAPI document. TypeBox only derives the types of this plain JSON Schema: no process loads it.
 */

import type { XStatic } from 'typebox/schema';
import { LIMITS } from './limits.js';

/** Patterns of strings in the style. */
export const PATTERN = {
  hexColour: '^#[0-9A-Fa-f]{6}$',
  hexColourOrTransparent: '^(#[0-9A-Fa-f]{6}|transparent)$',
  pngDataUrl: '^data:image/png;base64,',
} as const;

/** Unknown members are refused at every level, so that a typo never costs credits. */
const closed = { type: 'object', additionalProperties: false } as const;

const LogoSchema = {
  ...closed,
  title: 'Logo',
  description: 'A picture in the centre of every code.',
  required: ['dataUrl'],
  properties: {
    dataUrl: {
      type: 'string',
      maxLength: LIMITS.logoDataUrlCharacters,
      pattern: PATTERN.pngDataUrl,
      description: `A PNG as a data URL, its picture at most 4,096 × 4,096 pixels. Remote URLs are refused.`,
    },
    sizeRatio: {
      type: 'number',
      ...LIMITS.logoSizeRatio,
      description: "The logo's longer edge as a fraction of the code's edge.",
    },
  },
} as const;

const CaptionSchema = {
  ...closed,
  title: 'Caption',
  description: 'Text under every code.',
  properties: {
    text: {
      type: 'string',
      maxLength: LIMITS.captionCharacters,
      description: "Without it, the caption only sets what the items' captions inherit.",
    },
    colour: {
      type: 'string',
      pattern: PATTERN.hexColour,
      description: 'Default: the foreground, or black where that is transparent.',
    },
    fontSize: {
      type: 'integer',
      ...LIMITS.captionFontSize,
      description: 'In pixels at the default scale; grows with the image, to the nearest pixel.',
    },
  },
} as const;

const colour = (fallback: string, description: string) =>
  ({ type: 'string', pattern: PATTERN.hexColourOrTransparent, default: fallback, description }) as const;

export const StyleSchema = {
  ...closed,
  title: 'Style',
  description: 'How every image of the job looks. Foreground and background must not both be transparent.',
  properties: {
    ecLevel: {
      type: 'string',
      enum: ['L', 'M', 'Q', 'H'],
      default: 'M',
      description: 'Error correction level. Q or H is advised with a logo.',
    },
    scale: {
      type: 'integer',
      ...LIMITS.scale,
      description: `Pixels per module. No side of an image may be longer than ${LIMITS.sidePx.toLocaleString('en')} px.`,
    },
    margin: { type: 'integer', ...LIMITS.margin, description: 'The quiet zone, in modules.' },
    foreground: colour('#000000', '`#rrggbb`, either case, or `transparent`.'),
    background: colour('#ffffff', '`#rrggbb`, either case, or `transparent`.'),
    dpi: {
      type: 'integer',
      ...LIMITS.dpi,
      description:
        'Pixels per inch in print. PNG files state it (pHYs), SVG files have their width and height in mm; pixels and user units stay.',
    },
    logo: LogoSchema,
    caption: CaptionSchema,
  },
  not: {
    type: 'object',
    properties: { foreground: { const: 'transparent' }, background: { const: 'transparent' } },
    required: ['foreground', 'background'],
  },
} as const;
export type Style = XStatic<typeof StyleSchema>;

const jobMeta = {
  format: {
    type: 'string',
    enum: ['png', 'svg', 'both'],
    default: 'png',
    description: 'Which images each item gives.',
  },
  style: StyleSchema,
  name: {
    type: 'string',
    minLength: 1,
    maxLength: LIMITS.jobNameCharacters,
    description: 'A name for people to know the job by.',
  },
  verify: {
    type: 'string',
    enum: ['none', 'sample', 'all'],
    default: 'none',
    description: `Whether codes are read back once they are drawn: \`sample\` reads ${LIMITS.sampleItems.toLocaleString('en')} items spread over the job (all where there are fewer), \`all\` reads every item. The status then says how many were not read. It costs time, and no credits.`,
  },
  sendEmail: {
    type: 'boolean',
    default: false,
    description: "Whether the organisation's owner gets the download link by email.",
  },
} as const;

/** The settings of a job: an NDJSON body's first line, or a JSON body without its items. */
export const JobMetaSchema = {
  ...closed,
  title: 'JobMeta',
  description: 'The first line of an NDJSON body.',
  properties: jobMeta,
} as const;
export type JobMeta = XStatic<typeof JobMetaSchema>;

export const ItemSchema = {
  ...closed,
  title: 'Item',
  description: 'One code; it costs one credit.',
  required: ['data'],
  properties: {
    data: {
      type: 'string',
      minLength: 1,
      maxLength: LIMITS.dataCharacters,
      description: 'What the code says. As UTF-8 it must fit a symbol at the chosen `ecLevel`.',
    },
    filename: {
      type: 'string',
      maxLength: LIMITS.filenameCharacters,
      description: `The name inside the archive: sanitised, and cut to ${LIMITS.archiveNameCharacters} characters. Default: derived from \`data\`.`,
    },
    caption: {
      type: 'string',
      maxLength: LIMITS.captionCharacters,
      description: "Takes the place of the style's caption text; an empty one switches it off.",
    },
    reference: {
      type: 'string',
      minLength: 1,
      maxLength: LIMITS.referenceCharacters,
      description: "The caller's own key for the item: the manifest returns it, and it is drawn nowhere.",
    },
  },
} as const;
export type Item = XStatic<typeof ItemSchema>;

/** A whole JSON body. The engine checks the items, so that a body of 25 MB never becomes JavaScript objects. */
export const JobRequestSchema = {
  ...closed,
  title: 'JobRequest',
  description: 'A JSON body.',
  required: ['items'],
  properties: {
    items: { type: 'array', minItems: 1, maxItems: LIMITS.jsonItems, items: ItemSchema },
    ...jobMeta,
  },
} as const;
export type JobRequest = XStatic<typeof JobRequestSchema>;
