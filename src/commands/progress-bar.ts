/** The progress bar of commands, on standard error where that is a terminal: how much is done, how fast, and how long it takes. */

import { SingleBar } from 'cli-progress';
import { bytesText, countText, durationText } from './figures.js';

/** @param phase what is done, as a word. The payload `start` is what was done earlier, which is no part of the rate. */
export function progressBar(phase: string, unit: 'items' | 'bytes'): SingleBar {
  const amount = unit === 'bytes' ? bytesText : countText;
  return new SingleBar({
    stream: process.stderr,
    hideCursor: true,
    format: ({ barsize = 40 }, { progress, value, total, startTime }, { start = 0 }: { start?: number }) => {
      const seconds = (Date.now() - startTime) / 1_000;
      const rate = seconds > 0 ? (value - start) / seconds : 0;
      const filled = Math.round(progress * barsize);
      return [
        `${phase.padEnd(11)} [${'='.repeat(filled)}${'-'.repeat(barsize - filled)}] ${Math.floor(progress * 100)} %`,
        `${amount(value)} of ${amount(total)}${unit === 'items' ? ' items' : ''}`,
        `${amount(Math.round(rate))}/s`,
        ...(rate > 0 && value < total ? [`${durationText((total - value) / rate)} left`] : []),
      ].join('  ');
    },
  });
}
