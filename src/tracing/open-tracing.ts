/** Begins to trace where the configuration asks for it; where it does not, nothing of OpenTelemetry's SDK is loaded. */

import type { Config } from '../config.js';
import type { Log } from '../log.js';

/** Says in the log when spans begin to get lost, and when they no longer do. */
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
      log.warn({ reason: error.message }, 'tracing: the collector takes no spans, which are lost');
    } else if (error === undefined && areLost) {
      log.info({}, 'tracing: the collector takes spans again');
    }
    areLost = error !== undefined;
  });
}
