/** Distortions of pictures on their way to a reader. Each takes a PNG and a seed, and gives a PNG. */

import { createCanvas, loadImage } from '@napi-rs/canvas';

import { random } from './random.js';

/**
 * By name; modules are four pixels wide. How strong each is depends on the seed, so that half of the codes with a pasted logo
 * stand it, over the three readers.
 */
export const DISTORTIONS = {
  clean: (png) => png,
  blur: async (png, seed) => file(noisy(blurred(await canvasOf(png), 0.2 + 2.2 * random(seed)()), 12, seed)),
  dirt: async (png, seed) => file(dirty(await canvasOf(png), 0.051 * random(seed)(), seed)),
  photograph: async (png, seed) => {
    const strength = 0.73 * random(seed)();
    const tilted = tiltedBy(await canvasOf(png), 0.3 * strength);
    return file(await compressed(noisy(blurred(tilted, 0.4 + 1.4 * strength), 8 + 20 * strength, seed), 40));
  },
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

/** Covers about that share of it with dark and light spots of a module or two. */
function dirty(canvas, share, seed) {
  const next = random(seed + 7);
  const context = canvas.getContext('2d');
  const radius = 5;
  const spots = Math.round((share * canvas.width * canvas.height) / (Math.PI * radius ** 2));
  for (let spot = 0; spot < spots; spot++) {
    context.fillStyle = next() < 0.5 ? '#404040' : '#e0e0e0';
    context.beginPath();
    context.arc(canvas.width * next(), canvas.height * next(), radius * (0.5 + next()), 0, 2 * Math.PI);
    context.fill();
  }
  return canvas;
}

/** As seen from the side and turned a little: the right edge is shorter than the left one by about that share. */
function tiltedBy(canvas, share) {
  const { width, height } = canvas;
  const source = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const target = createCanvas(width, height);
  const context = target.getContext('2d');
  const picture = context.createImageData(width, height);
  const [sine, cosine] = [Math.sin(share / 2), Math.cos(share / 2)];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5];
      const depth = 1 - share * u;
      const [across, down] = [((1 + share) * u) / depth, ((1 + share) * v) / depth];
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
