/** What the service answers (sections 2.7 to 2.11 of the specification), in the wire's words; titled schemas are the components of the OpenAPI document. */

import { type Static, type TProperties, Type } from 'typebox';
import { type ErrorCode, ISSUE_CODES } from '../errors.js';
import { LIMITS } from '../limits.js';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const link = (pattern: string, description: string) =>
  Type.String({ format: 'uri-reference', pattern, description: `${description} Relative to the base address.` });
const downloadUrl = (when: string) =>
  link('^/d/[\\w-]+\\?exp=\\d+&t=[\\w-]+$', `Signed URL of the archive, good without a key${when}.`);

/** The answer to an accepted job (section 2.7). */
export const JobCreatedSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Names the job.' }),
    total: Type.Integer({ minimum: 1, description: 'Items of the job.' }),
    creditsCharged: Type.Integer({ minimum: 1, description: 'Credits debited for the job: one for each item.' }),
    statusUrl: link('^/d/[\\w-]+/status\\?exp=\\d+&t=[\\w-]+$', "Signed URL of the job's status, good without a key."),
    downloadUrl: downloadUrl(''),
  },
  { title: 'JobCreated' },
);
export type JobCreated = Static<typeof JobCreatedSchema>;

/** The job status resource (section 2.8). */
export const JobResourceSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the job.' }),
    status: Type.Enum(['processing', 'zipping', 'complete', 'failed'], {
      type: 'string',
      description: 'First `processing`, then `zipping`, then `complete`; from either of the first two to `failed`.',
    }),
    total: Type.Integer({ minimum: 1, description: 'Items of the job.' }),
    completed: count('Items finished so far.'),
    failed: count('Items that failed; their credits are returned when the job ends.'),
    creditsCharged: Type.Integer({ minimum: 1, description: 'Credits debited when the job was created.' }),
    creditsRefunded: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Credits returned; absent where none were.' }),
    ),
    downloadUrl: Type.Optional(downloadUrl('; only once the job is complete')),
  },
  { title: 'Job' },
);
export type JobResource = Static<typeof JobResourceSchema>;

/** The credit balance resource (section 2.9). */
export const CreditBalanceSchema = Type.Object(
  { balance: count('Credits that the organisation can spend.') },
  { title: 'CreditBalance' },
);
export type CreditBalance = Static<typeof CreditBalanceSchema>;

/** The answer to a dry run: what the job would cost, and whether it could be paid. */
export const JobValidationSchema = Type.Object(
  {
    total: Type.Integer({ minimum: 1, description: 'Items of the job.' }),
    creditsRequired: Type.Integer({ minimum: 1, description: 'Credits that the job would be charged.' }),
    balance: count('Credits that the organisation can spend.'),
    sufficient: Type.Boolean({ description: 'Whether the balance covers the job.' }),
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
    message: Type.String({ description: 'What was expected and what was found, in English.' }),
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

/** What an error's body has beside the members that all of them have; a code that isn't here has no more. */
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

/** The error object of any code; its further members depend on the code. */
const ErrorBodySchema = Type.Object({
  error: Type.String(),
  ...errorBase,
  issues: Type.Optional(issues.issues),
  issueCount: Type.Optional(issues.issueCount),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;
