/** The bodies of requests and successful responses, with examples. */

import type { MediaTypeObject, RequestBodyObject } from 'openapi3-ts/oas31';
import { ItemSchema, JobMetaSchema, JobRequestSchema } from '../intake/request-schema.js';
import {
  type CreditBalance,
  CreditBalanceSchema,
  type JobCreated,
  JobCreatedSchema,
  type JobResource,
  JobResourceSchema,
  type JobValidation,
  JobValidationSchema,
} from '../intake/responses.js';
import { LIMITS } from '../limits.js';
import type { SchemaComponents } from './components.js';

const JOB_ID = '3v7m2kq0x9c5t1b8n4wz6r0hfy';
const TOKEN = '8d0f3hrzc2m6v9k4t7x1qn5wby';
const QUERY = '?exp=1800345600&t=QmFzZTY0dXJsLWVuY29kZWQtSE1BQy1TSEEyNTYtLS0';
const DOWNLOAD_URL = `/d/${TOKEN}${QUERY}`;

/** A picture of one pixel. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const JOB_REQUEST_EXAMPLES = {
  small: {
    summary: 'Two codes as PNG, in the default style',
    value: { items: [{ data: 'https://example.org/1' }, { data: 'https://example.org/2' }] },
  },
  styled: {
    summary: 'PNG and SVG with file names, colours, a logo and a caption under every code',
    value: {
      format: 'both',
      style: {
        ecLevel: 'Q',
        scale: 12,
        margin: 2,
        foreground: '#1b3a5c',
        background: '#ffffff',
        logo: { dataUrl: LOGO, sizeRatio: 0.2 },
        caption: { text: 'Scan me', fontSize: 18 },
      },
      items: [
        { data: 'https://example.org/tables/1', filename: 'table 1', caption: 'Table 1' },
        { data: 'https://example.org/tables/2', filename: 'table 2', caption: 'Table 2' },
        { data: 'https://example.org/menu', filename: 'menu' },
      ],
      sendEmail: true,
    },
  },
};

const NDJSON_EXAMPLES = {
  lines: {
    summary: 'The meta object, then an item a line; an array here, since this document is JSON',
    value: [
      { format: 'svg', style: { ecLevel: 'M' } },
      { data: 'https://example.org/1', filename: 'one' },
      { data: 'https://example.org/2', filename: 'two' },
    ],
  },
};

/**
 * An NDJSON body as the array of what its lines hold, line 1 first: OpenAPI 3.1 has no word for sequences, and this is how 3.2
 * reads the schema of one.
 */
const NDJSON_BODY = {
  type: 'array',
  title: 'NdjsonJobRequest',
  description:
    'An NDJSON body (UTF-8, a JSON text a line): this array, its first element on line 1 and every other on a line of its own.',
  prefixItems: [JobMetaSchema],
  items: ItemSchema,
  minItems: 2,
  maxItems: LIMITS.ndjsonItems + 1,
};

const megabytes = (bytes: number) => `${bytes / 1e6} MB`;

/** The body of a job, in its two forms. */
export function jobRequestBody(components: SchemaComponents): RequestBodyObject {
  return {
    required: true,
    description: [
      `As \`application/json\` up to ${LIMITS.jsonItems.toLocaleString('en')} items and ${megabytes(LIMITS.jsonBodyBytes)}, or as \`application/x-ndjson\` up to ${LIMITS.ndjsonItems.toLocaleString('en')} items and ${megabytes(LIMITS.ndjsonBodyBytes)}: the job meta object on line 1, then one item a line.`,
      'In NDJSON, lines end in LF or CRLF, and blank lines behind the first are skipped. In both, a byte order mark is skipped, and members that are unknown or occur twice are refused, as are strings with an unpaired surrogate. The charset, where one is named, is `utf-8`.',
      '`Content-Encoding` may be `gzip`, `br` or, where the service runs on a Node.js that has it, `zstd`; the limits of size hold for the decoded bytes too.',
    ].join('\n\n'),
    content: {
      'application/json': { schema: components.refer(JobRequestSchema), examples: JOB_REQUEST_EXAMPLES },
      'application/x-ndjson': { schema: components.refer(NDJSON_BODY), examples: NDJSON_EXAMPLES },
    },
  };
}

const JOB_CREATED: JobCreated = {
  jobId: JOB_ID,
  total: 2,
  creditsCharged: 2,
  statusUrl: `/d/${TOKEN}/status${QUERY}`,
  downloadUrl: DOWNLOAD_URL,
};

export function jobCreatedBody(components: SchemaComponents): MediaTypeObject {
  return {
    schema: components.refer(JobCreatedSchema),
    examples: { accepted: { summary: 'A job of two items', value: JOB_CREATED } },
  };
}

const JOB: JobResource = {
  id: JOB_ID,
  status: 'processing',
  total: 1000,
  completed: 0,
  failed: 0,
  creditsCharged: 1000,
};

export function jobBody(components: SchemaComponents): MediaTypeObject {
  return {
    schema: components.refer(JobResourceSchema),
    examples: {
      processing: { summary: 'Under way', value: { ...JOB, completed: 384 } },
      complete: {
        summary: 'Ready for download',
        value: { ...JOB, status: 'complete', completed: 1000, downloadUrl: DOWNLOAD_URL },
      },
      failed: {
        summary: 'Failed, and refunded',
        value: { ...JOB, status: 'failed', failed: 1000, creditsRefunded: 1000 },
      },
    },
  };
}

const BALANCE: CreditBalance = { balance: 500 };

export function creditBalanceBody(components: SchemaComponents): MediaTypeObject {
  return {
    schema: components.refer(CreditBalanceSchema),
    examples: { balance: { summary: 'The credits of a new organisation', value: BALANCE } },
  };
}

const VALIDATION: JobValidation = { total: 1000, creditsRequired: 1000, balance: 500, sufficient: false };

export function jobValidationBody(components: SchemaComponents): MediaTypeObject {
  return {
    schema: components.refer(JobValidationSchema),
    examples: { tooDear: { summary: 'Fit to be a job, and too dear at the moment', value: VALIDATION } },
  };
}
