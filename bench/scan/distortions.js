/** What happens to pictures on their way to a reader. Each takes a PNG and a seed, and gives a PNG. */

import { createCanvas, loadImage } from '@napi-rs/canvas';

import { random } from './random.js';

/** By name; modules are six pixels wide. */
export const DISTORTIONS = {
  clean: (png) => png,
  blur: async (png) => file(blurred(await canvasOf(png), 1.5)),
  noise: async (png, seed) => file(noisy(await canvasOf(png), 30, seed)),
  perspective: async (png) => file(tilted(await canvasOf(png))),
  jpeg: async (png) => file(await compressed(await canvasOf(png), 25)),
  photograph: async (png, seed) => file(await compressed(noisy(blurred(tilted(await canvasOf(png)), 1), 15, seed), 50)),
};

async function canvasOf(bytes) {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
}

const file = (canvas) => canvas.toBuffer('image/png');

function blurred(canvas, deviationPx) {
  const target = createCanvas(canvas.width, canvas.height);
  const context = target.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, target.width, target.height);
  context.filter = `blur(${deviationPx}px)`;
  context.drawImage(canvas, 0, 0);
  return target;
}

/** Adds to each pixel about normally distributed light. */
function noisy(canvas, deviation, seed) {
  const next = random(seed);
  const context = canvas.getContext('2d');
  const picture = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < picture.data.length; at += 4) {
    // Three uniform numbers have a quarter as variance.
    const light = 2 * deviation * (next() + next() + next() - 1.5);
    for (let channel = 0; channel < 3; channel++) picture.data[at + channel] += light;
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}

/** As seen from the side and turned a little: the right edge is an eighth shorter than the left one. */
function tilted(canvas) {
  const { width, height } = canvas;
  const source = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const target = createCanvas(width, height);
  const context = target.getContext('2d');
  const picture = context.createImageData(width, height);
  const [sine, cosine] = [Math.sin(0.07), Math.cos(0.07)];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5];
      const depth = 1 - 0.13 * u;
      const [across, down] = [(1.15 * u) / depth, (1.15 * v) / depth];
      const fromX = (cosine * across - sine * down + 0.5) * width - 0.5;
      const fromY = (sine * across + cosine * down + 0.5) * height - 0.5;
      for (let channel = 0; channel < 4; channel++)
        picture.data[4 * (y * width + x) + channel] = interpolated(source, width, height, fromX, fromY, channel);
    }
  context.putImageData(picture, 0, 0);
  return target;
}

/** A channel between four pixels; white outside of the picture. */
function interpolated(source, width, height, x, y, channel) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const level = (column, row) =>
    column < 0 || row < 0 || column >= width || row >= height ? 255 : source[4 * (row * width + column) + channel];
  const [right, below] = [x - left, y - top];
  const upper = level(left, top) * (1 - right) + level(left + 1, top) * right;
  const lower = level(left, top + 1) * (1 - right) + level(left + 1, top + 1) * right;
  return upper * (1 - below) + lower * below;
}

async function compressed(canvas, quality) {
  return canvasOf(await canvas.encode('jpeg', quality));
}
