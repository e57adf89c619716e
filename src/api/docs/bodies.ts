/** The bodies of requests and successful responses, with examples. */

import type { MediaTypeObject, RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31';
import { LABEL_SHEETS, LabelSheetListSchema } from '../../contract/label-sheets.js';
import { LIMITS } from '../../contract/limits.js';
import { ItemSchema, JobMetaSchema, JobRequestSchema } from '../../contract/request-schema.js';
import {
  type CreditBalance,
  CreditBalanceSchema,
  type JobCreated,
  JobCreatedSchema,
  type JobList,
  JobListSchema,
  type JobResource,
  JobResourceSchema,
  type JobValidation,
  JobValidationSchema,
} from '../../contract/response-schema.js';
import type { SchemaComponents } from './components.js';

const JOB_ID = '3v7m2kq0x9c5t1b8n4wz6r0hfy';
const TOKEN = '8d0f3hrzc2m6v9k4t7x1qn5wby';
const QUERY = '?exp=1800345600&t=QmFzZTY0dXJsLWVuY29kZWQtSE1BQy1TSEEyNTYtLS0';
const DOWNLOAD_URL = `/d/${TOKEN}${QUERY}`;

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
    summary: 'The settings of the job, then one item per line',
    value: [
      { format: 'svg', style: { ecLevel: 'M' } },
      { data: 'https://example.org/1', filename: 'one' },
      { data: 'https://example.org/2', filename: 'two' },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  },
};

/**
 * An NDJSON body: a string whose `contentSchema` (JSON Schema 2020-12, section 8.5) describes its lines as an array,
 * because OpenAPI 3.1 cannot describe sequences.
 */
function ndjsonBody(components: SchemaComponents): SchemaObject {
  const body: SchemaObject & { contentSchema: SchemaObject } = {
    type: 'string',
    description: 'UTF-8, one JSON text per line: a `JobMeta` on line 1, and an `Item` on every other line.',
    contentMediaType: 'application/x-ndjson',
    contentSchema: {
      type: 'array',
      prefixItems: [components.refer(JobMetaSchema)],
      items: components.refer(ItemSchema),
      minItems: 2,
      maxItems: LIMITS.ndjsonItems + 1,
    },
  };
  return body;
}

const megabytes = (bytes: number) => `${bytes / 1e6} MB`;

export function jobRequestBody(components: SchemaComponents): RequestBodyObject {
  return {
    required: true,
    description: [
      `As \`application/json\` up to ${LIMITS.jsonItems.toLocaleString('en')} items and ${megabytes(LIMITS.jsonBodyBytes)}, or as \`application/x-ndjson\` up to ${LIMITS.ndjsonItems.toLocaleString('en')} items and ${megabytes(LIMITS.ndjsonBodyBytes)}: the job's settings on line 1, then one item per line.`,
      'In NDJSON, lines end in LF or CRLF, and blank lines behind the first are skipped. In both, a byte order mark is skipped, and members that are unknown or occur twice are refused, as are strings with an unpaired surrogate. The charset, where one is named, is `utf-8`.',
      '`Content-Encoding` may be `gzip`, `br` or, where the service runs on a Node.js that has it, `zstd`; the limits of size hold for the decoded bytes too.',
    ].join('\n\n'),
    content: {
      'application/json': { schema: components.refer(JobRequestSchema), examples: JOB_REQUEST_EXAMPLES },
      'application/x-ndjson': { schema: ndjsonBody(components), examples: NDJSON_EXAMPLES },
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

const JOB: JobResource = {
  id: JOB_ID,
  status: 'processing',
  createdAt: '2026-01-31T12:00:00.000Z',
  total: 1000,
  completed: 0,
  failed: 0,
  creditsCharged: 1000,
};

const JOB_LIST: JobList = { jobs: [{ ...JOB, completed: 384 }], nextCursor: 'mi8z3gqo-3v7m2kq0x9c5t1b8n4wz6r0hfy' };
const BALANCE: CreditBalance = { balance: 500 };
const VALIDATION: JobValidation = { total: 1000, creditsRequired: 1000, balance: 500, sufficient: false };

/** The JSON bodies of successful responses. */
const RESPONSES = {
  jobCreated: {
    schema: JobCreatedSchema,
    examples: { accepted: { summary: 'A job of two items', value: JOB_CREATED } },
  },
  job: {
    schema: JobResourceSchema,
    examples: {
      processing: { summary: 'In progress', value: { ...JOB, completed: 384 } },
      complete: {
        summary: 'Ready for download',
        value: { ...JOB, status: 'complete', completed: 1000, downloadUrl: DOWNLOAD_URL },
      },
      failed: {
        summary: 'Failed, and refunded',
        value: { ...JOB, status: 'failed', reason: 'nothing_drawn', failed: 1000, creditsRefunded: 1000 },
      },
    },
  },
  jobList: { schema: JobListSchema, examples: { page: { summary: 'A page of one job', value: JOB_LIST } } },
  credits: {
    schema: CreditBalanceSchema,
    examples: { balance: { summary: 'The credits of a new organisation', value: BALANCE } },
  },
  labelSheets: {
    schema: LabelSheetListSchema,
    examples: { sheets: { summary: 'Two of the sheets', value: { sheets: LABEL_SHEETS.slice(0, 2) } } },
  },
  validation: {
    schema: JobValidationSchema,
    examples: { tooDear: { summary: 'Valid, but the balance is too low', value: VALIDATION } },
  },
};

export type ResponseName = keyof typeof RESPONSES;

export function responseBody(components: SchemaComponents, name: ResponseName): MediaTypeObject {
  const { schema, examples } = RESPONSES[name];
  return { schema: components.refer(schema), examples };
}
