/** Sheets of labels as paper: pages of a PDF rasterised by poppler, and the codes on them. */

import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabelSheet } from '../../src/contract/label-sheets.js';
import { decodePixels } from './decode.js';

/** Programs that the tests of labels need and this machine lacks. */
const missing = ['pdftoppm', 'qpdf'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
export const MISSING_TOOLS = missing.length === 0 ? undefined : `${missing.join(' and ')} not found`;

/** A page in grey, a byte for each pixel. */
export interface Page {
  width: number;
  height: number;
  grey: Buffer;
  dpi: number;
}

/** A part of a page, in pixels; `right` and `bottom` are behind the last. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const MM_PER_INCH = 25.4;

/** A pixel of four bytes: its opacity, and one for each of its three colours. */
const [OPAQUE, GREY] = [0xff_00_00_00, 0x01_01_01];

/** The pages of a PDF, and the complaints of qpdf about it. */
export async function printed(pdf: Uint8Array, dpi = 300): Promise<{ pages: Page[]; complaints: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-sheet-'));
  try {
    const path = join(folder, 'labels.pdf');
    await writeFile(path, pdf);
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
    const { stderr: warnings } = spawnSync('pdftoppm', ['-r', String(dpi), '-gray', path, join(folder, 'page')]);
    const names = spawnSync('ls', [folder], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((name) => name.endsWith('.pgm'));
    const pages = await Promise.all(names.map(async (name) => pageOf(await readFile(join(folder, name)), dpi)));
    return { pages, complaints: (status === 0 ? '' : stdout + stderr) + warnings.toString() };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads a file of the format PGM. */
function pageOf(file: Buffer, dpi: number): Page {
  const [head = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), grey: file.subarray(head.length), dpi };
}

/** The box of a label, row by row from 0. */
export function labelBox(page: Page, sheet: Omit<LabelSheet, 'name' | 'maker' | 'product'>, label: number): Box {
  const px = (mm: number) => (mm / MM_PER_INCH) * page.dpi;
  const left = sheet.left + (label % sheet.columns) * (sheet.labelWidth + sheet.gapX);
  const top = sheet.top + Math.floor(label / sheet.columns) * (sheet.labelHeight + sheet.gapY);
  return { left: px(left), top: px(top), right: px(left + sheet.labelWidth), bottom: px(top + sheet.labelHeight) };
}

/** The text of a code in a box; undefined where none is read. */
export async function codeIn(page: Page, box: Box): Promise<string | undefined> {
  const [left, top] = [Math.max(0, Math.floor(box.left)), Math.max(0, Math.floor(box.top))];
  const width = Math.min(page.width, Math.ceil(box.right)) - left;
  const height = Math.min(page.height, Math.ceil(box.bottom)) - top;
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = page.grey.subarray((top + y) * page.width + left, (top + y) * page.width + left + width);
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = OPAQUE + GREY * row[x]!;
  }
  return decodePixels({ data: new Uint8ClampedArray(pixels.buffer), width, height });
}

/** The smallest box around everything dark in a box; undefined where all is paper. */
export function inkIn(page: Page, box: Box): Box | undefined {
  const ink = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const [top, bottom] = [Math.max(0, Math.round(box.top)), Math.min(page.height, Math.round(box.bottom))];
  const [left, right] = [Math.max(0, Math.round(box.left)), Math.min(page.width, Math.round(box.right))];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      if ((page.grey[y * page.width + x] ?? 255) < 128) {
        ink.left = Math.min(ink.left, x);
        ink.right = Math.max(ink.right, x + 1);
        ink.top = Math.min(ink.top, y);
        ink.bottom = Math.max(ink.bottom, y + 1);
      }
    }
  }
  return ink.left === Infinity ? undefined : ink;
}
