/** The operations that answer a job's archive, for the holder of a key and for that of a signed URL. */

import type { ContentObject, HeaderObject } from 'openapi3-ts/oas31';
import { RATE_LIMIT_HEADERS } from './error-responses.js';
import { JOB, type Operation } from './operation.js';
import { DATE_CONDITIONS, ETAG_CONDITIONS, RANGE } from './parameters.js';
import { type HeaderName, headersOf } from './response-headers.js';

const ARCHIVE_HEADERS: readonly HeaderName[] = [
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
  'Content-Length',
  'Content-Disposition',
];
const ZIP: ContentObject = { 'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } } };
const SEVERAL_RANGES: ContentObject = {
  'multipart/byteranges': { schema: { type: 'string', contentMediaType: 'multipart/byteranges' } },
};

/** Where the archive is when it is not here. */
const ELSEWHERE: HeaderObject = {
  required: true,
  description: 'A URL of the object store, which names the file as this service would.',
  schema: { type: 'string', format: 'uri' },
  example: 'https://bucket.s3.eu-central-1.amazonaws.com/codes/jobs/3v7m2kq0x9c5t1b8n4wz6r0hfy/archive-1.zip',
};

/** An archive, and how it is come by. */
export interface ArchiveAccess extends Pick<Operation, 'path' | 'tag' | 'description' | 'access' | 'limitPerMinute'> {
  /** Ids of the GET and the HEAD. */
  ids: { get: string; head: string };
  /** Ends the summaries; empty, or with a space in front. */
  how: string;
  /** Parameters that name the job. */
  parameters: Operation['parameters'];
  /** Errors of the access. */
  errors: Operation['errors'];
}

/** The GET of an archive, and the HEAD beside it, which knows no ranges (RFC 9110, section 14.2). */
export function archiveOperations({ ids, how, ...access }: ArchiveAccess): readonly Operation[] {
  const rateLimit = access.access === 'key' ? RATE_LIMIT_HEADERS : [];
  const headers = [...rateLimit, ...ARCHIVE_HEADERS];
  const parameters = [...access.parameters, ...ETAG_CONDITIONS, ...DATE_CONDITIONS];
  const errors: Operation['errors'] = [...access.errors, ...JOB, 'not_ready'];
  const notModified = {
    description: 'The client has this archive.',
    headers: headersOf([...rateLimit, 'ETag', 'Last-Modified', 'Accept-Ranges']),
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
          description: 'The range that was asked for, named in `Content-Range`; or several, each part with its own.',
          headers: headersOf(headers, ['Content-Range']),
          content: { ...ZIP, ...SEVERAL_RANGES },
        },
        304: notModified,
        307: {
          description:
            'Only where the operator has turned it on: the archive, and any range of it, is at the URL in `Location`, for some minutes and without a key. ' +
            'Not sent to requests with `If-Match`, nor with an `If-Range` that names this archive.',
          headers: { ...headersOf(rateLimit), Location: ELSEWHERE },
        },
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
