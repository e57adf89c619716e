/**
 * The schemas of the responses (sections 2.7 to 2.11 of the specification), in the wire's words. Titled schemas are the
 * components of the OpenAPI document.
 */

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { type ErrorCode, ISSUE_CODES } from './errors.js';
import { LIMITS } from './limits.js';
import type { WebhookEvent } from './webhook-events.js';

export const JOB_STATUSES = ['processing', 'zipping', 'complete', 'failed'] as const;

/** The cursor of a list of jobs: a time and an id. */
export const CURSOR_PATTERN = '^[0-9a-z]{1,10}-[0-9a-z]{26}$';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const link = (pattern: string, description: string) =>
  Type.String({ format: 'uri-reference', pattern, description: `${description} Relative to the base address.` });
const downloadUrl = (when: string) =>
  link('^/d/[\\w-]+\\?exp=\\d+&t=[\\w-]+$', `Signed URL of the archive, good without a key${when}.`);

const WarningSchema = Type.Object(
  {
    code: Type.Enum(
      ['logo_covers_too_much', 'low_contrast', 'light_on_dark', 'small_quiet_zone', 'small_modules', 'duplicate_data'],
      {
        type: 'string',
        description:
          '`logo_covers_too_much`: the logo hides more codewords than error correction repairs, or leaves it less than a quarter of its capacity; `low_contrast`: below 3:1; `light_on_dark`: the foreground is lighter than the background; `small_quiet_zone`: below 4 modules; `small_modules`: below 0.25 mm in print, by `dpi`; `duplicate_data`: items with the same data as another.',
      },
    ),
    message: Type.String({ description: 'What it is and what to do, in English.' }),
    items: Type.Integer({ minimum: 1, description: 'Number of items that it concerns.' }),
    first: Type.Integer({ minimum: 0, description: 'Index of the first of them in the job, from 0.' }),
  },
  { title: 'Warning', description: 'Something that may keep codes from being scanned, or may not be meant.' },
);
export type Warning = Static<typeof WarningSchema>;

const warnings = Type.Optional(
  Type.Array(WarningSchema, { minItems: 1, description: 'Absent where there is none. A warning never refuses a job.' }),
);

/** The answer to an accepted job (section 2.7). */
export const JobCreatedSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Names the job.' }),
    total: Type.Integer({ minimum: 1, description: 'Items of the job.' }),
    creditsCharged: Type.Integer({ minimum: 1, description: 'Credits debited for the job: one for each item.' }),
    statusUrl: link('^/d/[\\w-]+/status\\?exp=\\d+&t=[\\w-]+$', "Signed URL of the job's status, good without a key."),
    downloadUrl: downloadUrl(''),
    warnings,
  },
  { title: 'JobCreated' },
);
export type JobCreated = Static<typeof JobCreatedSchema>;

/** The job status resource (section 2.8). */
export const JobResourceSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the job.' }),
    name: Type.Optional(Type.String({ description: 'The name that the request gave the job.' })),
    status: Type.Enum(JOB_STATUSES, {
      type: 'string',
      description: 'First `processing`, then `zipping`, then `complete`; from either of the first two to `failed`.',
    }),
    reason: Type.Optional(
      Type.Enum(['cancelled', 'nothing_drawn', 'not_stored', 'deadline'], {
        type: 'string',
        description:
          'Present where the status is `failed`. `cancelled`: a caller cancelled the job; `nothing_drawn`: no item could be drawn; `not_stored`: the pictures could not be stored; `deadline`: the job did not end in time.',
      }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'Time of acceptance: RFC 3339, in UTC.' }),
    total: Type.Integer({ minimum: 1, description: 'Items of the job.' }),
    completed: count('Items finished so far.'),
    failed: count('Items that failed; their credits are returned when the job ends.'),
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
    creditsCharged: Type.Integer({ minimum: 1, description: 'Credits debited when the job was created.' }),
    creditsRefunded: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Credits returned; absent where none were.' }),
    ),
    downloadUrl: Type.Optional(downloadUrl('; only once the job is complete')),
  },
  { title: 'Job' },
);
export type JobResource = Static<typeof JobResourceSchema>;

/** A page of an organisation's jobs. */
export const JobListSchema = Type.Object(
  {
    jobs: Type.Array(JobResourceSchema, { maxItems: LIMITS.jobsOfPage.maximum, description: 'Newest first.' }),
    nextCursor: Type.Optional(Type.String({ description: 'The `cursor` of the next page; absent on the last page.' })),
  },
  { title: 'JobList' },
);
export type JobList = Static<typeof JobListSchema>;

/** An item of a job's manifest: a line of it as NDJSON. */
export const ManifestLineSchema = Type.Object(
  {
    index: count("The item's place in the request, from 0."),
    reference: Type.Optional(Type.String({ description: "The caller's own key for the item." })),
    data: Type.String({ description: 'What the code says.' }),
    caption: Type.Optional(Type.String({ description: 'What is written under the code.' })),
    status: Type.Enum(['completed', 'failed'], { type: 'string', description: 'Whether the item was drawn.' }),
    files: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The name in the archive.' }),
        bytes: count('Bytes of the file.'),
        crc32: Type.String({ pattern: '^[0-9a-f]{8}$', description: 'CRC-32 of the file.' }),
      }),
      { description: 'None where the item failed.' },
    ),
  },
  { title: 'ManifestLine', description: 'What became of an item: a line of the manifest as NDJSON.' },
);
export type ManifestLine = Static<typeof ManifestLineSchema>;

const event = <const Event extends WebhookEvent, Data extends TSchema>(type: Event, title: string, data: Data) =>
  Type.Object(
    {
      type: Type.Literal(type),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened: RFC 3339, in UTC.' }),
      data,
    },
    { title },
  );

const AbsoluteJobSchema = Type.Object(
  {
    ...JobResourceSchema.properties,
    downloadUrl: Type.Optional(
      Type.String({ format: 'uri', description: 'Signed URL of the archive, with the origin of the service.' }),
    ),
  },
  { title: 'JobOfEvent', description: 'The job as its status shows it, at its end.' },
);

/** Webhook messages, by event. */
export const WEBHOOK_MESSAGES = {
  'job.complete': event('job.complete', 'JobCompleteEvent', AbsoluteJobSchema),
  'job.failed': event('job.failed', 'JobFailedEvent', AbsoluteJobSchema),
  'credits.low': event(
    'credits.low',
    'CreditsLowEvent',
    Type.Object({
      organisationId: Type.String({ description: 'Names the organisation.' }),
      balance: count('Credits that the organisation can spend.'),
      threshold: count('The balance below which the organisation wants to be told.'),
    }),
  ),
} satisfies Record<WebhookEvent, TSchema>;
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
    total: Type.Integer({ minimum: 1, description: 'Items of the job.' }),
    creditsRequired: Type.Integer({ minimum: 1, description: 'Credits that the job would be charged.' }),
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
    path: Type.String({
      description: "JSON Pointer (RFC 6901) into the body, for NDJSON into the line's value; `''` is the whole.",
    }),
    code: Type.Enum(ISSUE_CODES, { type: 'string' }),
    message: Type.String({ description: 'The rule and the value that breaks it, in English.' }),
    line: Type.Optional(
      Type.Integer({ minimum: 1, description: 'NDJSON only: the line, from 1; the meta object is line 1.' }),
    ),
  },
  { title: 'Issue', description: 'One thing that is wrong with a request, and where.' },
);

const issues = {
  issues: Type.Array(IssueSchema, { minItems: 1, maxItems: LIMITS.issues }),
  issueCount: Type.Integer({ minimum: 1, description: `All issues; the first ${LIMITS.issues} are listed.` }),
};
const line = Type.Integer({ minimum: 1, description: 'The line that is wrong, from 1.' });
const limit = (description: string) => Type.Integer({ minimum: 1, description });

/** Members of each code's error body besides the common ones. A code that is not listed has none. */
const ERROR_MEMBERS: Partial<Record<ErrorCode, TProperties>> = {
  invalid_input: issues,
  data_too_long: issues,
  qr_too_large: issues,
  invalid_json_line: { line, issues: Type.Optional(issues.issues), issueCount: Type.Optional(issues.issueCount) },
  invalid_meta_line: { line, issues: Type.Optional(issues.issues), issueCount: Type.Optional(issues.issueCount) },
  too_many_items: { limit: limit('Items that an NDJSON job may have.') },
  insufficient_credits: {
    required: Type.Integer({ minimum: 1, description: 'Credits that the job needed.' }),
    balance: count('Credits available.'),
  },
  payload_too_large: { limit: limit('Bytes that the body may have.') },
};

const errorBase = {
  message: Type.String({ description: 'One English sentence for people; it may change.' }),
  requestId: Type.String({ description: 'The same as in `X-Request-Id`.' }),
};

/** The error object of one code (section 7). */
export function errorBodySchema(code: ErrorCode) {
  return Type.Object(
    { error: Type.Literal(code), ...errorBase, ...ERROR_MEMBERS[code] },
    { title: `${code.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}Error` },
  );
}

/** The error object of any code. Further members depend on the code. */
const ErrorBodySchema = Type.Object({
  error: Type.String(),
  ...errorBase,
  issues: Type.Optional(issues.issues),
  issueCount: Type.Optional(issues.issueCount),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;
