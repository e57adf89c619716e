/** A log for parts of the service that are tested alone. */

import type { Log } from '../../src/platform/log.js';

/** Passes on each line as `level message {details}`. */
export function lineLog(onLine: (line: string) => void = () => undefined): Log {
  const write =
    (level: string) =>
    (details: object, message = '') =>
      onLine(`${level} ${message} ${JSON.stringify(details)}`);
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
  };
}
