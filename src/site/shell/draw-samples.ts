/** Draws a few items with the job engine, without storing anything. */

import type { JobMeta } from '../../contract/request-schema.js';
import type { Warning } from '../../contract/response-schema.js';
import type { CheckedBody, Engine } from '../../engine/engine.js';
import { accepted } from '../../jobs/intake/check-draft.js';

/** Samples shown beside the studio's form. */
export const MOST_SAMPLES = 4;

export interface SampleItem {
  data: string;
  caption?: string | undefined;
}

/** `place`: where the item stands in a person's list, as a page says it at the start of a sentence. */
export interface PlacedItem extends SampleItem {
  place?: string | undefined;
}

export interface DrawnSamples {
  /** In order. */
  pictures: Buffer[];
  warnings: Warning[];
  /** Those in which the logo does not look whole. */
  cutLogo?: CheckedBody['cutLogo'];
  actions: CheckedBody['actions'];
}

/**
 * Checks the items as a job of `meta`, and draws them in the style of `drawnMeta`, in one task of the engine.
 * @param holder id of the person who waits
 * @throws ApiError as a job with these items would
 */
export async function drawSamples(
  { engine, holder }: { engine: Engine; holder: string },
  meta: JobMeta,
  items: readonly SampleItem[],
  drawnMeta = meta,
): Promise<DrawnSamples> {
  const bodies = { body: bodyOf(meta, items), samples: bodyOf(drawnMeta, items) };
  const { warnings, cutLogo, actions, pictures } = accepted(await engine.drawSamples({ ...bodies, holder }));
  return { warnings, cutLogo, actions, pictures: pictures.map((picture) => Buffer.from(picture)) };
}

function bodyOf(meta: JobMeta, items: readonly SampleItem[]): Buffer {
  const lines = items.map(({ data, caption }) => ({ data, caption }));
  return Buffer.from([meta, ...lines].map((line) => JSON.stringify(line)).join('\n'));
}
