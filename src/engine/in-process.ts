/**
 * Calls of the addon in this process: they open no file, and take microseconds. The layouts of stored files are read by the addon
 * and nowhere else.
 */

import type { StoredFile } from '#native';
import type { JobMeta } from '../contract/request-schema.js';
import { native } from './addon.js';

export const {
  /** The processors that this process may use: in a container those of its quota, which Node counts only in later releases. */
  availableThreads,
  /** The fields of a code's data, and its data from them. */
  composeData,
  readData,
  /** Lines that name the fields of codes, such as `SSID: Guest`; null for others. */
  fieldsOfLines,
  /** The numbers of the lines that say how to join a network, from 1. */
  linesOfNetworks,
  SegmentChecker,
} = native;

/** Draws a secret as an SVG file: not in the engine's process, which reads files of strangers. */
export function drawSecret(text: string): string {
  return native.drawSymbol(text, 4);
}

/** Upper bound of the bytes of a segment before the data of its first file: names have at most 255. */
export const MAX_HEADER_BYTES = 1_024;

/** The file whose header a piece of a segment begins with. @throws Error where it begins with none */
export function storedFileAt(piece: Buffer): StoredFile {
  const file = native.storedFile(piece);
  if (file === null) {
    throw new Error('There is no file at this place of the segment');
  }
  return file;
}

/**
 * The settings by which a spool is drawn. @throws Error when this is not a header of the layout of this version
 * @param asDrawn codes that are to have the same size get the size that they turned out to have; by default the style says how
 * it is found
 */
export function settingsOfSpool(header: Buffer, asDrawn = false): JobMeta {
  type Settings = JobMeta & { version?: number };
  const { format, style, version } = JSON.parse(native.settingsOfSpool(header)) as Settings;
  const drawn = asDrawn && version !== undefined && { version };
  return { ...(format && { format }), ...(style && { style: { ...style, ...drawn } }) };
}
