/** Section 7 of the specification as one table, and the error thrown for a caller's mistake. */

/** HTTP status of every error code. */
export const ERROR_STATUS = {
  invalid_input: 400,
  data_too_long: 400,
  qr_too_large: 400,
  invalid_json_line: 400,
  invalid_meta_line: 400,
  too_many_items: 400,
  invalid_api_key: 401,
  insufficient_credits: 402,
  invalid_signature: 403,
  organisation_suspended: 403,
  read_only_key: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  not_ready: 409,
  not_ended: 409,
  not_cancellable: 409,
  request_in_progress: 409,
  link_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  outcome_unknown: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The codes by which the content of a job's body is refused, in the order of checks. */
export const CONTENT_CODES = [
  'invalid_meta_line',
  'invalid_json_line',
  'too_many_items',
  'invalid_input',
  'data_too_long',
  'qr_too_large',
] as const satisfies readonly ErrorCode[];

/** Machine-readable codes of issues, which have a place in the request. */
export const ISSUE_CODES = [
  'required',
  'unknown_member',
  'duplicate_member',
  'wrong_type',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'invalid_value',
  'conflict',
  'invalid_logo',
  'no_glyph',
  'invalid_json',
  'invalid_unicode',
  'invalid_encoding',
  'invalid_header',
  'data_too_long',
  'qr_too_large',
] as const;

/** One problem of a request, and its place. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the body; for NDJSON into the line's value. */
  path: string;
  /** One of `ISSUE_CODES`; a string, since most issues come from the engine. */
  code: string;
  /** The rule and the value that breaks it, in English. */
  message: string;
  /** NDJSON: the line, from 1; the meta object is line 1. */
  line?: number;
}

/** Members of an error body besides `error`, `message` and `requestId`. */
type ErrorMembers = Readonly<Record<string, unknown>>;

/**
 * A caller's mistake, which the response reports in full. Any other error is an `Error`; its response has no detail.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly members: ErrorMembers;
  /** Response headers required by the code (`Retry-After`, `Allow`). */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    members: ErrorMembers = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.members = members;
    this.headers = headers;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** False for an action that was refused, and for nothing else that went wrong. */
export function isDone(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) {
        return false;
      }
      throw error;
    },
  );
}

/** The refusal of an input with one mistake. */
export function invalidInput(
  issue: Issue,
  message = issue.message,
  headers?: Readonly<Record<string, string>>,
): ApiError {
  return new ApiError('invalid_input', message, { issues: [issue], issueCount: 1 }, headers);
}

/** The refusal of a job of an organisation that an operator suspended. */
export function organisationSuspended(): ApiError {
  const message = 'The organisation is suspended: it cannot make codes. What it has can still be downloaded.';
  return new ApiError('organisation_suspended', message);
}

/** The refusal of a request that may succeed later. */
export function unavailable(message: string, retryAfterSeconds: number, members?: ErrorMembers): ApiError {
  return new ApiError('unavailable', message, members, { 'Retry-After': String(retryAfterSeconds) });
}

/** The answer where the database does not say whether the job exists. */
export function outcomeUnknown(jobId: string, cause: unknown): ApiError {
  const message =
    'It is not known yet whether the job was created. Read its status later, or send the same request again with the same Idempotency-Key.';
  const error = new ApiError('outcome_unknown', message, { jobId }, { 'Retry-After': '5' });
  error.cause = cause;
  return error;
}

/** The refusal of a job that the disk or the store cannot take. */
export function noRoom(cause?: unknown): ApiError {
  const error = unavailable('The service cannot store more jobs at the moment; try again later.', 60);
  error.cause = cause;
  return error;
}
