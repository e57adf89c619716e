/** Use per day as an SVG chart that is drawn here, and needs no script. */

import type { DayUse } from '../credits/ledger-report-store.js';
import type { Formats } from './formats.js';

/** In user units; the page scales the chart to its width. */
const WIDTH = 720;
const HEIGHT = 150;
/** Room above the highest bar, and for the line below. */
const ABOVE = 10;
const BELOW = 2;
const GAP = 2;

export interface UsageChart {
  width: number;
  height: number;
  baseline: number;
  bars: { x: number; y: number; width: number; height: number; label: string }[];
  /** The highest day, for the scale. */
  top: string;
  firstDay: string;
  lastDay: string;
  /** The chart in words. */
  summary: string;
}

/** @param use days in order, at least one */
export function usageChart(use: readonly DayUse[], formats: Formats): UsageChart {
  const most = Math.max(1, ...use.map(({ credits }) => credits));
  const step = WIDTH / use.length;
  const baseline = HEIGHT - BELOW;
  const total = use.reduce((sum, { credits }) => sum + credits, 0);
  const firstDay = formats.date(use[0]?.day ?? 0);
  const lastDay = formats.date(use.at(-1)?.day ?? 0);
  return {
    width: WIDTH,
    height: HEIGHT,
    baseline,
    bars: use.map(({ day, credits }, index) => {
      // What was used at all is seen.
      const height = credits === 0 ? 0 : Math.max(2, (credits / most) * (baseline - ABOVE));
      return {
        x: rounded(index * step + GAP / 2),
        y: rounded(baseline - height),
        width: rounded(step - GAP),
        height: rounded(height),
        label: `${formats.date(day)}: ${formats.number(credits)}`,
      };
    }),
    top: formats.number(most),
    firstDay,
    lastDay,
    summary: `${formats.number(total)} credits used from ${firstDay} to ${lastDay}; at most ${formats.number(total === 0 ? 0 : most)} a day.`,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
