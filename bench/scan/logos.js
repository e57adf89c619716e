/** Logos to put over codes: of a few flat colours, and photographic ones. */

import { createCanvas } from '@napi-rs/canvas';

import { random } from './random.js';

const SIDE_PX = 400;

/** The kinds that {@link logo} draws. */
export const KINDS = ['flat', 'photographic'];

/** A canvas with the logo `number` of its kind; flat ones are transparent around their shape. */
export function logo(kind, number) {
  const canvas = createCanvas(SIDE_PX, SIDE_PX);
  const context = canvas.getContext('2d');
  const next = random(number + (kind === 'flat' ? 0 : 1000));
  if (kind === 'flat') drawFlat(context, next);
  else drawPhotograph(context, next);
  return canvas;
}

/** A dark disc or square with a letter or light bars. */
function drawFlat(context, next) {
  context.fillStyle = `hsl(${360 * next()}, 80%, ${20 + 35 * next()}%)`;
  if (next() < 0.5) {
    disc(context, SIDE_PX / 2, SIDE_PX / 2, SIDE_PX / 2);
  } else {
    context.fillRect(0, 0, SIDE_PX, SIDE_PX);
  }
  context.fillStyle = '#ffffff';
  if (next() < 0.5) {
    context.font = `bold ${SIDE_PX * 0.7}px sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText('ABEGKMQRSX'[Math.floor(10 * next())], SIDE_PX / 2, SIDE_PX / 2);
    return;
  }
  for (let bar = 0; bar < 3; bar++) {
    const [width, height] = [SIDE_PX * (0.1 + 0.4 * next()), SIDE_PX * (0.1 + 0.4 * next())];
    context.fillRect((SIDE_PX - width) * next(), (SIDE_PX - height) * next(), width, height);
  }
}

/** A gradient under many half-transparent discs. */
function drawPhotograph(context, next) {
  const colour = (alpha) =>
    `rgb(${[next(), next(), next()].map((level) => Math.floor(256 * level)).join(' ')} / ${alpha})`;
  const gradient = context.createLinearGradient(0, 0, SIDE_PX, SIDE_PX);
  for (const stop of [0, 0.5, 1]) gradient.addColorStop(stop, colour(1));
  context.fillStyle = gradient;
  context.fillRect(0, 0, SIDE_PX, SIDE_PX);
  for (let count = 0; count < 80; count++) {
    context.fillStyle = colour(0.6);
    disc(context, SIDE_PX * next(), SIDE_PX * next(), SIDE_PX * 0.08 * (1 + next()));
  }
}

function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
