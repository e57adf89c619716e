/** Splits a body that exceeds the limits of a job into several bodies. */

import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ApiError, type Issue } from '../contract/errors.js';
import type { CheckedBody } from '../engine/engine.js';
import { jsonValue } from './arguments.js';
import { countText } from './figures.js';
import type { Item } from '../contract/request-schema.js';
import { LIMITS } from '../contract/limits.js';
import type { WrittenBody } from './input-file.js';

/** A body, or a part of one. */
export interface BodyPart extends WrittenBody {
  /** Lines of the whole body between line 1 and the part's items. Line 1 of the part is that of the whole body. */
  linesBefore: number;
}

export interface JobLimits {
  jsonItems: number;
  jsonBodyBytes: number;
  ndjsonItems: number;
  ndjsonBodyBytes: number;
}

const NEW_LINE = 0x0a;

/**
 * Returns the body itself if it can be one job. Otherwise its parts in order, in `folder`, each with as many items as a
 * job may have.
 */
export async function splitBody(body: WrittenBody, folder: string, limits: JobLimits = LIMITS): Promise<BodyPart[]> {
  const whole = [{ ...body, linesBefore: 0 }];
  const { size } = await stat(body.bodyPath);
  if (body.form === 'ndjson') {
    const fits = size <= limits.ndjsonBodyBytes && (await lineEndsOf(body.bodyPath)) <= limits.ndjsonItems;
    const parts = fits ? whole : await splitLines(body, folder, limits);
    // Without an item there is no part. The check says so.
    return parts.length === 0 ? whole : parts;
  }
  const request = bodyObject(await readFile(body.bodyPath));
  if (request === undefined || (size <= limits.jsonBodyBytes && request.items.length <= limits.jsonItems)) return whole;
  const bodyPath = join(folder, 'lines');
  await writeFile(bodyPath, Readable.from(linesOf(request)));
  return splitLines({ form: 'ndjson', bodyPath }, folder, limits);
}

/** A JSON body as an object. Undefined for a body that the check will refuse. */
function bodyObject(text: Uint8Array): { items: Item[] } | undefined {
  try {
    const value = jsonValue(text) as { items?: unknown } | null;
    return Array.isArray(value?.items) ? (value as { items: Item[] }) : undefined;
  } catch {
    return undefined;
  }
}

function* linesOf({ items, ...meta }: { items: Item[] }): Generator<string> {
  yield `${JSON.stringify(meta)}\n`;
  for (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** Counts line ends: line 1 has one, and so has every other line except perhaps the last. */
async function lineEndsOf(path: string): Promise<number> {
  let count = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    for (
      let end = (piece as Buffer).indexOf(NEW_LINE);
      end !== -1;
      end = (piece as Buffer).indexOf(NEW_LINE, end + 1)
    ) {
      count += 1;
    }
  }
  return count;
}

/** Splits between lines. Every part begins with line 1. */
async function splitLines(
  body: WrittenBody,
  folder: string,
  { ndjsonItems, ndjsonBodyBytes }: JobLimits,
): Promise<BodyPart[]> {
  const parts: BodyPart[] = [];
  let metaLine: Buffer | undefined;
  let [line, blankLines, items, bytes] = [0, 0, 0, 0];
  let file: FileHandle | undefined;
  let waiting: Buffer[] = [];
  const flush = async () => {
    await file?.writev(waiting);
    waiting = [];
  };
  try {
    for await (const text of linesIn(body.bodyPath)) {
      line += 1;
      if (metaLine === undefined) {
        metaLine = text;
        continue;
      }
      // Kept only between items of a part, so that these keep their line numbers.
      if (isBlank(text)) {
        blankLines += 1;
        continue;
      }
      if (file === undefined || items === ndjsonItems || bytes + blankLines + text.length > ndjsonBodyBytes) {
        await flush();
        await file?.close();
        const bodyPath = join(folder, `part-${parts.length + 1}`);
        file = await open(bodyPath, 'w');
        parts.push({ ...body, bodyPath, linesBefore: line - 2 });
        waiting.push(metaLine);
        [blankLines, items, bytes] = [0, 0, metaLine.length];
      }
      if (blankLines > 0) waiting.push(Buffer.alloc(blankLines, NEW_LINE));
      waiting.push(text);
      items += 1;
      bytes += blankLines + text.length;
      blankLines = 0;
      if (waiting.length >= 1_000) await flush();
    }
    await flush();
  } finally {
    await file?.close();
  }
  return parts;
}

/** True for a line that holds no item: white space alone. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === NEW_LINE || byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** The part without some of its lines, of which line 1 is none, as another file. */
async function withoutLines({ bodyPath, ...part }: BodyPart, lines: ReadonlySet<number>): Promise<BodyPart> {
  const path = `${bodyPath}-others`;
  const others = async function* () {
    let line = 0;
    for await (const text of linesIn(bodyPath)) {
      line += 1;
      if (!lines.has(line)) yield text;
    }
  };
  await writeFile(path, Readable.from(others()));
  return { ...part, bodyPath: path };
}

/** The lines of a file, including their line ends. */
async function* linesIn(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const text = rest.length === 0 ? (piece as Buffer) : Buffer.concat([rest, piece as Buffer]);
    let start = 0;
    for (let end = text.indexOf(NEW_LINE); end !== -1; end = text.indexOf(NEW_LINE, start)) {
      yield text.subarray(start, end + 1);
      start = end + 1;
    }
    rest = text.subarray(start);
  }
  // The next part must begin on a new line.
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.of(NEW_LINE)]);
}

/** Faulty rows of a job that can be left out. Each is kept in memory. */
export const MAX_SKIPPED = 100_000;

/**
 * The part, with the row numbers of its spreadsheet shifted to their real places. The first one has the faults that were found
 * while the spreadsheet was read.
 */
export function rowsOf({ report, linesBefore, ...part }: BodyPart, isFirst: boolean): WrittenBody {
  if (report === undefined) return part;
  const read = isFirst ? report : { ...report, problems: [], problemCount: 0, faultyRows: 0 };
  return { ...part, report: { ...read, rowsBeforeLine1: report.rowsBeforeLine1 + linesBefore } };
}

/** @throws Error when the part has more faults than were listed */
export async function withoutFaulty(
  part: BodyPart,
  { issues, issueCount }: NonNullable<CheckedBody['skipped']>,
): Promise<BodyPart> {
  if (issueCount > issues.length) {
    throw new Error(`More than ${countText(MAX_SKIPPED)} rows are faulty. Check which column holds the link or text.`);
  }
  return withoutLines(part, new Set(issues.map(({ line = 1 }) => line)));
}

/** The refusal of a part, with line numbers of the whole body. */
export function wholeLinesOf(error: unknown, { linesBefore }: BodyPart): unknown {
  if (!(error instanceof ApiError) || linesBefore === 0) return error;
  const { line, issues, ...members } = error.members as { line?: number; issues?: Issue[] };
  const moved = (own: number | undefined) => (own === undefined || own === 1 ? own : own + linesBefore);
  const message = error.message.replaceAll(
    /\b(line) (\d+)/gi,
    (_, word: string, own: string) => `${word} ${moved(Number(own))}`,
  );
  return new ApiError(error.code, message, {
    ...members,
    ...(line !== undefined && { line: moved(line) }),
    ...(issues && { issues: issues.map((issue) => ({ ...issue, ...(issue.line && { line: moved(issue.line) }) })) }),
  });
}
