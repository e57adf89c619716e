/** The arguments and options of the commands that read items. */

import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS, VERIFY_MODES } from '../contract/request-schema.js';
import type { SpreadsheetChoices } from '../engine/engine.js';
import { type CompositionFlags, compositionsOf, takesCompositions } from './composition-options.js';
import { explain } from './explain.js';
import { type LabelFlags, takesLabels } from './labels.js';

export interface InputFlags extends LabelFlags, CompositionFlags {
  out: string;
  format?: string;
  style?: string;
  verify?: string;
  sheet?: string;
  header: boolean;
  json?: boolean;
}

export function takesItems(command: Command): Command {
  return takesCompositions(takesLabels(command))
    .argument('<file>', 'a spreadsheet (CSV, XLSX) or the body of a job (JSON, NDJSON); - reads standard input')
    .requiredOption(
      '--out <place>',
      'the ZIP file to write, or the PDF with --labels; render also takes a FOLDER/ for single pictures, and - for standard output',
    )
    .addOption(
      new Option('--format <format>', 'the format of the pictures; replaces that of the body').choices(FORMATS),
    )
    .option('--style <file>', 'a JSON file with a style; replaces that of the body', readStyle)
    .addOption(
      new Option('--verify [how]', 'read the finished codes back, and name those that could not be read')
        .choices(VERIFY_MODES)
        .preset('all'),
    )
    .option('--sheet <name>', 'the sheet of a workbook; by default the first one that is not hidden')
    .option('--no-header', 'treat the first row of a spreadsheet as an item');
}

export function inputOf(flags: InputFlags): {
  spreadsheet: SpreadsheetChoices;
  onNotice: (notice: string) => void;
} {
  const { sheet, header } = flags;
  const spreadsheet = {
    ...(sheet !== undefined && { sheet }),
    ...compositionsOf(flags),
    recognise: true,
    layout: header ? ('header' as const) : ('rows' as const),
  };
  return { spreadsheet, onNotice: (notice) => console.error(notice) };
}

function readStyle(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(explain(error));
  }
}
