/** Numbers for people. */

import { counted } from '../platform/counted.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes with three significant digits, in powers of 1,000. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[power] ?? ''}`;
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** A share of 0 to 1 as a percentage, with a decimal where it has one. */
function percentText(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

/** Seconds, minutes or hours, whichever fits best. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** Outcome of a job: the numbers of its items, and the place of their archive. */
export interface ArchiveSummary {
  total: number;
  completed: number;
  failed: number;
  /** Rows of a spreadsheet that were left out. Absent when there are none. */
  skippedRows?: number;
  /** Items that were read back, and how many of them could not be read. Absent without `verify`. */
  verified?: number | undefined;
  unread?: number | undefined;
  /** Indices of the first hundred unread items. */
  unreadItems?: number[] | undefined;
  /** The least unused error correction of the items that were read, and the first item that has it. */
  leastUnusedErrorCorrection?: number | undefined;
  leastUnusedItem?: number | undefined;
  /** The path, or `-` for standard output. */
  archive: string;
  archiveBytes: number;
}

/** One line about a written archive. A second line about its readable codes, if they were read back. */
export function archiveText(summary: ArchiveSummary): string {
  const { completed, total, archiveBytes, archive, verified, unread = 0, unreadItems = [] } = summary;
  const place = archive === '-' ? 'standard output' : archive;
  const written = `${countText(completed)} of ${counted(total, 'item', countText)}, ${bytesText(archiveBytes)} in ${place}`;
  if (verified === undefined) return written;
  const more = unread > unreadItems.length ? ', …' : '';
  const places = unread > 0 ? ` (index ${unreadItems.join(', ')}${more})` : '';
  const { leastUnusedErrorCorrection: least, leastUnusedItem: item } = summary;
  const left = least === undefined ? '' : `\nLeast unused error correction: ${percentText(least)} (index ${item})`;
  return `${written}\n${counted(verified, 'code', countText)} read back, ${countText(unread)} unreadable${places}${left}`;
}
