/** A complete job's items for people: a page of them, or those that a search finds. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { folded } from '../../database/folded.js';
import type { ChunkPlace } from '../job-store.js';
import { manifest, type Sources } from './rendered-items.js';

/** Items that one search looks at. The next search goes on where it ended. */
export const ITEMS_SEARCHED = 100_000;

/** Bytes of the manifest that are looked at in one turn of the event loop. */
const PIECE_BYTES = 65_536;

const LINE_FEED = 10;

/** A line of the manifest. */
interface JobItem {
  index: number;
  reference?: string;
  data: string;
  caption?: string;
  status: 'completed' | 'failed';
  files: { name: string; bytes: number }[];
  /** 0 to 1. Absent: it was not read back, or could not be read. */
  unusedErrorCorrection?: number;
}

export interface ItemQuery {
  /** Index of the first item that is looked at. */
  from: number;
  /** Part of a name, a reference, a caption or the data, ignoring case. */
  search?: string | undefined;
  limit: number;
}

export interface ItemPage {
  items: JobItem[];
  /** Index of the first item that was not looked at. It may be behind the last one. */
  next: number;
}

/** Reads the manifests of the chunks that are needed, one after the other. @param chunks all of the job's, in order */
export async function findItems(
  sources: Sources,
  jobId: string,
  chunks: readonly ChunkPlace[],
  { from, search, limit }: ItemQuery,
): Promise<ItemPage> {
  const items: JobItem[] = [];
  const part = folded(search ?? '');
  const end = from + (search === undefined ? limit : ITEMS_SEARCHED);
  for (const chunk of chunks) {
    if (chunk.firstItem + chunk.itemCount <= from) {
      continue;
    }
    let index = chunk.firstItem;
    for await (const text of pieces(manifest(sources, jobId, [chunk], 'ndjson'))) {
      const lines = text.split('\n').slice(0, -1);
      // Most pieces have no match, and need not be parsed.
      const mayMatch = part === '' || folded(text).includes(plainPart(part));
      for (const line of lines) {
        if (index >= end || items.length === limit) {
          return { items, next: index };
        }
        const item = mayMatch && index >= from ? (JSON.parse(line) as JobItem) : undefined;
        if (item !== undefined && matches(item, part)) {
          items.push(item);
        }
        index += 1;
      }
    }
  }
  return { items, next: Math.max(from, (chunks.at(-1)?.firstItem ?? 0) + (chunks.at(-1)?.itemCount ?? 0)) };
}

function matches({ data, reference = '', caption = '', files }: JobItem, part: string): boolean {
  return [data, reference, caption, ...files.map(({ name }) => name)].some((text) => folded(text).includes(part));
}

/** The longest part that JSON writes as it is. */
function plainPart(text: string): string {
  return text.split(/["\\]/).reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** The text of a stream in pieces of whole lines, each in a turn of the event loop of its own. */
async function* pieces(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const bytes of stream) {
    const buffer = Buffer.concat([rest, bytes]);
    let start = 0;
    while (start < buffer.length) {
      const found = buffer.lastIndexOf(LINE_FEED, start + PIECE_BYTES);
      // A line may be longer than a piece.
      const end = found < start ? buffer.indexOf(LINE_FEED, start) : found;
      if (end === -1) {
        break;
      }
      yield buffer.toString('utf8', start, end + 1);
      start = end + 1;
      await nextTurn();
    }
    rest = buffer.subarray(start);
  }
}
