/** An engine that renders text in no time, counts what it is asked, and fails or waits when a test wants it to. */

import { readFile, writeFile } from 'node:fs/promises';
import type {
  CheckReport,
  WriteEndRequest,
  Engine,
  EngineDescription,
  FinishArchiveReport,
  FinishArchiveRequest,
  FoundFile,
  WriteHeadersRequest,
  RenderChunkReport,
  RenderChunkRequest,
  ReadingsSummary,
  ReadSpreadsheetReport,
  VerifyReport,
  VerifyRequest,
} from '../../src/engine/engine.js';

/** A chunk that is to be rendered, with its range for a test to take apart. */
type AskedChunk = RenderChunkRequest & RenderChunkRequest['chunk'];

/** The end of every archive. */
const END = '.';

type ReadBackTask = Parameters<Engine['readBack']>[0];
type SumUpReadingsTask = Parameters<Engine['sumUpReadings']>[0];

export class FakeEngine implements Engine {
  /** First items of the chunks that were asked for, in order. */
  readonly asked: number[] = [];
  /** Calls under way, and the most there ever were. */
  running = 0;
  mostRunning = 0;
  /** Comes before a chunk is rendered: may wait, or throw what the engine would. */
  onRender: (request: AskedChunk) => Promise<void> | void = () => undefined;
  /** Comes before an archive's end is written, with its central directory or without. */
  onFinish: (request: FinishArchiveRequest | WriteEndRequest) => Promise<void> | void = () => undefined;
  /** Comes before headers are made of an index. */
  onHeaders: (request: WriteHeadersRequest) => Promise<void> | void = () => undefined;
  /** Number of a chunk's items that cannot be rendered. */
  failedItems: (request: AskedChunk) => number = () => 0;
  /** Changes a chunk's report before it is answered. */
  tellOf: (report: RenderChunkReport, request: AskedChunk) => RenderChunkReport = (report) => report;

  renderChunk(asked: RenderChunkRequest): Promise<RenderChunkReport> {
    const request = { ...asked, ...asked.chunk };
    this.asked.push(request.firstItem);
    return this.#counted(async () => {
      await this.onRender(request);
      await readFile(request.spoolPath);
      const failed = this.failedItems(request);
      const segment = segmentText(request);
      const index = `D${request.firstItem};`;
      await writeFile(request.segmentPath, segment);
      await writeFile(request.indexPath, index);
      const completed = request.itemCount - failed;
      const failures = failed > 0 ? [{ item: request.firstItem, message: 'out of ink' }] : [];
      const [segmentBytes, indexBytes] = [segment.length, index.length];
      const headerBytes = index.length + 1;
      return this.tellOf(
        {
          completed,
          failed,
          failures,
          segmentBytes,
          indexBytes,
          entries: completed,
          headerBytes,
        },
        request,
      );
    });
  }

  renderChunks(): Promise<never> {
    return Promise.reject(new Error('jobs are rendered chunk by chunk'));
  }

  finishArchive(request: FinishArchiveRequest): Promise<FinishArchiveReport> {
    return this.#counted(async () => {
      await this.onFinish(request);
      const indexes = await Promise.all(request.parts.map(({ indexPath }) => readFile(indexPath, 'utf8')));
      const end = `${indexes.map((index) => `^${index}`).join('')}${END}`;
      await writeFile(request.endPath, end);
      const segmentBytes = request.parts.reduce((sum, part) => sum + part.segmentBytes, 0);
      return { entries: request.parts.length, endBytes: end.length, archiveBytes: segmentBytes + end.length };
    });
  }

  writeHeaders(request: WriteHeadersRequest): Promise<number> {
    return this.#counted(async () => {
      await this.onHeaders(request);
      const headers = `^${await readFile(request.indexPath, 'utf8')}`;
      await writeFile(request.headersPath, headers);
      return headers.length;
    });
  }

  writeEnd(request: WriteEndRequest): Promise<number> {
    return this.#counted(async () => {
      await this.onFinish(request);
      await writeFile(request.endPath, END);
      return END.length;
    });
  }

  readSpreadsheet(): Promise<ReadSpreadsheetReport> {
    return Promise.reject(new Error('nothing is read here'));
  }

  writeManifest(): Promise<number> {
    return Promise.reject(new Error('nothing is told here'));
  }

  findFile(): Promise<FoundFile | null> {
    return Promise.reject(new Error('nothing is looked for here'));
  }

  planLabels(): Promise<never> {
    return Promise.reject(new Error('no labels are made here'));
  }

  measureLabels(): Promise<never> {
    return Promise.reject(new Error('no labels are made here'));
  }

  drawLabels(): Promise<never> {
    return Promise.reject(new Error('no labels are made here'));
  }

  changeLines(): Promise<never> {
    return Promise.reject(new Error('no lines are changed here'));
  }

  check(): Promise<CheckReport> {
    return Promise.reject(new Error('nothing is checked here'));
  }

  readBack(request: ReadBackTask): Promise<boolean> {
    return this.#counted(async () => {
      await writeFile(request.proofsPath, String(request.chunk.firstItem));
      await writeFile(request.readingsPath, String(request.chunk.itemCount));
      return true;
    });
  }

  /** A code of each chunk cannot be read: its first. */
  verify({ path, offset }: VerifyRequest): Promise<VerifyReport> {
    return this.#counted(async () => {
      const firstItem = Number(await readFile(path, 'utf8'));
      return offset === 0 ? { unread: [firstItem], next: 1 } : { unread: [] };
    });
  }

  sumUpReadings({ readingsPath, firstItem, unread }: SumUpReadingsTask): Promise<ReadingsSummary> {
    return this.#counted(async () => {
      const text = await readFile(readingsPath, 'utf8');
      const verified = Number(text);
      return {
        verified,
        unread: unread.length,
        unreadItems: unread,
        least: { thousandths: 900, item: firstItem + 1 },
        distribution: [0, 0, 0, verified - unread.length, 0],
        readingsBytes: text.length,
      };
    });
  }

  seeItem(): Promise<never> {
    return Promise.reject(new Error('nothing is looked at here'));
  }

  drawSamples(): Promise<never> {
    return Promise.reject(new Error('no samples are drawn here'));
  }

  scan(): Promise<never> {
    return Promise.reject(new Error('nothing is scanned here'));
  }

  describe(): Promise<EngineDescription> {
    const lists = { availableCpuPaths: [], rejectedFonts: [], confinement: [] };
    return Promise.resolve({ version: '0', cpuPath: 'none', fonts: 0, ...lists });
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }
}

/** The content of a chunk's segment. */
function segmentText({ firstItem, itemCount }: { firstItem: number; itemCount: number }): string {
  return `S${firstItem}+${itemCount};`;
}

/** The archive of a job whose chunks with these first items were rendered. */
export function archiveText(chunks: readonly { firstItem: number; itemCount: number }[]): string {
  return `${chunks.map(segmentText).join('')}${chunks.map(({ firstItem }) => `^D${firstItem};`).join('')}${END}`;
}
