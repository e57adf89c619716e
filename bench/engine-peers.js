/** The peers of npm: the fastest matrix, and the usual canvas for a picture with a caption. */

import { createCanvas } from '@napi-rs/canvas';
import { encodeQR } from 'qr';
import QRCode from 'qrcode';

import { url60 } from './workload.js';

const MARGIN = 4;
const SCALE = 10;
const FONT_PX = 16;
/** Enough for the JIT to settle; the fastest round counts. */
const ROUNDS = 8;

/** Contestants as `bench/engine` prints them. */
export async function npmPeers() {
  return [
    await measured('symbol W1', 'npm qr', 2_000, (data) => {
      encodeQR(data, 'raw', { ecc: 'medium', border: 1 });
    }),
    await measured('W4 caption', '@napi-rs/canvas', 40, (_, index) =>
      drawn({ data: url60(index), caption: `Asset no. ${String(index).padStart(10, '0')}` }),
    ),
  ];
}

function drawn({ data, caption }) {
  const { modules } = QRCode.create(data, { errorCorrectionLevel: 'M' });
  const edge = (modules.size + 2 * MARGIN) * SCALE;
  const canvas = createCanvas(edge, edge + 2 * FONT_PX);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++)
      if (modules.get(y, x)) context.fillRect((x + MARGIN) * SCALE, (y + MARGIN) * SCALE, SCALE, SCALE);
  context.font = `${FONT_PX}px sans-serif`;
  context.textAlign = 'center';
  context.fillText(caption, edge / 2, edge + FONT_PX);
  return canvas.encode('png');
}

async function measured(workload, name, items, work) {
  let fastest = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    for (let index = 0; index < items; index++) bytes = (await work(url60(index), index))?.length;
    fastest = Math.min(fastest, ((performance.now() - started) * 1e6) / items);
  }
  return { workload, name, nanoseconds: fastest, bytes };
}
