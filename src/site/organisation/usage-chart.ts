/** Use per day as an SVG chart, drawn on the server without a script. */

import type { DayUse } from '../../credits/ledger-report-store.js';
import { dayText } from '../../contract/date-time.js';
import type { Formats } from '../shell/formats.js';

/** Default number of days, today included. */
export const CHART_DAYS = 30;

/** In user units. The page scales the chart to its width. */
const WIDTH = 720;
const HEIGHT = 150;
/** Space at the left for the axis labels. */
const LEFT = 64;
/** Space above the highest bar, and for the line below. */
const ABOVE = 10;
const BELOW = 2;
const GAP = 2;

/** The chart's parts, and the chart as text. @param use days in order, at least one @param chosen the day that is marked */
export function usageChart(use: readonly DayUse[], formats: Formats, chosen?: number) {
  const most = Math.max(...use.map(({ credits }) => credits));
  const top = axisTop(most);
  const step = (WIDTH - LEFT) / use.length;
  const baseline = HEIGHT - BELOW;
  const total = use.reduce((sum, { credits }) => sum + credits, 0);
  const firstDay = formats.date(use[0]?.day ?? 0);
  const lastDay = formats.date(use.at(-1)?.day ?? 0);
  // One bar is reached by the Tab key, and the arrow keys go on from there.
  const entry = Math.max(
    0,
    use.some(({ day }) => day === chosen) ? use.findIndex(({ day }) => day === chosen) : use.length - 1,
  );
  const days = `from ${firstDay} to ${lastDay} (UTC)`;
  return {
    width: WIDTH,
    height: HEIGHT,
    left: LEFT,
    baseline,
    // Lines of the axis, whose labels end where the bars begin.
    ticks: [0, top / 2, top]
      .filter((value) => Number.isInteger(value))
      .map((value) => ({ y: rounded(baseline - (value / top) * (baseline - ABOVE)), label: formats.short(value) })),
    isEmpty: total === 0,
    entry,
    bars: use.map(({ day, credits }, index) => {
      // A day with any use must show a visible bar.
      const height = credits === 0 ? 0 : Math.max(2, (credits / top) * (baseline - ABOVE));
      return {
        x: rounded(LEFT + index * step + GAP / 2),
        y: rounded(baseline - height),
        width: rounded(step - GAP),
        height: rounded(height),
        label: `${formats.date(day)} (UTC): ${formats.counted(credits, 'credit')}`,
        day: dayText(day),
        isChosen: day === chosen,
      };
    }),
    total: formats.number(total),
    firstDay,
    lastDay,
    summary:
      total === 0
        ? `No credits used ${days}.`
        : `${formats.counted(total, 'credit')} used ${days}; at most ${formats.number(most)} a day.`,
  };
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `value`; 1 for 0. */
function axisTop(value: number): number {
  let unit = 1;
  while (unit * 10 < value) {
    unit *= 10;
  }
  return [1, 2, 5, 10].map((factor) => factor * unit).find((each) => each >= value) ?? unit;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
