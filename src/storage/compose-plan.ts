/** How blobs become the parts of one object: S3 takes no part below 5 MiB but the last, no more than 10,000, and copies at most 5 GiB at once. */

/** A blob that is put together with others, whole; `bytes` is at least 1. */
export interface ComposedBlob {
  key: string;
  bytes: number;
}

/** Bytes `start` to `end` (inclusive) of a blob. */
export interface Piece {
  key: string;
  start: number;
  end: number;
  /** Whether that is all of the blob. */
  isWhole: boolean;
}

/** Pieces in order. A part of one piece can be copied inside the store where `isCopied` says so; all others are small enough to be held in memory. */
export type Part = readonly Piece[];

const MEBIBYTE = 1024 * 1024;
const SMALLEST_PART = 5 * MEBIBYTE;
const MOST_PARTS = 10_000;
/** Far below the 5 GiB that are allowed, so that each copy is done before its request is given up. */
const LARGEST_COPY = 256 * MEBIBYTE;

/** A range of a blob that is not above 5 MiB cannot be copied, the whole of it can. */
export function isCopied(part: Part): boolean {
  const [piece, ...others] = part;
  return piece !== undefined && others.length === 0 && (piece.isWhole || bytesOf(piece) >= SMALLEST_PART);
}

/** The parts of an object that is all blobs, one after the other. Gathered are about 5 MiB at once, more only where all are above 50 GB. */
export function planParts(blobs: readonly ComposedBlob[]): Part[] {
  const total = blobs.reduce((sum, { bytes }) => sum + bytes, 0);
  const smallest = Math.max(SMALLEST_PART, Math.ceil(total / (MOST_PARTS - 1)));
  const parts: Part[] = [];
  let gathered: Piece[] = [];
  let missing = smallest;
  for (const { key, bytes } of blobs) {
    for (let start = 0; start < bytes; ) {
      const left = bytes - start;
      const length = gathered.length > 0 ? Math.min(left, missing) : copyLength(left, smallest);
      gathered.push({ key, start, end: start + length - 1, isWhole: length === bytes });
      start += length;
      missing -= length;
      if (missing <= 0) {
        parts.push(gathered);
        gathered = [];
        missing = smallest;
      }
    }
  }
  return gathered.length > 0 ? [...parts, gathered] : parts;
}

/** What is left is copied at once, or in halves and so on where it is large. */
function copyLength(left: number, smallest: number): number {
  const largest = Math.max(LARGEST_COPY, 2 * smallest);
  return Math.ceil(left / Math.ceil(left / largest));
}

function bytesOf({ start, end }: Piece): number {
  return end - start + 1;
}
