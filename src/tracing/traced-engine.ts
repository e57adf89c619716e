/** The engine, with a span around what it does for a request or a job. */

import type { Engine } from '../render/engine.js';
import type { Tracing } from './tracing.js';

export function traceEngine(engine: Engine, tracing: Tracing | undefined): Engine {
  if (tracing === undefined) {
    return engine;
  }
  return {
    check: (request) =>
      tracing.step('check', { 'qrpress.body.form': request.form }, async (note) => {
        const report = await engine.check(request);
        note(
          'refusal' in report
            ? { 'qrpress.refusal': report.refusal.code }
            : { 'qrpress.items': report.total, 'qrpress.chunks': report.chunks.length },
        );
        return report;
      }),
    renderChunk: (request) =>
      tracing.step('render', { 'qrpress.items': request.itemCount }, async (note) => {
        const report = await engine.renderChunk(request);
        note({ 'qrpress.items.failed': report.failed, 'qrpress.segment.bytes': report.segmentBytes });
        return report;
      }),
    finishArchive: (request) =>
      tracing.step('write tail', { 'qrpress.chunks': request.parts.length }, () => engine.finishArchive(request)),
    // Of an answer that is on its way: the work of its request, and with it the trace's steps, have ended.
    writeHeaders: (request) => engine.writeHeaders(request),
    writeEnd: (request) => tracing.step('write tail', {}, () => engine.writeEnd(request)),
    describe: () => engine.describe(),
  };
}
