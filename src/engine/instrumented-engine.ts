/** Wraps the engine: times and counts checks and chunks, and records spans of the work for requests and jobs. */

import { stat } from 'node:fs/promises';
import { inSpan } from '../platform/tracing/spans.js';
import type { CheckReport, CheckRequest, Engine, ReadingsSummary, RenderChunkReport } from './engine.js';

/** Metrics of the engine's tasks. */
export interface EngineObserver {
  checked: (seconds: number, outcome: 'accepted' | 'refused' | 'error', bodyBytes: number) => void;
  items: (format: string, count: number) => void;
  rendered: (seconds: number, report: Pick<RenderChunkReport, 'completed' | 'failed' | 'segmentBytes'>) => void;
  readBack: (summary: Pick<ReadingsSummary, 'verified' | 'unread'>) => void;
}

export function instrumentEngine(engine: Engine, observer: EngineObserver): Engine {
  return {
    // The others are not measured. Most of them run while a response is being sent, when the work of its request, and so its
    // trace, has ended.
    ...engine,
    describe: () => engine.describe(),
    readSpreadsheet: (request) =>
      inSpan('read spreadsheet', {}, async (span) => {
        const report = await engine.readSpreadsheet(request);
        span.setAttributes({ 'qrpress.items': report.items, 'qrpress.problems': report.problemCount });
        return report;
      }),
    check: (request) =>
      inSpan('check', { 'qrpress.body.form': request.form }, async (span) => {
        const report = await timedCheck(engine, observer, request);
        span.setAttributes(
          'refusal' in report
            ? { 'qrpress.refusal': report.refusal.code }
            : { 'qrpress.items': report.total, 'qrpress.chunks': report.chunks.length },
        );
        return report;
      }),
    drawSamples: (request) => inSpan('draw samples', {}, () => engine.drawSamples(request)),
    renderChunk: (request) =>
      inSpan('render', { 'qrpress.items': request.chunk.itemCount }, async (span) => {
        const started = performance.now();
        const report = await engine.renderChunk(request);
        observer.rendered((performance.now() - started) / 1_000, report);
        span.setAttributes({ 'qrpress.items.failed': report.failed, 'qrpress.segment.bytes': report.segmentBytes });
        return report;
      }),
    readBack: (request) =>
      inSpan('read back', { 'qrpress.items': request.chunk.itemCount }, () => engine.readBack(request)),
    sumUpReadings: async (request) => {
      const summary = await engine.sumUpReadings(request);
      observer.readBack(summary);
      return summary;
    },
    verify: (request) =>
      inSpan('read back as a phone', {}, async (span) => {
        const report = await engine.verify(request);
        span.setAttributes({ 'qrpress.items.unread': report.unread.length });
        return report;
      }),
    finishArchive: (request) =>
      inSpan('write central directory and end', { 'qrpress.chunks': request.parts.length }, () =>
        engine.finishArchive(request),
      ),
    writeEnd: (request) => inSpan('write end', {}, () => engine.writeEnd(request)),
  };
}

async function timedCheck(
  engine: Engine,
  { checked, items, rendered }: EngineObserver,
  request: CheckRequest,
): Promise<CheckReport> {
  const started = performance.now();
  const bodyBytes = request.body?.length ?? (await sizeOf(request.bodyPath));
  const end = (outcome: Parameters<EngineObserver['checked']>[1]) =>
    checked((performance.now() - started) / 1_000, outcome, bodyBytes);
  try {
    const report = await engine.check(request);
    end('refusal' in report ? 'refused' : 'accepted');
    if (!('refusal' in report)) {
      items(report.format, report.total);
      if (report.drawn !== undefined) {
        const { segmentBytes } = report.drawn;
        rendered((performance.now() - started) / 1_000, { completed: report.total, failed: 0, segmentBytes });
      }
    }
    return report;
  } catch (error) {
    end('error');
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
