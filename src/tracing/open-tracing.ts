/** Starts tracing if it is configured. Otherwise nothing of OpenTelemetry's SDK is loaded. */

import type { Config } from '../config.js';
import type { Log } from '../log.js';

/** Logs when spans begin to get lost, and when they arrive again. */
export async function openTracing(
  traces: Config['traces'],
  log: Log,
): Promise<{ close: () => Promise<void> } | undefined> {
  if (traces === undefined) {
    return undefined;
  }
  const { exportSpans } = await import('./export.js');
  let areLost = false;
  return exportSpans(traces, (error) => {
    if (error !== undefined && !areLost) {
      log.warn({ reason: error.message }, 'tracing: the collector does not accept spans; they are lost');
    } else if (error === undefined && areLost) {
      log.info({}, 'tracing: the collector accepts spans again');
    }
    areLost = error !== undefined;
  });
}
