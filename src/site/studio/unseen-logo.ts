/** A logo that has the colour of the background, or is transparent. Scripts of the page look at its pixels; this is for people without them. */

import type { JobMeta } from '../../contract/request-schema.js';
import type { Engine } from '../../engine/engine.js';
import { drawSamples } from '../shell/draw-samples.js';

/** A colour is not seen on one that differs by less than this, of 255. */
const LEAST_DIFFERENCE = 26;

/** A sentence where nobody sees the logo: a code of one colour has no other colour with it. */
export async function unseenLogo(engine: Engine, holder: string, { style = {} }: JobMeta): Promise<string[]> {
  const { logo, background = 'transparent' } = style;
  if (logo === undefined) return [];
  const ground = background === 'transparent' ? '#ffffff' : background;
  const look = { style: { ecLevel: 'H', foreground: ground, background: ground, logo } } as const;
  const { pictures } = await drawSamples({ engine, holder }, look, [{ data: '1' }]);
  const channels = Buffer.from(ground.slice(1), 'hex');
  const isSeen = paletteOf(pictures[0] ?? Buffer.alloc(0)).some(
    (value, at) => Math.abs(value - (channels[at % 3] ?? 0)) >= LEAST_DIFFERENCE,
  );
  return isSeen ? [] : ['Codes hardly show this logo: it has the colour of the background, or is transparent.'];
}

/** The colours of a PNG file of few colours (PNG, third edition, 11.2.2). One of many has none, and shows its logo. */
function paletteOf(png: Buffer): Uint8Array {
  const at = png.indexOf('PLTE');
  return at === -1 ? Uint8Array.of(0, 0, 0, 255, 255, 255) : png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}
