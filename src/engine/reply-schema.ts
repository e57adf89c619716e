/**
 * The schemas of what the engine's process sends: it may have been taken over, so its supervisor uses nothing of a message before
 * it follows its schema. Set-up compiles the checkers (`scripts/compile-schemas.js`).
 */

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { CONTENT_CODES } from '../contract/errors.js';
import type { TaskName, TaskValue } from './engine.js';

const text = Type.String();
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const yes = Type.Boolean();
const object = <Properties extends TProperties>(members: Properties) => Type.Object(members);
/** Without other members: by its members code tells one from another. */
const closed = <Properties extends TProperties>(members: Properties) =>
  Type.Object(members, { additionalProperties: false });
const optional = <Value extends TSchema>(value: Value) => Type.Optional(value);
const list = <Item extends TSchema>(item: Item) => Type.Array(item);
const orNull = <Value extends TSchema>(value: Value) => Type.Union([value, Type.Null()]);
/** A byte array, as a frame has it (`frames.ts`). */
const bytes = Type.Unsafe<Uint8Array>(object({ $bytes: count }));

const issue = object({ path: text, code: text, message: text, line: optional(count) });
const findings = { issues: list(issue), issueCount: count };
const refusal = closed({
  refusal: object({
    code: Type.Enum(CONTENT_CODES),
    line: optional(count),
    message: text,
    ...findings,
  }),
});
type Warning = Extract<TaskValue<'drawSamples'>, { warnings: unknown }>['warnings'][number];
const said = { message: text, items: count, first: count, listed: list(count) };
const warning = object({ code: Type.Unsafe<Warning['code']>(text), ...said });
const cutLogo = optional(object(said));
const action = Type.Enum([
  'web_page',
  'search',
  'network',
  'call',
  'message',
  'mail',
  'contact',
  'event',
  'place',
  'payment',
  'app',
  'text',
]);
const actions = list(object({ action, items: count, listed: list(count) }));
const chunkRange = object({ firstItem: count, itemCount: count, spoolOffset: count, spoolBytes: count });
const drawn = object({
  segmentBytes: count,
  indexBytes: count,
  entries: count,
  headerBytes: count,
  spool: bytes,
  segment: bytes,
  index: bytes,
  archiveEnd: bytes,
});
const checkedBody = closed({
  sendEmail: yes,
  name: optional(text),
  format: Type.Enum(['png', 'svg', 'both']),
  total: count,
  skipped: optional(object({ ...findings, items: count })),
  lines: list(object({ first: count, count })),
  warnings: list(warning),
  cutLogo,
  actions,
  verifyItems: optional(count),
  printedWidthMm: optional(object({ minimum: Type.Number(), maximum: Type.Number() })),
  sides: optional(object({ least: count, most: count })),
  spoolBytes: count,
  chunks: list(chunkRange),
  drawn: optional(drawn),
});
const role = Type.Enum(['data', 'filename', 'caption', 'reference']);
const spreadsheet = object({
  sheet: optional(text),
  sheets: list(text),
  fittingSheets: list(text),
  proposedKind: optional(text),
  asksForEncoding: yes,
  asksForLinks: yes,
  asksForDates: yes,
  ambiguousDates: count,
  asksForCountry: yes,
  nationalNumbers: count,
  countryColumn: optional(count),
  rowsWithoutCountry: count,
  linkCells: count,
  likelyKind: optional(text),
  asksForDay: yes,
  passwordlessNetworks: count,
  placeholderRows: count,
  placeholderPlaces: list(count),
  wrongCheckDigits: count,
  nameRows: count,
  columns: list(
    object({ letters: text, name: text, role: optional(role), field: optional(text), partOf: optional(text) }),
  ),
  asksForColumns: yes,
  asksForField: optional(text),
  askedFields: list(text),
  linksColumn: optional(count),
  timesColumn: optional(count),
  asksForHeader: yes,
  hasNoHeader: yes,
  firstRows: list(object({ row: count, cells: list(text) })),
  items: count,
  problems: list(
    object({ row: optional(count), column: optional(count), what: text, message: text, choice: optional(text) }),
  ),
  problemCount: count,
  faultyRows: count,
  notices: list(text),
  rowsBelow: optional(text),
  unusedColumns: optional(text),
  encoding: optional(text),
  rowsBeforeLine1: Type.Integer(),
});
const rendered = object({
  completed: count,
  failed: count,
  failures: list(object({ item: count, message: text })),
  segmentBytes: count,
  indexBytes: count,
  entries: count,
  headerBytes: count,
});
const summary = object({
  verified: count,
  unread: count,
  unreadItems: list(count),
  least: optional(object({ thousandths: count, item: count })),
  distribution: list(count),
  readingsBytes: count,
});
const seenFile = object({
  extension: Type.Enum(['.png', '.svg']),
  unusedThousandths: optional(count),
  reason: optional(text),
  picturePath: optional(text),
});
const itemList = object({ count, ranges: list(object({ firstItem: count, endItem: count })) });
const fit = object({
  narrowestItem: count,
  moduleNm: count,
  modules: count,
  tightestItem: count,
  largestEdgeUm: count,
  smallestItem: count,
  leastEdgeUm: optional(count),
  mostEdgeUm: optional(count),
  printed: object({ leftUm: count, topUm: count, rightUm: count, bottomUm: count }),
  contrastHundredths: count,
  bareModuleNm: count,
  crowdedItem: optional(count),
  quietZoneModules: count,
  misfits: itemList,
  broken: itemList,
  captions: list(count),
});
const description = object({
  version: text,
  cpuPath: text,
  availableCpuPaths: list(text),
  fonts: count,
  rejectedFonts: list(text),
  confinement: list(text),
});

const VALUES = {
  readSpreadsheet: spreadsheet,
  check: Type.Union([refusal, checkedBody]),
  drawSamples: Type.Union([refusal, closed({ warnings: list(warning), cutLogo, actions, pictures: list(bytes) })]),
  renderChunk: rendered,
  renderChunks: list(rendered),
  finishArchive: object({ entries: count, endBytes: count, archiveBytes: count }),
  writeHeaders: count,
  writeEnd: count,
  readBack: yes,
  sumUpReadings: summary,
  verify: object({ unread: list(count), next: optional(count) }),
  seeItem: orNull(object({ data: text, files: list(seenFile) })),
  scan: object({ reads: yes, unusedThousandths: optional(count) }),
  writeManifest: count,
  findFile: orNull(object({ name: text, offset: count, bytes: count })),
  planLabels: list(list(object({ firstItem: count, endItem: count }))),
  measureLabels: fit,
  drawLabels: count,
  changeLines: object({ lines: text, leftOut: list(text) }),
  describe: description,
} satisfies { [Name in TaskName]: TSchema };

/** Does not compile where a schema lets a value pass that its task does not return, or lacks a member of a report. */
type Values = { [Name in TaskName]: Static<(typeof VALUES)[Name]> };
type Members<Value> = Value extends object ? keyof Value : never;
type Missing = { [Name in TaskName]: Exclude<Members<TaskValue<Name>>, Members<Values[Name]>> }[TaskName];
type Fits<Value extends { [Name in TaskName]: TaskValue<Name> }, _ extends never> = Value;

const failure = closed({ id: count, error: object({ code: text, message: text }) });

/** A message, with the name of the task whose outcome it has. */
export const EngineReplySchema = Type.Unsafe<Fits<Values, Missing>>(
  Type.Union([
    object({ message: closed({ alive: Type.Literal(true) }) }),
    object({ message: closed({ ready: Type.Literal(true) }) }),
    object({ message: closed({ overdue: count }) }),
    object({ task: Type.String(), message: failure }),
    ...Object.entries(VALUES).map(([name, value]) =>
      object({ task: Type.Literal(name), message: closed({ id: count, value }) }),
    ),
  ]),
);
