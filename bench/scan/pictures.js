/** Codes with a logo: the engine's, and others of the same symbols. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { fromBufferPromise } from 'yauzl';

import { render } from '../../dist/cli/render.js';
import { logo } from './logos.js';
import { random } from './random.js';

/** Pixels of a module. */
const SCALE = 4;
const MARGIN = 4;

const VERSIONS = Array.from({ length: 20 }, (_, index) => index + 1);

/** Bytes of byte mode that fill a version: ISO/IEC 18004, table 7. */
const CAPACITY = {
  L: [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858],
  M: [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666],
  Q: [11, 20, 32, 46, 60, 74, 86, 108, 130, 151, 177, 203, 241, 258, 292, 322, 364, 394, 442, 482],
  H: [7, 14, 24, 34, 44, 58, 64, 84, 98, 119, 137, 155, 177, 194, 220, 250, 280, 310, 338, 382],
};

/**
 * Rules for clearing modules under a logo, which lies over the rest. Each takes the logo's edge in modules, and gives the edge
 * of the cleared square.
 */
const RULES = {
  'by hand': () => 0,
  touched: (edge) => Math.ceil(edge - 1e-6) | 1,
  middles: (edge) => 2 * Math.floor(edge / 2 - 1e-6) + 1,
};

/** Makers whose pictures are compared clean alone: one without a logo, and other rules for what a logo clears. */
export const CLEAN_ALONE = ['no logo', 'touched', 'middles'];

/**
 * Pictures of one level, logo and size in every version, by maker: `qrpress` is the engine. @returns {Promise<Record<string,
 * {version: number, text: string, png: Buffer}[]>>}
 */
export async function pictures({ folder, kind, number, level, ratio }) {
  const dataUrl = logo(kind, number).toDataURL('image/png');
  const own = await drawn(folder, level, number, { scale: SCALE, logo: { dataUrl, sizeRatio: ratio } });
  const plain = await drawn(folder, level, number, { scale: 1 });
  const bare = await drawn(folder, level, number, { scale: SCALE });
  const made = { qrpress: own, 'no logo': bare };
  for (const [rule, cleared] of Object.entries(RULES)) {
    made[rule] = [];
    for (const code of plain)
      made[rule].push({ ...code, png: await pasted(code.png, { picture: logo(kind, number), ratio, cleared }) });
  }
  return made;
}

/** Pictures of the engine, without a service. */
async function drawn(folder, ecLevel, number, style) {
  const items = VERSIONS.map((version) => ({ data: text(ecLevel, version, number), filename: String(version) }));
  const [body, out] = [join(folder, 'body.json'), join(folder, 'codes.zip')];
  writeFileSync(body, JSON.stringify({ items, style: { ecLevel, margin: MARGIN, ...style } }));
  await render(body, { out, threads: 1, fontDir: undefined });
  const zip = await fromBufferPromise(readFileSync(out));
  const found = [];
  for await (const entry of zip.eachEntry()) {
    const version = Number.parseInt(entry.fileName, 10);
    const png = await buffer(await zip.openReadStreamPromise(entry));
    found.push({ version, text: text(ecLevel, version, number), png });
  }
  rmSync(out);
  return found;
}

/** The code of a picture with one pixel a module, some modules of it cleared, and the logo pasted into the middle. */
async function pasted(plain, { picture, ratio, cleared }) {
  const code = await loadImage(plain);
  const side = code.width * SCALE;
  const canvas = createCanvas(side, side);
  const context = canvas.getContext('2d');
  context.imageSmoothingEnabled = false;
  context.drawImage(code, 0, 0, side, side);
  const modules = code.width - 2 * MARGIN;
  const square = (edge, draw) => draw((side - edge) / 2, (side - edge) / 2, edge, edge);
  context.fillStyle = '#ffffff';
  square(cleared(modules * ratio) * SCALE, (...place) => context.fillRect(...place));
  context.imageSmoothingEnabled = true;
  square(Math.round(modules * SCALE * ratio), (...place) => context.drawImage(picture, ...place));
  return canvas.toBuffer('image/png');
}

/** A text that fills the version. */
function text(level, version, number) {
  const next = random(1000 * version + number);
  const letters = 'abcdefghijklmnopqrstuvwxyz-_/?=&';
  const length = CAPACITY[level][version - 1];
  return Array.from({ length }, () => letters[Math.floor(letters.length * next())]).join('');
}
