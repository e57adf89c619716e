/**
 * The progress bar on standard error, if that is a terminal: amount done, speed and remaining time. Apart from `figures.ts`, so that
 * commands without a bar do not load its library.
 */

import { SingleBar } from 'cli-progress';
import { bytesText, countText, durationText } from './figures.js';

/**
 * @param phase one word for the work. The payload `start` is the amount done earlier, which does not count towards the
 * speed.
 */
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
