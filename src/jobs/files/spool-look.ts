/** Reads the look of a job's pictures from the header of its spool (layout: `crates/batch/src/spool/header.rs`). */

import type { JobMeta } from '../../contract/request-schema.js';

/** Magic number, layout version, and length of the settings. */
const PREFIX_BYTES = 16;
const PREFIX = Buffer.from('QRPSPOOL\x04\0\0\0', 'latin1');

/** @throws Error when this is not a header of this layout */
export function lookOfSpool(header: Buffer): JobMeta {
  if (!header.subarray(0, PREFIX.length).equals(PREFIX)) {
    throw new Error('this is not a spool with the layout of this version');
  }
  return JSON.parse(header.toString('utf8', PREFIX_BYTES)) as JobMeta;
}
