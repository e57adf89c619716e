/** PNG and SVG of an item, as a browser paints them: the same colours everywhere off the edges. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { describeInBrowser, launch } from '../support/browser.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

interface Compared {
  /** The largest difference of a channel, where the PNG has one colour all around. */
  most: number;
  /** Pixels that were compared. */
  pixels: number;
}

// Text, since it runs in the page.
const compare = (png: string, svg: string) => `(async () => {
  const [one, other] = await Promise.all(${JSON.stringify([png, svg])}.map(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return { width: canvas.width, height: canvas.height, data: context.getImageData(0, 0, canvas.width, canvas.height).data };
  }));
  const { width, height } = one;
  if (other.width !== width || other.height !== height) throw new Error('another size');
  const at = (x, y) => 4 * (y * width + x);
  const isFlat = (x, y) => {
    for (let row = y - 2; row <= y + 2; row++)
      for (let column = x - 2; column <= x + 2; column++)
        for (let channel = 0; channel < 4; channel++)
          if (one.data[at(column, row) + channel] !== one.data[at(x, y) + channel]) return false;
    return true;
  };
  let [most, pixels] = [0, 0];
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      if (!isFlat(x, y)) continue;
      pixels += 1;
      for (let channel = 0; channel < 4; channel++)
        most = Math.max(most, Math.abs(one.data[at(x, y) + channel] - other.data[at(x, y) + channel]));
    }
  return { most, pixels };
})()`;

describeInBrowser('pictures in a browser', () => {
  it.each([
    ['black on white', {}],
    ['colours', { foreground: '#1b3a5c', background: '#f4efe6' }],
    ['light on dark', { foreground: '#ffe9c0', background: '#203040' }],
    ['a logo that is too large for its level, and cut off at its edge', { ecLevel: 'M' }],
  ])(
    'are the same as PNG and as SVG: %s',
    async (_, colours) => {
      const folder = await mkdtemp(join(tmpdir(), 'qrpress-pictures-'));
      const browser = await launch();
      try {
        const logo = createCanvas(80, 80);
        const context = logo.getContext('2d');
        for (const [index, colour] of ['rgb(255 0 0 / 0.5)', 'rgb(20 90 200 / 0.25)', '#0a8040'].entries()) {
          context.fillStyle = colour;
          context.fillRect(0, 27 * index, 80, 27);
        }
        const dataUrl = logo.toDataURL('image/png');
        const style = {
          ecLevel: 'H',
          ...colours,
          scale: 12,
          logo: { dataUrl, sizeRatio: 0.3 },
          caption: { fontSize: 40 },
        };
        const items = [{ data: 'https://example.org/hall/1', filename: 'a', caption: 'Hall 1' }];
        await writeFile(join(folder, 'body.json'), JSON.stringify({ format: 'both', style, items }));
        execFileSync(process.execPath, [MAIN, 'render', join(folder, 'body.json'), '--out', `${folder}/`], {
          env: { PATH: process.env['PATH'] },
          stdio: 'pipe',
        });
        const url = async (name: string, type: string) =>
          `data:${type};base64,${(await readFile(join(folder, name))).toString('base64')}`;
        const page = await browser.newPage();
        const script = compare(await url('a.png', 'image/png'), await url('a.svg', 'image/svg+xml'));
        const { most, pixels } = await page.evaluate<Compared>(script);
        expect(most).toBeLessThanOrEqual(2);
        expect(pixels).toBeGreaterThan(50_000);
      } finally {
        await browser.close();
        await rm(folder, { recursive: true });
      }
    },
    60_000,
  );
});
