/** The operations that return a job's archive, with a key and with a signed URL. */

import type { ContentObject } from 'openapi3-ts/oas31';
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
