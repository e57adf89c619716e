/** Warnings about styles whose codes are hard to scan, in sentences for people. */

import { LIMITS } from '../contract/limits.js';
import type { JobMeta } from '../contract/request-schema.js';

/** Modules around a code (ISO/IEC 18004, section 6.3.8). */
const QUIET_ZONE_MODULES = 4;

/** Contrast below which cameras begin to fail in bad light; black on white has 21. */
const LEAST_CONTRAST = 4;

export function styleWarnings({ style = {} }: JobMeta): string[] {
  const { foreground = '#000000', background = '#ffffff', margin = QUIET_ZONE_MODULES } = style;
  const warnings: string[] = [];
  if (margin < QUIET_ZONE_MODULES) {
    warnings.push(
      `The quiet zone is narrower than the ${QUIET_ZONE_MODULES} modules of the standard: leave as much space around the code where you print it.`,
    );
  }
  const { logo, ecLevel = 'M' } = style;
  const coveredPercent = 100 * (logo?.sizeRatio ?? LIMITS.logoSizeRatio.default) ** 2;
  // Half of what can be restored is left for dirt and bad light.
  if (logo !== undefined && coveredPercent > LIMITS.restoredPercent[ecLevel] / 2) {
    warnings.push(
      `The logo covers up to ${Math.round(coveredPercent)} % of the code, and level ${ecLevel} restores ${LIMITS.restoredPercent[ecLevel]} %: make it smaller, or choose a higher level.`,
    );
  }
  if (foreground === 'transparent' || background === 'transparent') {
    warnings.push('With a transparent colour, the contrast is that of what lies below: try it there.');
    return warnings;
  }
  const [dark, light] = [luminance(foreground), luminance(background)];
  const contrast = (Math.max(dark, light) + 0.05) / (Math.min(dark, light) + 0.05);
  if (contrast < LEAST_CONTRAST) {
    warnings.push(
      `The contrast of the colours is ${contrast.toFixed(1)} to 1: below ${LEAST_CONTRAST}, many cameras fail.`,
    );
  }
  if (dark > light) {
    warnings.push('The code is lighter than its background: some scanners read only dark on light.');
  }
  return warnings;
}

/** Relative luminance (WCAG 2.2) of `#rrggbb`, 0 to 1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
