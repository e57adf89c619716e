/** Codes with a logo: ours, and those that are made by hand of npm `qrcode` and a canvas. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createCanvas } from '@napi-rs/canvas';
import QRCode from 'qrcode';
import { fromBufferPromise } from 'yauzl';

import { render } from '../../dist/commands/render.js';
import { logo } from './logos.js';
import { random } from './random.js';

const SCALE = 6;
const MARGIN = 4;

/** Bytes of byte mode that fill a version: ISO/IEC 18004, table 7. */
const CAPACITY = {
  M: { 2: 26, 4: 62, 6: 106, 7: 122, 10: 213, 13: 331, 14: 362, 17: 504, 20: 666 },
  Q: { 2: 20, 4: 46, 6: 74, 7: 86, 10: 151, 13: 241, 14: 258, 17: 364, 20: 482 },
  H: { 2: 14, 4: 34, 6: 58, 7: 64, 10: 119, 13: 177, 14: 194, 17: 280, 20: 382 },
};

/** A picture of each version, from the engine without a service. @returns {Promise<{version: number, text: string, png: Buffer}[]>} */
export async function own({ folder, kind, number, level, ratio, versions }) {
  const style = { ecLevel: level, scale: SCALE, margin: MARGIN };
  style.logo = { dataUrl: logo(kind, number).toDataURL('image/png'), sizeRatio: ratio };
  const items = versions.map((version) => ({ data: text(level, version, number), filename: String(version) }));
  const [body, out] = [join(folder, 'body.json'), join(folder, 'codes.zip')];
  writeFileSync(body, JSON.stringify({ items, style }));
  await render(body, { out, threads: 1, fontDir: undefined });
  const zip = await fromBufferPromise(readFileSync(out));
  const pictures = [];
  for await (const entry of zip.eachEntry()) {
    const version = Number.parseInt(entry.fileName, 10);
    pictures.push({
      version,
      text: text(level, version, number),
      png: await buffer(await zip.openReadStreamPromise(entry)),
    });
  }
  rmSync(out);
  return pictures;
}

/** The same with no module cleared, as the usual recipe has it: the logo pasted into the middle. */
export async function handMade({ kind, number, level, ratio, versions }) {
  return versions.map((version) => {
    const data = text(level, version, number);
    const { modules } = QRCode.create([{ data: Buffer.from(data), mode: 'byte' }], {
      version,
      errorCorrectionLevel: level,
    });
    const side = (modules.size + 2 * MARGIN) * SCALE;
    const canvas = createCanvas(side, side);
    const context = canvas.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, side, side);
    context.fillStyle = '#000000';
    for (let y = 0; y < modules.size; y++)
      for (let x = 0; x < modules.size; x++)
        if (modules.get(y, x)) context.fillRect((x + MARGIN) * SCALE, (y + MARGIN) * SCALE, SCALE, SCALE);
    const edge = Math.round(modules.size * SCALE * ratio);
    context.drawImage(logo(kind, number), (side - edge) / 2, (side - edge) / 2, edge, edge);
    return { version, text: data, png: canvas.toBuffer('image/png') };
  });
}

/** A text that fills the version. */
function text(level, version, number) {
  const next = random(1000 * version + number);
  const letters = 'abcdefghijklmnopqrstuvwxyz-_/?=&';
  return Array.from({ length: CAPACITY[level][version] }, () => letters[Math.floor(letters.length * next())]).join('');
}
