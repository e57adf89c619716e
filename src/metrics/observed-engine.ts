/** The engine, with a clock on its checks and chunks. */

import { stat } from 'node:fs/promises';
import type { Engine } from '../render/engine.js';
import type { Metrics } from './metrics.js';

export function observeEngine(engine: Engine, metrics: Metrics): Engine {
  const { checked, items, rendered } = metrics.engine();
  return {
    check: async (request) => {
      const started = performance.now();
      const bodyBytes = await stat(request.bodyPath).then(
        ({ size }) => size,
        () => 0,
      );
      const end = (outcome: Parameters<typeof checked>[1]) =>
        checked((performance.now() - started) / 1_000, outcome, bodyBytes);
      try {
        const report = await engine.check(request);
        end('refusal' in report ? 'refused' : 'accepted');
        if (!('refusal' in report)) {
          items(report.format, report.total);
        }
        return report;
      } catch (error) {
        end('error');
        throw error;
      }
    },
    renderChunk: async (request) => {
      const started = performance.now();
      const report = await engine.renderChunk(request);
      rendered((performance.now() - started) / 1_000, report);
      return report;
    },
    finishArchive: (request) => engine.finishArchive(request),
    writeHeaders: (request) => engine.writeHeaders(request),
    writeEnd: (request) => engine.writeEnd(request),
    describe: () => engine.describe(),
  };
}
