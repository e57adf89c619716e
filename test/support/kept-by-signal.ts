/** Things that a signal keeps alive: its listeners, and the signals that follow it. */

import { getEventListeners } from 'node:events';

export function keptBySignal(signal: AbortSignal): number {
  // Node.js keeps the signals that `AbortSignal.any` makes in a set of each of their sources.
  const sizes = Object.getOwnPropertySymbols(signal)
    .map((symbol) => (signal as unknown as Record<symbol, { size?: unknown } | undefined>)[symbol]?.size)
    .filter((size) => typeof size === 'number');
  // The map of listeners keeps the names of their events.
  return getEventListeners(signal, 'abort').length + Math.max(1, ...sizes) - 1;
}
