/** An engine that renders text in no time, counts what it is asked, and fails, dies or waits when a test wants it to. */

import { readFile, writeFile } from 'node:fs/promises';
import type {
  CheckReport,
  Engine,
  EndRequest,
  EngineDescription,
  FinishReport,
  FinishRequest,
  HeadersRequest,
  RenderReport,
  RenderRequest,
} from '../../src/render/engine.ts';
import { FarmCrashError } from '../../src/render/farm-crash-error.ts';

/** What an archive ends with. */
const END = '.';

export class FakeEngine implements Engine {
  /** First items of the chunks that were asked for, in order. */
  readonly asked: number[] = [];
  /** Calls under way, and the most there ever were. */
  running = 0;
  mostRunning = 0;
  /** Comes before a chunk is rendered: may wait, or throw what the engine would. */
  onRender: (request: RenderRequest) => Promise<void> | void = () => undefined;
  /** Comes before an archive's end is written, or all of its tail. */
  onFinish: (request: FinishRequest | EndRequest) => Promise<void> | void = () => undefined;
  /** Comes before headers are made of a directory. */
  onHeaders: (request: HeadersRequest) => Promise<void> | void = () => undefined;
  /** How many items of a chunk cannot be rendered. */
  failedItems: (request: RenderRequest) => number = () => 0;
  /** What is told of a chunk in place of the truth. */
  tellOf: (report: RenderReport, request: RenderRequest) => RenderReport = (report) => report;
  readonly #deaths = new Set<(error: Error) => void>();

  /** Kills everything under way, as the farm's death would. */
  die(): void {
    const error = new FarmCrashError('signal SIGABRT', true, this.#deaths.size);
    for (const reject of this.#deaths) {
      reject(error);
    }
  }

  renderChunk(request: RenderRequest): Promise<RenderReport> {
    this.asked.push(request.firstItem);
    return this.#whileAlive(async () => {
      await this.onRender(request);
      await readFile(request.spoolPath);
      const failed = this.failedItems(request);
      const segment = segmentText(request);
      const directory = `D${request.firstItem};`;
      await writeFile(request.segmentPath, segment);
      await writeFile(request.directoryPath, directory);
      const completed = request.itemCount - failed;
      const failures = failed > 0 ? [{ item: request.firstItem, message: 'out of ink' }] : [];
      const [segmentBytes, directoryBytes] = [segment.length, directory.length];
      const headerBytes = directory.length + 1;
      return this.tellOf(
        {
          completed,
          failed,
          failures,
          segmentBytes,
          directoryBytes,
          entries: completed,
          headerBytes,
        },
        request,
      );
    });
  }

  finishArchive(request: FinishRequest): Promise<FinishReport> {
    return this.#whileAlive(async () => {
      await this.onFinish(request);
      const directories = await Promise.all(request.parts.map(({ directoryPath }) => readFile(directoryPath, 'utf8')));
      const tail = `${directories.map((directory) => `^${directory}`).join('')}${END}`;
      await writeFile(request.tailPath, tail);
      const segmentBytes = request.parts.reduce((sum, part) => sum + part.segmentBytes, 0);
      return { entries: request.parts.length, tailBytes: tail.length, archiveBytes: segmentBytes + tail.length };
    });
  }

  writeHeaders(request: HeadersRequest): Promise<number> {
    return this.#whileAlive(async () => {
      await this.onHeaders(request);
      const headers = `^${await readFile(request.directoryPath, 'utf8')}`;
      await writeFile(request.headersPath, headers);
      return headers.length;
    });
  }

  writeEnd(request: EndRequest): Promise<number> {
    return this.#whileAlive(async () => {
      await this.onFinish(request);
      await writeFile(request.endPath, END);
      return END.length;
    });
  }

  check(): Promise<CheckReport> {
    return Promise.reject(new Error('nothing is checked here'));
  }

  describe(): Promise<EngineDescription> {
    return Promise.resolve({ version: '0', cpuPath: 'none', availableCpuPaths: [], fonts: 0, rejectedFonts: [] });
  }

  async #whileAlive<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    let die: (error: Error) => void = () => undefined;
    const death = new Promise<never>((_, reject) => {
      die = reject;
    });
    this.#deaths.add(die);
    try {
      return await Promise.race([work(), death]);
    } finally {
      this.#deaths.delete(die);
      this.running -= 1;
    }
  }
}

/** What a chunk is rendered to. */
function segmentText({ firstItem, itemCount }: { firstItem: number; itemCount: number }): string {
  return `S${firstItem}+${itemCount};`;
}

/** The archive of a job whose chunks with these first items were rendered. */
export function archiveText(chunks: readonly { firstItem: number; itemCount: number }[]): string {
  return `${chunks.map(segmentText).join('')}${chunks.map(({ firstItem }) => `^D${firstItem};`).join('')}${END}`;
}
