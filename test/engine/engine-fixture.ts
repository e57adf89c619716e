/** A folder of bodies, spools and archives for the tests of the engine. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBufferPromise } from 'yauzl';
import type {
  BodyForm,
  CheckRequest,
  ChunkRange,
  Engine,
  FinishArchiveRequest,
  RenderChunkReport,
  RenderChunkRequest,
} from '../../src/engine/engine.js';

/** Items of a chunk. */
export const CHUNK_ITEMS = 1_000;

/** The id of the engine's process. */
export function engineProcess(): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  for (const line of processes.split('\n')) {
    const [pid, parent, ...words] = line.trim().split(/\s+/);
    if (parent === String(process.pid) && words.join(' ').includes('engine-process.js')) {
      return Number(pid);
    }
  }
  throw new Error('The supervisor has no process');
}

export interface EngineFixture {
  path: (name: string) => string;
  /** Writes a body as it is, and gives the request to check it. */
  body: (form: BodyForm, content: string | Uint8Array) => Promise<CheckRequest>;
  ndjson: (meta: object, items: readonly object[]) => Promise<CheckRequest>;
  json: (body: unknown) => Promise<CheckRequest>;
  chunk: (range: ChunkRange) => RenderChunkRequest;
  parts: (chunks: RenderChunkRequest[], reports: RenderChunkReport[]) => FinishArchiveRequest;
  /** Puts an archive of `bytes` together from its chunks and its end, and reads its names with an independent reader. */
  archiveNames: (chunks: RenderChunkRequest[], bytes: number) => Promise<string[]>;
  /** The same end, from the headers of each chunk and the end. */
  endInPieces: (engine: Engine, chunks: RenderChunkRequest[], reports: RenderChunkReport[]) => Promise<Buffer>;
  remove: () => Promise<void>;
}

export async function openEngineFixture(): Promise<EngineFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-render-'));
  const path = (name: string) => join(folder, name);
  const spoolPath = path('spool');
  const endPath = path('end');
  const body = async (form: BodyForm, content: string | Uint8Array) => {
    await writeFile(path('body'), content);
    return { bodyPath: path('body'), form, spoolPath };
  };
  return {
    path,
    body,
    ndjson: (meta, items) => body('ndjson', [meta, ...items].map((line) => JSON.stringify(line)).join('\n')),
    json: (value) => body('json', JSON.stringify(value)),
    chunk: (range) => ({
      chunk: range,
      spoolPath,
      segmentPath: path(`${range.firstItem}.segment`),
      indexPath: path(`${range.firstItem}.index`),
    }),
    parts: (chunks, reports) => ({
      parts: chunks.map(({ indexPath }, index) => ({
        indexPath,
        segmentBytes: reports[index]?.segmentBytes ?? 0,
      })),
      endPath,
    }),
    async archiveNames(chunks, bytes) {
      const files = [...chunks.map(({ segmentPath }) => segmentPath), endPath];
      const content = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
      if (content.length !== bytes) throw new Error(`The archive has ${content.length} bytes instead of ${bytes}`);
      const archive = await fromBufferPromise(content);
      const names: string[] = [];
      for await (const entry of archive.eachEntry()) names.push(entry.fileName);
      return names;
    },
    async endInPieces(engine, chunks, reports) {
      const [headersPath, endAlonePath] = [path('headers'), path('end-alone')];
      const pieces: Buffer[] = [];
      const whole = { entries: 0, segmentBytes: 0, headerBytes: 0 };
      for (const [index, { indexPath }] of chunks.entries()) {
        const { entries, segmentBytes, headerBytes } = reports[index]!;
        const bytes = await engine.writeHeaders({
          indexPath,
          segmentBytes,
          offset: whole.segmentBytes,
          headersPath,
        });
        if (bytes !== headerBytes) throw new Error(`${bytes} bytes of headers instead of ${headerBytes}`);
        pieces.push(await readFile(headersPath));
        whole.entries += entries;
        whole.segmentBytes += segmentBytes;
        whole.headerBytes += headerBytes;
      }
      await engine.writeEnd({ ...whole, endPath: endAlonePath });
      return Buffer.concat([...pieces, await readFile(endAlonePath)]);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
