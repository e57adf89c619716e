/** A temporary folder for the duration of a command. It is removed at the end and when the command is interrupted. */

import { mkdtempSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @param parent folder to create it in. `onInterrupt` is called when a signal ends the command */
export function scratchFolder(parent: string, onInterrupt = () => {}): { path: string; remove: () => void } {
  // Synchronous, together with the handlers below: no signal is handled in between.
  const path = mkdtempSync(join(parent, '.qrpress-'));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    remove();
    onInterrupt();
    // The exit code that shells use for a program ended by a signal.
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) {
    process.once(signal, onSignal);
  }
  return {
    path,
    remove: () => {
      for (const signal of SIGNALS) {
        process.off(signal, onSignal);
      }
      remove();
    },
  };
}
