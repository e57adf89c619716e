/**
 * The schemas of the responses (sections 2.7 to 2.11 of the specification), in the wire's words. Titled schemas are the
 * components of the OpenAPI document. Plain JSON Schema, as in `request-schema.ts`.
 */

import type { XStatic } from 'typebox/schema';
import { type ErrorCode, ISSUE_CODES } from './errors.js';
import { LIMITS } from './limits.js';

/** The events that webhooks can subscribe to. */
export const WEBHOOK_EVENTS = ['job.complete', 'job.failed', 'credits.low'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const JOB_STATUSES = ['processing', 'zipping', 'complete', 'failed'] as const;

/** The cursor of a list of jobs: a time and an id. */
export const CURSOR_PATTERN = '^[0-9a-z]{1,10}-[0-9a-z]{26}$';

const text = (description: string) => ({ type: 'string', description }) as const;
const time = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;
const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
const positive = (description: string) => ({ type: 'integer', minimum: 1, description }) as const;
const link = (pattern: string, description: string) =>
  ({
    type: 'string',
    format: 'uri-reference',
    pattern,
    description: `${description} Relative to the base address.`,
  }) as const;
const downloadUrl = (when: string) =>
  link('^/d/[\\w-]+\\?exp=\\d+&t=[\\w-]+$', `Signed URL of the archive, good without a key${when}.`);

const WarningSchema = {
  type: 'object',
  title: 'Warning',
  description: 'Something that may keep codes from being scanned, or may not be meant.',
  required: ['code', 'message', 'items', 'first'],
  properties: {
    code: {
      type: 'string',
      enum: [
        'logo_covers_too_much',
        'low_contrast',
        'light_on_dark',
        'small_quiet_zone',
        'small_modules',
        'duplicate_data',
      ],
      description:
        '`logo_covers_too_much`: the logo hides more codewords than error correction repairs, or leaves it less than a quarter of its capacity; `low_contrast`: below 3:1; `light_on_dark`: the foreground is lighter than the background; `small_quiet_zone`: below 4 modules; `small_modules`: below 0.25 mm in print, by `dpi`; `duplicate_data`: items with the same data as another.',
    },
    message: text('What it is and what to do, in English.'),
    items: positive('Number of items that it concerns.'),
    first: count('Index of the first of them in the job, from 0.'),
  },
} as const;
export type Warning = XStatic<typeof WarningSchema>;

const warnings = {
  type: 'array',
  items: WarningSchema,
  minItems: 1,
  description: 'Absent where there is none. A warning never refuses a job.',
} as const;

/** The answer to an accepted job (section 2.7). */
export const JobCreatedSchema = {
  type: 'object',
  title: 'JobCreated',
  required: ['jobId', 'total', 'creditsCharged', 'statusUrl', 'downloadUrl'],
  properties: {
    jobId: text('Names the job.'),
    total: positive('Items of the job.'),
    creditsCharged: positive('Credits debited for the job: one for each item.'),
    statusUrl: link('^/d/[\\w-]+/status\\?exp=\\d+&t=[\\w-]+$', "Signed URL of the job's status, good without a key."),
    downloadUrl: downloadUrl(''),
    warnings,
  },
} as const;
export type JobCreated = XStatic<typeof JobCreatedSchema>;

/** The job status resource (section 2.8). */
export const JobResourceSchema = {
  type: 'object',
  title: 'Job',
  required: ['id', 'status', 'createdAt', 'total', 'completed', 'failed', 'creditsCharged'],
  properties: {
    id: text('Names the job.'),
    name: text('The name that the request gave the job.'),
    status: {
      type: 'string',
      enum: JOB_STATUSES,
      description: 'First `processing`, then `zipping`, then `complete`; from either of the first two to `failed`.',
    },
    reason: {
      type: 'string',
      enum: ['cancelled', 'nothing_drawn', 'not_stored', 'deadline'],
      description:
        'Present where the status is `failed`. `cancelled`: a caller cancelled the job; `nothing_drawn`: no item could be drawn; `not_stored`: the pictures could not be stored; `deadline`: the job did not end in time.',
    },
    createdAt: time('Time of acceptance: RFC 3339, in UTC.'),
    total: positive('Items of the job.'),
    completed: count('Items finished so far.'),
    failed: count('Items that failed; their credits are returned when the job ends.'),
    verified: count('Items that were read back so far; present where the request had `verify`, other than `none`.'),
    unread: count('Items among these that a reader could not read; present with `verified`.'),
    unreadItems: {
      type: 'array',
      items: { type: 'integer', minimum: 0 },
      minItems: 1,
      maxItems: LIMITS.unreadItems,
      description: `Indices of the first ${LIMITS.unreadItems} items that could not be read, in order; absent where there is none.`,
    },
    creditsCharged: positive('Credits debited when the job was created.'),
    creditsRefunded: positive('Credits returned; absent where none were.'),
    downloadUrl: downloadUrl('; only once the job is complete'),
  },
} as const;
export type JobResource = XStatic<typeof JobResourceSchema>;

/** A page of an organisation's jobs. */
export const JobListSchema = {
  type: 'object',
  title: 'JobList',
  required: ['jobs'],
  properties: {
    jobs: {
      type: 'array',
      items: JobResourceSchema,
      maxItems: LIMITS.jobsOfPage.maximum,
      description: 'Newest first.',
    },
    nextCursor: text('The `cursor` of the next page; absent on the last page.'),
  },
} as const;
export type JobList = XStatic<typeof JobListSchema>;

/** An item of a job's manifest: a line of it as NDJSON. */
export const ManifestLineSchema = {
  type: 'object',
  title: 'ManifestLine',
  description: 'What became of an item: a line of the manifest as NDJSON.',
  required: ['index', 'data', 'status', 'files'],
  properties: {
    index: count("The item's place in the request, from 0."),
    reference: text("The caller's own key for the item."),
    data: text('What the code says.'),
    caption: text('What is written under the code.'),
    status: { type: 'string', enum: ['completed', 'failed'], description: 'Whether the item was drawn.' },
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'bytes', 'crc32'],
        properties: {
          name: text('The name in the archive.'),
          bytes: count('Bytes of the file.'),
          crc32: { type: 'string', pattern: '^[0-9a-f]{8}$', description: 'CRC-32 of the file.' },
        },
      },
      description: 'None where the item failed.',
    },
  },
} as const;
export type ManifestLine = XStatic<typeof ManifestLineSchema>;

const event = <const Event extends WebhookEvent, Data extends object>(type: Event, title: string, data: Data) =>
  ({
    type: 'object',
    title,
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: time('When it happened: RFC 3339, in UTC.'),
      data,
    },
  }) as const;

const AbsoluteJobSchema = {
  ...JobResourceSchema,
  title: 'JobOfEvent',
  description: 'The job as its status shows it, at its end.',
  properties: {
    ...JobResourceSchema.properties,
    downloadUrl: {
      type: 'string',
      format: 'uri',
      description: 'Signed URL of the archive, with the origin of the service.',
    },
  },
} as const;

export const WEBHOOK_MESSAGES = {
  'job.complete': event('job.complete', 'JobCompleteEvent', AbsoluteJobSchema),
  'job.failed': event('job.failed', 'JobFailedEvent', AbsoluteJobSchema),
  'credits.low': event('credits.low', 'CreditsLowEvent', {
    type: 'object',
    required: ['organisationId', 'balance', 'threshold'],
    properties: {
      organisationId: text('Names the organisation.'),
      balance: count('Credits that the organisation can spend.'),
      threshold: count('The balance below which the organisation wants to be told.'),
    },
  } as const),
} satisfies Record<WebhookEvent, object>;
export type WebhookMessage = {
  [Event in WebhookEvent]: XStatic<(typeof WEBHOOK_MESSAGES)[Event]>;
}[WebhookEvent];

/** The credit balance resource (section 2.9). */
export const CreditBalanceSchema = {
  type: 'object',
  title: 'CreditBalance',
  required: ['balance'],
  properties: { balance: count('Credits that the organisation can spend.') },
} as const;
export type CreditBalance = XStatic<typeof CreditBalanceSchema>;

/** The response to a dry run: the job's cost, and whether the balance covers it. */
export const JobValidationSchema = {
  type: 'object',
  title: 'JobValidation',
  required: ['total', 'creditsRequired', 'balance', 'sufficient'],
  properties: {
    total: positive('Items of the job.'),
    creditsRequired: positive('Credits that the job would be charged.'),
    balance: count('Credits that the organisation can spend.'),
    sufficient: { type: 'boolean', description: 'Whether the balance covers the job.' },
    printedWidthMm: {
      type: 'object',
      required: ['minimum', 'maximum'],
      properties: { minimum: { type: 'number' }, maximum: { type: 'number' } },
      description:
        'Width in print of the narrowest and the widest picture, in mm, with the quiet zone; present where the style has `dpi`.',
    },
    warnings,
  },
} as const;
export type JobValidation = XStatic<typeof JobValidationSchema>;

const IssueSchema = {
  type: 'object',
  title: 'Issue',
  description: 'One thing that is wrong with a request, and where.',
  required: ['path', 'code', 'message'],
  properties: {
    path: text("JSON Pointer (RFC 6901) into the body, for NDJSON into the line's value; `''` is the whole."),
    code: { type: 'string', enum: ISSUE_CODES },
    message: text('The rule and the value that breaks it, in English.'),
    line: positive('NDJSON only: the line, from 1; the meta object is line 1.'),
  },
} as const;

const issues = {
  issues: { type: 'array', items: IssueSchema, minItems: 1, maxItems: LIMITS.issues },
  issueCount: positive(`All issues; the first ${LIMITS.issues} are listed.`),
} as const;
const line = positive('The line that is wrong, from 1.');

/** Members of each code's error body besides the common ones; all are required but the `optional` ones. */
const ERROR_MEMBERS: Partial<Record<ErrorCode, { properties: object; optional?: readonly string[] }>> = {
  invalid_input: { properties: issues },
  data_too_long: { properties: issues },
  qr_too_large: { properties: issues },
  invalid_json_line: { properties: { line, ...issues }, optional: ['issues', 'issueCount'] },
  invalid_meta_line: { properties: { line, ...issues }, optional: ['issues', 'issueCount'] },
  too_many_items: { properties: { limit: positive('Items that an NDJSON job may have.') } },
  insufficient_credits: {
    properties: { required: positive('Credits that the job needed.'), balance: count('Credits available.') },
  },
  payload_too_large: { properties: { limit: positive('Bytes that the body may have.') } },
};

const errorBase = {
  message: text('One English sentence for people; it may change.'),
  requestId: text('The same as in `X-Request-Id`.'),
};

/** The error object of one code (section 7). */
export function errorBodySchema(code: ErrorCode) {
  const { properties = {}, optional = [] } = ERROR_MEMBERS[code] ?? {};
  const all = { error: { type: 'string', const: code }, ...errorBase, ...properties };
  return {
    type: 'object',
    title: `${code.replaceAll(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}Error`,
    required: Object.keys(all).filter((name) => !optional.includes(name)),
    properties: all,
  };
}

/** The error object of any code. Further members depend on the code. */
const ErrorBodySchema = {
  type: 'object',
  required: ['error', 'message', 'requestId'],
  properties: { error: { type: 'string' }, ...errorBase, ...issues },
} as const;
export type ErrorBody = XStatic<typeof ErrorBodySchema>;
