/**
 * The schemas of the responses (sections 2.7 to 2.11 of the specification), in the wire's words. Titled schemas are the
 * components of the OpenAPI document. Set-up writes them as plain data, as those of `request-schema.ts`.
 */

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { ERROR_STATUS, type ErrorCode, ISSUE_CODES } from './errors.js';
import { LIMITS } from './limits.js';

/** The events that webhooks can subscribe to. */
export const WEBHOOK_EVENTS = ['job.complete', 'job.failed', 'credits.low'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const JOB_STATUSES = ['processing', 'zipping', 'complete', 'failed'] as const;

/** The cursor of a list of jobs: a time and an id. */
export const CURSOR_PATTERN = '^[0-9a-z]{1,10}-[0-9a-z]{26}$';

const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ format: 'date-time', description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
/** ISO/IEC 15415's unused error correction. */
const unusedErrorCorrection = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Share of error correction that is left in a code's worst block (ISO/IEC 15415), three decimals. ${description}`,
  });
const positive = (description: string) => Type.Integer({ minimum: 1, description });
const link = (pattern: string, description: string) =>
  Type.String({ format: 'uri-reference', pattern, description: `${description} Relative to the base address.` });
const downloadUrl = (when: string) =>
  link('^/d/[\\w-]+\\?exp=\\d+&t=[\\w-]+$', `Signed URL of the archive, good without a key${when}.`);
const oneOf = <const Words extends string[]>(words: [...Words], description: string) =>
  Type.Enum(words, { type: 'string', description });

const WarningSchema = Type.Object(
  {
    code: oneOf(
      [
        'logo_covers_too_much',
        'low_contrast',
        'light_on_dark',
        'low_contrast_in_red_light',
        'small_quiet_zone',
        'small_modules',
        'small_caption',
        'duplicate_data',
        'suspicious_data',
        'ambiguous_charset',
        'gs1_check_digit',
        'gs1_syntax',
        'gs1_module_size',
      ],
      '`logo_covers_too_much`: the logo hides more codewords than error correction repairs, or leaves it less than a quarter of its capacity; `low_contrast`: below 3:1, where transparent counts as white; `light_on_dark`: the foreground is lighter than the background; `low_contrast_in_red_light`: below 3:1 for laser scanners, which see red light only; `small_quiet_zone`: below 4 modules; `small_modules`: below 0.25 mm in print, by `dpi`; `small_caption`: letters below 6 px; `duplicate_data`: items with the same data as another, by a hash of 64 bits; `suspicious_data`: data that is probably not meant, such as `NULL`, spaces at its ends, characters that nobody sees, and HTML entities; `ambiguous_charset`: text that some scanners take for another character set, unless `eci` says that it is UTF-8; `gs1_check_digit`, `gs1_syntax`: GS1 Digital Links with a wrong check digit or another form than GS1 gives them; `gs1_module_size`: GS1 Digital Links with modules below 0.396 mm in print, by `dpi`.',
    ),
    message: text('What it is and what to do, in English.'),
    items: positive('Number of items that it concerns.'),
    first: count('Index of the first of them in the job, from 0.'),
  },
  { title: 'Warning', description: 'Something that may keep codes from being scanned, or may not be meant.' },
);
export type Warning = Static<typeof WarningSchema>;

const warnings = Type.Optional(
  Type.Array(WarningSchema, {
    minItems: 1,
    description: 'Absent where there is none. A warning never refuses a job.',
  }),
);

/** The answer to an accepted job (section 2.7). */
export const JobCreatedSchema = Type.Object(
  {
    jobId: text('Names the job.'),
    total: positive('Items of the job.'),
    creditsCharged: positive('Credits debited for the job: one for each item.'),
    statusUrl: link(
      '^/d/[\\w-]+/status\\?exp=\\d+&t=[\\w-]+$',
      "Signed URL of the job's status, good without a key. Once the job is complete, its answer holds `downloadUrl`, so share it only with those who may have the archive.",
    ),
    downloadUrl: downloadUrl(''),
    warnings,
  },
  { title: 'JobCreated' },
);
export type JobCreated = Static<typeof JobCreatedSchema>;

/** The job status resource (section 2.8). */
export const JobResourceSchema = Type.Object(
  {
    id: text('Names the job.'),
    name: Type.Optional(text('The name that the request gave the job.')),
    status: oneOf(
      [...JOB_STATUSES],
      'First `processing`, then `zipping`, then `complete`; from either of the first two to `failed`.',
    ),
    reason: Type.Optional(
      oneOf(
        ['cancelled', 'nothing_drawn', 'not_stored', 'deadline'],
        'Present where the status is `failed`. `cancelled`: a caller cancelled the job; `nothing_drawn`: no item could be drawn; `not_stored`: the pictures could not be stored; `deadline`: the job had not ended when it expired.',
      ),
    ),
    createdAt: time('Time of acceptance: RFC 3339, in UTC.'),
    total: positive('Items of the job.'),
    completed: count('Items finished so far.'),
    failed: count(
      'Items that failed, and those that a failed or cancelled job did not draw; their credits are returned when the job ends.',
    ),
    verified: Type.Optional(
      count('Items that were read back so far; present where the request had `verify`, other than `none`.'),
    ),
    unread: Type.Optional(count('Items among these that a reader could not read; present with `verified`.')),
    unreadItems: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        minItems: 1,
        maxItems: LIMITS.unreadItems,
        description: `Indices of the first ${LIMITS.unreadItems} items that could not be read, in order; absent where there is none.`,
      }),
    ),
    leastUnusedErrorCorrection: Type.Optional(
      unusedErrorCorrection('The least of all items that were read back; absent where none was read.'),
    ),
    leastUnusedItem: Type.Optional(count('Index of the first item that has it.')),
    creditsCharged: positive('Credits debited when the job was created.'),
    creditsRefunded: Type.Optional(positive('Credits returned; absent where none were.')),
    downloadUrl: Type.Optional(downloadUrl('; only once the job is complete')),
  },
  { title: 'Job' },
);
export type JobResource = Static<typeof JobResourceSchema>;

/** A page of an organisation's jobs. */
export const JobListSchema = Type.Object(
  {
    jobs: Type.Array(JobResourceSchema, { maxItems: LIMITS.jobsOfPage.maximum, description: 'Newest first.' }),
    nextCursor: Type.Optional(text('The `cursor` of the next page; absent on the last page.')),
  },
  { title: 'JobList' },
);
export type JobList = Static<typeof JobListSchema>;

/** An item of a job's manifest: a line of it as NDJSON. */
export const ManifestLineSchema = Type.Object(
  {
    index: count("The item's place in the request, from 0."),
    reference: Type.Optional(text("The caller's own key for the item.")),
    data: text('What the code says.'),
    caption: Type.Optional(text('What is written under the code.')),
    status: oneOf(['completed', 'failed'], 'Whether the item was drawn.'),
    files: Type.Array(
      Type.Object({
        name: text('The name in the archive.'),
        bytes: count('Bytes of the file.'),
        crc32: Type.String({ pattern: '^[0-9a-f]{8}$', description: 'CRC-32 of the file.' }),
      }),
      { description: 'None where the item failed.' },
    ),
    unusedErrorCorrection: Type.Optional(unusedErrorCorrection('Absent where the item was not read back.')),
    unread: Type.Optional(
      Type.Literal(true, { description: 'Present where the item was tried and could not be read.' }),
    ),
  },
  { title: 'ManifestLine', description: 'What became of an item: a line of the manifest as NDJSON.' },
);
export type ManifestLine = Static<typeof ManifestLineSchema>;

const event = <const Event extends WebhookEvent, Data extends TSchema>(type: Event, title: string, data: Data) =>
  Type.Object({ type: Type.Literal(type), timestamp: time('When it happened: RFC 3339, in UTC.'), data }, { title });

const AbsoluteJobSchema = Type.Object(
  {
    ...JobResourceSchema.properties,
    downloadUrl: Type.Optional(
      Type.String({ format: 'uri', description: 'Signed URL of the archive, with the origin of the service.' }),
    ),
  },
  { title: 'JobOfEvent', description: 'The job as its status shows it, at its end.' },
);

export const WEBHOOK_MESSAGES = {
  'job.complete': event('job.complete', 'JobCompleteEvent', AbsoluteJobSchema),
  'job.failed': event('job.failed', 'JobFailedEvent', AbsoluteJobSchema),
  'credits.low': event(
    'credits.low',
    'CreditsLowEvent',
    Type.Object({
      organisationId: text('Names the organisation.'),
      balance: count('Credits that the organisation can spend.'),
      threshold: count('The balance below which the organisation wants to be told.'),
    }),
  ),
} satisfies Record<WebhookEvent, object>;
export type WebhookMessage = {
  [Event in WebhookEvent]: Static<(typeof WEBHOOK_MESSAGES)[Event]>;
}[WebhookEvent];

/** The credit balance resource (section 2.9). */
export const CreditBalanceSchema = Type.Object(
  { balance: count('Credits that the organisation can spend.') },
  { title: 'CreditBalance' },
);
export type CreditBalance = Static<typeof CreditBalanceSchema>;

/** The response to a dry run: the job's cost, and whether the balance covers it. */
export const JobValidationSchema = Type.Object(
  {
    total: positive('Items of the job.'),
    creditsRequired: positive('Credits that the job would be charged.'),
    balance: count('Credits that the organisation can spend.'),
    sufficient: Type.Boolean({ description: 'Whether the balance covers the job.' }),
    printedWidthMm: Type.Optional(
      Type.Object(
        { minimum: Type.Number(), maximum: Type.Number() },
        {
          description:
            'Width in print of the narrowest and the widest picture, in mm, with the quiet zone; present where the style has `dpi`.',
        },
      ),
    ),
    warnings,
  },
  { title: 'JobValidation' },
);
export type JobValidation = Static<typeof JobValidationSchema>;

const IssueSchema = Type.Object(
  {
    path: text("JSON Pointer (RFC 6901) into the body, for NDJSON into the line's value; `''` is the whole."),
    code: Type.Enum([...ISSUE_CODES], { type: 'string' }),
    message: text('The rule and the value that breaks it, in English.'),
    line: Type.Optional(positive("NDJSON only: the line, from 1. Line 1 has the job's settings.")),
  },
  { title: 'Issue', description: 'One thing that is wrong with a request, and where.' },
);

const issues = {
  issues: Type.Array(IssueSchema, { minItems: 1, maxItems: LIMITS.issues }),
  issueCount: positive(`All issues; the first ${LIMITS.issues} are listed.`),
};
const optionalIssues = { issues: Type.Optional(issues.issues), issueCount: Type.Optional(issues.issueCount) };
const line = positive('The line that is wrong, from 1.');

/** Members of each code's error body besides the common ones. */
const ERROR_MEMBERS: Partial<Record<ErrorCode, TProperties>> = {
  invalid_input: issues,
  data_too_long: issues,
  qr_too_large: issues,
  invalid_json_line: { line, ...optionalIssues },
  invalid_meta_line: { line, ...optionalIssues },
  too_many_items: { limit: positive('Items that an NDJSON job may have.') },
  insufficient_credits: {
    required: positive('Credits that the job needed.'),
    balance: count('Credits available.'),
  },
  payload_too_large: { limit: positive('Bytes that the body may have.') },
  outcome_unknown: { jobId: text('The job that was created, unless its status stays 404.') },
};

const errorBase = {
  message: text('One English sentence for people; it may change.'),
  requestId: text('The same as in `X-Request-Id`.'),
};

const errorBody = (code: ErrorCode): TObject =>
  Type.Object(
    { error: Type.Literal(code), ...errorBase, ...ERROR_MEMBERS[code] },
    { title: `${code.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}Error` },
  );

/** The error object of each code (section 7). */
export const ERROR_BODY_SCHEMAS = Object.fromEntries(
  Object.keys(ERROR_STATUS).map((code) => [code, errorBody(code as ErrorCode)]),
) as Record<string, TObject> as Record<ErrorCode, TObject>;

/** The error object of any code. Further members depend on the code. */
const ErrorBodySchema = Type.Object({ error: Type.String(), ...errorBase, ...issues });
export type ErrorBody = Static<typeof ErrorBodySchema>;
