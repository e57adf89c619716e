/** A folder for the time of a command. It is removed at the end, and when the command is interrupted. */

import { mkdtempSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface ScratchFolder {
  path: string;
  remove: () => void;
}

/** @param parent folder that it is made in; `onInterrupt` is called when a signal ends the command */
export function scratchFolder(parent: string, onInterrupt = () => {}): ScratchFolder {
  // In one step with the handlers below: no signal is heard between them.
  const path = mkdtempSync(join(parent, '.qrpress-'));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    remove();
    onInterrupt();
    // Exit code of a program that a signal ended, as shells give it.
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
