/** Modules across the codes of a list. */

import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import { drawSamples, type SampleItem } from '../shell/draw-samples.js';
import type { Form } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';

/** Modules across the narrowest and the widest code, without the quiet zone. */
export interface Sides {
  least: number;
  most: number;
}

/** Those of the list that the page had checked. Undefined where it names none that codes have. */
export function checkedSides(form: Form): Sides | undefined {
  const [least = Number.NaN, most = Number.NaN] = form.get('sides').split(' ').map(Number);
  const { minimum, maximum } = LIMITS.version;
  const isSide = (side: number) =>
    Number.isInteger(versionOf(side)) && versionOf(side) >= minimum && versionOf(side) <= maximum;
  return isSide(least) && isSide(most) && least <= most ? { least, most } : undefined;
}

/** Those of items that are drawn. @throws ApiError as a job with these items would */
export async function sampleSides(
  { engine }: Needs<'engine'>,
  holder: string,
  { meta, items }: { meta: JobMeta; items: readonly SampleItem[] },
): Promise<Sides> {
  const { logo: _, caption: __, ...style } = meta.style ?? {};
  const plain = { format: 'png', style: { ...style, scale: 1, margin: 0 } } as const;
  const texts = items.map(({ data }) => ({ data }));
  const { pictures } = await drawSamples({ engine, holder }, plain, texts);
  // The width is in the header of a PNG file (PNG, third edition, 11.2.1).
  const sides = pictures.map((picture) => picture.readUInt32BE(16));
  return { least: Math.min(...sides), most: Math.max(...sides) };
}

/** The version of a code with so many modules (ISO/IEC 18004, 5.3.1). */
export function versionOf(side: number): number {
  return (side - 17) / 4;
}

/** Modules across the pictures of codes that have so many. */
export function withQuietZone({ least, most }: Sides, { style = {} }: JobMeta): Sides {
  const both = 2 * (style.margin ?? LIMITS.margin.default);
  return { least: least + both, most: most + both };
}
