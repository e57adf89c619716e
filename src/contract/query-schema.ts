/**
 * The schemas of queries, in the wire's words: the parameters of the list of jobs and of labels. `expected`, `unit` and
 * `decimals` are ours: the first says in a message what a text must be; the others describe numbers. Set-up writes this module
 * as plain data, as it does `request-schema.ts`.
 */

import { type Static, Type } from 'typebox';
import { CAPTION_PLACES } from './label-sheets.js';
import { LIMITS } from './limits.js';
import { CURSOR_PATTERN, JOB_STATUSES } from './response-schema.js';

const text = (description: string, example: string, options: object) =>
  Type.Optional(Type.String({ description, examples: [example], ...options }));
const integer = (description: string, example: number, bounds: { minimum: number; maximum?: number }) =>
  Type.Optional(Type.Integer({ description, examples: [example], ...bounds }));
const time = (description: string, example: string) =>
  text(`${description} (RFC 3339).`, example, {
    format: 'date-time',
    expected: 'a time such as 2026-01-31T12:00:00Z',
  });
const mm = (description: string, minimum: number, example: number, maximum: number = LIMITS.labelMm.maximum) => {
  const { decimals } = LIMITS.labelMm;
  return Type.Optional(
    Type.Number({
      minimum,
      maximum,
      description: `${description}, in millimetres with at most ${decimals} decimals.`,
      examples: [example],
      unit: 'mm',
      decimals,
    }),
  );
};
const length = (description: string, example: number) => mm(description, LIMITS.labelMm.minimum, example);
const margin = (description: string, example: number) => mm(description, 0, example);
const shift = (description: string, example: number) =>
  mm(description, -LIMITS.labelShiftMm.maximum, example, LIMITS.labelShiftMm.maximum);
const index = (description: string) => integer(description, 0, { minimum: 0, maximum: LIMITS.ndjsonItems - 1 });

/** Filters and paging of the list of jobs. */
export const JobFilterSchema = Type.Object({
  status: Type.Optional(
    Type.Enum([...JOB_STATUSES], { type: 'string', description: 'Jobs in this state alone.', examples: ['complete'] }),
  ),
  createdAfter: time('Jobs created later than this moment', '2026-01-01T00:00:00Z'),
  createdBefore: time('Jobs created earlier than this moment', '2026-02-01T00:00:00Z'),
  limit: integer('Jobs of a page.', LIMITS.jobsOfPage.default, LIMITS.jobsOfPage),
  cursor: text(
    'The `nextCursor` of the page before. Jobs that are created meanwhile neither repeat jobs nor hide any.',
    'mi8z3gqo-3v7m2kq0x9c5t1b8n4wz6r0hfy',
    { pattern: CURSOR_PATTERN, expected: 'the nextCursor of the page before' },
  ),
});

/** The sheet, the items and the look of a file of labels. */
export const LabelsSchema = Type.Object({
  sheet: Type.String({
    minLength: 1,
    description:
      'A `name` of `GET /api/v1/label-sheets`; `single`: one label a page, with `labelWidth` and `labelHeight`; `custom`: with `pageWidth`, `pageHeight`, `labelWidth`, `labelHeight`, `columns` and `rows`, and where they are wanted `left`, `top`, `gapX` and `gapY`.',
    examples: ['avery-l7160'],
    expected: 'the name of a sheet',
  }),
  labelWidth: length('Width of a label', 63.5),
  labelHeight: length('Height of a label', 38.1),
  pageWidth: length('Width of the page', 210),
  pageHeight: length('Height of the page', 297),
  columns: integer('Labels beside one another.', 3, LIMITS.labelsOfSide),
  rows: integer('Labels below one another.', 7, LIMITS.labelsOfSide),
  left: margin('From the left edge of the page to the first label; without it, the labels are in the middle', 7.25),
  top: margin('From the top edge of the page to the first label; without it, the labels are in the middle', 15.15),
  gapX: margin('Between two labels beside one another; 0 without it', 2.5),
  gapY: margin('Between two labels below one another; 0 without it', 0),
  first: integer('The first free label of the first sheet, row by row from 1; 1 without it.', 1, { minimum: 1 }),
  from: index('Index of the first item; 0 without it.'),
  to: index('Index of the last item; that of the job without it.'),
  items: text(
    `In place of \`from\` and \`to\`: the items to print, a list of indices and ranges, at most ${LIMITS.labelRanges}. They are printed in the order of the job, each once.`,
    '0-39,51',
    {
      pattern: `^\\d{1,7}(?:-\\d{1,7})?(?:,\\d{1,7}(?:-\\d{1,7})?){0,${LIMITS.labelRanges - 1}}$`,
      expected: `at most ${LIMITS.labelRanges} indices and ranges of items, such as 0-39,51`,
    },
  ),
  size: length(
    'Edge of every code without its quiet zone; without it, a code is as large as its label and caption allow',
    20,
  ),
  caption: Type.Optional(
    Type.Enum([...CAPTION_PLACES], {
      type: 'string',
      description:
        'Place of captions: `below` the code, `beside` it on the right, `none`, or `auto`, the default: beside it where the label is at least 1.6 times as wide as high and the captions of the job have room there in letters of 7 points, with broken words in no more than one of 20, else below it. The place is one for all labels of a job, whichever are printed. Beside its caption a code is as high as the label allows; an item without a caption stands in the middle.',
      examples: ['auto'],
    }),
  ),
  captionSize: Type.Optional(
    Type.Number({
      minimum: LIMITS.labelCaptionPt.minimum,
      maximum: LIMITS.labelCaptionPt.maximum,
      description:
        'Size of captions in points, with at most one decimal. Without it, as in the pictures of the job below a code, at least 7; beside it the size for which 19 of 20 captions of the job have room, from 7 to 12, and less where one needs it.',
      examples: [8],
      unit: 'points',
      decimals: 1,
    }),
  ),
  cutMarks: Type.Optional(
    Type.Boolean({ description: 'Draws crosses at the corners of the labels.', examples: [false] }),
  ),
  shiftX: shift(
    'Moves everything on the page to the right, for a printer that feeds askew, as far as no code or caption is cut off',
    0.5,
  ),
  shiftY: shift('Moves everything on the page down, as far as no code or caption is cut off', -1),
});
export type LabelsQuery = Static<typeof LabelsSchema>;
