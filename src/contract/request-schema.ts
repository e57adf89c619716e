/**
 * The schema of a job's body (sections 2.1 to 2.6 of the specification), in the wire's words. Titled schemas are the
 * components of the OpenAPI document. Set-up writes what this module exports as plain data (`scripts/compile-schemas.js`), so
 * no process loads TypeBox.
 */

import { type Static, Type } from 'typebox';
import { LIMITS } from './limits.js';

/** Patterns of strings in the style. */
export const PATTERN = {
  hexColour: '^#[0-9A-Fa-f]{6}$',
  hexColourOrTransparent: '^(#[0-9A-Fa-f]{6}|transparent)$',
  pngDataUrl: '^data:image/png;base64,',
} as const;

/** Unknown members are refused at every level, so that a typo never costs credits. */
const closed = { additionalProperties: false } as const;

/** One of several words. */
const oneOf = <const Words extends string[]>(
  words: [...Words],
  options: { default: Words[number]; description: string },
) => Type.Enum(words, { type: 'string', ...options });

const LogoSchema = Type.Object(
  {
    dataUrl: Type.String({
      maxLength: LIMITS.logoDataUrlCharacters,
      pattern: PATTERN.pngDataUrl,
      description: `A PNG as a data URL, its picture at most 4,096 × 4,096 pixels. Remote URLs are refused.`,
    }),
    sizeRatio: Type.Optional(
      Type.Number({
        ...LIMITS.logoSizeRatio,
        description: "The logo's longer edge as a fraction of the code's edge.",
      }),
    ),
  },
  { ...closed, title: 'Logo', description: 'A picture in the centre of every code.' },
);

const CaptionSchema = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        maxLength: LIMITS.captionCharacters,
        description: "Without it, the caption only sets the look of the items' own captions.",
      }),
    ),
    colour: Type.Optional(
      Type.String({
        pattern: PATTERN.hexColour,
        description: 'Default: the foreground, or black if that is transparent.',
      }),
    ),
    fontSize: Type.Optional(
      Type.Integer({
        ...LIMITS.captionFontSize,
        description: 'In pixels at the default scale; grows with the image, to the nearest pixel.',
      }),
    ),
  },
  { ...closed, title: 'Caption', description: 'Text under every code.' },
);

const colour = (fallback: string, description: string) =>
  Type.String({ pattern: PATTERN.hexColourOrTransparent, default: fallback, description });

export const StyleSchema = Type.Object(
  {
    ecLevel: Type.Optional(
      oneOf(['L', 'M', 'Q', 'H'], {
        default: 'M',
        description: 'Error correction level. Q or H is advised with a logo.',
      }),
    ),
    scale: Type.Optional(
      Type.Integer({
        ...LIMITS.scale,
        description: `Pixels per module. No side of an image may be longer than ${LIMITS.sidePx.toLocaleString('en')} px.`,
      }),
    ),
    margin: Type.Optional(Type.Integer({ ...LIMITS.margin, description: 'The quiet zone, in modules.' })),
    foreground: Type.Optional(colour('#000000', '`#rrggbb`, either case, or `transparent`.')),
    background: Type.Optional(colour('#ffffff', '`#rrggbb`, either case, or `transparent`.')),
    dpi: Type.Optional(
      Type.Integer({
        ...LIMITS.dpi,
        description:
          'Pixels per inch in print. PNG files state it (pHYs), SVG files have their width and height in mm; pixels and user units stay.',
      }),
    ),
    eci: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether codes say that their text is UTF-8: bytes that are not ASCII are preceded by the ECI of UTF-8 (assignment 26). It takes 12 bits, and some readers know no ECI.',
      }),
    ),
    version: Type.Optional(
      Type.Union(
        [
          Type.Enum(['smallest', 'same'], { type: 'string' }),
          Type.Integer({ minimum: LIMITS.version.minimum, maximum: LIMITS.version.maximum }),
        ],
        {
          default: 'smallest',
          description:
            'The size of codes: `smallest` gives each item the smallest version that holds its data, `same` gives all codes the version of the largest one, and a number is the version of every code, from 21 × 21 modules (1) to 177 × 177 (40). Data that needs more than that is `data_too_long`.',
        },
      ),
    ),
    logo: Type.Optional(LogoSchema),
    caption: Type.Optional(CaptionSchema),
  },
  {
    ...closed,
    title: 'Style',
    description: 'How every image of the job looks. Foreground and background must not both be transparent.',
    not: Type.Object({ foreground: Type.Literal('transparent'), background: Type.Literal('transparent') }),
  },
);
export type Style = Static<typeof StyleSchema>;

const jobMeta = {
  format: Type.Optional(
    oneOf(['png', 'svg', 'both'], { default: 'png', description: 'The pictures that are made of each item.' }),
  ),
  style: Type.Optional(StyleSchema),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.jobNameCharacters,
      description: 'A name of the job, for people.',
    }),
  ),
  verify: Type.Optional(
    oneOf(['none', 'sample', 'all'], {
      default: 'none',
      description: `Whether codes are read back once they are drawn: \`sample\` reads ${LIMITS.sampleItems.toLocaleString('en')} items spread over the job (all where there are fewer), \`all\` reads every item. The status then says how many were not read. It costs time, and no credits.`,
    }),
  ),
  sendEmail: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Whether the organisation's owner gets the download link by email.",
    }),
  ),
};

/** The settings of a job: an NDJSON body's first line, or a JSON body without its items. */
export const JobMetaSchema = Type.Object(jobMeta, {
  ...closed,
  title: 'JobMeta',
  description: 'The first line of an NDJSON body.',
});
export type JobMeta = Static<typeof JobMetaSchema>;

export const ItemSchema = Type.Object(
  {
    data: Type.String({
      minLength: 1,
      maxLength: LIMITS.dataCharacters,
      description: 'The text of the code. As UTF-8 it must fit a QR code at the chosen `ecLevel`.',
    }),
    filename: Type.Optional(
      Type.String({
        maxLength: LIMITS.filenameCharacters,
        description: `The name inside the archive: sanitised, and cut to ${LIMITS.archiveNameCharacters} characters and ${LIMITS.fileNameBytes} bytes of UTF-8 with its extension. A first character =, +, - or @ becomes _. Default: derived from \`data\`.`,
      }),
    ),
    caption: Type.Optional(
      Type.String({
        maxLength: LIMITS.captionCharacters,
        description: "Replaces the style's caption text. An empty one switches the caption off.",
      }),
    ),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.referenceCharacters,
        description: 'Your own key for the item. The manifest returns it; it is not drawn.',
      }),
    ),
  },
  { ...closed, title: 'Item', description: 'One code; it costs one credit.' },
);
export type Item = Static<typeof ItemSchema>;

/** A whole JSON body. The engine checks the items, so that a body of 25 MB never becomes JavaScript objects. */
export const JobRequestSchema = Type.Object(
  {
    items: Type.Array(ItemSchema, { minItems: 1, maxItems: LIMITS.jsonItems }),
    ...jobMeta,
  },
  { ...closed, title: 'JobRequest', description: 'A JSON body.' },
);
export type JobRequest = Static<typeof JobRequestSchema>;

/** The words of members that programs list. */
export const FORMATS = JobMetaSchema.properties.format.enum;

export type PictureFormat = Exclude<NonNullable<JobMeta['format']>, 'both'>;

/** Media types of pictures. An item with `both` has its files in this order. */
export const PICTURE_TYPES: Readonly<Record<PictureFormat, string>> = { png: 'image/png', svg: 'image/svg+xml' };
export const VERIFY_MODES = JobMetaSchema.properties.verify.enum;
export const LEVELS = StyleSchema.properties.ecLevel.enum;
