/** Every operation of the public API: its requests and responses. */

import type { LinksObject, MediaTypeObject, ResponseObject } from 'openapi3-ts/oas31';
import type { Config } from '../../config/config.js';
import type { ErrorCode } from '../../contract/errors.js';
import { LIMITS, PICTURES_PER_READ } from '../../contract/limits.js';
import { jobRequestBody, type ResponseName, responseBody } from './bodies.js';
import type { SchemaComponents } from './components.js';
import { RATE_LIMIT_HEADERS } from './error-responses.js';
import { archiveOperations, labelsOperation, manifestResponses, pictureOperations } from './file-operations.js';
import { ANY, FULL_KEY, JOB, KEY, LINK, type Operation } from './operation.js';
import { ETAG_CONDITIONS, IDEMPOTENCY_KEY, JOB_FILTER, JOB_ID, SIGNED_LINK } from './parameters.js';
import { type HeaderName, headersOf } from './response-headers.js';

const BODY: readonly ErrorCode[] = [
  'data_too_long',
  'qr_too_large',
  'invalid_json_line',
  'invalid_meta_line',
  'too_many_items',
  'payload_too_large',
  'unsupported_media_type',
];

const GET_JOB = 'getJob';
const DOWNLOAD_JOB = 'downloadJob';

const ARCHIVE_DESCRIPTION = [
  'The ZIP archive of a complete job, streamed. A broken download resumes with `Range` and `If-Range`.',
  "Entries are stored, in the order of the items, with `both` an item's PNG before its SVG; their names are in " +
    'UTF-8. A name is the `filename`, or is derived from `data` (of a URL, what follows `scheme://`). Control ' +
    'characters and `/ \\ : * ? " < > |` become `-`, and what Windows does not allow is avoided. In JSON jobs, ' +
    'duplicate names get the next free `-2`, `-3`, …; in NDJSON jobs every name ends in `-<index>`, from 0.',
  'A picture is `(modules + 2 × margin) × scale` pixels wide, and as high, with the caption below. The same request always gives the same bytes.',
].join('\n\n');

/** All operations, in the order of the document. */
export function operations(components: SchemaComponents, { create, read }: Config['rateLimits']): readonly Operation[] {
  const requestBody = jobRequestBody(components);
  const reading = { access: 'key', limitPerMinute: read } as const;
  const creating = { access: 'key', limitPerMinute: create } as const;
  const json = (description: string, body: ResponseName): ResponseObject =>
    answer(description, RATE_LIMIT_HEADERS, responseBody(components, body));
  return [
    {
      id: 'getCredits',
      method: 'get',
      path: '/api/v1/credits',
      tag: 'Credits',
      summary: 'Read the balance',
      description: "The credits that the key's organisation can spend. Check them before a batch.",
      ...reading,
      parameters: [],
      responses: {
        200: json('The balance.', 'credits'),
      },
      errors: KEY,
    },
    {
      id: 'createJob',
      method: 'post',
      path: '/api/v1/jobs',
      tag: 'Jobs',
      summary: 'Create a job',
      description:
        'Checks the whole body, debits one credit for each item, and begins. A refused request costs nothing and ' +
        'creates nothing.\n\nPoll the job at `Location`, or at the signed `statusUrl`, until its `status` is `complete`' +
        ' or `failed`.\n\nWhere several things are wrong, the first of these decides the answer: 401, 403, 429, 415, ' +
        '413, `invalid_meta_line`, `invalid_json_line`, `too_many_items`, `invalid_input`, `data_too_long`, ' +
        '`qr_too_large`, 402.',
      ...creating,
      parameters: [IDEMPOTENCY_KEY],
      requestBody,
      responses: {
        202: {
          description: 'The job is accepted and paid for. It survives a crash of the service.',
          headers: headersOf([...RATE_LIMIT_HEADERS, 'Location', 'Retry-After'], ['Idempotent-Replayed']),
          content: { 'application/json': responseBody(components, 'jobCreated') },
          links: jobLinks(),
        },
      },
      errors: [
        ...FULL_KEY,
        ...BODY,
        'organisation_suspended',
        'insufficient_credits',
        'request_in_progress',
        'idempotency_key_reused',
        'outcome_unknown',
      ],
    },
    {
      id: 'validateJob',
      method: 'post',
      path: '/api/v1/jobs/validate',
      tag: 'Jobs',
      summary: 'Check a job without creating it',
      description:
        'Takes the request of a job, checks it in full, and answers what the job would cost, or what is wrong with it. ' +
        'Nothing is created or charged, and an `Idempotency-Key` is not used up.',
      ...creating,
      parameters: [IDEMPOTENCY_KEY],
      requestBody,
      responses: {
        200: json('The job would be accepted, if `sufficient` is true.', 'validation'),
      },
      errors: [...FULL_KEY, ...BODY, 'organisation_suspended'],
    },
    {
      id: 'listJobs',
      method: 'get',
      path: '/api/v1/jobs',
      tag: 'Jobs',
      summary: 'List jobs',
      description: "The jobs of the key's organisation, newest first, page by page.",
      ...reading,
      parameters: [...JOB_FILTER, ...ETAG_CONDITIONS],
      responses: cached(
        'A page of jobs.',
        'The page has not changed.',
        RATE_LIMIT_HEADERS,
        responseBody(components, 'jobList'),
      ),
      errors: KEY,
    },
    {
      id: GET_JOB,
      method: 'get',
      path: '/api/v1/jobs/{jobId}',
      tag: 'Jobs',
      summary: "Read a job's status",
      description:
        'The state of a job, how many of its items are done and, once it is complete, the link to its archive.',
      ...reading,
      parameters: [JOB_ID, ...ETAG_CONDITIONS],
      responses: jobResponses(components, RATE_LIMIT_HEADERS),
      errors: [...KEY, ...JOB],
    },
    {
      id: 'cancelJob',
      method: 'post',
      path: '/api/v1/jobs/{jobId}/cancel',
      tag: 'Jobs',
      summary: 'Cancel a job',
      description:
        'Stops the job: it becomes `failed` with the reason `cancelled`, and the credits of the items that were not ' +
        'drawn are returned, once. What was drawn is paid for, and cannot be downloaded. Cancelling again answers the ' +
        'same.',
      ...reading,
      parameters: [JOB_ID],
      responses: {
        200: json('The job is cancelled.', 'job'),
      },
      errors: [...FULL_KEY, ...JOB, 'not_cancellable'],
    },
    {
      id: 'deleteJob',
      method: 'delete',
      path: '/api/v1/jobs/{jobId}',
      tag: 'Jobs',
      summary: 'Delete a job',
      description:
        'Deletes a job that has ended, its input and its archive. From then on it is not found, by its signed URLs ' +
        'either; the entries in the ledger stay.',
      ...reading,
      parameters: [JOB_ID],
      responses: { 204: { description: 'The job is deleted.', headers: headersOf(RATE_LIMIT_HEADERS) } },
      errors: [...FULL_KEY, ...JOB, 'not_ended'],
    },
    {
      id: 'getManifest',
      method: 'get',
      path: '/api/v1/jobs/{jobId}/manifest',
      tag: 'Jobs',
      summary: 'Get the manifest',
      description:
        'Every item in order, with its `reference`, what was drawn, and its files in the archive. `Accept` chooses ' +
        'between NDJSON, a line for each item, and CSV, a row for each file. In CSV, cells that a spreadsheet would run' +
        ' as formulas are led by an apostrophe, save in the column `@image`: with it, the table is a data source for ' +
        'the data merge of a layout program.',
      ...reading,
      parameters: [JOB_ID, ...ETAG_CONDITIONS],
      responses: manifestResponses(components),
      errors: [...KEY, ...JOB, 'not_ready', 'not_acceptable'],
    },
    ...pictureOperations(read * PICTURES_PER_READ),
    ...archiveOperations({
      ids: { get: DOWNLOAD_JOB, head: 'inspectJob' },
      how: '',
      path: '/api/v1/jobs/{jobId}/download',
      tag: 'Jobs',
      description: ARCHIVE_DESCRIPTION,
      ...reading,
      parameters: [JOB_ID],
      errors: KEY,
    }),
    labelsOperation(read),
    {
      id: 'listLabelSheets',
      method: 'get',
      path: '/api/v1/label-sheets',
      tag: 'Labels',
      summary: 'List the sheets of labels',
      description: 'The sheets that have a name, with their geometry in millimetres.',
      ...reading,
      parameters: ETAG_CONDITIONS,
      responses: cached(
        'The sheets.',
        'The list has not changed.',
        RATE_LIMIT_HEADERS,
        responseBody(components, 'labelSheets'),
      ),
      errors: KEY,
    },
    {
      id: 'getJobByLink',
      method: 'get',
      path: '/d/{token}/status',
      tag: 'Signed URLs',
      summary: "Read a job's status by its signed URL",
      description:
        'The `statusUrl` of a job: the same resource, for whoever has the link. Once the job is complete, the answer ' +
        'holds its `downloadUrl`: whoever has either link can download the archive.',
      access: 'link',
      limitPerMinute: LIMITS.linkRequestsPerMinute.status,
      parameters: [...SIGNED_LINK, ...ETAG_CONDITIONS],
      responses: jobResponses(components, []),
      errors: [...LINK, ...JOB],
    },
    ...archiveOperations({
      ids: { get: 'downloadJobByLink', head: 'inspectJobByLink' },
      how: ' by its signed URL',
      path: '/d/{token}',
      tag: 'Signed URLs',
      description: 'The `downloadUrl` of a job: the same archive, for whoever has the link.',
      access: 'link',
      limitPerMinute: LIMITS.linkRequestsPerMinute.download,
      parameters: SIGNED_LINK,
      errors: LINK,
    }),
    {
      id: 'getOpenApiDocument',
      method: 'get',
      path: '/api/v1/openapi.json',
      tag: 'Documentation',
      summary: 'Read this document',
      description: 'The OpenAPI description of the service. The page for people is `/docs`.',
      access: 'open',
      parameters: ETAG_CONDITIONS,
      responses: cached('The document.', 'The document has not changed.', [], { schema: { type: 'object' } }),
      errors: ANY,
    },
  ];
}

/** A successful response with a JSON body. */
function answer(description: string, headers: readonly HeaderName[], body: MediaTypeObject): ResponseObject {
  return { description, headers: headersOf(headers), content: { 'application/json': body } };
}

/** The response with a JSON body, and that to a client which has it already. */
function cached(
  description: string,
  unchanged: string,
  headers: readonly HeaderName[],
  body: MediaTypeObject,
): Operation['responses'] {
  return {
    200: answer(description, [...headers, 'ETag'], body),
    304: { description: unchanged, headers: headersOf([...headers, 'ETag']) },
  };
}

function jobResponses(components: SchemaComponents, headers: readonly HeaderName[]): Operation['responses'] {
  return cached('The job.', 'The job has not changed.', headers, responseBody(components, 'job'));
}

/** Links from a newly created job to the operations on it. */
function jobLinks(): LinksObject {
  const parameters = { jobId: '$response.body#/jobId' };
  return {
    status: { operationId: GET_JOB, parameters, description: 'Poll it until `status` is `complete` or `failed`.' },
    download: { operationId: DOWNLOAD_JOB, parameters, description: 'Once the job is complete.' },
  };
}
