/** The load of the last day as small SVG charts, drawn on the server without a script. */

import type { LoadHour } from '../../observability/load-hour-store.js';
import type { Formats } from '../formats.js';

/** In user units. The page scales the chart to its width. */
const WIDTH = 240;
const HEIGHT = 48;
const GAP = 2;

interface LoadChart {
  name: string;
  /** The chart in words. */
  summary: string;
  /** The figure that says most, under the chart. */
  key: string;
  width: number;
  height: number;
  bars: { x: number; y: number; width: number; height: number; label: string }[];
}

/** @param hours in order, at least one; @param diskBytes of the whole disk */
export function loadCharts(hours: readonly LoadHour[], diskBytes: number, formats: Formats): LoadChart[] {
  const sum = (of: (hour: LoadHour) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const most = (of: (hour: LoadHour) => number) => Math.max(...hours.map(of));
  const chart = (
    name: string,
    of: (hour: LoadHour) => number,
    write: (value: number) => string,
    key: string,
    top = 0,
  ) => {
    const step = WIDTH / hours.length;
    const highest = Math.max(1, top, most(of));
    return {
      name,
      key,
      summary: `${name} in the last 24 hours: ${key}`,
      width: WIDTH,
      height: HEIGHT,
      bars: hours.map((hour, index) => {
        const value = of(hour);
        // An hour with anything must show a visible bar.
        const height = value === 0 ? 0 : Math.max(2, Math.round((value / highest) * HEIGHT));
        const label = `${formats.dateTime(hour.hour)}: ${write(value)}`;
        return { x: index * step + GAP / 2, y: HEIGHT - height, width: step - GAP, height, label };
      }),
    };
  };
  const { number, bytes } = formats;
  const seen = hours.map(({ leastDiskBytes }) => leastDiskBytes).filter((free) => free > 0);
  const leastDisk = seen.length === 0 ? 'not measured yet' : `${bytes(Math.min(...seen))} at least`;
  return [
    chart('Jobs', ({ jobs }) => jobs, number, number(sum(({ jobs }) => jobs))),
    chart('Codes', ({ items }) => items, number, number(sum(({ items }) => items))),
    chart('Requests rejected', ({ refused }) => refused, number, number(sum(({ refused }) => refused))),
    chart(
      'Codes in the queue',
      (hour) => hour.mostQueuedItems,
      number,
      `${number(most((hour) => hour.mostQueuedItems))} at most`,
    ),
    chart('Disk free', (hour) => hour.leastDiskBytes, bytes, leastDisk, diskBytes),
  ];
}
