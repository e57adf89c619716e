/** `--labels`: sheets of labels instead of an archive, for the commands that read items. */

import { createWriteStream } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { fineModules, mm } from '../contract/label-fit.js';
import { labelLayout, type LabelParameters } from '../contract/label-request.js';
import { CAPTION_PLACES, LABEL_SHEETS } from '../contract/label-sheets.js';
import { LIMITS } from '../contract/limits.js';
import { LabelsSchema } from '../contract/query-schema.js';
import type { CheckedBody } from '../engine/engine.js';
import {
  type LabelEngine,
  type Labelled,
  labelFile,
  LocalSpool,
  measureLabels,
  settleLook,
} from '../jobs/files/labels.js';
import { FileRanges } from '../storage/file-range.js';
import { jsonFile, refuse } from './arguments.js';
import { explain } from './explain.js';

export interface LabelFlags {
  labels?: LabelParameters;
  first?: string;
  items?: string;
  size?: string;
  captionPlace?: string;
  captionSize?: string;
  cutMarks?: boolean;
  shiftX?: string;
  shiftY?: string;
}

export function takesLabels(command: Command): Command {
  return command
    .option(
      '--labels <sheet>',
      'write sheets of labels as PDF; the name of a sheet such as avery-l7160, or a JSON file with its sizes',
      sheetOf,
    )
    .option('--first <place>', 'the first free label of the first sheet, from 1')
    .option('--items <list>', 'the items to print, by index from 0, such as 0-39,51; by default all')
    .option('--size <mm>', 'the edge of every code in millimetres; by default as large as the label allows')
    .addOption(
      new Option('--caption-place <place>', 'where captions stand; by default beside codes on wide labels').choices(
        CAPTION_PLACES,
      ),
    )
    .option('--caption-size <points>', 'the size of captions on labels')
    .option('--cut-marks', 'draw crosses at the corners of the labels')
    .option('--shift-x <mm>', 'move everything on the page to the right, for a printer that feeds askew')
    .option('--shift-y <mm>', 'move everything on the page down');
}

/**
 * The parameters of the labels. Undefined: an archive is wanted. @throws UsageError for options without `--labels`, and for values
 * that the sheet does not have
 */
export function labelsOf({ labels, ...flags }: LabelFlags): LabelParameters | undefined {
  const { first, items, size, captionPlace, captionSize, cutMarks, shiftX, shiftY } = flags;
  const options = { first, items, size, caption: captionPlace, captionSize, cutMarks, shiftX, shiftY };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (labels !== undefined) {
    const parameters = { ...labels, ...Object.fromEntries(given) };
    try {
      // The items are not counted yet.
      labelLayout(parameters, LIMITS.ndjsonItems);
    } catch (error) {
      refuse((error as Error).message);
    }
    return parameters;
  }
  const [option] = given;
  if (option !== undefined) {
    const name = option[0] === 'caption' ? 'caption-place' : option[0];
    refuse(`--${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)} needs --labels`);
  }
  return undefined;
}

/** The name of a sheet, or a file with the members of one: a page of labels, or one label a page. */
function sheetOf(text: string): LabelParameters {
  if (extname(text).toLowerCase() !== '.json') {
    const names = LABEL_SHEETS.map(({ name }) => name);
    if (names.includes(text)) return { sheet: text };
    const example = '{"labelWidth": 62, "labelHeight": 29}';
    throw new InvalidArgumentError(
      `There is no sheet ${text}. The sheets are ${names.join(', ')}. For other sizes name a JSON file with them, such as ${example}.`,
    );
  }
  const found = jsonFile(text);
  try {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      throw new Error('a sheet is a JSON object, such as {"labelWidth": 62, "labelHeight": 29}');
    }
    const sizes = Object.entries(found).filter(([name]) => !TEXTS.has(name));
    for (const [name, value] of sizes) {
      requireMember(name, value);
    }
    return { ...Object.fromEntries(sizes), sheet: 'pageWidth' in found ? 'custom' : 'single' };
  } catch (error) {
    throw new InvalidArgumentError(explain(error));
  }
}

const TEXTS: ReadonlySet<string> = new Set(['name', 'maker', 'product', 'sheet']);

/** The types of members that are no numbers, in words. */
const TYPES: Readonly<Record<string, readonly [type: string, words: string]>> = {
  cutMarks: ['boolean', 'true or false'],
  items: ['string', 'a text such as "0-39,51"'],
  caption: ['string', `one of ${CAPTION_PLACES.join(', ')}`],
};

/** @throws Error unless the member is one of a sheet, and of its type: in a URL numbers are texts, in JSON they are not. */
function requireMember(name: string, value: unknown): void {
  if (!Object.hasOwn(LabelsSchema.properties, name)) {
    throw new Error(`a sheet has no ${JSON.stringify(name)}`);
  }
  const [type, expected] = TYPES[name] ?? ['number', 'a number'];
  if (typeof value !== type) {
    throw new Error(`${name} must be ${expected}, not ${JSON.stringify(value).slice(0, 40)}`);
  }
}

interface LabelSource {
  engine: LabelEngine;
  checked: CheckedBody;
  spoolPath: string;
  /** Folder for temporary files. */
  folder: string;
  onNotice?: ((notice: string) => void) | undefined;
}

/** Checks that every code fits its label. @throws ApiError `invalid_input` */
export async function checkLabels(source: LabelSource, parameters: LabelParameters): Promise<Labelled> {
  const { engine, checked, spoolPath, folder } = source;
  const layout = labelLayout(parameters, checked.total);
  const spool = new LocalSpool(spoolPath, checked.chunks);
  const wanted = { engine, scratch: folder, ranges: new FileRanges(), layout, spool };
  const labelled = { ...wanted, layout: { ...layout, ...(await settleLook(wanted)) } };
  const fit = await measureLabels(labelled, layout);
  const [broken] = fit.broken.ranges;
  if (broken !== undefined) {
    const others = fit.broken.count > 1 ? ` and of ${fit.broken.count - 1} more` : '';
    source.onNotice?.(
      `warning: A word in the caption of item ${broken.firstItem}${others} is longer than its line, and is broken.`,
    );
  }
  const fine = fineModules(fit);
  if (fine !== undefined) {
    const { advised } = LIMITS.labelModuleMm;
    const width = `The modules of item ${fine.item} are ${mm(fine.width)} mm wide.`;
    source.onNotice?.(`warning: ${width} Below ${advised} mm some printers and phones have trouble.`);
  }
  return labelled;
}

/** Draws the labels to a temporary file. */
export async function writeLabels(labelled: Labelled): Promise<{ path: string; bytes: number }> {
  const path = join(labelled.scratch, 'labels.pdf');
  const file = createWriteStream(path);
  await pipeline(labelFile(labelled), file);
  return { path, bytes: file.bytesWritten };
}
