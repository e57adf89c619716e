/** The arguments and options of the commands that read items, such as `--data`, `--caption`, `--filename` and `--kind`. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { CALLING_CODES, COUNTRY_OF_ROW } from '../contract/calling-codes.js';
import { ENCODINGS } from '../contract/encodings.js';
import { FORMATS, VERIFY_MODES } from '../contract/request-schema.js';
import type { ChosenColumn, ColumnRole, ComposedMember, SpreadsheetChoices } from '../engine/engine.js';
import type { StyleFile } from './input-file.js';
import { type LabelFlags, takesLabels } from './labels.js';
import { type Kind, KINDS } from '../contract/kinds.js';
import { jsonFile, refuse } from './arguments.js';

export interface InputFlags extends LabelFlags, CompositionFlags {
  out: string;
  format?: string;
  style?: StyleFile;
  verify?: string;
  sheet?: string;
  links?: string;
  dates?: string;
  callingCode?: string;
  encoding?: string;
  header: boolean;
  skipFaulty?: boolean;
  json?: boolean;
  /** The values of `--style` and `--labels` as they were written. */
  optionFiles?: string[];
}

export function takesItems(command: Command): Command {
  takesCompositions(takesLabels(command))
    .argument('<file>', 'a spreadsheet (CSV, XLSX) or the body of a job (JSON, NDJSON); - reads standard input')
    .requiredOption(
      '--out <place>',
      'the ZIP file to write, or the PDF with --labels; render also takes a FOLDER/ for single pictures, and - for standard output',
    )
    .addOption(
      new Option('--format <format>', 'the format of the pictures; replaces that of the body').choices(FORMATS),
    )
    .option('--style <file>', 'a JSON file with a style; replaces that of the body', styleFile)
    .addOption(
      new Option('--verify [how]', 'read the finished codes back, and name those that could not be read')
        .choices(VERIFY_MODES)
        .preset('all'),
    )
    .option('--sheet <name>', 'the sheet of a workbook; by default the first one that is not hidden')
    .addOption(
      new Option(
        '--links <what>',
        'what the codes take of cells that are links: the text that is shown, or the address; without it such rows are refused',
      ).choices(['text', 'address']),
    )
    .addOption(
      new Option(
        '--dates <order>',
        'what comes first in dates such as 01/02/2026; without it other dates of the sheet tell, or such rows are refused',
      ).choices(['day', 'month']),
    )
    .addOption(
      new Option(
        '--calling-code <code>',
        'the country of numbers such as 0171 2345678, as its code, or row: that of each row; without it, calls and messages to them are refused; contacts keep them as is',
      ).choices([COUNTRY_OF_ROW, ...CALLING_CODES.map(([code]) => code)]),
    )
    .addOption(
      new Option(
        '--encoding <name>',
        'the encoding of a CSV file that is not UTF-8, or that was encoded twice',
      ).choices(Object.keys(ENCODINGS)),
    )
    .option('--no-header', 'treat the first row of a spreadsheet as an item')
    .option('--skip-faulty', 'leave out the rows of a spreadsheet that cannot be codes, and name the first 100 faults');
  for (const name of ['style', 'labels']) {
    command.on(`option:${name}`, (file: string) => {
      const { optionFiles = [] } = command.opts<Partial<InputFlags>>();
      command.setOptionValue('optionFiles', [...optionFiles, file]);
    });
  }
  return command;
}

export function inputOf(flags: InputFlags): {
  spreadsheet: SpreadsheetChoices;
  onNotice: (notice: string) => void;
} {
  const { sheet, links, dates, callingCode, encoding, header } = flags;
  const spreadsheet = {
    ...(sheet !== undefined && { sheet }),
    ...(links !== undefined && { links: links as 'text' | 'address' }),
    ...(dates !== undefined && { dates: dates as 'day' | 'month' }),
    ...(callingCode !== undefined && { callingCode }),
    ...(encoding !== undefined && { encoding }),
    ...compositionsOf(flags),
    recognise: true,
    layout: header ? ('header' as const) : ('rows' as const),
  };
  return { spreadsheet, onNotice: (notice) => console.error(notice) };
}

const styleFile = (file: string): StyleFile => ({ file, value: jsonFile(file) });

/** Roles of a spreadsheet's columns. */
const COLUMN_ROLES: readonly ColumnRole[] = ['data', 'filename', 'caption', 'reference'];

/** Members that take a pattern. */
const PATTERN_ROLES = ['data', 'caption', 'filename'] as const;

/** A column for a role, or for a field of a kind. No name: no column. */
interface NamedColumn {
  target: string;
  name?: string;
}

interface CompositionFlags extends Partial<Record<(typeof PATTERN_ROLES)[number], string>> {
  kind?: Kind;
  column?: NamedColumn[];
}

function takesCompositions(command: Command): Command {
  return command
    .option(
      '--column <role=name>',
      `which column (name or letter) has a role: ${COLUMN_ROLES.join(', ')}, or a field of the kind; may be repeated`,
      addColumn,
    )
    .option(
      '--data <pattern>',
      "put the text of the codes together from columns: 'https://id.example/{Asset ID}' or 'SN {Serial}'",
      dataPattern,
    )
    .option('--caption <pattern>', "put the captions together from columns: '{Name} · {Room}'", textPattern)
    .option('--filename <pattern>', "put the names of the pictures together from columns: '{Name}'", textPattern)
    .addOption(
      new Option(
        '--kind <kind>',
        'make codes of this kind; --column FIELD=NAME names the columns of its fields',
      ).choices(Object.keys(KINDS)),
    );
}

/** The choices of columns. @throws UsageError for options that exclude each other */
function compositionsOf(flags: CompositionFlags): { columns: ChosenColumn[]; composed: ComposedMember[] } {
  const { kind, column = [] } = flags;
  const patterns = PATTERN_ROLES.flatMap((role) => {
    const pattern = flags[role];
    return pattern === undefined ? [] : [{ role, pattern }];
  });
  if (kind !== undefined && flags.data !== undefined) refuse('--kind and --data both say what the codes say');
  const fields: readonly string[] = kind === undefined ? [] : KINDS[kind];
  const columns: ChosenColumn[] = [];
  for (const [index, { target, name }] of column.entries()) {
    if (column.findIndex((each) => each.target === target) < index) refuse(`--column ${target}=… is given twice`);
    if (fields.includes(target)) continue;
    const role = COLUMN_ROLES.find((known) => known === target);
    if (role === undefined) {
      const known = [...new Set([...fields, ...COLUMN_ROLES])].filter((each) => kind === undefined || each !== 'data');
      refuse(`--column ${target}=…: expected one of ${known.map((each) => `${each}=NAME`).join(', ')}`);
    }
    if (patterns.some((pattern) => pattern.role === role))
      refuse(`--column ${role}=… and --${role} are for the same role`);
    if (role === 'data' && kind !== undefined) refuse('--column data=… and --kind both say what the codes say');
    columns.push({ role, ...(name !== undefined && { name }) });
  }
  const chosen = column
    .filter(({ target }) => fields.includes(target))
    .map(({ target, name }) => ({ field: target, ...(name !== undefined && { name }) }));
  return {
    columns,
    composed: [...patterns, ...(kind === undefined ? [] : [{ role: 'data' as const, kind, fields: chosen }])],
  };
}

/** Parses `data=URL`. Without a name, no column has the role. */
function addColumn(text: string, columns: NamedColumn[] = []): NamedColumn[] {
  const [, target, name = ''] = /^([a-zA-Z]+)=(.*)$/s.exec(text) ?? [];
  if (target === undefined) {
    throw new InvalidArgumentError(`expected one of ${COLUMN_ROLES.map((each) => `${each}=NAME`).join(', ')}`);
  }
  return [...columns, { target, ...(name !== '' && { name }) }];
}

/** Patterns whose values are percent-encoded. */
const LINK = /^(?:https?:|ftp:|mailto:|sms(?:to)?:|tel:|geo:|urn:|\{\+)/i;

const dataPattern = (text: string): string => requirePattern(text, LINK.test(text));

const textPattern = (text: string): string => requirePattern(text, false);

/** A text whose braces stand in pairs around names, or are written twice. Only links have `{#name}`. */
function requirePattern(text: string, isLink: boolean): string {
  if (text.trim() === '' || !/^(?:[^{}]|\{\{|\}\}|\{[^{}]*[^{}\s+#][^{}]*\})*$/.test(text)) {
    throw new InvalidArgumentError(
      'expected a text with the names of columns in braces; a brace that is text is written twice',
    );
  }
  if (!isLink && /\{\s*#/.test(text.replaceAll('{{', ''))) {
    throw new InvalidArgumentError('braces that begin with # are for links, whose text begins with https: or the like');
  }
  return text;
}
