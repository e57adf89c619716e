/** A complete job's items for people: a page of them, or those that a search finds. */

import type { ManifestLine } from '../../contract/response-schema.js';
import { folded, wordsOf } from '../../database/folded.js';
import type { EventLoopTurns } from '../../platform/concurrency.js';
import type { ChunkPlace } from '../chunk-store.js';
import { segmentKey } from './job-files.js';
import { manifest, type Sources } from './rendered-items.js';

/** Items that one search looks at. The next search goes on where it ended. */
export const ITEMS_SEARCHED = 100_000;

/** Bytes of a manifest that are looked at in one turn of the event loop. */
const PIECE_BYTES = 65_536;

const LINE_FEED = 10;

/** Signs between the digits of a number, as people group them: `+49 170 1234567`, `030/123-45`. */
const BETWEEN_DIGITS = /(?<=\d)[ ()./-]+(?=\d)/g;

/** A word that is looked for as a number, too. */
const NUMBER = /\d{4}/;

/** The member `unread` as the engine writes it. In a text, the quotes of a member are escaped. */
const UNREAD = ',"unread":true';

/** The lines that are looked at. */
const LINES = { form: 'places', namesMissing: true } as const;

export interface ItemQuery {
  /** Index of the first item that is looked at. */
  from: number;
  /** Only these. Reads each chunk that has one of them once. */
  only?: readonly number[] | undefined;
  /** Part of a name, a reference, a caption or the data, ignoring case and the groups of digits. */
  search?: string | undefined;
  /** This one is found as well: the search has the name of its row. */
  named?: number | undefined;
  /** Only codes that were read back and could not be read. */
  unread?: UnreadCodes | undefined;
  /** The first items that are found and not on the page. */
  skip?: number;
  limit: number;
  /** Looks also at the items behind the last one of the page, to count those that the search finds. */
  countsAll?: boolean;
  /** Ends the search. */
  signal?: AbortSignal;
}

export interface UnreadCodes {
  /** The first of them, in order. */
  listed: readonly number[];
  /** Number of all. */
  count: number;
}

export type ItemFile = ManifestLine['files'][number] & {
  /** Its first byte in the segment. */
  offset: number;
};

export interface JobItem extends ManifestLine {
  files: ItemFile[];
  /** The key of the segment that has the files. */
  segment: string;
  /** Of an item that was not drawn: the name that its files would have, without its ending. */
  filename?: string;
}

export interface ItemPage {
  items: JobItem[];
  /** Index of the first item of the next page. It may be behind the last one. */
  next: number;
  /** Index of the first item that was not looked at. */
  searched: number;
  /** Items that were found, on this page and behind it. */
  found: number;
  /** Those that have files. */
  drawn: number;
}

/** Reads the manifests of the chunks that are needed, one after the other. @param chunks all of the job's, in order */
export async function findItems(
  sources: Sources & { turns: EventLoopTurns },
  jobId: string,
  chunks: readonly ChunkPlace[],
  { from, only, search, named, unread, skip = 0, limit, countsAll = false, signal }: ItemQuery,
): Promise<ItemPage> {
  const items: JobItem[] = [];
  let [found, drawn] = [0, 0];
  let next: number | undefined;
  // A page that has all that was found is followed by one that begins where the search ended.
  const pageOf = (searched: number) => ({
    items,
    searched,
    found,
    drawn,
    next: found <= skip + items.length ? searched : (next ?? searched),
  });
  const words = wordsOf(search ?? '');
  const plainWords = words.map((spellings) => spellings.map(plainPart));
  const isSearch = search !== undefined || unread !== undefined;
  let left = only !== undefined ? Number.POSITIVE_INFINITY : isSearch ? ITEMS_SEARCHED : limit;
  for (const chunk of chunks.filter((each) => mayHave(each, { from, only, unread }))) {
    let index = chunk.firstItem;
    const segment = segmentKey(jobId, chunk.position, chunk.attempt);
    for await (const text of pieces(manifest(sources, jobId, [chunk], LINES), sources.turns)) {
      signal?.throwIfAborted();
      const lines = text.split('\n').slice(0, -1);
      // Most pieces have no match, and need not be parsed.
      const mayMatch = has([text], plainWords);
      for (const line of lines) {
        if (index >= from) {
          if (items.length === limit) {
            next ??= index;
          }
          if (left === 0 || (next !== undefined && !countsAll)) {
            return pageOf(index);
          }
          left -= 1;
          const isOne = only?.includes(index) ?? true;
          const isWanted = isOne && (mayMatch || index === named) && (unread === undefined || line.includes(UNREAD));
          const item = isWanted ? ({ ...JSON.parse(line), segment } as JobItem) : undefined;
          if (item !== undefined && (index === named || matches(item, words))) {
            found += 1;
            drawn += item.files.length > 0 ? 1 : 0;
            if (next === undefined && found > skip) {
              items.push(item);
            }
          }
        }
        index += 1;
      }
    }
  }
  return pageOf(Math.max(from, (chunks.at(-1)?.firstItem ?? 0) + (chunks.at(-1)?.itemCount ?? 0)));
}

function matches({ data, reference = '', caption = '', filename = '', files }: JobItem, words: string[][]): boolean {
  return has([data, reference, caption, filename, ...files.map(({ name }) => name)], words);
}

/** True where each of the words is in one of the texts. Numbers may have their digits in other groups. */
function has(texts: string[], words: string[][]): boolean {
  if (words.length === 0) return true;
  const wholes = texts.map(folded);
  const joined = words.flat().some((word) => NUMBER.test(word)) ? wholes.map(withoutGroups) : [];
  const isIn = (word: string) =>
    wholes.some((whole) => whole.includes(word)) ||
    (NUMBER.test(word) && joined.some((whole) => whole.includes(withoutGroups(word))));
  return words.every((spellings) => spellings.some(isIn));
}

function withoutGroups(text: string): string {
  return text.replaceAll(BETWEEN_DIGITS, '');
}

function mayHave(chunk: ChunkPlace, { from, only, unread }: Pick<ItemQuery, 'from' | 'only' | 'unread'>): boolean {
  const { firstItem, itemCount } = chunk;
  const end = firstItem + itemCount;
  const hasOne = only?.some((item) => firstItem <= item && item < end) ?? true;
  return hasOne && end > from && (unread === undefined || mayHaveUnread(chunk, unread));
}

/** False for a chunk that was not read back, and for one without a code of a complete list. */
function mayHaveUnread({ readingsBytes, firstItem, itemCount }: ChunkPlace, { listed, count }: UnreadCodes): boolean {
  const isListed = listed.some((item) => item >= firstItem && item < firstItem + itemCount);
  return readingsBytes > 0 && (isListed || listed.length < count);
}

/** The longest part that JSON writes as it is. */
function plainPart(text: string): string {
  return text.split(/["\\\p{Cc}]/u).reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** The text of a stream in pieces of whole lines, each in a turn of the event loop that no other search has. */
async function* pieces(stream: AsyncIterable<Buffer>, turns: EventLoopTurns): AsyncGenerator<string> {
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
      await turns.take();
    }
    rest = buffer.subarray(start);
  }
}
