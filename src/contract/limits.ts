/** The one table of limits: section 8 of the specification, and limits decided beside it. */

/** Milliseconds of the table's units of time. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const LIMITS = {
  /** Items of a job posted as one JSON body. */
  jsonItems: 20_000,
  /** Items of a job posted as NDJSON. */
  ndjsonItems: 1_000_000,
  /** Bytes of a JSON body, both encoded and decoded. */
  jsonBodyBytes: 25_000_000,
  /** Bytes of an NDJSON body, both encoded and decoded. */
  ndjsonBodyBytes: 100_000_000,
  /** Characters (code points) of an item's data. */
  dataCharacters: 2_953,
  /** Bytes that a symbol of version 40 holds at each level (ISO/IEC 18004, table 7). */
  dataBytes: { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 },
  filenameCharacters: 120,
  /** Characters of a caption, the style's or an item's. */
  captionCharacters: 120,
  referenceCharacters: 120,
  jobNameCharacters: 120,
  /** Characters of a name inside the archive, suffix and extension included. */
  archiveNameCharacters: 100,
  fileNameBytes: 255,
  version: { minimum: 1, maximum: 40 },
  logoDataUrlCharacters: 524_288,
  /** A logo's edge as a fraction of the code's edge. */
  logoSizeRatio: { minimum: 0.05, maximum: 0.3, default: 0.2 },
  /** Pixels per module. */
  scale: { minimum: 1, maximum: 40, default: 10 },
  /** Quiet zone, in modules; the default is that of ISO/IEC 18004. */
  margin: { minimum: 0, maximum: 16, default: 4 },
  /** A caption's font size, in pixels at the default scale. */
  captionFontSize: { minimum: 6, maximum: 64, default: 16 },
  /** Pixels per inch in print. */
  dpi: { minimum: 72, maximum: 2_400 },
  /** Width and height of an image. */
  sidePx: 4_096,
  /** Items read back with `verify: sample`. */
  sampleItems: 1_000,
  /** Maximum number of unread items that a job lists. */
  unreadItems: 100,
  /** Keys of an organisation that work. Each has its own rate limits. */
  activeKeys: 100,
  savedStyles: 50,
  /** Organisations of a person, who may be invited to more. */
  memberships: 50,
  webhooks: 20,
  /**
   * Deliveries of a webhook that wait, and ended ones that its list keeps; each about 25 MB. A key at its standard limit makes
   * 14,400 in a day, after which the first is given up.
   */
  webhookDeliveries: { waiting: 20_000, settled: 5_000 },
  /** Jobs per page of the list of jobs. */
  jobsOfPage: { minimum: 1, maximum: 100, default: 20 },
  /** Lengths of labels and their pages, in millimetres, and the digits behind the point. */
  labelMm: { minimum: 1, maximum: 2_000, decimals: 3 },
  /** Items and ranges of items in a list of those that are printed. */
  labelRanges: 500,
  /** Labels beside one another, and below one another. */
  labelsOfSide: { minimum: 1, maximum: 200 },
  /** Width of a module on a label, in millimetres: labels below the minimum are refused, those below `advised` are told. */
  labelModuleMm: { minimum: 0.25, advised: 0.33 },
  /** Contrast below which nobody sees a code on paper. */
  labelContrast: 1.5,
  /** Size of captions on labels, in points; below `legible` only where a request says so. */
  labelCaptionPt: { minimum: 4, maximum: 72, legible: 7 },
  /** Millimetres by which a page of labels is moved, to either side. */
  labelShiftMm: { maximum: 20 },
  /** Width of the edges of a page on which most office printers print nothing, in millimetres. */
  printerMarginMm: 4,
  /** Maximum number of issues that an error lists. `issueCount` counts all. */
  issues: 100,
  /** Credits of a new account (section 2.10). */
  welcomeCredits: 500,
  /** Percentage of a symbol that each level can restore (ISO/IEC 18004, section 6.5.1). */
  restoredPercent: { L: 7, M: 15, Q: 25, H: 30 },
  /** Characters of a password. The upper bound only limits the work of hashing. */
  passwordCharacters: { minimum: 10, maximum: 200 },
  /** Lifetime of one-time links, in hours. */
  linkHours: {
    'sign-up': 7 * 24,
    reset: 1,
    operator: 24,
    'second-factor': 1 / 6,
    connection: 1 / 6,
    address: 24,
    invitation: 14 * 24,
  },
  idempotencyKeyCharacters: 255,
  /** Hours for which an `Idempotency-Key` returns the job that it created. */
  idempotencyHours: 24,
  /** Seconds after which the `Idempotency-Key` of a request is free that a killed process served. */
  idempotencyClaimSeconds: 10,
  /** Validity of a signed URL. */
  signedUrlDays: 90,
  /**
   * Requests per minute and signed URL: a resumed download makes many Range requests. The limits of keys are settings.
   */
  linkRequestsPerMinute: { status: 60, download: 600 },
} as const;

/** Single-picture requests that a key may make for each other read request in its limit. */
export const PICTURES_PER_READ = 10;
