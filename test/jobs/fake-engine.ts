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
  ReadSpreadsheetReport,
  VerifyReport,
  VerifyRequest,
} from '../../src/engine/engine.js';

/** The end of every archive. */
const END = '.';

export class FakeEngine implements Engine {
  /** First items of the chunks that were asked for, in order. */
  readonly asked: number[] = [];
  /** Calls under way, and the most there ever were. */
  running = 0;
  mostRunning = 0;
  /** Comes before a chunk is rendered: may wait, or throw what the engine would. */
  onRender: (request: RenderChunkRequest) => Promise<void> | void = () => undefined;
  /** Comes before an archive's end is written, with its central directory or without. */
  onFinish: (request: FinishArchiveRequest | WriteEndRequest) => Promise<void> | void = () => undefined;
  /** Comes before headers are made of an index. */
  onHeaders: (request: WriteHeadersRequest) => Promise<void> | void = () => undefined;
  /** Number of a chunk's items that cannot be rendered. */
  failedItems: (request: RenderChunkRequest) => number = () => 0;
  /** Changes a chunk's report before it is answered. */
  tellOf: (report: RenderChunkReport, request: RenderChunkRequest) => RenderChunkReport = (report) => report;

  renderChunk(request: RenderChunkRequest): Promise<RenderChunkReport> {
    this.asked.push(request.firstItem);
    return this.#counted(async () => {
      await this.onRender(request);
      await readFile(request.spoolPath);
      const failed = this.failedItems(request);
      const segment = segmentText(request);
      const index = `D${request.firstItem};`;
      await writeFile(request.segmentPath, segment);
      await writeFile(request.indexPath, index);
      if (request.proofs !== undefined) {
        await writeFile(request.proofs.path, JSON.stringify(request));
      }
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

  check(): Promise<CheckReport> {
    return Promise.reject(new Error('nothing is checked here'));
  }

  /** A code of each chunk cannot be read: its first. */
  verify({ path, offset }: VerifyRequest): Promise<VerifyReport> {
    return this.#counted(async () => {
      const { firstItem, itemCount } = JSON.parse(await readFile(path, 'utf8')) as RenderChunkRequest;
      return offset === 0 ? { verified: 1, unread: [firstItem], next: 1 } : { verified: itemCount - 1, unread: [] };
    });
  }

  scan(): Promise<boolean> {
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
