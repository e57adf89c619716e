/** The page of limits at `/docs/limits`, from the table of limits and the settings of this service. */

import type { Config } from '../../../config/config.js';
import { LIMITS, PICTURES_PER_READ } from '../../../contract/limits.js';
import { counted } from '../../../platform/counted.js';
import type { MarkdownPage } from './guide-pages.js';
import { renderMarkdown } from './markdown.js';

type Settings = Pick<Config, 'rateLimits' | 'retentionDays'>;

/** `docs/decide/limits.md` is the same with all defaults, for readers of the repository. */
export function limitsPage(settings: Settings): MarkdownPage {
  const path = '/docs/limits';
  const markdown = limitsMarkdown(settings);
  return { path, title: 'Limits', content: renderMarkdown(markdown), markdown, markdownPath: `${path}.md` };
}

function limitsMarkdown(settings: Settings): string {
  const sections = Object.entries(limits(settings)).map(([heading, rows]) =>
    [
      `## ${heading}`,
      '',
      '| What | Limit |',
      '|---|---|',
      ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    ].join('\n'),
  );
  return `${[
    '# Limits',
    'How large a job, an item, a label or a file may be, and how often a key may ask. What is larger is refused before it costs credits.',
    'Whoever runs the service sets the retention and the requests of a key: `QRPRESS_RETENTION_DAYS`, `QRPRESS_RATE_LIMIT_CREATE` and `QRPRESS_RATE_LIMIT_READ`. The other limits are fixed.',
    ...sections,
  ].join('\n\n')}\n`;
}

type Rows = [name: string, value: string][];

/** Section 8 of the specification as rows, and the limits that are decided where it is silent. */
function limits(settings: Settings): Record<string, Rows> {
  return {
    ...limitsOfJobs(settings),
    ...limitsOfPrint(),
    Organisations: [
      ['Active keys', `at most ${LIMITS.activeKeys}`],
      ['Saved styles', `at most ${LIMITS.savedStyles}`],
      ['Creating one', `by a person who is in fewer than ${LIMITS.memberships}`],
    ],
    'Requests and webhooks': limitsOfRequests(settings),
  };
}

function limitsOfJobs({ retentionDays }: Settings): Record<string, Rows> {
  const { idempotencyKeyCharacters, idempotencyHours } = LIMITS;
  return {
    Jobs: [
      ['Items of a JSON job', `1 to ${number(LIMITS.jsonItems)}`],
      ['Items of an NDJSON job', `1 to ${number(LIMITS.ndjsonItems)}`],
      ['JSON body, as sent and decoded', megabytes(LIMITS.jsonBodyBytes)],
      ['NDJSON body, as sent and decoded', megabytes(LIMITS.ndjsonBodyBytes)],
      ['The name of a job', characters(LIMITS.jobNameCharacters)],
      [
        'An Idempotency-Key',
        `1 to ${idempotencyKeyCharacters} visible ASCII characters, kept for ${idempotencyHours} hours`,
      ],
      ['Issues that an error lists', `the first ${LIMITS.issues}`],
      ['Items that `"verify": "sample"` reads', number(LIMITS.sampleItems)],
      ['Jobs per page of the list', `${between(LIMITS.jobsOfPage)}, by default ${LIMITS.jobsOfPage.default}`],
      ['Results and signed URLs are kept', counted(retentionDays, 'day')],
    ],
    Items: [
      ["An item's data", characters(LIMITS.dataCharacters)],
      [
        'Bytes of data (UTF-8)',
        `${Object.entries(LIMITS.dataBytes)
          .map(([level, bytes]) => `${level}: ${number(bytes)}`)
          .join(', ')}, by level of error correction. Digits take less room`,
      ],
      ["An item's filename", characters(LIMITS.filenameCharacters)],
      ["An item's reference", characters(LIMITS.referenceCharacters)],
      ['A caption', characters(LIMITS.captionCharacters)],
      [
        'A name in the archive',
        `${characters(LIMITS.archiveNameCharacters)} and ${LIMITS.fileNameBytes} bytes of UTF-8, with the extension`,
      ],
    ],
    Look: [
      ["A logo's data URL", characters(LIMITS.logoDataUrlCharacters)],
      ["A logo's edge, as a fraction of the code's", between(LIMITS.logoSizeRatio)],
      ['Scale, in pixels per module', between(LIMITS.scale)],
      ['Margin, in modules', between(LIMITS.margin)],
      ["A caption's font size", between(LIMITS.captionFontSize)],
      ['Pixels per inch in print (dpi)', between(LIMITS.dpi)],
      ['A side of an image', `at most ${number(LIMITS.sidePx)} px`],
    ],
  };
}

function limitsOfPrint(): Record<string, Rows> {
  const { labelMm, labelsOfSide, labelCaptionPt } = LIMITS;
  return {
    Labels: [
      ['A side of a label or a page', `${between(labelMm)} mm, with at most ${labelMm.decimals} decimals`],
      ['Columns, and rows, of a sheet', between(labelsOfSide)],
      ['Items and ranges of items to print', `at most ${LIMITS.labelRanges}`],
      ['Captions on labels', `${between(labelCaptionPt)} points`],
      ['Moving the page', `at most ${LIMITS.labelShiftMm.maximum} mm to each side`],
    ],
    'CSV and Excel files': [
      ['A file, and the items made of it', megabytes(LIMITS.ndjsonBodyBytes)],
      ['Codes of a file', `at most ${number(LIMITS.ndjsonItems)}`],
      ['A cell', 'at most 100,000 bytes'],
      [
        'An Excel sheet',
        'at most 16,384 columns. With 100 filled columns it has room for some 75,000 rows; save larger ones as CSV',
      ],
    ],
  };
}

function limitsOfRequests({ rateLimits }: Settings): Rows {
  const { webhookDeliveries } = LIMITS;
  return [
    ['Creating a job; checking one', `${perMinute(rateLimits.create)} per key, each`],
    ['Every other endpoint', `${perMinute(rateLimits.read)} per key, each`],
    ['Single pictures', `${perMinute(rateLimits.read * PICTURES_PER_READ)} per key`],
    ['All keys of an organisation together', 'ten times as many'],
    ['Status by signed URL', `${perMinute(LIMITS.linkRequestsPerMinute.status)} per link`],
    ['Download by signed URL', `${perMinute(LIMITS.linkRequestsPerMinute.download)} per link`],
    ['Webhooks of an organisation', `at most ${LIMITS.webhooks}`],
    [
      'Events of a webhook that wait',
      `at most ${number(webhookDeliveries.waiting)}, for a day while it is paused. The oldest are dropped`,
    ],
  ];
}

const number = (value: number) => value.toLocaleString('en');
const megabytes = (bytes: number) => `at most ${bytes / 1e6} MB (${number(bytes)} bytes)`;
const characters = (count: number) => `at most ${number(count)} characters`;
const perMinute = (count: number) => `${counted(count, 'request', number)} per minute`;
const between = ({ minimum, maximum }: { minimum: number; maximum: number }) =>
  `${number(minimum)} to ${number(maximum)}`;
