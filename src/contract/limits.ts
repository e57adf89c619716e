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
  /** Characters of an item's reference. */
  referenceCharacters: 120,
  /** Characters of a job's name. */
  jobNameCharacters: 120,
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
  /** Pixels per inch in print. */
  dpi: { minimum: 72, maximum: 2_400 },
  /** Width and height of an image. */
  sidePx: 4_096,
  /** Items of a job that are read back where a sample of them is to be. */
  sampleItems: 1_000,
  /** Items that a job names of those that could not be read. */
  unreadItems: 100,
  /** Webhooks of an organisation. */
  webhooks: 20,
  /** Jobs of a page of their list. */
  jobsOfPage: { minimum: 1, maximum: 100, default: 20 },
  /** Issues that an error lists; `issueCount` is the full number. */
  issues: 100,
  /** Credits that a new account begins with (section 2.10). */
  welcomeCredits: 500,
  /** Per cent of a symbol that each level restores (ISO/IEC 18004, section 6.5.1). */
  restoredPercent: { L: 7, M: 15, Q: 25, H: 30 },
  /** Characters of a password; the upper bound only keeps a hash from being made of a book. */
  passwordCharacters: { minimum: 10, maximum: 200 },
  /** Hours that a one-time link works. */
  linkHours: { 'sign-up': 7 * 24, reset: 1, operator: 24, 'second-factor': 1 / 6, address: 24, invitation: 14 * 24 },
  /** Hours that an `Idempotency-Key` answers with the job that it made. */
  idempotencyHours: 24,
  /** Validity of a signed URL. */
  signedUrlDays: 90,
  /** Requests per minute of a signed URL: a resumed download makes many Range requests. Those of a key are settings. */
  linkRequestsPerMinute: { status: 60, download: 600 },
} as const;

/** Single pictures that a key may fetch for each other read that it may make. */
export const PICTURES_FOR_A_READ = 10;
