/** An engine that renders text in no time, counts what it is asked, and fails, dies or waits when a test wants it to. */

import { readFile, writeFile } from 'node:fs/promises';
import type {
  CheckReport,
  Engine,
  EngineDescription,
  FinishReport,
  FinishRequest,
  RenderReport,
  RenderRequest,
} from '../../src/render/engine.ts';
import { FarmCrashError } from '../../src/render/farm-crash-error.ts';

export class FakeEngine implements Engine {
  /** First items of the chunks that were asked for, in order. */
  readonly asked: number[] = [];
  /** Calls under way, and the most there ever were. */
  running = 0;
  mostRunning = 0;
  /** Comes before a chunk is rendered: may wait, or throw what the engine would. */
  onRender: (request: RenderRequest) => Promise<void> | void = () => undefined;
  /** Comes before an archive is finished. */
  onFinish: (request: FinishRequest) => Promise<void> | void = () => undefined;
  /** How many items of a chunk cannot be rendered. */
  failedItems: (request: RenderRequest) => number = () => 0;
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
      return { completed, failed, failures, segmentBytes: segment.length, directoryBytes: directory.length };
    });
  }

  finishArchive(request: FinishRequest): Promise<FinishReport> {
    return this.#whileAlive(async () => {
      await this.onFinish(request);
      const directories = await Promise.all(request.parts.map(({ directoryPath }) => readFile(directoryPath, 'utf8')));
      const tail = `[${directories.join('')}]`;
      await writeFile(request.tailPath, tail);
      const segmentBytes = request.parts.reduce((sum, part) => sum + part.segmentBytes, 0);
      return { entries: request.parts.length, tailBytes: tail.length, archiveBytes: segmentBytes + tail.length };
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
  return `${chunks.map(segmentText).join('')}[${chunks.map(({ firstItem }) => `D${firstItem};`).join('')}]`;
}
