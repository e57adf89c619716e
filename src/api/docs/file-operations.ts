/** The operations that return a job's files: the archive, with a key and with a signed URL; the manifest; single pictures. */

import type { ContentObject, ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { LIMITS } from '../../contract/limits.js';
import { PICTURE_TYPES } from '../../contract/request-schema.js';
import { ManifestLineSchema } from '../../contract/response-schema.js';
import type { SchemaComponents } from './components.js';
import { RATE_LIMIT_HEADERS } from './error-responses.js';
import { JOB, KEY, type Operation } from './operation.js';
import { DATE_CONDITIONS, ETAG_CONDITIONS, ITEM_INDEX, JOB_ID, LABELS, RANGE } from './parameters.js';
import { type HeaderName, headersOf } from './response-headers.js';

const ARCHIVE_HEADERS: readonly HeaderName[] = [
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
  'Content-Length',
  'Content-Disposition',
];
const ZIP: ContentObject = { 'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } } };

/** An archive operation, and its kind of access. */
interface ArchiveAccess extends Pick<Operation, 'path' | 'tag' | 'description' | 'access' | 'limitPerMinute'> {
  /** Ids of the GET and the HEAD. */
  ids: { get: string; head: string };
  /** Appended to the summaries. Empty, or begins with a space. */
  how: string;
  /** Parameters that name the job. */
  parameters: Operation['parameters'];
  /** Errors of this kind of access. */
  errors: Operation['errors'];
}

/** The GET of an archive, and its HEAD, which has no ranges (RFC 9110, section 14.2). */
export function archiveOperations({ ids, how, ...access }: ArchiveAccess): readonly Operation[] {
  const rateLimit = access.access === 'key' ? RATE_LIMIT_HEADERS : [];
  const headers = [...rateLimit, ...ARCHIVE_HEADERS];
  const parameters = [...access.parameters, ...ETAG_CONDITIONS, ...DATE_CONDITIONS];
  const errors: Operation['errors'] = [...access.errors, ...JOB, 'not_ready'];
  const notModified = {
    description: 'The archive has not changed.',
    headers: headersOf([...rateLimit, 'ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition']),
  };
  return [
    {
      ...access,
      id: ids.get,
      method: 'get',
      summary: `Download a job's archive${how}`,
      parameters: [...parameters, ...RANGE],
      responses: {
        200: { description: 'The archive.', headers: headersOf(headers), content: ZIP },
        206: {
          description: 'The range that was asked for, named in `Content-Range`.',
          headers: headersOf(headers, ['Content-Range']),
          content: ZIP,
        },
        304: notModified,
      },
      errors: [...errors, 'range_not_satisfiable'],
    },
    {
      ...access,
      id: ids.head,
      method: 'head',
      summary: `Ask for the size of an archive${how}`,
      description: 'The headers of a download, without its body.',
      parameters,
      responses: { 200: { description: 'The headers of the archive.', headers: headersOf(headers) }, 304: notModified },
      errors,
    },
  ];
}

const NAMED_FILE_HEADERS = headersOf([...RATE_LIMIT_HEADERS, 'ETag', 'Content-Disposition']);

const CSV = [
  'index,reference,data,caption,status,@image,name,bytes,crc32,unusedErrorCorrection',
  '0,A-1,https://example.org/1,Table 1,completed,table 1.png,table 1.png,645,89abcdef,0.909',
].join('\r\n');

export function manifestResponses(components: SchemaComponents): Readonly<Record<string, ResponseObject>> {
  const line = {
    index: 0,
    reference: 'A-1',
    data: 'https://example.org/1',
    caption: 'Table 1',
    status: 'completed',
    files: [{ name: 'table 1.png', bytes: 645, crc32: '89abcdef' }],
    unusedErrorCorrection: 0.909,
  };
  // `contentSchema` is JSON Schema's keyword for the content of a string. The types of OpenAPI 3.1 lack it.
  const lines: SchemaObject & { contentSchema: ReferenceObject } = {
    type: 'string',
    description: 'Lines of JSON, each a `ManifestLine`.',
    contentMediaType: 'application/json',
    contentSchema: components.refer(ManifestLineSchema),
  };
  return {
    200: {
      description: 'The manifest, streamed.',
      headers: NAMED_FILE_HEADERS,
      content: {
        'application/x-ndjson': {
          schema: lines,
          examples: { line: { summary: 'One item', value: `${JSON.stringify(line)}\n` } },
        },
        'text/csv': {
          schema: { type: 'string' },
          examples: { rows: { summary: 'One item', value: `${CSV}\r\n` } },
        },
      },
    },
    304: { description: 'The manifest has not changed.', headers: NAMED_FILE_HEADERS },
  };
}

/** The operation of each format's pictures. */
export function pictureOperations(limitPerMinute: number): Operation[] {
  return Object.entries(PICTURE_TYPES).map(([format, mediaType]) => ({
    id: `get${format.charAt(0).toUpperCase()}${format.slice(1)}`,
    method: 'get',
    path: `/api/v1/jobs/{jobId}/items/{index}.${format}`,
    tag: 'Jobs',
    summary: `Fetch one ${format.toUpperCase()} picture`,
    description: 'The picture of one item of a complete job, byte for byte as the archive holds it.',
    access: 'key',
    limitPerMinute,
    parameters: [JOB_ID, ITEM_INDEX, ...ETAG_CONDITIONS],
    responses: {
      200: {
        description: 'The picture.',
        headers: headersOf([...RATE_LIMIT_HEADERS, 'ETag', 'Content-Length']),
        content: { [mediaType]: { schema: { type: 'string', contentMediaType: mediaType } } },
      },
      304: { description: 'The picture has not changed.', headers: headersOf([...RATE_LIMIT_HEADERS, 'ETag']) },
    },
    errors: [...KEY, ...JOB, 'not_ready'],
  }));
}

const LABELS_DESCRIPTION = [
  'The codes of a complete job on sheets of labels, drawn when they are asked for, and streamed: modules and captions as paths, black as black ink alone, a transparent or white background as the paper. The same request always gives the same bytes.',
  `Labels are filled row by row. A code stands in the middle of its label with its caption below, or at its left edge with the caption beside it, and with the quiet zone of the style, of ${LIMITS.margin.default} modules at least. A caption that finds no room is refused at \`/captionSize\` or \`/caption\`. Codes whose modules would be narrower than ${LIMITS.labelModuleMm.minimum} mm are refused at \`/size\` or \`/sheet\`, with the least size; below ${LIMITS.labelModuleMm.advised} mm some printers and phones have trouble. So are, at \`/sheet\`, codes that cannot be seen on white paper, below a contrast of ${LIMITS.labelContrast}:1.`,
].join('\n\n');

export function labelsOperation(limitPerMinute: number): Operation {
  return {
    id: 'getLabels',
    method: 'get',
    path: '/api/v1/jobs/{jobId}/labels.pdf',
    tag: 'Labels',
    summary: "Print a job's codes on labels",
    description: LABELS_DESCRIPTION,
    access: 'key',
    limitPerMinute,
    parameters: [JOB_ID, ...LABELS, ...ETAG_CONDITIONS],
    responses: {
      200: {
        description: 'The labels, streamed.',
        headers: NAMED_FILE_HEADERS,
        content: { 'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf' } } },
      },
      304: { description: 'The client has these labels.', headers: NAMED_FILE_HEADERS },
    },
    errors: [...KEY, ...JOB, 'not_ready'],
  };
}
