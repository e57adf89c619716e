/** `--labels`: sheets of labels instead of an archive, for the commands that read items. */

import { createWriteStream, readFileSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { LABEL_PARAMETERS, labelLayout, type LabelParameters } from '../contract/label-request.js';
import type { CheckedBody } from '../engine/engine.js';
import { type LabelEngine, type Labelled, labelFile, LocalSpool, measureLabels } from '../jobs/files/labels.js';
import { FileRanges } from '../storage/file-range.js';
import { EXIT } from './arguments.js';
import { explain } from './explain.js';

export interface LabelFlags {
  labels?: LabelParameters;
  first?: string;
  size?: string;
  cutMarks?: boolean;
}

export function takesLabels(command: Command): Command {
  return command
    .option(
      '--labels <sheet>',
      'write sheets of labels as PDF; the name of a sheet such as avery-l7160, or a JSON file with its sizes',
      sheetOf,
    )
    .option('--first <place>', 'the first free label of the first sheet, from 1')
    .option('--size <mm>', 'the edge of every code in millimetres; by default as large as the label allows')
    .option('--cut-marks', 'draw crosses at the corners of the labels');
}

/** The parameters of the labels. Undefined: an archive is wanted. @throws CommanderError for options without `--labels` */
export function labelsOf({ labels, first, size, cutMarks }: LabelFlags): LabelParameters | undefined {
  const options = { first, size, cutMarks };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (labels !== undefined) {
    return { ...labels, ...Object.fromEntries(given) };
  }
  const [option] = given;
  if (option !== undefined) {
    const message = `error: --${option[0] === 'cutMarks' ? 'cut-marks' : option[0]} needs --labels`;
    console.error(message);
    throw new CommanderError(EXIT.usage, 'qrpress.labels', message);
  }
  return undefined;
}

/** The name of a sheet, or a file with the members of one: a page of labels, or one label a page. */
function sheetOf(text: string): LabelParameters {
  if (extname(text).toLowerCase() !== '.json') {
    return { sheet: text };
  }
  try {
    const found = JSON.parse(readFileSync(text, 'utf8')) as Record<string, unknown>;
    const known: readonly string[] = LABEL_PARAMETERS;
    const sizes = Object.entries(found).filter(([name]) => !['name', 'maker', 'product'].includes(name));
    const unknown = sizes.find(([name]) => !known.includes(name));
    if (unknown !== undefined) {
      throw new Error(`a sheet has no ${JSON.stringify(unknown[0])}`);
    }
    return { ...Object.fromEntries(sizes), sheet: 'pageWidth' in found ? 'custom' : 'single' };
  } catch (error) {
    throw new InvalidArgumentError(explain(error));
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
  const labelled = { engine, scratch: folder, ranges: new FileRanges(), layout, spool };
  const remark = await measureLabels(labelled);
  if (remark !== undefined) {
    source.onNotice?.(`warning: ${remark}`);
  }
  return labelled;
}

/** Draws the labels to a file, which appears as a whole, or to standard output (`-`). Returns their length. */
export async function writeLabels(labelled: Labelled, out: string): Promise<number> {
  let bytes = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  };
  if (out === '-') {
    await pipeline(labelFile(labelled), counted, process.stdout, { end: false });
    return bytes;
  }
  const path = join(labelled.scratch, 'labels.pdf');
  await pipeline(labelFile(labelled), counted, createWriteStream(path));
  await rename(path, out);
  return bytes;
}

/** @throws Error when the place for the labels is a folder */
export async function requireLabelFile(out: string): Promise<void> {
  const isFolder = await stat(out).then(
    (found) => found.isDirectory(),
    () => /[/\\]$/.test(out),
  );
  if (isFolder) {
    throw new Error(`${out} is a folder; labels are one file, such as labels.pdf`);
  }
}
