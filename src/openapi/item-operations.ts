/** The operations about single items: the manifest, and pictures. */

import type { ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { ManifestLineSchema } from '../contract/response-schema.js';
import type { SchemaComponents } from './components.js';
import { RATE_LIMIT_HEADERS } from './error-responses.js';
import { JOB, KEY, type Operation } from './operation.js';
import { ETAG_CONDITIONS, ITEM_INDEX, JOB_ID } from './parameters.js';
import { headersOf } from './response-headers.js';

const HEADERS = headersOf([...RATE_LIMIT_HEADERS, 'ETag']);

const CSV = [
  'index,reference,data,caption,status,@image,name,bytes,crc32',
  '0,A-1,https://example.org/1,Table 1,completed,table 1.png,table 1.png,645,89abcdef',
].join('\r\n');

export function manifestResponses(components: SchemaComponents): Readonly<Record<string, ResponseObject>> {
  const line = {
    index: 0,
    reference: 'A-1',
    data: 'https://example.org/1',
    caption: 'Table 1',
    status: 'completed',
    files: [{ name: 'table 1.png', bytes: 645, crc32: '89abcdef' }],
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
      headers: headersOf([...RATE_LIMIT_HEADERS, 'ETag', 'Content-Disposition']),
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
    304: { description: 'The client has this manifest.', headers: HEADERS },
  };
}

interface PictureForm {
  id: string;
  extension: string;
  mediaType: string;
  limitPerMinute: number;
}

export function pictureOperation({ id, extension, mediaType, limitPerMinute }: PictureForm): Operation {
  return {
    id,
    method: 'get',
    path: `/api/v1/jobs/{jobId}/items/{index}${extension}`,
    tag: 'Jobs',
    summary: `Fetch one ${extension.slice(1).toUpperCase()} picture`,
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
      304: { description: 'The client has this picture.', headers: HEADERS },
    },
    errors: [...KEY, ...JOB, 'not_ready'],
  };
}
