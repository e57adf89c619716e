/** Section 8 of the specification, and what the decisions beside it bound: the one table of limits. */

export const LIMITS = {
  /** Items of a job posted as one JSON body. */
  jsonItems: 20_000,
  /** Items of a job posted as NDJSON. */
  ndjsonItems: 1_000_000,
  /** Decoded and encoded bytes of a JSON body. */
  jsonBodyBytes: 25_000_000,
  /** Decoded and encoded bytes of an NDJSON body. */
  ndjsonBodyBytes: 100_000_000,
  /** Characters (code points) of an item's data. */
  dataCharacters: 2_953,
  /** Characters of an item's filename. */
  filenameCharacters: 120,
  /** Characters of a caption, the style's or an item's. */
  captionCharacters: 120,
  /** Characters of a name inside the archive, suffix and extension included. */
  archiveNameCharacters: 100,
  /** Characters of a logo's data URL. */
  logoDataUrlCharacters: 524_288,
  /** A logo's edge as a fraction of the code's edge. */
  logoSizeRatio: { minimum: 0.05, maximum: 0.3, default: 0.2 },
  /** Pixels per module. */
  scale: { minimum: 1, maximum: 40, default: 10 },
  /** Quiet zone, in modules; the default is that of ISO/IEC 18004. */
  margin: { minimum: 0, maximum: 16, default: 4 },
  /** A caption's font size, in pixels at the default scale. */
  captionFontSize: { minimum: 6, maximum: 64, default: 16 },
  /** Width and height of an image. */
  sidePx: 4_096,
  /** Issues that an error lists; `issueCount` is the full number. */
  issues: 100,
  /** Validity of a signed URL. */
  signedUrlDays: 90,
  /** Requests per minute of a signed URL: a resumed download makes many Range requests. Those of a key are settings. */
  linkRequestsPerMinute: { status: 60, download: 600 },
} as const;
