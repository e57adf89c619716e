/** The sentence about a drawn code and its reading by a decoder. */

import type { Style } from '../../contract/request-schema.js';
import type { Warning } from '../../contract/response-schema.js';
import { isTooSmallInPrint } from './printed-width.js';

/** Less error correction than this is just enough: a scratch may spoil the code. */
const SPARE_THOUSANDTHS = 250;

/** Warnings about codes that a phone may read all the same. */
const RISKY: ReadonlySet<string> = new Set<Warning['code']>(['low_contrast', 'light_on_dark', 'small_quiet_zone']);

/** `grounds`: those on which a transparent code was scanned. */
export function readingOf(
  { scans, unusedThousandths }: { scans: boolean; unusedThousandths: number },
  style: Style,
  grounds: readonly (string | undefined)[],
  found: readonly Warning[],
): string {
  if (!scans) return 'Does not scan.';
  if (found.some(({ code }) => RISKY.has(code))) return 'Scans here, but not with every scanner: see the warning.';
  if (isTooSmallInPrint(style)) return 'Scans on the screen, but is too small in print.';
  const isTransparent = style.background === 'transparent';
  const where = !isTransparent ? '' : ` on white${grounds.length > 1 ? ' and on the colour of your page' : ''}`;
  const room = unusedThousandths < SPARE_THOUSANDTHS ? 'but only just: make the logo smaller' : 'with room to spare';
  return `Scans${where}, ${room}.`;
}
