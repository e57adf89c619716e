/** Meaning, remedy and example of every error code of section 7, for the error responses of the document. */

import type { ErrorCode, Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';

interface ErrorDescription {
  /** When the code is returned, as a sentence. */
  condition: string;
  /** Advice for the caller, as sentences. */
  remedy: string;
  /** The members of the example besides `error` and `requestId`. */
  example: { message: string } & Readonly<Record<string, unknown>>;
}

/** The `requestId` of all examples. */
export const REQUEST_ID = 'wYxXyBnWEQCdYrqU';

/** An example's `issues` and `issueCount`. */
const issues = (...list: Issue[]) => ({ issues: list, issueCount: list.length });

export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorDescription>> = {
  invalid_input: {
    condition: 'Something in the request breaks a rule. `issues` says what and where.',
    remedy: 'Fix each entry in `issues`, then send the request again.',
    example: {
      message: 'The body is not valid: /style/scale: must be at most 40, not 41 (and 1 more)',
      ...issues(
        { path: '/style/scale', code: 'too_large', message: 'must be at most 40, not 41' },
        {
          path: '/items/17/fileName',
          code: 'unknown_member',
          message: 'unknown member; an item may have data, filename, caption and reference',
        },
      ),
    },
  },
  data_too_long: {
    condition:
      "An item's `data` exceeds what a symbol holds at the job's `ecLevel`. Bytes of UTF-8 count; digits take less room.",
    remedy: 'Shorten the data of the items that `issues` lists, or choose a lower `ecLevel`.',
    example: {
      message:
        'The data does not fit into a QR code: /items/0/data: is 4,000 bytes; a QR code at level M holds at most 2,331 (byte mode)',
      ...issues({
        path: '/items/0/data',
        code: 'data_too_long',
        message: 'is 4,000 bytes; a QR code at level M holds at most 2,331 (byte mode)',
      }),
    },
  },
  qr_too_large: {
    condition: `An image would have a side of more than ${LIMITS.sidePx.toLocaleString('en')} px.`,
    remedy: 'Choose a smaller `scale` or `margin`, shorten the data, or use SVG with a small scale.',
    example: {
      message:
        'The pictures would be too large: /items/0/data: its picture would be 5160 px wide; at most 4096 px are allowed',
      ...issues({
        path: '/items/0/data',
        code: 'qr_too_large',
        message: 'its picture would be 5160 px wide; at most 4096 px are allowed',
      }),
    },
  },
  invalid_json_line: {
    condition: 'A line of an NDJSON body is not valid JSON. `line` says which.',
    remedy: 'Correct that line. Each line holds one whole JSON object.',
    example: {
      message: 'Line 3 is not an item: expected a value, found the end at line 3, column 9.',
      line: 3,
      ...issues({
        path: '',
        code: 'invalid_json',
        message: 'expected a value, found the end at line 3, column 9',
        line: 3,
      }),
    },
  },
  invalid_meta_line: {
    condition: 'The first line of an NDJSON body is missing, or does not hold valid job settings.',
    remedy: 'Begin the body with the job settings, such as `{"format": "png"}` or `{}`. Items begin on line 2.',
    example: {
      message: 'Line 1 is not a job\'s meta object: /format: must be one of png, svg, both, not "gif"',
      line: 1,
      ...issues({
        path: '/format',
        code: 'invalid_value',
        message: 'must be one of png, svg, both, not "gif"',
        line: 1,
      }),
    },
  },
  too_many_items: {
    condition: `An NDJSON body has more than ${LIMITS.ndjsonItems.toLocaleString('en')} items.`,
    remedy: 'Split the items into several jobs. `qrpress submit` does so by itself.',
    example: { message: 'The body has too many items.', limit: LIMITS.ndjsonItems },
  },
  invalid_api_key: {
    condition: 'The API key is missing, malformed, revoked or expired.',
    remedy: 'Send `Authorization: Bearer` and the whole key, or another one.',
    example: {
      message: 'The API key is missing, malformed, revoked or expired. Send it as Authorization: Bearer <key>.',
    },
  },
  insufficient_credits: {
    condition: 'The organisation cannot pay for the job. Nothing was created.',
    remedy:
      'Add credits, or send fewer items: compare `required` with `balance`. The `Idempotency-Key` may be used again.',
    example: { message: 'The job needs 1,000 credits; 250 are available.', required: 1000, balance: 250 },
  },
  invalid_signature: {
    condition: 'The link is not signed by this service, or was changed.',
    remedy: 'Use the link exactly as the service gave it, to its end.',
    example: { message: 'The link is not signed by this service.' },
  },
  organisation_suspended: {
    condition: 'An operator suspended the organisation: it makes no jobs.',
    remedy: 'Ask your administrator. Jobs can still be read, downloaded, cancelled and deleted.',
    example: {
      message: 'The organisation is suspended: it cannot make codes. What it has can still be downloaded.',
    },
  },
  read_only_key: {
    condition: 'The key is read-only, and the request would check, create, cancel or delete a job.',
    remedy: 'Use a key of full access.',
    example: { message: 'The API key is read-only: it can read and download, not spend or change anything.' },
  },
  not_found: {
    condition:
      "Nothing is at this path: the key's organisation has no such job (any more), or the job no such item or format, or the path is wrong.",
    remedy:
      "Check path and ID, and that the key is of the job's organisation. Jobs are deleted at the end of their retention.",
    example: { message: "There is no such job in the key's organisation." },
  },
  method_not_allowed: {
    condition: 'The path does not support this method.',
    remedy: 'Use one of the methods in `Allow`.',
    example: { message: 'The method must be one of HEAD, GET, OPTIONS.' },
  },
  not_ready: {
    condition: 'The job is not complete, so there is no archive.',
    remedy: 'Ask for its status: wait while it is `processing` or `zipping`, and stop when it is `failed`.',
    example: { message: 'The job is processing; there is an archive once it is complete.' },
  },
  not_acceptable: {
    condition: 'The answer does not exist in a media type that `Accept` allows.',
    remedy: 'Allow one of the media types of the endpoint, or leave `Accept` out.',
    example: {
      message: 'Accept must allow application/x-ndjson, or text/csv with its header row, not only application/pdf.',
    },
  },
  not_ended: {
    condition: 'The job has not ended, so it cannot be deleted.',
    remedy: 'Cancel the job first, or wait until it has ended.',
    example: { message: 'The job is processing; only a job that has ended can be deleted.' },
  },
  not_cancellable: {
    condition: 'The job has already ended without being cancelled.',
    remedy: 'Nothing: the job has ended.',
    example: { message: 'The job is complete; only a job that has not ended can be cancelled.' },
  },
  request_in_progress: {
    condition: `The first request with this \`Idempotency-Key\` is still being answered, or was until its process was killed less than ${LIMITS.idempotencyClaimSeconds} seconds ago.`,
    remedy: 'Send it again after the seconds in `Retry-After`: you get the first answer, or the job is created now.',
    example: { message: 'A request with the same Idempotency-Key is in progress; try again soon.' },
  },
  link_expired: {
    condition: 'The link has expired.',
    remedy: 'Make the codes again: a link lasts as long as its job is kept.',
    example: { message: 'The link has expired.' },
  },
  precondition_failed: {
    condition: 'None of the entity tags of `If-Match` is the current one, or it is newer than `If-Unmodified-Since`.',
    remedy: 'Ask again without this header, and take the answer for a new version.',
    example: { message: 'There is another version than the one that is asked for.' },
  },
  payload_too_large: {
    condition: `The body, as sent or decoded, has more than ${LIMITS.jsonBodyBytes / 1e6} MB (JSON) or ${LIMITS.ndjsonBodyBytes / 1e6} MB (NDJSON).`,
    remedy: 'Send NDJSON instead of JSON, or split the items into several jobs. `limit` is the number of bytes.',
    example: { message: `The body is larger than ${LIMITS.jsonBodyBytes} bytes.`, limit: LIMITS.jsonBodyBytes },
  },
  unsupported_media_type: {
    condition: 'The content type, charset or content coding of the body is not supported.',
    remedy: 'Send `Content-Type: application/json` or `application/x-ndjson`, in UTF-8.',
    example: {
      message: 'The content type must be application/json or application/x-ndjson, not text/plain.',
    },
  },
  range_not_satisfiable: {
    condition: 'The range begins after the end of the archive. `Content-Range` says how long it is.',
    remedy: 'If you have as many bytes, the download is complete. Otherwise start again.',
    example: { message: 'The archive has 48213 bytes.' },
  },
  idempotency_key_reused: {
    condition: `The \`Idempotency-Key\` was used within ${LIMITS.idempotencyHours} hours, with another body.`,
    remedy: 'Use a new `Idempotency-Key` for a new body.',
    example: { message: 'The Idempotency-Key was used with another body.' },
  },
  rate_limited: {
    condition: 'Too many requests per minute, or too much work of yours at once.',
    remedy: 'Wait for the seconds in `Retry-After`. `RateLimit` in answers to a key says how many requests are left.',
    example: { message: 'At most 60 requests per minute with one key; try again in 12 seconds.' },
  },
  internal_error: {
    condition: 'The service has a fault.',
    remedy:
      'Send the request again later, with the same `Idempotency-Key`. If it happens again, report it with the `requestId`.',
    example: { message: 'The request could not be answered; the fault is not yours.' },
  },
  unavailable: {
    condition: 'The service is restarting, overloaded or short of disk space.',
    remedy: 'Send the same request again after the seconds in `Retry-After`.',
    example: { message: 'The service is stopping; try again soon.' },
  },
  outcome_unknown: {
    condition: 'The database failed while the job was created, and does not say yet whether the job exists.',
    remedy:
      'Send the same request again with the same `Idempotency-Key`: it creates no second job. Or read the status of `jobId` after the seconds in `Retry-After`: 404 says that there is none.',
    example: {
      message:
        'It is not known yet whether the job was created. Read its status later, or send the same request again with the same Idempotency-Key.',
      jobId: '6e8cyk0hqbjtn3vbm9frt5wdpx',
    },
  },
};
